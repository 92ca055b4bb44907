/** Formulas from formulas. */
import type { Expr } from "../ir/index.ts";

export const yes: Expr = { kind: "bool", value: true };
export const no: Expr = { kind: "bool", value: false };

export function allOf(parts: readonly Expr[]): Expr {
  const [first, second] = parts;
  if (first === undefined) return yes;
  return second === undefined ? first : { kind: "op", op: "and", args: parts };
}

export function anyOf(parts: readonly Expr[]): Expr {
  const [first, second] = parts;
  if (first === undefined) return no;
  return second === undefined ? first : { kind: "op", op: "or", args: parts };
}

export function negated(expr: Expr): Expr {
  return { kind: "op", op: "not", args: [expr] };
}

export function implied(given: readonly Expr[], goal: Expr): Expr {
  return given.length === 0 ? goal : { kind: "op", op: "implies", args: [allOf(given), goal] };
}
