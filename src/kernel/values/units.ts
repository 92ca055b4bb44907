/**
 * Costs and budgets: exact decimals, held as big integers of one quantum. What is finer than the quantum is
 * refused, never rounded to zero. Part of what must be trusted.
 */
import {
  compare,
  decimalText,
  divide,
  isNum,
  multiply,
  type Num,
  parseNum,
  type Value,
} from "../../ir/index.ts";
import { limits } from "../limits.ts";
import { refuse } from "../problem.ts";
import type { Part } from "../reasons.ts";
import { checkNumber } from "./decode.ts";

export interface Quantum {
  readonly size: Num;
  /** If the size is a 1 after so many decimal places; amounts are then a matter of digits. */
  readonly places: number | undefined;
}

/** Throws `Refused` for one that is not positive. */
export function quantumOf(size: Num, what: Part): Quantum {
  if (compare(size, 0n) <= 0) refuse("not positive", { what });
  const match = /^(?:1|0\.(0*1))$/.exec(decimalText(size) ?? "");
  return { size, places: match === null ? undefined : (match[1] ?? "").length };
}

/** Reads an amount that was given as a number or as decimal text; throws `Refused`. */
export function readAmount(value: Value | undefined, what: Part): Num {
  if (value !== undefined && isNum(value)) return value;
  if (typeof value !== "string") return refuse("not an amount", { what });
  // LIMIT: by length first; what counts is that its bits are within the bound, however it was written.
  const number = decimal.test(value) ? parseNum(value, limits.numberBits * 4) : undefined;
  if (number === undefined || (number === 0n && value.startsWith("-"))) {
    return refuse("not a decimal", { what, text: value });
  }
  checkNumber(number);
  return number;
}

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Converts an amount to quanta; throws `Refused` for a negative amount or a fraction of a quantum. */
export function unitsOf(value: Value | undefined, { size, places }: Quantum, what: Part): bigint {
  const short = typeof value === "string" && places !== undefined ? shortUnits(value, places) : undefined;
  if (short !== undefined) return short;
  const amount = readAmount(value, what);
  if (typeof amount === "bigint" && places !== undefined) {
    return amount < 0n ? refuse("is negative", { what }) : amount * 10n ** BigInt(places);
  }
  const units = divide(amount, size);
  if (typeof units !== "bigint")
    return refuse("finer than the quantum", { what, quantum: decimalText(size) ?? "" });
  return units < 0n ? refuse("is negative", { what }) : units;
}

/** The units of a short decimal text, worked out in numbers that are exact; undefined for anything else. */
function shortUnits(text: string, places: number): bigint | undefined {
  if (text.length > 15) return undefined;
  let units = 0;
  let dot = text.length;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - zero;
    if (digit >= 0 && digit <= 9) units = units * 10 + digit;
    else if (digit === point && dot === text.length && i > 0) dot = i;
    else return undefined;
  }
  const fraction = Math.max(0, text.length - dot - 1);
  const isPlain = dot !== text.length - 1 && (dot === 1 || text.charCodeAt(0) !== zero);
  if (!isPlain || text.length === 0 || fraction > places) return undefined;
  for (let i = fraction; i < places; i++) units *= 10;
  return Number.isSafeInteger(units) ? BigInt(units) : undefined;
}

const zero = 48;
const point = -2;

/** The same amount as decimal text. */
export function amountText(units: bigint, { size, places }: Quantum): string {
  if (units === 0n) return "0";
  if (places === undefined) return decimalText(multiply(units, size)) ?? "";
  if (places === 0) return units.toString();
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, "0");
  const whole = `${units < 0n ? "-" : ""}${digits.slice(0, -places)}`;
  let end = digits.length;
  while (end > digits.length - places && digits.charCodeAt(end - 1) === 48) end--;
  const fraction = digits.slice(-places, end);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
