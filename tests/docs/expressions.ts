/** Evaluates lone expressions, for pages that show what an expression gives. */

import {
  checkExpr,
  evaluateOn,
  isPartly,
  parseExpr,
  readDocument,
  record,
  type Type,
  type Value,
} from "../../src/ir/index.ts";

const empty = readDocument("effect-ir 1");

/** Evaluates an expression, and returns its type too. */
export function evaluateText(text: string): { readonly value: Value; readonly type: Type } {
  const parsed = parseExpr(text);
  if (!parsed.ok || !empty.ok) throw new Error(`${text}: ${parsed.ok ? "" : parsed.problems[0]?.message}`);
  const { expr } = parsed.value;
  const checked = checkExpr(empty.value.checked, expr, "values");
  if (!checked.ok) throw new Error(`${text}: ${checked.problems[0]?.message}`);
  const value = evaluateOn(checked.value, expr, { inputs: record([]), trace: [] });
  const type = checked.value.types.get(expr);
  if (isPartly(value) || type === undefined) throw new Error(`${text} has no value`);
  return { value, type };
}
