/**
 * Selects the calls that can affect a formula, by the tools, labels and cells that it mentions. SOUNDNESS: a call of
 * another tool that sets no fluent of the formula does not change its value. For unknown forms, every call counts.
 * Part of what must be trusted.
 */
import type { Checked, Expr, Relation, Selection, Tool } from "../../ir/index.ts";

/** Returns true if a call of the tool can affect the formula. */
export type Concerns = (tool: Tool) => boolean;

export function concernsOf(checked: Checked, formula: Expr): Concerns {
  const named: Named = { tools: new Set(), fluents: new Set() };
  if (!collect(checked, formula, named)) return () => true;
  const { tools, fluents } = named;
  return ({ name, sets }) => tools.has(name) || sets.some(({ fluent }) => fluents.has(fluent));
}

interface Named {
  readonly tools: Set<string>;
  readonly fluents: Set<string>;
}

/** False where it speaks of something else. */
function collect(checked: Checked, expr: Expr, named: Named): boolean {
  const all = (parts: readonly (Expr | undefined)[]) =>
    parts.every((part) => part === undefined || collect(checked, part, named));
  const rows = ({ in: relation, where }: Selection) => {
    relate(checked, relation, named);
    return all([where]);
  };
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
    case "var":
    // These speak of calls that stand for rows of what was named around them.
    case "precedes":
    case "result":
      return true;
    case "op":
      return all(expr.args);
    case "lambda":
    case "always":
      return all([expr.body]);
    case "list":
      return all(expr.items);
    case "record":
      return expr.fields.every(({ value }) => all([value]));
    case "field":
      return all([expr.of]);
    case "let":
      return all([expr.value, expr.body]);
    case "cell":
      named.fluents.add(expr.fluent);
      return all([expr.key]);
    case "quantifier":
      return rows(expr.over) && all([expr.body]);
    case "aggregate":
      return rows(expr.over) && all([expr.value, expr.otherwise]);
    case "perKey":
      return rows(expr.over) && all([expr.key, expr.value, expr.body]);
    case "distinct":
      return rows(expr.over) && all([expr.key]);
    // What may flow where is known from the program, whatever a run does.
    case "flows":
      return all([expr.value]);
    case "influenced":
      return true;
    // It moves by the calls that one of its transitions takes.
    case "automaton":
      return expr.on.every(({ over }) => rows(over));
    default:
      return false;
  }
}

function relate(checked: Checked, relation: Relation, { tools, fluents }: Named): void {
  switch (relation.kind) {
    case "calls":
    case "rows":
      tools.add(relation.tool);
      return;
    case "label":
      for (const { name } of checked.labels.get(relation.label) ?? []) tools.add(name);
      return;
    case "cells":
      fluents.add(relation.fluent);
  }
}
