/** Evaluates lone expressions, and writes values as expressions, for pages that show what an expression gives. */

import {
  checkExpr,
  type Expr,
  evaluateOn,
  isPartly,
  type Num,
  parseExpr,
  printExpr,
  readDocument,
  record,
  type Type,
  type Value,
} from "../../src/ir/index.ts";
import { isList, isNum, isOption, isRecord } from "../../src/ir/value.ts";

const empty = readDocument("effect-ir 1");

/** What the expression gives, and its type. */
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

/** The value as someone would write it. */
export function valueText(value: Value): string {
  return value === null ? "json(none)" : printExpr(exprOf(value));
}

function exprOf(value: Value): Expr {
  if (value === null) return { kind: "op", op: "json", args: [{ kind: "none" }] };
  if (typeof value === "boolean") return { kind: "bool", value };
  if (typeof value === "string") return { kind: "string", value };
  if (isNum(value)) return { kind: "number", value: value satisfies Num };
  if (isList(value)) return { kind: "list", items: value.map(exprOf) };
  if (isOption(value)) {
    return value.kind === "none" ? { kind: "none" } : { kind: "op", op: "some", args: [exprOf(value.value)] };
  }
  if (!isRecord(value)) throw new TypeError("a value of an unknown kind");
  const fields = Object.entries(value.fields).map(([name, part]) => ({ name, value: exprOf(part) }));
  return { kind: "record", fields };
}
