/**
 * The one text of a value: JSON in the canonical form of RFC 8785, and back. Different values have different texts,
 * and two values are equal if and only if their texts are. A number that no JavaScript number stands for is
 * written with all its digits, which the RFC has no word on.
 * Part of what must be trusted: entries and states are named by the hash of this text.
 */
import {
  decimalText,
  isList,
  isNum,
  isRecord,
  jsOfNum,
  type Num,
  readJson,
  type Value,
} from "../../ir/index.ts";
import { type Decoded, decoded, refuse } from "../problem.ts";
import { readValue } from "./decode.ts";

export function canonicalText(value: Value): string {
  if (value === null) return "null";
  switch (typeof value) {
    case "boolean":
      return value ? "true" : "false";
    case "string":
      return textOf(value);
    case "bigint":
      return numberText(value);
    default:
      return canonicalObject(value);
  }
}

/** Serializes a string. Strings without escapes skip `JSON.stringify`, which dominates the hot path. */
export function textOf(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

const plain = /^[\w .,:;/@$#()[\]{}<>=+*!?&%|~^'-]*$/;

export function numberText(number: Num): string {
  if (typeof number === "bigint" && number <= safe && number >= -safe) return number.toString();
  const js = jsOfNum(number);
  const text = js === undefined ? decimalText(number) : String(js);
  if (text === undefined) throw new TypeError("a number without a finite decimal form");
  return text;
}

const safe = BigInt(Number.MAX_SAFE_INTEGER);

/** From a canonical text or any other JSON text; only the canonical one comes back as it was. */
export function valueOfText(text: string): Decoded<Value> {
  return decoded(() => {
    const read = readJson(text);
    if (!read.ok) return refuse("not JSON", { why: read.problems[0]?.message ?? "the text is not JSON" });
    return readValue(read.value.value);
  });
}

export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return canonicalText(a) === canonicalText(b);
}

function canonicalObject(value: Exclude<Value, null | boolean | string | bigint>): string {
  if (isList(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (isNum(value)) return numberText(value);
  if (!isRecord(value)) throw new TypeError("an option is not a value of the kernel");
  const { fields } = value;
  // Without a comparison `sort` is by UTF-16 code units, as the RFC asks.
  const names = Object.keys(fields).sort();
  return `{${names.map((name) => `${textOf(name)}:${canonicalText(fields[name] ?? null)}`).join(",")}}`;
}
