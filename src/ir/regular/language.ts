/**
 * Regular languages over UTF-16 code units: what they are built from, how big they are, and their SMT-LIB form.
 * Part of what must be trusted.
 */
import { anyUnit, type Units, unit, units } from "./units.ts";

export type Language =
  /** One code unit of the set. */
  | { readonly kind: "one"; readonly of: Units }
  | { readonly kind: "sequence"; readonly parts: readonly Language[] }
  /** Without parts it is the empty language. */
  | { readonly kind: "choice"; readonly parts: readonly Language[] }
  /** Without `most`, any number of times. */
  | {
      readonly kind: "repeat";
      readonly of: Language;
      readonly least: number;
      readonly most: number | undefined;
    };

export const one = (of: Units): Language => ({ kind: "one", of });
export const sequence = (...parts: readonly Language[]): Language =>
  parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "sequence", parts };
export const choice = (...parts: readonly Language[]): Language =>
  parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "choice", parts };
export const repeat = (of: Language, least: number, most?: number): Language => ({
  kind: "repeat",
  of,
  least,
  most,
});
export const many = (of: Language): Language => repeat(of, 0);
export const maybe = (of: Language): Language => repeat(of, 0, 1);

/** Only the empty text. */
export const nothing: Language = sequence();
export const anything: Language = many(one(anyUnit));

/** Only this text. */
export function exactly(text: string): Language {
  const parts = Array.from({ length: text.length }, (_, i) => one(units([unit(text.charCodeAt(i))])));
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { kind: "sequence", parts };
}

/** Returns the number of positions with all counts unrolled; at least 1, so that repeating nothing counts too. */
export function sizeOf(language: Language): number {
  switch (language.kind) {
    case "one":
      return 1;
    case "sequence":
    case "choice":
      return language.parts.reduce((sum, part) => sum + sizeOf(part), 1);
    case "repeat":
      return sizeOf(language.of) * Math.max(1, language.most ?? language.least + 1) + 1;
  }
}

// ── SMT-LIB ──────────────────────────────────────────────────────────────────────────────────────────────

/** The term that is true of the strings of the language. */
export function memberTerm(text: string, language: Language): string {
  return `(str.in_re ${text} ${languageTerm(language)})`;
}

export function languageTerm(language: Language): string {
  switch (language.kind) {
    case "one":
      return combined("re.union", "re.none", language.of.map(rangeTerm));
    case "sequence":
      return combined("re.++", '(str.to_re "")', language.parts.map(languageTerm));
    case "choice":
      return combined("re.union", "re.none", language.parts.map(languageTerm));
    case "repeat":
      return repeatTerm(languageTerm(language.of), language.least, language.most);
  }
}

function combined(name: string, none: string, terms: readonly string[]): string {
  return terms.length === 0 ? none : terms.length === 1 ? (terms[0] ?? none) : `(${name} ${terms.join(" ")})`;
}

function rangeTerm([first, last]: readonly [number, number]): string {
  return first === last
    ? `(str.to_re ${unitText(first)})`
    : `(re.range ${unitText(first)} ${unitText(last)})`;
}

/** As an escape even where it need not be: there is then nothing that a solver could read as something else. */
function unitText(code: number): string {
  return `"\\u{${code.toString(16)}}"`;
}

function repeatTerm(of: string, least: number, most: number | undefined): string {
  if (most === 0) return '(str.to_re "")';
  if (most !== undefined)
    return least === 0 && most === 1 ? `(re.opt ${of})` : `((_ re.loop ${least} ${most}) ${of})`;
  if (least === 0) return `(re.* ${of})`;
  return least === 1 ? `(re.+ ${of})` : `(re.++ ((_ re.^ ${least}) ${of}) (re.* ${of}))`;
}
