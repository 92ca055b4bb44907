/**
 * What comes from a document, as it may stand in a sentence: nothing in it can be overlooked, end its quotes early,
 * or move the words around it. Whatever could is written as an escape.
 */
import { decimalText, type Num, numText } from "../ir/index.ts";

// Control and format characters, halves of pairs, separators, private ones, enclosing marks.
const unseen = "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Me}";
// What fonts leave blank although it is a letter, a mark or a symbol.
const blank = "\\p{Default_Ignorable_Code_Point}\\u2800";
// Letters that are written from right to left: the words and numbers beside them would change places.
const rightToLeft = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefe\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const hidden = `[${unseen}${blank}${rightToLeft}]|(?! )\\p{Zs}`;
// A mark goes on top of what stands before it: the quotation mark, or a heap of other marks.
const stacked = "^\\p{M}|(?<=\\p{M}{2})\\p{M}";

const inText = new RegExp(`${hidden}|${stacked}`, "gu");
const inQuotes = new RegExp(`["\\\\\`]|${hidden}|${stacked}`, "gu");

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

/** A string between quotation marks. A backquote is escaped too, since it starts a name in a sentence. */
export function quotedText(value: string): string {
  return `"${value.replace(plain.test(value) ? inPlainQuotes : inQuotes, escaped)}"`;
}

/** A name or something in text form, between as many backquotes as it takes to see where it ends. */
export function codeText(text: string): string {
  const shown = visibleText(text);
  let longest = 0;
  for (const [run] of shown.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  if (longest === 0) return `\`${shown}\``;
  const fence = "`".repeat(longest + 1);
  return `${fence} ${shown} ${fence}`;
}

/** Words that someone else chose, between our own. */
export function visibleText(text: string): string {
  return plain.test(text) ? text : text.replace(inText, escaped);
}

/** LIMIT: beyond this a decimal is no easier to read than a fraction, and it can be much longer. */
const maxDecimalLength = 40;
const maxDecimalDenominator = 10n ** BigInt(maxDecimalLength);

/** Exact: a decimal if there is a finite one, otherwise a fraction. */
export function numberText(value: Num): string {
  if (typeof value === "bigint") return value.toString();
  const decimal = value.den <= maxDecimalDenominator ? decimalText(value) : undefined;
  return decimal !== undefined && decimal.length <= maxDecimalLength ? decimal : numText(value);
}

function escaped(char: string): string {
  const short = shortEscapes.get(char);
  if (short !== undefined) return short;
  let units = "";
  for (let i = 0; i < char.length; i++) units += `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return units;
}
