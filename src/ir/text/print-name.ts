/**
 * Prints strings and names. The text shows everything: invisible characters, and those that could change the look of
 * the line, are escaped. Part of what must be trusted.
 */
import { isWord, reserved } from "./syntax.ts";

const plainString = /^[ !#-[\]-~]*$/;

// Control and format characters, line separators, blanks that are not the space, halves of pairs, and the letters,
// marks and symbols that fonts leave blank.
const unseen = "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800";
const inString = new RegExp(`["\\\\${unseen}]|(?! )\\p{Zs}`, "gu");
const inName = new RegExp(`[\`\\\\${unseen}]|(?! )\\p{Zs}`, "gu");

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["`", "\\`"],
  ["\\", "\\\\"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

export function printString(value: string): string {
  return plainString.test(value) ? `"${value}"` : `"${value.replace(inString, escaped)}"`;
}

/** A dotted name of a tool, fluent or contract, with its parts in backquotes where needed. */
export function printName(name: string): string {
  if (!name.includes(".")) return printIdentifier(name);
  const [first = "", ...others] = name.split(".");
  return [printIdentifier(first), ...others.map(printLabel)].join(".");
}

/** The name of a variable and the like. */
export function printIdentifier(name: string): string {
  return isWord(name) && !reserved.has(name) ? name : quote(name);
}

/** A name where every word can be one: after a dot or before a colon. */
export function printLabel(name: string): string {
  return isWord(name) ? name : quote(name);
}

function quote(name: string): string {
  return `\`${name.replace(inName, escaped)}\``;
}

function escaped(char: string): string {
  const short = shortEscapes.get(char);
  if (short !== undefined) return short;
  let units = "";
  // By code units: a character beyond U+FFFF is written as the pair that it is.
  for (let i = 0; i < char.length; i++) {
    units += `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`;
  }
  return units;
}
