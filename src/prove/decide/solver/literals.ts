/**
 * Exact values as SMT-LIB literals. Part of what must be trusted: a literal that a solver reads as another value
 * makes its proof one of something else.
 */
import type { Num } from "../../../ir/index.ts";
import type { Scalar, Sort } from "./port.ts";

/** The literal of a value in a sort that has it; an integer is also a value of `Real`. */
export function literal(value: Scalar, sort: Sort): string {
  if (sort === "Bool" && typeof value === "boolean") return boolLiteral(value);
  if (sort === "Int" && typeof value === "bigint") return intLiteral(value);
  if (sort === "Real" && typeof value !== "boolean" && typeof value !== "string") return realLiteral(value);
  if (sort === "String" && typeof value === "string") return stringLiteral(value);
  throw new TypeError(`a ${typeof value} is no value of the sort ${sort}`);
}

export function boolLiteral(value: boolean): string {
  return value ? "true" : "false";
}

/** SMT-LIB has no negative numerals, only negated ones. */
export function intLiteral(value: bigint): string {
  return value < 0n ? `(- ${-value})` : `${value}`;
}

/** Always with a decimal point, since `1` is an integer to those solvers that tell the sorts apart. */
export function realLiteral(value: Num): string {
  if (typeof value === "bigint") return value < 0n ? `(- ${-value}.0)` : `${value}.0`;
  const size = value.num < 0n ? -value.num : value.num;
  const quotient = `(/ ${size}.0 ${value.den}.0)`;
  return value.num < 0n ? `(- ${quotient})` : quotient;
}

/**
 * One escape for each code unit that is not plain ASCII, so that the solver's strings are sequences of UTF-16 code
 * units too: a lone surrogate is an ordinary element, and a character beyond them is two.
 */
export function stringLiteral(value: string): string {
  const escaped = value.replace(special, (unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`);
  return `"${escaped}"`;
}

// The backslash too: `\u{62}` in a string is six characters, in a literal it is one.
const special = /[^ -~]|["\\]/g;
