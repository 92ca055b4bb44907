/**
 * Attestations: statements that one action may be done, once, on one kernel, until a moment, each signed with Ed25519 by a
 * probe, a program or a person. Part of what must be trusted.
 */
import { isRecord, record, type Value } from "../ir/index.ts";
import { type Action, actionBody } from "./core/action.ts";
import { sha256 } from "./digest.ts";
import { limits } from "./limits.ts";
import { type Decoded, decoded, refuse } from "./problem.ts";
import { fingerprintOf, isSignature, type KeyObject, privateKeyOf, signatureOf } from "./signature.ts";
import { canonicalText, valueOfText } from "./values/canonical.ts";
import { checkText } from "./values/decode.ts";
import { Fields } from "./values/fields.ts";

export interface Statement {
  /** Digest of the action, by `actionDigest`. */
  readonly action: string;
  /** The kernel, by the hash of its first entry. */
  readonly kernel: string;
  /** The version of the state that it is about; null for any. */
  readonly version: number | null;
  /** Milliseconds. */
  readonly notBefore: number;
  /** The first moment at which it is good no more. */
  readonly expires: number;
  /** 128 random bits in hex. */
  readonly nonce: string;
  /** The person or program that attests, in words that nothing rests on. */
  readonly by: string;
}

export interface Attestation extends Statement {
  /** The fingerprint of the key that signed. */
  readonly key: string;
  /** Base64. */
  readonly signature: string;
}

/**
 * The digest of what an action does: all of it but the version that it was made for, which a statement names itself, and
 * its origin.
 */
export function actionDigest(action: Action): string {
  return `act1-${sha256(`foreclaim action\n${attestedText(action)}`)}`;
}

/** The canonical text that the digest is of. */
export function attestedText(action: Action): string {
  const body = actionBody(action);
  if (!isRecord(body)) throw new TypeError("an action is a record");
  const parts = Object.entries(body.fields).filter(([name]) => name !== "reads" && name !== "origin");
  return canonicalText(record(parts));
}

/** Signs; throws for an invalid key, and for a statement that no reader would accept: faults of the signer. */
export function signAttestation(statement: Statement, privateKey: string): Attestation {
  const key = privateKeyOf(privateKey);
  if (key === undefined) throw new TypeError("not an Ed25519 private key in PEM");
  const unsigned = { ...statement, key: fingerprintOf(key) };
  const signature = signatureOf(signedText(unsigned), key, "attestation");
  const read = decoded(() => readAttestation(attestationValue({ ...unsigned, signature })));
  if (!read.ok) throw new TypeError(read.problem.message);
  return read.value;
}

/** False for another key, anything that was changed, and other characters for the same bytes. */
export function isAttestedBy(attestation: Attestation, key: KeyObject): boolean {
  return isSignature(attestation.signature, signedText(attestation), key, "attestation");
}

export function attestationText(attestation: Attestation): string {
  return canonicalText(attestationValue(attestation));
}

export function attestationOfText(text: string): Decoded<Attestation> {
  return decoded(() => {
    const read = text.length > mostText ? undefined : valueOfText(text);
    return read?.ok ? readAttestation(read.value) : refuse("not an object", { what: "attestation" });
  });
}

/** LIMIT: code units of an attestation as text. */
const mostText = 10_000;

/** Strict: every field is there and within its bounds, and there is no other. Throws `Refused`. */
export function readAttestation(value: Value): Attestation {
  const fields = new Fields(value, "attestation");
  const version = fields.required("version");
  const attestation = {
    action: shaped(fields.name("action"), /^act1-[0-9a-f]{64}$/),
    kernel: shaped(fields.name("kernel"), /^[0-9a-f]{64}$/),
    version: version === null ? null : fields.count("version"),
    notBefore: fields.count("notBefore"),
    expires: fields.count("expires"),
    nonce: shaped(fields.name("nonce"), /^[0-9a-f]{32}$/),
    by: shaped(fields.name("by"), /^[^\p{Cc}\p{Cf}\p{Cs}]{1,100}$/u),
    key: shaped(fields.name("key"), /^fck1-[0-9a-f]{32}$/),
    // 64 bytes have one such text.
    signature: shaped(fields.name("signature"), /^[A-Za-z0-9+/]{85}[AQgw]==$/),
  };
  if (fields.required("v") !== 1n) refuse("attestation of an unknown version");
  fields.end();
  const { notBefore, expires } = attestation;
  if (expires <= notBefore || expires - notBefore > limits.jumpMs) refuse("attestation of no time");
  return Object.freeze(attestation);
}

function shaped(text: string, pattern: RegExp): string {
  checkText(text, limits.nameLength, "attestation");
  return pattern.test(text) ? text : refuse("attestation of another shape");
}

export function attestationValue(attestation: Attestation): Value {
  return record([...fieldsOf(attestation), ["signature", attestation.signature]]);
}

function signedText(unsigned: Omit<Attestation, "signature">): string {
  return canonicalText(record(fieldsOf(unsigned)));
}

/** INVARIANT: every field of a statement is here, and so signed. */
function fieldsOf(unsigned: Omit<Attestation, "signature">): [string, Value][] {
  const { action, kernel, version, notBefore, expires, nonce, by, key } = unsigned;
  return [
    ["v", 1n],
    ["action", action],
    ["kernel", kernel],
    ["version", version === null ? null : BigInt(version)],
    ["notBefore", BigInt(notBefore)],
    ["expires", BigInt(expires)],
    ["nonce", nonce],
    ["by", by],
    ["key", key],
  ];
}
