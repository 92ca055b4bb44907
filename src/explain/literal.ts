/** Constants in words, and lists of them, shortened unless everything is asked for. */
import { type Expr, isNum, printExpr, printValue, type Value } from "../ir/index.ts";
import { numberText } from "./number-text.ts";
import type { Scene, SentenceOptions } from "./scene.ts";
import { atom, joined, say, type Text } from "./text.ts";
import { codeText, quotedText } from "./visible.ts";

/** LIMIT: of characters of one string, and of elements of one list; of longer ones the beginning is shown. */
const mostOfString = 80;
const startOfString = 60;
const mostOfList = 10;
const startOfList = 8;

export function valueWords(value: Value, options: SentenceOptions): Text {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return stringWords(value, options);
  if (value !== null && isNum(value)) return atom(numberText(value));
  return codeWords(printValue(value), options);
}

export function stringWords(value: string, { full }: SentenceOptions): Text {
  if (full || value.length <= mostOfString) return atom(quotedText(value));
  const start = value.slice(0, startOfString);
  return say`${atom(quotedText(start))} … (the first ${String(startOfString)} of ${String(value.length)} characters)`;
}

/** Text form, cut where it is long. */
export function codeWords(text: string, { full }: SentenceOptions): Text {
  const most = 4 * mostOfString;
  if (full || text.length <= most) return atom(codeText(text));
  return say`${atom(codeText(text.slice(0, most)))} … (the first ${String(most)} of ${String(text.length)} characters)`;
}

/** A constant that is no more than text form: a list, a record. */
export function constantWords(expr: Expr, { options }: Scene): Text {
  return codeWords(printExpr(expr), options);
}

/** `"a", "b" or "c"`, or how many there are and the first of them. */
export function choices(items: readonly Text[], { full }: SentenceOptions, last: "or" | "and"): Text {
  if (full || items.length <= mostOfList) return joined(items, ", ", ` ${last} `);
  const shown = joined(items.slice(0, startOfList), ", ");
  const rest = items.length - startOfList;
  return say`${String(items.length)} values: ${shown}, … and ${String(rest)} more`;
}
