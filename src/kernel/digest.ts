/** SHA-256, the only hash of the kernel, and names that nobody else has. Part of what must be trusted. */
import crypto from "node:crypto";

/** Node has the quick form since 20.12. */
const oneShot: typeof crypto.hash | undefined = crypto.hash;

/**
 * Returns the SHA-256 of a text in UTF-8. Kernel texts have no lone surrogates, so different texts have different
 * bytes.
 */
export function sha256(text: string | Uint8Array): string {
  return oneShot === undefined
    ? crypto.createHash("sha256").update(text).digest("hex")
    : oneShot("sha256", text);
}

/** 128 random bits in hex. */
export function randomName(): string {
  return crypto.randomBytes(16).toString("hex");
}
