/** Ed25519 keys of principals, and the signatures of their entries. Part of what must be trusted. */
import crypto, { type KeyObject } from "node:crypto";
import { sha256 } from "./digest.ts";

export type { KeyObject };

const publicKeys = new Map<string, KeyObject>();
/** LIMIT: keys that are kept decoded. */
const keptKeys = 1_000;

/** The Ed25519 key in a PEM text; undefined for anything else, a private key included. */
export function publicKeyOf(pem: string): KeyObject | undefined {
  const kept = publicKeys.get(pem);
  if (kept !== undefined) return kept;
  if (!/^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]{1,400}\n-----END PUBLIC KEY-----\n?$/.test(pem))
    return undefined;
  try {
    const key = crypto.createPublicKey(pem);
    if (key.asymmetricKeyType !== "ed25519") return undefined;
    if (publicKeys.size >= keptKeys) publicKeys.clear();
    publicKeys.set(pem, key);
    return key;
  } catch {
    return undefined;
  }
}

/**
 * Returns a short name of a key: 128 bits of the SHA-256 of its SPKI bytes. It says which key is meant; whether that key signed
 * something, only the signature says.
 */
export function fingerprintOf(key: KeyObject): string {
  const half = key.type === "public" ? key : crypto.createPublicKey(key);
  return `fck1-${sha256(half.export({ type: "spki", format: "der" })).slice(0, 32)}`;
}

/** The private key in a PEM text; undefined for anything else. */
export function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    const key = crypto.createPrivateKey(pem);
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}

export function isPair(privateKey: KeyObject, publicKey: KeyObject): boolean {
  return crypto.createPublicKey(privateKey).equals(publicKey);
}

/** The things that are signed here. */
type Signed = "entry" | "attestation";

/** Signs all of an entry or an attestation but the signature; in base64. */
export function signatureOf(text: string, privateKey: KeyObject, what: Signed = "entry"): string {
  return crypto.sign(null, signedBytes(text, what), privateKey).toString("base64");
}

/** False for another key, another text, and other characters for the same bytes. */
export function isSignature(
  signature: string,
  text: string,
  publicKey: KeyObject,
  what: Signed = "entry",
): boolean {
  const bytes = Buffer.from(signature, "base64");
  if (bytes.toString("base64") !== signature) return false;
  return crypto.verify(null, signedBytes(text, what), publicKey, bytes);
}

/** The first line keeps a signature from being good for anything else. */
function signedBytes(text: string, what: Signed): Buffer {
  return Buffer.from(`foreclaim ${what}\n${text}`, "utf8");
}
