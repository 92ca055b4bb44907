/**
 * Forms of texts that rules compare, by tables of our own: the same on every machine and in every version of Node. Part of
 * what must be trusted.
 */
import { foldedRuns, skeletonRuns } from "./text-table.ts";

type Table = ReadonlyMap<number, string>;

/** Marks, width, case, digits, dashes, quotes and blanks make no difference; blanks are single. */
export function foldedText(text: string): string {
  return withSingleBlanks(mapped(text, foldedTable()));
}

/** Nor do letters that look like those of Latin. */
export function skeletonText(text: string): string {
  return withSingleBlanks(mapped(text, skeletonTable()));
}

/** Dashes, underscores and blanks as one: `wire-transfer` is `wire transfer`. */
export function spacedText(form: string): string {
  return withSingleBlanks(form.replace(/[-_.]+/g, " "));
}

/**
 * True if the letters and digits of `wanted` are in `form`, from the beginning of a word to the end of one, with more blanks and
 * signs between them; where `wanted` has a blank or a sign, there must be one.
 */
export function isSpreadIn(form: string, wanted: string): boolean {
  const words = wordsOf(wanted);
  const letters = words.join("");
  if (letters.length < 2) return false;
  let squeezed = "";
  /** Marks the letters that begin a word, and those that end one. */
  const [begins, ends]: [boolean[], boolean[]] = [[], []];
  let isInside = false;
  for (const sign of form) {
    const isLetter = isWord(sign);
    if (isLetter) {
      for (let i = 0; i < sign.length; i++) {
        begins.push(!isInside && i === 0);
        ends.push(false);
      }
      squeezed += sign;
    } else if (squeezed.length > 0) ends[squeezed.length - 1] = true;
    isInside = isLetter;
  }
  if (squeezed.length > 0) ends[squeezed.length - 1] = true;
  for (let at = squeezed.indexOf(letters); at >= 0; at = squeezed.indexOf(letters, at + 1)) {
    let end = at;
    const isSpread = words.every((word) => {
      end += word.length;
      return ends[end - 1] === true;
    });
    if (begins[at] && isSpread) return true;
  }
  return false;
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  let isInside = false;
  for (const sign of text) {
    const isLetter = isWord(sign);
    if (isLetter && isInside) words.push(`${words.pop() ?? ""}${sign}`);
    else if (isLetter) words.push(sign);
    isInside = isLetter;
  }
  return words;
}

/** Signs of ASCII are told apart; what lies beyond it counts as a letter. */
function isWord(sign: string): boolean {
  return /[a-z0-9]/.test(sign) || sign > "\u007f";
}

function withSingleBlanks(text: string): string {
  return text.replace(/ +/g, " ").replace(/^ | $/g, "");
}

function mapped(text: string, table: Table): string {
  let result = "";
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    if (code >= firstSyllable && code <= lastSyllable) result += jamoOf(code);
    else result += table.get(code) ?? sign;
  }
  return result;
}

const firstSyllable = 0xac00;
const lastSyllable = 0xd7a3;

/** A syllable of Hangul in its parts, as Unicode defines them. */
function jamoOf(code: number): string {
  const index = code - firstSyllable;
  const [lead, vowel, tail] = [Math.floor(index / 588), Math.floor((index % 588) / 28), index % 28];
  const parts = [0x1100 + lead, 0x1161 + vowel, ...(tail === 0 ? [] : [0x11a7 + tail])];
  return String.fromCodePoint(...parts);
}

let folded: Table | undefined;
let skeleton: Table | undefined;

function foldedTable(): Table {
  folded ??= tableOf(foldedRuns);
  return folded;
}

function skeletonTable(): Table {
  skeleton ??= tableOf(skeletonRuns);
  return skeleton;
}

function tableOf(lines: readonly string[]): Table {
  const table = new Map<number, string>();
  let from = 0;
  for (const run of lines.join("").trim().split(" ")) {
    const [, distance = "", count = "1", star = "", codes] =
      /^([0-9a-z]+)(?:\+([0-9a-z]+)(\*?))?(?:>([0-9a-z.]+))?$/.exec(run) ?? [];
    from += Number.parseInt(distance, 36);
    const to = codes === undefined ? [] : codes.split(".").map((one) => Number.parseInt(one, 36));
    for (let i = 0; i < Number.parseInt(count, 36); i++) {
      const by = i * (star === "" ? 1 : 2);
      table.set(from + by, String.fromCodePoint(...to.map((code) => code + by)));
    }
  }
  return table;
}
