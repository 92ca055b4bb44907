/** Conditions of actions on the state, and their evaluation on known values. */
import { add, type Json, JsonNumber, type Num, ratio } from "../../ir/index.ts";
import type { Comparison } from "../plan.ts";
import { contains, ordered, sameValue, shownValue, wholeNumber } from "../values.ts";

export interface Condition {
  readonly key: string;
  readonly operator: Comparison;
  readonly value: Json;
}

/** A value, or nothing: `undefined` is an absent key. */
export type Cell = Json | undefined;

/** Every operator but `not_exists` asks for a key that is there. */
export function holds({ operator, value }: Condition, cell: Cell): boolean {
  if (cell === undefined) return operator === "not_exists";
  switch (operator) {
    case "exists":
      return true;
    case "not_exists":
      return false;
    case "eq":
      return sameValue(cell, value);
    case "neq":
      return !sameValue(cell, value);
    case "gt":
      return ordered(cell, value) === 1;
    case "lt":
      return ordered(cell, value) === -1;
    case "gte": {
      const order = ordered(cell, value);
      return order === 0 || order === 1;
    }
    case "lte": {
      const order = ordered(cell, value);
      return order === 0 || order === -1;
    }
    case "contains":
      return contains(cell, value);
  }
}

/** For a key that is there with whatever value. */
export function holdsForAny({ operator, value }: Condition): "holds" | "fails" | "open" {
  switch (operator) {
    case "exists":
      return "holds";
    case "not_exists":
      return "fails";
    case "gt":
    case "lt":
    case "gte":
    case "lte":
      return JsonNumber.is(value) ? "open" : "fails";
    case "eq":
    case "neq":
    case "contains":
      return "open";
  }
}

/**
 * Values to try when one is wanted that meets some of these conditions and not another: at their bounds, beside
 * and between them. What is found is always checked; that nothing is found proves nothing.
 */
export function candidates(conditions: readonly Condition[]): Cell[] {
  const found: Cell[] = [undefined, null, true, false, "", wholeNumber(0n)];
  const numbers: Num[] = [];
  const parts: Json[] = [];
  for (const { operator, value } of conditions) {
    if (operator === "exists" || operator === "not_exists") continue;
    if (operator === "contains") parts.push(value);
    else found.push(value);
    if (JsonNumber.is(value)) numbers.push(value.value);
  }
  if (parts.length > 0) {
    found.push(parts);
    if (parts.every((part) => typeof part === "string")) found.push(parts.join(""));
  }
  for (const number of numbers) {
    for (const step of [1n, -1n]) found.push(numberOf(add(number, step)));
    for (const other of numbers) found.push(numberOf(half(add(number, other))));
  }
  return found;
}

function half(x: Num): Num {
  return typeof x === "bigint" ? ratio(x, 2n) : ratio(x.num, x.den * 2n);
}

/** Halves of what has a decimal have one too; where it has none, the number is of no use as JSON. */
function numberOf(x: Num): Json {
  if (typeof x === "bigint") return wholeNumber(x);
  const text = decimal(x.num, x.den);
  return text === undefined ? null : new JsonNumber(x, text);
}

function decimal(num: bigint, den: bigint): string | undefined {
  let scale = 1n;
  for (let places = 0; places < 400; places++, scale *= 10n) {
    if (scale % den !== 0n) continue;
    const digits = (num < 0n ? -num : num) * (scale / den);
    const text = digits.toString().padStart(places + 1, "0");
    const point = text.length - places;
    return `${num < 0n ? "-" : ""}${text.slice(0, point)}.${text.slice(point)}`;
  }
  return undefined;
}

/** As a person would write it: `ready eq true`, `ready exists`. */
export function conditionText({ key, operator, value }: Condition): string {
  if (operator === "exists" || operator === "not_exists") return `${key} ${operator}`;
  return `${key} ${operator} ${shownValue(value)}`;
}
