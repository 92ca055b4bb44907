/**
 * Exact values: what expressions evaluate to, what tools receive and return, what a trace holds.
 * A value does not carry its type; the checker knows it. An enum value is a string, an integer is a number,
 * which is why `enum{…}` is a subtype of `string` and `int` of `real` without any conversion.
 * Part of what must be trusted.
 */
import { type Num, numText, type Ratio } from "./number.ts";

export type Value = null | boolean | bigint | Ratio | string | readonly Value[] | RecordValue | OptionValue;

export interface RecordValue {
  readonly kind: "record";
  /** Has no prototype, so `__proto__` is a field like any other. An absent optional field has no entry. */
  readonly fields: Readonly<Record<string, Value>>;
  /** A JSON object, whose order of keys is part of the value. Without it the order means nothing. */
  readonly ordered?: true;
}

export type OptionValue = NoneValue | SomeValue;
export interface NoneValue {
  readonly kind: "none";
}
export interface SomeValue {
  readonly kind: "some";
  readonly value: Value;
}

export const none: NoneValue = Object.freeze({ kind: "none" });

export function some(value: Value): SomeValue {
  return Object.freeze({ kind: "some", value });
}

export function list(items: readonly Value[]): readonly Value[] {
  return Object.freeze(items);
}

export function record(entries: Iterable<readonly [string, Value]>): RecordValue {
  const fields: Record<string, Value> = Object.create(null);
  for (const [name, value] of entries) fields[name] = value;
  return Object.freeze({ kind: "record", fields: Object.freeze(fields) });
}

/** A JSON object: its keys are in JavaScript's order, those that look like indices first. */
export function jsonObject(entries: Iterable<readonly [string, Value]>): RecordValue {
  return Object.freeze({ ...record(entries), ordered: true });
}

export function isNum(value: Value): value is Num {
  return typeof value === "bigint" || (isTagged(value) && value.kind === "ratio");
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isRecord(value: Value): value is RecordValue {
  return isTagged(value) && value.kind === "record";
}

export function isOption(value: Value): value is OptionValue {
  return isTagged(value) && (value.kind === "none" || value.kind === "some");
}

/** Called with the units of work that an operation is about to do. */
export type Charge = (units: number) => void;

/** Structural equality. Charges for what it looks at, since two long lists take long to compare. */
export function equal(a: Value, b: Value, charge: Charge = free): boolean {
  charge(typeof a === "string" ? 1 + (a.length >> 6) : 1);
  if (a === b) return true;
  if (isList(a)) {
    return isList(b) && a.length === b.length && a.every((item, i) => equal(item, b[i] ?? null, charge));
  }
  if (!isTagged(a) || !isTagged(b)) return false;
  switch (a.kind) {
    case "ratio":
      return b.kind === "ratio" && a.num === b.num && a.den === b.den;
    case "none":
      return b.kind === "none";
    case "some":
      return b.kind === "some" && equal(a.value, b.value, charge);
    case "record":
      return (
        b.kind === "record" &&
        a.ordered === b.ordered &&
        (!a.ordered || sameOrder(a, b)) &&
        equalFields(a.fields, b.fields, charge)
      );
  }
}

/** A string that two values share if and only if they are equal: a key for maps and sets of values. */
export function valueKey(value: Value, charge: Charge = free): string {
  charge(typeof value === "string" ? 1 + (value.length >> 6) : 1);
  if (value === null) return "z";
  if (typeof value === "boolean") return value ? "t" : "f";
  if (typeof value === "bigint") return `n${numText(value)};`;
  if (typeof value === "string") return `s${value.length}:${value}`;
  if (isList(value)) return `l${value.length}:${value.map((item) => valueKey(item, charge)).join("")}`;
  switch (value.kind) {
    case "ratio":
      return `n${numText(value)};`;
    case "none":
      return "o";
    case "some":
      return `j${valueKey(value.value, charge)}`;
    case "record": {
      const names = Object.keys(value.fields);
      if (!value.ordered) names.sort();
      const parts = names.map(
        (name) => `${name.length}:${name}${valueKey(value.fields[name] ?? null, charge)}`,
      );
      return `${value.ordered ? "q" : "r"}${names.length}:${parts.join("")}`;
    }
  }
}

function free(): void {}

function sameOrder(a: RecordValue, b: RecordValue): boolean {
  const names = Object.keys(b.fields);
  return Object.keys(a.fields).every((name, i) => name === names[i]);
}

function isTagged(value: Value): value is Ratio | RecordValue | OptionValue {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function equalFields(a: RecordValue["fields"], b: RecordValue["fields"], charge: Charge): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    const [left, right] = [a[name], b[name]];
    return left !== undefined && right !== undefined && equal(left, right, charge);
  });
}
