/** Values as the reference pages describe them, without a line of the code under test: slow, small, and easy to read. */
import { isJsonArray, isJsonObject, type Json, JsonNumber } from "../../../src/ir/json/json.ts";
import { bits, decimalText, denominator, type Num, numerator, parseNum } from "../../../src/ir/number.ts";

export type Cell = Json | undefined;

export function numberJson(value: Num): Json {
  return new JsonNumber(value, decimalText(value) ?? "no decimal");
}

export function numberIn(json: Cell): Num | undefined {
  return JsonNumber.is(json) ? json.value : undefined;
}

/** A text that two values share exactly if they are equal: `1` is `1.0`, and fields have no order. */
export function textOf(json: Cell): string {
  if (json === undefined) return "absent";
  if (json === null || typeof json === "boolean" || typeof json === "string") return JSON.stringify(json);
  if (JsonNumber.is(json)) return `${numerator(json.value)}/${denominator(json.value)}`;
  if (isJsonArray(json)) return `[${json.map(textOf).join()}]`;
  const names = Object.keys(json).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(json[name])}`).join()}}`;
}

export function same(a: Cell, b: Cell): boolean {
  return textOf(a) === textOf(b);
}

/** The operators of preconditions. Only `not_exists` holds of an absent key. */
export function holds(cell: Cell, operator: string, value: Json): boolean {
  if (cell === undefined) return operator === "not_exists";
  switch (operator) {
    case "exists":
      return true;
    case "eq":
      return same(cell, value);
    case "neq":
      return !same(cell, value);
    case "gt":
      return differs(cell, value, (by) => by > 0n);
    case "lt":
      return differs(cell, value, (by) => by < 0n);
    case "gte":
      return differs(cell, value, (by) => by >= 0n);
    case "lte":
      return differs(cell, value, (by) => by <= 0n);
    case "contains":
      return hasWithin(cell, value);
    default:
      return false;
  }
}

function differs(cell: Json, value: Json, test: (by: bigint) => boolean): boolean {
  const [a, b] = [numberIn(cell), numberIn(value)];
  if (a === undefined || b === undefined) return false;
  return test(numerator(a) * denominator(b) - numerator(b) * denominator(a));
}

function hasWithin(cell: Json, part: Json): boolean {
  if (typeof cell === "string") return typeof part === "string" && cell.includes(part);
  return Array.isArray(cell) && cell.some((item: Json) => same(item, part));
}

// ── references ───────────────────────────────────────────────────────────────────────────────────────────

/** `$id.output` or `$id.output.field.field`, as a whole string. */
export function referenceOf(
  text: string,
): { readonly id: string; readonly fields: readonly string[] } | undefined {
  const [, id, rest] = /^\$(\w+)\.output((?:\.[^.]+)*)$/.exec(text) ?? [];
  return id === undefined ? undefined : { id, fields: rest === "" ? [] : (rest ?? "").slice(1).split(".") };
}

/** All texts in a value that are references. */
export function referencesIn(json: Json): string[] {
  if (typeof json === "string") return referenceOf(json) === undefined ? [] : [json];
  if (isJsonArray(json)) return json.flatMap(referencesIn);
  return isJsonObject(json) ? Object.values(json).flatMap(referencesIn) : [];
}

/** The ids of all outputs that a value refers to. */
export function referredIn(json: Json): string[] {
  return referencesIn(json).map((text) => referenceOf(text)?.id ?? "");
}

/** The value with outputs in place of references; undefined if one of them stands for nothing. */
export function resolved(json: Json, outputs: ReadonlyMap<string, Json>): Cell {
  if (typeof json === "string") {
    const reference = referenceOf(json);
    return reference === undefined ? json : reference.fields.reduce(fieldOf, outputs.get(reference.id));
  }
  if (isJsonArray(json)) {
    const items = json.map((item) => resolved(item, outputs));
    return items.some((item) => item === undefined) ? undefined : items.map((item) => item ?? null);
  }
  if (!isJsonObject(json)) return json;
  const fields: Record<string, Json> = Object.create(null);
  for (const [name, part] of Object.entries(json)) {
    const value = resolved(part, outputs);
    if (value === undefined) return undefined;
    fields[name] = value;
  }
  return fields;
}

function fieldOf(whole: Cell, name: string): Cell {
  if (whole === undefined) return undefined;
  if (isJsonArray(whole)) return /^(0|[1-9]\d*)$/.test(name) ? whole[Number(name)] : undefined;
  return isJsonObject(whole) && Object.hasOwn(whole, name) ? whole[name] : undefined;
}

// ── what can be kept and handed over ─────────────────────────────────────────────────────────────────────

/** Returns true if the kernel stores such a value. It refuses `-0`, huge numbers, and lone surrogates. */
export function isKept(json: Json): boolean {
  if (typeof json === "string") return json.length <= 100_000 && !/\p{Cs}/u.test(json);
  if (JsonNumber.is(json))
    return !(json.value === 0n && json.text.startsWith("-")) && bits(json.value) <= 1_024;
  if (isJsonArray(json)) return json.every(isKept);
  return !isJsonObject(json) || Object.entries(json).every(([name, part]) => isKept(name) && isKept(part));
}

export function isKeptName(key: string): boolean {
  return key !== "" && key.length <= 512 && !/\p{Cs}/u.test(key);
}

/** Returns true if some double has exactly this shortest decimal. */
export function isDouble(value: Num): boolean {
  const text = decimalText(value);
  if (text === undefined || !Number.isFinite(Number(text))) return false;
  const back = parseNum(String(Number(text)), 10_000);
  return back !== undefined && same(numberJson(back), numberJson(value));
}

/** Returns true if an undeclared tool can receive it: whole numbers also as `bigint`. */
export function isExact(json: Json): boolean {
  if (JsonNumber.is(json)) return typeof json.value === "bigint" || isDouble(json.value);
  if (isJsonArray(json)) return json.every(isExact);
  return !isJsonObject(json) || Object.values(json).every(isExact);
}
