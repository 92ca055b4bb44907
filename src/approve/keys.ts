/** Keys that sign receipts: Ed25519, the same kind that signs checkpoints. Part of what must be trusted. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** Undefined if it is no Ed25519 key in PEM; a private one gives its public half. */
export function publicKeyIn(pem: string): KeyObject | undefined {
  return ed25519(() => createPublicKey(pem));
}

export function privateKeyIn(pem: string): KeyObject | undefined {
  return ed25519(() => createPrivateKey(pem));
}

/**
 * A short name of a public key: 128 bits of the SHA-256 of its SPKI bytes. It says which key is meant; whether that key
 * signed something, only the signature says.
 */
export function fingerprintOf(key: KeyObject): string {
  const bytes = createPublicKeyOf(key).export({ type: "spki", format: "der" });
  return `fck1-${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}`;
}

/** The same from PEM. */
export function fingerprint(pem: string): string | undefined {
  const key = publicKeyIn(pem);
  return key && fingerprintOf(key);
}

function createPublicKeyOf(key: KeyObject): KeyObject {
  return key.type === "public" ? key : createPublicKey(key);
}

function ed25519(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}
