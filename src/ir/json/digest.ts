/** The one place of the IR that hashes. Part of what must be trusted. */
import { createHash } from "node:crypto";

/** SHA-256 of the text in UTF-8. */
export function sha256Hex(text: string): string {
  // UTF-8 cannot say half a surrogate pair and would write the same three bytes for each of them.
  if (/\p{Cs}/u.test(text)) throw new TypeError("a text with half a surrogate pair has no UTF-8");
  return createHash("sha256").update(text, "utf8").digest("hex");
}
