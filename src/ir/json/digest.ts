/** The one place of the IR that hashes. Part of what must be trusted. */
import { createHash } from "node:crypto";

/** SHA-256 of a text in UTF-8. */
export function sha256Hex(text: string): string {
  const digest = new Sha256();
  digest.add(text);
  return digest.hex();
}

/** SHA-256 of a text that comes in pieces. */
export class Sha256 {
  readonly #hash = createHash("sha256");

  add(text: string): void {
    // UTF-8 cannot say half a surrogate pair and would write the same three bytes for each of them.
    if (/\p{Cs}/u.test(text)) throw new TypeError("a text with half a surrogate pair has no UTF-8");
    this.#hash.update(text, "utf8");
  }

  hex(): string {
    return this.#hash.digest("hex");
  }
}
