/**
 * Guarantees to terms: a formula over the facts becomes one boolean term that is true in exactly the runs on which
 * the guarantee holds.
 * Part of what must be trusted.
 */
import type { Checked } from "../ir/check/index.ts";
import type { AggregateExpr, Expr } from "../ir/document.ts";
import { compileBool } from "./compile.ts";
import type { Terms } from "./factory.ts";
import type { Ghost } from "./facts.ts";
import { Formulas } from "./formulas.ts";
import type { Progress } from "./progress.ts";
import { sortOfTotal } from "./rows.ts";
import type { Term } from "./term.ts";
import type { Total } from "./totals.ts";
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
  return compileBool(
    formula,
    walked.formulaScene((expr, scene) => formulas.look(expr, scene)),
  );
}

/** What an aggregate that stands outside all quantifiers is made of. */
export function addends(
  checked: Checked,
  terms: Terms,
  walked: Progress,
  expr: AggregateExpr,
): { readonly present: Term; readonly value: Term }[] {
  const formulas = new Formulas(checked, terms, walked);
  return formulas.addends(
    expr,
    walked.formulaScene((inner, scene) => formulas.look(inner, scene)),
    "each",
  );
}

/** What each of them gains with a call. */
export function ghostsFor(
  checked: Checked,
  terms: Terms,
  totals: readonly Total[],
): (walked: Progress) => readonly Ghost[] {
  return (walked) =>
    totals.map((total) => {
      const formulas = new Formulas(checked, terms, walked);
      const scene = walked.formulaScene(() => {
        throw new TypeError("a total speaks of its calls and of inputs alone");
      });
      const key = total.key && terms.constant(total.key.name, total.key.sort);
      return {
        sort: sortOfTotal(total, scene),
        ...(key === undefined ? {} : { key }),
        counts: (tool) => formulas.isOf(total.over.in, tool),
        addend: (fact) => formulas.addend(total, key, fact, scene),
      };
    });
}
