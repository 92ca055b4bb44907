/** Facts about counts and sums of any calls: none is below zero, and fewer calls give no more. */

import { type AggregateExpr, type Expr, exprsIn, printExpr } from "../ir/index.ts";
import { isCallEach, isPlain, readsState } from "./kinds.ts";
import { yes } from "./logic.ts";
import { openNames } from "./names.ts";

/** LIMIT: of pairs that are asked about. */
const mostPairs = 12;

/**
 * @param params names that stand for the same value everywhere
 * @param isAdding whether nothing that a sum adds up is below zero
 * @param holds whether something is shown of every call
 */
export async function inclusions(
  formulas: readonly Expr[],
  params: ReadonlySet<string>,
  isAdding: (sum: AggregateExpr) => boolean,
  holds: (formula: Expr) => Promise<boolean>,
): Promise<Expr[]> {
  const numbers = numbersIn(formulas, params).filter(
    (one) => one.aggregate === "count" || (one.aggregate === "sum" && isAdding(one)),
  );
  const known = numbers.map(
    (one): Expr => ({ kind: "op", op: ">=", args: [one, { kind: "number", value: 0n }] }),
  );
  let pairs = 0;
  for (const less of numbers)
    for (const more of numbers) {
      if (less === more || !areAlike(less, more) || ++pairs > mostPairs) continue;
      // SOUNDNESS: each row of the one is a row of the other, with the same number, and none of those is below zero.
      const within: Expr = {
        kind: "quantifier",
        quantifier: "forall",
        over: less.over,
        body: more.over.where ?? yes,
      };
      if (more.over.where === undefined || (await holds(within)))
        known.push({ kind: "op", op: "<=", args: [less, more] });
    }
  return known;
}

/** Returns whether both are about the same rows and numbers; bound names are the same in all of them. */
function areAlike(a: AggregateExpr, b: AggregateExpr): boolean {
  const { value: one = yes, aggregate } = a;
  const { value: other = yes } = b;
  return (
    aggregate === b.aggregate &&
    JSON.stringify(a.over.in) === JSON.stringify(b.over.in) &&
    a.over.var === b.over.var &&
    printExpr(one) === printExpr(other)
  );
}

function numbersIn(formulas: readonly Expr[], params: ReadonlySet<string>): AggregateExpr[] {
  const found = new Map<string, AggregateExpr>();
  for (const expr of exprsIn(...formulas)) {
    if (expr.kind !== "aggregate" || !isCallEach(expr.over) || !isPlain(expr)) continue;
    // SOUNDNESS: what is asked of one call is asked without the states that calls leave.
    if (readsState(expr)) continue;
    if ([...openNames(expr)].every((name) => params.has(name))) found.set(printExpr(expr), expr);
  }
  return [...found.values()];
}
