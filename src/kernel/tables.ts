/**
 * Which tables of Unicode this process has. They decide what a lower-case letter and a mark are, and differ between versions
 * of Node; so a decision that rests on them says which they were. Part of what must be trusted.
 */
import { versions } from "node:process";

export const unicodeVersion: string = versions.unicode ?? "none";

/** Whether every table gives the same for a text. */
export function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  return /^[\u0000-\u007f]*$/.test(text);
}
