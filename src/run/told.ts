/** A program's answer and notes to the person who started the run, as plain JSON. */
import { isList, isNum, isRecord, nearestJs, type PlainJson, type Value } from "../ir/index.ts";

/** A JSON value as JSON has it: a number is the nearest that JavaScript has. */
export function plainJson(value: Value): PlainJson {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (isNum(value)) return finite(nearestJs(value));
  if (isList(value)) return value.map(plainJson);
  if (!isRecord(value)) throw new TypeError("an answer is a JSON value");
  return Object.fromEntries(Object.entries(value.fields).map(([name, part]) => [name, plainJson(part)]));
}

/** As `JSON.stringify` writes what is beyond all numbers. */
function finite(n: number): number | null {
  return Number.isFinite(n) ? n : null;
}

/** A note as a text: it is one, or the list of its parts, of which objects and lists are written as JSON. */
export function noteText(value: Value): string {
  const note = plainJson(value);
  const parts: readonly PlainJson[] = Array.isArray(note) ? note : [note];
  return parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" ");
}
