/**
 * Guarantees to terms: a formula over the facts becomes one boolean term that is true in exactly the runs on which
 * the guarantee holds.
 * Part of what must be trusted.
 */
import type { AggregateExpr, Checked, Expr } from "../../ir/index.ts";
import type { Total } from "../loops/totals.ts";
import { compileBool } from "../symbolic/compile.ts";
import type { Progress } from "../symbolic/symbolic-state.ts";
import { mostStepsAtOnce } from "../terms/effort.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { Formulas } from "./formulas.ts";
/**
 * The term of a guarantee's formula. Throws `NotFollowed`.
 * @param totals what was counted and summed along the walk
 */
export function formulaTerm(
  checked: Checked,
  terms: Terms,
  walked: Progress,
  formula: Expr,
  totals: readonly Total[] = [],
): Term {
  const formulas = new Formulas(checked, terms, walked, totals, formula);
  const scene = walked.formulaScene(formulas.looking());
  return scene.lists.within(() => terms.effort.within(mostStepsAtOnce, () => compileBool(formula, scene)));
}

/** Returns the addends of an aggregate outside all quantifiers. */
export function addends(
  checked: Checked,
  terms: Terms,
  walked: Progress,
  expr: AggregateExpr,
): { readonly present: Term; readonly value: Term }[] {
  const formulas = new Formulas(checked, terms, walked, [], expr);
  return formulas.addends(expr, walked.formulaScene(formulas.looking()), "each");
}
