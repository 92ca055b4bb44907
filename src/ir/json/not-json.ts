/** Explains why a text is not JSON, from the position where the reader stopped. */
import { quoted } from "./quoted.ts";

export interface Misfit {
  readonly message: string;
  /** Code units of what does not fit. */
  readonly length: number;
  readonly help?: string;
}

/** The tokens expected at that position. */
export type Wanted = "a value" | "a key" | "`,` or `]`" | "`,` or `}`" | "`:`" | "nothing more";

export function misfit(text: string, at: number, wanted: Wanted): Misfit {
  const char = text.charAt(at);
  if (char === "") return { message: `expected ${wanted}, found the end of the text`, length: 0 };
  if (char === "\ufeff") {
    return { message: "the text has a byte order mark", length: 1, help: "save it as UTF-8 without one" };
  }
  if (char === "'") {
    return { message: "a single quote cannot start a string", length: 1, help: 'write strings as "…"' };
  }
  if (char === "#" || text.startsWith("//", at) || text.startsWith("/*", at)) {
    return { message: "JSON has no comments", length: char === "#" ? 1 : 2, help: "remove the comment" };
  }
  const word = wordAt(text, at);
  if (word === "") {
    const found = charText(text, at);
    return { message: `expected ${wanted}, found ${found}`, length: isPair(text, at) ? 2 : 1 };
  }
  return { ...misfitWord(word, wanted), length: word.length };
}

/** A run of letters, digits and the like; used to show a whole word, and to see that a number ends. */
export function wordAt(text: string, at: number): string {
  let end = at;
  // LIMIT: messages show less than this.
  while (end < at + 50 && /[\p{L}\p{N}_$.+-]/u.test(text.charAt(end))) end++;
  return text.slice(at, end);
}

/** One character, visibly. */
export function charText(text: string, at: number): string {
  const code = text.codePointAt(at) ?? 0;
  const char = String.fromCodePoint(code);
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(char) && char !== "`" ? `\`${char}\`` : codeText(code);
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

export function codeText(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

const wordsOfOtherLanguages: ReadonlyMap<string, string> = new Map([
  ["NaN", "JSON has finite numbers only"],
  ["Infinity", "JSON has finite numbers only"],
  ["-Infinity", "JSON has finite numbers only"],
  ["+Infinity", "JSON has finite numbers only"],
  ["undefined", "omit the field, or write `null`"],
  ["None", "write `null`"],
  ["True", "write `true`"],
  ["False", "write `false`"],
]);

function misfitWord(word: string, wanted: Wanted): Omit<Misfit, "length"> {
  const found = quoted(word);
  if (wanted === "a key") return { message: `key ${found} is not in double quotes` };
  if (wanted !== "a value") return { message: `expected ${wanted}, found ${found}` };
  const help = wordsOfOtherLanguages.get(word);
  if (help !== undefined) return { message: `${found} is not a JSON value`, help };
  if (/^[-+.]/.test(word)) return { message: `a number cannot be written ${found}`, help: numberHelp };
  return { message: `${found} is not a JSON value` };
}

export const numberHelp = "write numbers like `0.5`, `-12` or `1e6`";
