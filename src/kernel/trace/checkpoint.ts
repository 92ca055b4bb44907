/**
 * Signed checkpoints: the length of a trace and the hash of its last entry, under an Ed25519 key. Kept apart from the
 * ledger, they show what the ledger alone cannot: that its end was cut off, or all of it written anew.
 * Part of what must be trusted.
 */
import crypto from "node:crypto";
import { isRecord } from "../../ir/index.ts";
import { fieldsValue } from "../core/policy.ts";
import { type Decoded, decoded, refuse } from "../problem.ts";
import { canonicalText, valueOfText } from "../values/canonical.ts";
import { Fields } from "../values/fields.ts";

export interface Checkpoint {
  readonly kernel: string;
  readonly length: number;
  readonly head: string;
  readonly time: number;
  /** Base64. */
  readonly signature: string;
}

export type Unsigned = Omit<Checkpoint, "signature">;

/** A fresh pair of keys in PEM. */
export function newKeys(): { readonly publicKey: string; readonly privateKey: string } {
  return crypto.generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

export function signCheckpoint(unsigned: Unsigned, privateKey: string): Checkpoint {
  const signature = crypto.sign(null, signedBytes(unsigned), crypto.createPrivateKey(privateKey));
  return { ...unsigned, signature: signature.toString("base64") };
}

/** False for anything that this key did not sign, a malformed signature included. */
export function isSignedBy(checkpoint: Checkpoint, publicKey: string): boolean {
  const key = crypto.createPublicKey(publicKey);
  if (key.asymmetricKeyType !== "ed25519") return false;
  const signature = Buffer.from(checkpoint.signature, "base64");
  return crypto.verify(null, signedBytes(checkpoint), key, signature);
}

export function checkpointText(checkpoint: Checkpoint): string {
  return canonicalText(fieldsValue({ ...unsignedFields(checkpoint), signature: checkpoint.signature }));
}

export function readCheckpoint(text: string): Decoded<Checkpoint> {
  return decoded(() => {
    const read = valueOfText(text);
    if (!read.ok || !isRecord(read.value)) return refuse("checkpoint is not JSON");
    const fields = new Fields(read.value, "checkpoint");
    const checkpoint = {
      kernel: fields.name("kernel"),
      length: fields.count("length"),
      head: fields.name("head"),
      time: fields.count("time"),
      signature: fields.name("signature"),
    };
    if (fields.required("v") !== 1n) refuse("checkpoint of an unknown version");
    fields.end();
    return checkpoint;
  });
}

/** The first line keeps a signature from being good for anything else. */
function signedBytes(unsigned: Unsigned): Buffer {
  return Buffer.from(`foreclaim checkpoint\n${canonicalText(fieldsValue(unsignedFields(unsigned)))}`, "utf8");
}

function unsignedFields({ kernel, length, head, time }: Unsigned) {
  return { kernel, length: BigInt(length), head, time: BigInt(time), v: 1n };
}
