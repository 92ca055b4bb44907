/** Classifies formulas that must get a definite verdict when every call succeeded and every cell is known. */
import type { Checked } from "../../src/ir/check/index.ts";
import type { Expr, Selection } from "../../src/ir/document.ts";
import { partsOf } from "./walk.ts";

/** Returns true for provenance formulas, which are never decided on a trace. */
export function mentionsFlows(formula: Expr): boolean {
  return [formula, ...partsOf(formula).map(({ node }) => node)].some((node) =>
    ["flows", "influenced", "mayRead"].includes((node as Expr).kind),
  );
}

/**
 * Returns true if the keys of infinite fluents are only compared with known values, or used as keys. All unwritten
 * keys behave alike then, and there is one answer for them.
 */
export function comparesKeysOnly(checked: Checked, formula: Expr): boolean {
  return isPlain(checked, formula, new Set());
}

type Keyed = ReadonlySet<string>;

function isPlain(checked: Checked, expr: Expr, keyed: Keyed): boolean {
  const plain = (part: Expr | undefined) => part === undefined || isPlain(checked, part, keyed);
  const under = (over: Selection, ...parts: readonly (Expr | undefined)[]) => {
    const inner = hasEndlessKeys(checked, over) ? new Set([...keyed, over.var]) : keyed;
    return [over.where, ...parts].every((part) => part === undefined || isPlain(checked, part, inner));
  };
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
    case "precedes":
    case "result":
      return true;
    case "var":
      return !keyed.has(expr.name);
    case "field":
      if (isRow(expr.of, keyed)) return expr.name === "value";
      return plain(expr.of);
    case "cell":
      return isKey(expr.key, keyed) || plain(expr.key);
    case "op": {
      const [a, b] = expr.args;
      if ((expr.op === "==" || expr.op === "!=") && a !== undefined && b !== undefined) {
        // That no key equals an infinite number is not worth knowing.
        if (isKey(a, keyed)) return plain(b) && !countsCells(b);
        if (isKey(b, keyed)) return plain(a) && !countsCells(a);
      }
      return expr.args.every(plain);
    }
    case "lambda":
      return plain(expr.body);
    case "list":
      return expr.items.every(plain);
    case "record":
      return expr.fields.every(({ value }) => plain(value));
    case "let":
      return plain(expr.value) && plain(expr.body);
    case "always":
      return plain(expr.body);
    case "flows":
    case "influenced":
    case "mayRead":
      return false;
    case "automaton":
      return expr.on.every(({ over }) => under(over));
    case "quantifier":
      return under(expr.over, expr.body);
    case "aggregate":
      return under(expr.over, expr.value) && plain(expr.otherwise);
    case "perKey":
      return under(expr.over, expr.key, expr.value) && plain(expr.body);
    case "distinct":
      return under(expr.over, expr.key);
  }
}

function hasEndlessKeys(checked: Checked, over: Selection): boolean {
  if (over.in.kind !== "cells") return false;
  const key = checked.fluents.get(over.in.fluent)?.key.kind;
  return key !== "bool" && key !== "enum";
}

function countsCells(expr: Expr): boolean {
  return [expr, ...partsOf(expr).map(({ node }) => node as Expr)].some(
    (part) => part.kind === "aggregate" && part.over.in.kind === "cells",
  );
}

function isRow(expr: Expr, keyed: Keyed): boolean {
  return expr.kind === "var" && keyed.has(expr.name);
}

function isKey(expr: Expr, keyed: Keyed): boolean {
  return expr.kind === "field" && expr.name === "key" && isRow(expr.of, keyed);
}
