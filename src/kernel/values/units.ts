/**
 * Costs and budgets: exact decimals, held as big integers of one quantum. What is finer than the quantum is
 * refused, never rounded to zero. Part of what must be trusted.
 */

import { quoted } from "../../ir/json/quoted.ts";
import { decimalText, divide, multiply, type Num, parseNum } from "../../ir/number.ts";
import { isNum, type Value } from "../../ir/value.ts";
import { limits } from "../limits.ts";
import { refuse } from "../problem.ts";
import { checkNumber } from "./decode.ts";

/** Reads an amount that was given as a number or as decimal text; throws `Refused`. */
export function readAmount(value: Value | undefined, what: string): Num {
  if (value !== undefined && isNum(value)) return value;
  if (typeof value !== "string") return refuse("shape", `${what} is not a number or a decimal text`);
  const number = /^-?\d+(\.\d+)?$/.test(value) ? parseNum(value, limits.numberBits) : undefined;
  if (number === undefined || /^-0+(\.0+)?$/.test(value)) {
    return refuse("shape", `${what} is not a decimal: ${quoted(value)}`);
  }
  checkNumber(number);
  return number;
}

/** How many quanta an amount is; throws `Refused` for one that is negative or not a whole number of them. */
export function unitsOf(amount: Num, quantum: Num, what: string): bigint {
  const units = divide(amount, quantum);
  if (typeof units !== "bigint") {
    return refuse("shape", `${what} is finer than the quantum \`${decimalText(quantum)}\``);
  }
  if (units < 0n) refuse("shape", `${what} is negative`);
  return units;
}

/** The same amount as decimal text. */
export function amountText(units: bigint, quantum: Num): string {
  return decimalText(multiply(units, quantum)) ?? "";
}
