/**
 * The one escaper of text that comes from elsewhere: a document, an agent, a tool. Sentences, the terminal and the page
 * show nothing that did not pass it. Whatever could be overlooked, end its quotes early, or move the words around it is
 * written as an escape, and so are letters that a reader would take for others. The page loads this file too.
 */
import { lookAlikes, suspectClass } from "./look-alikes.ts";

/** A part of a text: as it stands, or as the escape of one character. */
export interface Piece {
  readonly text: string;
  readonly isEscape: boolean;
  /** The length of the part that it stands for, in code units. */
  readonly units: number;
}

// Control and format characters, halves of pairs, separators, private ones, enclosing marks.
const unseen = "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Me}";
// Letters, marks and symbols that fonts leave blank.
const blank = "\\p{Default_Ignorable_Code_Point}\\u2800";
// Letters that are written from right to left: the words and numbers beside them would change places.
const rightToLeft = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefe\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
// A mark goes on top of the character before it: the quotation mark, or a heap of other marks.
const stacked = "^\\p{M}|(?<=\\p{M}{2})\\p{M}";
const hidden = `[${unseen}${blank}${rightToLeft}]|(?! )\\p{Zs}|${stacked}`;
// Escaped where it looks like another letter, by its position.
const suspect = `(?<suspect>${suspectClass})`;

const inText = new RegExp(`${hidden}|${suspect}`, "gu");
const inQuotes = new RegExp(`["\\\\\`]|${hidden}|${suspect}`, "gu");
const inLayout = new RegExp(`(?![\\n\\t])(?:${hidden})|(?<=[\\n\\t])\\p{M}|${suspect}`, "gu");

// Most words are plain, and making the patterns above ready takes longer than proving a small program.
const plain = /^[ -~]*$/;
const inPlainQuotes = /["\\`]/g;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** Returns a string between quotation marks. A backquote is escaped too, since it starts a name in a sentence. */
export function quotedText(value: string): string {
  const shown = plain.test(value) ? value.replace(inPlainQuotes, escaped) : replaced(value, inQuotes);
  return `"${shown}"`;
}

/** Returns a name or a text form, between as many backquotes as it takes to see where it ends. */
export function codeText(text: string): string {
  const shown = visibleText(text);
  let longest = 0;
  for (const [run] of shown.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  if (longest === 0) return `\`${shown}\``;
  const fence = "`".repeat(longest + 1);
  return `${fence} ${shown} ${fence}`;
}

/** Returns words that someone else chose, as they may stand between our own. */
export function visibleText(text: string): string {
  return plain.test(text) ? text : replaced(text, inText);
}

/** Returns the text in printable ASCII, for places that take nothing else. */
export function asciiText(text: string): string {
  return plain.test(text) ? text : text.replace(/[^ -~]/gu, escaped);
}

/**
 * Splits a text so that escapes can be marked. Together the pieces are what `visibleText` returns.
 * @param layout whether line ends and tabs stay, as in a source
 */
export function pieces(text: string, layout = false): readonly Piece[] {
  if (plain.test(text)) return [{ text, isEscape: false, units: text.length }];
  const found: Piece[] = [];
  let last = 0;
  const keepUntil = (end: number) => {
    if (end > last) found.push({ text: text.slice(last, end), isEscape: false, units: end - last });
  };
  for (const match of toEscape(text, layout ? inLayout : inText)) {
    const [char] = match;
    keepUntil(match.index);
    found.push({ text: escaped(char), isEscape: true, units: char.length });
    last = match.index + char.length;
  }
  keepUntil(text.length);
  return found;
}

function replaced(text: string, pattern: RegExp): string {
  let shown = "";
  let last = 0;
  for (const { 0: char, index } of toEscape(text, pattern)) {
    shown += text.slice(last, index) + escaped(char);
    last = index + char.length;
  }
  return shown + text.slice(last);
}

/** Finds what must be escaped, in its order. */
function* toEscape(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  let marked: ReadonlySet<number> | undefined;
  for (const match of text.matchAll(pattern)) {
    if (match.groups?.suspect !== undefined) {
      marked ??= lookAlikes(text);
      if (!marked.has(match.index)) continue;
    }
    yield match;
  }
}

function escaped(char: string): string {
  const short = shortEscapes.get(char);
  if (short !== undefined) return short;
  let units = "";
  for (let i = 0; i < char.length; i++) units += `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return units;
}
