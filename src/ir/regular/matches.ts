/** JavaScript's methods of texts and regular expressions. Part of what must be trusted. */
import { type Machine, Search, type Spans } from "./machine.ts";

export interface Found {
  readonly index: number;
  readonly end: number;
  /** The whole match, then the groups; undefined for one that holds nothing. */
  readonly parts: readonly (string | undefined)[];
}

export type Charge = (units: number) => void;

export function firstMatch(machine: Machine, text: string, charge: Charge): Found | undefined {
  const spans = new Search(machine, text, charge).from(0);
  return spans === undefined ? undefined : foundAt(text, spans);
}

/** All matches, one after the other; after an empty one the search goes on one character further. */
export function allMatches(machine: Machine, text: string, charge: Charge): Found[] {
  const search = new Search(machine, text, charge);
  const found: Found[] = [];
  for (let from = 0; from <= text.length; ) {
    const spans = search.from(from);
    if (spans === undefined) break;
    const match = foundAt(text, spans);
    found.push(match);
    from = match.end === match.index ? after(machine, text, match.end) : match.end;
  }
  return found;
}

/** The parts of the text between matches, and what the groups of each match hold. */
export function splitBy(machine: Machine, text: string, charge: Charge): string[] {
  const search = new Search(machine, text, charge);
  if (text === "") return search.from(0) === undefined ? [""] : [];
  const parts: string[] = [];
  let start = 0;
  for (let from = 0; from < text.length; ) {
    const spans = search.from(from);
    const match = spans && foundAt(text, spans);
    if (match === undefined || match.index >= text.length) break;
    if (match.end === start) {
      from = after(machine, text, match.index);
      continue;
    }
    parts.push(text.slice(start, match.index), ...match.parts.slice(1).map((part) => part ?? ""));
    start = match.end;
    from = start;
  }
  parts.push(text.slice(start));
  return parts;
}

/** The text with the first matches replaced by the texts in turn. */
export function replacedWith(
  text: string,
  matches: readonly Found[],
  replacement: (match: Found, i: number) => string | undefined,
  length: (soFar: number) => void,
): string {
  const parts: string[] = [];
  let [start, size] = [0, 0];
  const push = (part: string) => {
    size += part.length;
    length(size);
    parts.push(part);
  };
  matches.forEach((match, i) => {
    const by = replacement(match, i);
    if (by === undefined) return;
    push(text.slice(start, match.index));
    push(by);
    start = match.end;
  });
  push(text.slice(start));
  return parts.join("");
}

/** Expands a replacement template: `$1`, `$<name>`, `$&`, `` $` ``, `$'` and `$$` have a meaning in it. */
export function expanded(
  template: string,
  text: string,
  match: Found,
  names: readonly (string | undefined)[],
): string {
  if (!template.includes("$")) return template;
  const groups = match.parts.length - 1;
  const isNamed = names.some((name) => name !== undefined);
  return template.replace(/\$(?:[$&`']|\d\d?|<[^>]*>)/g, (sign) => {
    const rest = sign.slice(1);
    if (rest === "$") return "$";
    if (rest === "&") return match.parts[0] ?? "";
    if (rest === "`") return text.slice(0, match.index);
    if (rest === "'") return text.slice(match.end);
    if (rest.startsWith("<")) {
      if (!isNamed) return sign;
      const at = names.indexOf(rest.slice(1, -1));
      return at < 0 ? "" : (match.parts[at + 1] ?? "");
    }
    const [both, one] = [Number(rest), Number(rest.charAt(0))];
    if (both >= 1 && both <= groups) return match.parts[both] ?? "";
    if (rest.length === 2 && one >= 1 && one <= groups) return (match.parts[one] ?? "") + rest.charAt(1);
    return sign;
  });
}

function foundAt(text: string, spans: Spans): Found {
  const parts: (string | undefined)[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    const [start = -1, end = -1] = [spans[i], spans[i + 1]];
    parts.push(start < 0 || end < 0 ? undefined : text.slice(start, end));
  }
  return { index: spans[0] ?? 0, end: spans[1] ?? 0, parts };
}

/** The place of the next character: the next code unit, or with the flag `u` the next code point. */
function after({ flags }: Machine, text: string, at: number): number {
  return at + (flags.isUnicode && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}
