/** Values of the state, compared exactly: numbers by what they are, objects whatever the order of their keys. */
import {
  compare,
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  jsOfNum,
  type Num,
  numText,
} from "../ir/index.ts";
import { writtenText } from "../run/index.ts";

export { writtenText };

export function sameValue(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (JsonNumber.is(a)) return JsonNumber.is(b) && sameNumber(a.value, b.value);
  if (JsonNumber.is(b)) return false;
  if (isJsonArray(a)) {
    return isJsonArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i] ?? null));
  }
  return isJsonObject(b) && sameFields(a, b);
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    const [left, right] = [a[name], b[name]];
    return left !== undefined && right !== undefined && sameValue(left, right);
  });
}

function sameNumber(a: Num, b: Num): boolean {
  return a === b || (typeof a !== "bigint" && typeof b !== "bigint" && a.num === b.num && a.den === b.den);
}

/** Compares two numbers; returns undefined if one is not a number. */
export function ordered(a: Json, b: Json): -1 | 0 | 1 | undefined {
  return JsonNumber.is(a) && JsonNumber.is(b) ? compare(a.value, b.value) : undefined;
}

/** Tests a substring of a text, or an element of a list. */
export function contains(whole: Json, part: Json): boolean {
  if (typeof whole === "string") return typeof part === "string" && whole.includes(part);
  if (typeof whole !== "object" || whole === null || JsonNumber.is(whole)) return false;
  return isJsonArray(whole) && whole.some((item) => sameValue(item, part));
}

/** A text that two values share if and only if they are the same. */
export function valueText(json: Json): string {
  if (typeof json === "string") return JSON.stringify(json);
  if (typeof json !== "object" || json === null) return String(json);
  if (JsonNumber.is(json)) return numText(json.value);
  if (isJsonArray(json)) return `[${json.map(valueText).join(",")}]`;
  const names = Object.keys(json).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${valueText(json[name] ?? null)}`).join(",")}}`;
}

/** As it would be written in JSON, numbers as they were written; cut short for people. */
export function shownValue(json: Json, most = 40): string {
  const text = writtenText(json);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

export function wholeNumber(n: bigint): JsonNumber {
  return new JsonNumber(n, n.toString());
}

/** Returns true if JavaScript represents every number in it exactly, as a `number` or a `bigint`. */
export function isReceivable(json: Json): boolean {
  if (typeof json !== "object" || json === null) return true;
  if (JsonNumber.is(json)) return typeof json.value === "bigint" || jsOfNum(json.value) !== undefined;
  if (isJsonArray(json)) return json.every(isReceivable);
  for (const name in json) if (!isReceivable(json[name] ?? null)) return false;
  return true;
}

/** Returns true if a JavaScript `number` represents every number in it exactly. */
export function hasPlainNumbers(json: Json): boolean {
  if (typeof json !== "object" || json === null) return true;
  if (JsonNumber.is(json)) return isPlainNumber(json.value);
  if (isJsonArray(json)) return json.every(hasPlainNumbers);
  for (const name in json) if (!hasPlainNumbers(json[name] ?? null)) return false;
  return true;
}

function isPlainNumber(x: Num): boolean {
  return typeof x === "bigint" ? Number.isSafeInteger(Number(x)) : jsOfNum(x) !== undefined;
}
