/**
 * On which side of negations the quantifiers of a formula stand. Nothing rests on it but which rows are tried.
 */
import type { Expr, QuantifierExpr } from "../../ir/index.ts";

/** The witness that makes the formula true: one row, or the absence of a violating row. */
export type Sought = "some" | "each";

const known = new WeakMap<Expr, ReadonlyMap<QuantifierExpr, Sought>>();

/** Found once: a formula is looked at for every place where a run may stop. */
export function soughtIn(formula: Expr): ReadonlyMap<QuantifierExpr, Sought> {
  const before = known.get(formula);
  if (before !== undefined) return before;
  const found = soughtAnew(formula);
  known.set(formula, found);
  return found;
}

function soughtAnew(formula: Expr): ReadonlyMap<QuantifierExpr, Sought> {
  const found = new Map<QuantifierExpr, Sought>();
  const visit = (expr: Expr, positive: boolean | undefined): void => {
    const flipped = positive === undefined ? undefined : !positive;
    switch (expr.kind) {
      case "op":
        expr.args.forEach((arg, i) => {
          if (expr.op === "and" || expr.op === "or") visit(arg, positive);
          else if (expr.op === "not") visit(arg, flipped);
          else if (expr.op === "implies") visit(arg, i === 0 ? flipped : positive);
          else if (expr.op === "if" && i > 0) visit(arg, positive);
          else if (expr.op === "every" || expr.op === "any") visit(arg, i === 0 ? undefined : positive);
          else visit(arg, undefined);
        });
        return;
      case "quantifier": {
        const exists = expr.quantifier === "exists";
        found.set(expr, exists === (positive ?? true) ? "some" : "each");
        if (expr.over.where !== undefined) visit(expr.over.where, exists ? positive : flipped);
        visit(expr.body, positive);
        return;
      }
      case "let":
        visit(expr.value, undefined);
        visit(expr.body, positive);
        return;
      case "lambda":
      case "always":
        visit(expr.body, positive);
        return;
      default:
        return;
    }
  };
  visit(formula, true);
  return found;
}
