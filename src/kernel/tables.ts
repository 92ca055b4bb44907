/**
 * Version of the Unicode tables of this process. They define lower-case letters and marks, and differ between Node
 * versions; so a decision that depends on them records it. Part of what must be trusted.
 */
import { versions } from "node:process";

export const unicodeVersion: string = versions.unicode ?? "none";

/** Returns true for ASCII text, on which all Unicode versions agree. */
export function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  return /^[\u0000-\u007f]*$/.test(text);
}
