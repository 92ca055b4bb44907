/** Brace expansion: `{a,b}` and `{1..9}` of a word, before anything else is expanded. */

import type { Part, Word } from "../syntax/tree.ts";

/** Words that a brace expansion may become. */
export const MAX_WORDS = 256;

type Char = { readonly part: Part; readonly char: string | undefined };

/** The words that a word expands to; undefined if there are too many. */
export function expandBraces(word: Word): readonly Word[] | undefined {
  const results = expand(split(word));
  return results?.map((chars) => chars.map(({ part }) => part));
}

/** Every unquoted character as a part of its own, so that braces are found by position. */
function split(word: Word): readonly Char[] {
  return word.flatMap((part): Char[] => {
    if (part.kind !== "text" || part.quoted) return [{ part, char: undefined }];
    return [...part.text].map((char) => ({ part: { kind: "text", text: char, quoted: false }, char }));
  });
}

function expand(chars: readonly Char[]): readonly (readonly Char[])[] | undefined {
  for (let open = 0; open < chars.length; open += 1) {
    if (chars[open]?.char !== "{") continue;
    const found = alternatives(chars, open);
    if (found === undefined) continue;
    const after = expand(chars.slice(found.end + 1));
    if (after === undefined || found.items === undefined) return undefined;
    const results: (readonly Char[])[] = [];
    for (const item of found.items) {
      const inner = expand(item);
      if (inner === undefined) return undefined;
      for (const middle of inner) {
        for (const end of after) results.push([...chars.slice(0, open), ...middle, ...end]);
      }
      if (results.length > MAX_WORDS) return undefined;
    }
    return results;
  }
  return [chars];
}

interface Alternatives {
  /** Undefined if a sequence is too long. */
  readonly items: readonly (readonly Char[])[] | undefined;
  readonly end: number;
}

function alternatives(chars: readonly Char[], open: number): Alternatives | undefined {
  let depth = 0;
  let start = open + 1;
  const items: (readonly Char[])[] = [];
  for (let at = open + 1; at < chars.length; at += 1) {
    const char = chars[at]?.char;
    if (char === "{") depth += 1;
    if (char === "}" && depth > 0) {
      depth -= 1;
      continue;
    }
    if (char === "," && depth === 0) {
      items.push(chars.slice(start, at));
      start = at + 1;
    }
    if (char !== "}" || depth > 0) continue;
    if (items.length > 0) return { items: [...items, chars.slice(start, at)], end: at };
    const range = sequence(chars.slice(open + 1, at));
    return range === undefined ? undefined : { items: range.items, end: at };
  }
  return undefined;
}

function sequence(
  chars: readonly Char[],
): { readonly items: readonly (readonly Char[])[] | undefined } | undefined {
  const text = chars.map(({ char }) => char ?? "\n").join("");
  const numbers = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/.exec(text);
  if (numbers !== null) {
    const [from, to] = [Number(numbers[1]), Number(numbers[2])];
    const step = Math.max(1, Math.abs(Number(numbers[3] ?? 1)));
    if (Math.abs(to - from) / step >= 100_000) return { items: undefined };
    // Numbers between the ends are no paths or options, so that a few stand for all.
    const middle = from + Math.sign(to - from) * step;
    const few = Math.abs(to - from) <= step ? [from, to] : [from, middle, to];
    return { items: [...new Set(few)].map((value) => charsOf(String(value))) };
  }
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.-?\d+)?$/.exec(text);
  if (letters === null) return undefined;
  const [a, b] = [letters[1]?.codePointAt(0) ?? 0, letters[2]?.codePointAt(0) ?? 0];
  const codes = Array.from({ length: Math.abs(b - a) + 1 }, (_, at) => Math.min(a, b) + at);
  return { items: codes.map((code) => charsOf(String.fromCodePoint(code))) };
}

function charsOf(text: string): readonly Char[] {
  return [...text].map((char) => ({ part: { kind: "text", text: char, quoted: false }, char }));
}
