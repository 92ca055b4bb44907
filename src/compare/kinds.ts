/** What parts of formulas depend on: on which calls were made, or on nothing that leaving out calls would change. */

import { visit } from "../explain/index.ts";
import type { AggregateExpr, Expr, Selection } from "../ir/index.ts";

export function isOfCells({ in: relation }: Selection): boolean {
  return relation.kind === "cells";
}

/** Rows that are there because a call is: the call itself, or a row of its result. */
export function isOfCalls({ in: relation }: Selection): boolean {
  return relation.kind !== "cells";
}

/** Each call is one row. */
export function isCallEach({ in: relation }: Selection): boolean {
  return relation.kind === "calls" || relation.kind === "label";
}

/**
 * Whether it is the same whatever other calls are made: what is said of bound calls stays, since they and their order do.
 * SOUNDNESS: cells count as fixed, for states that are taken to be any; `always` does not, and `now` stands only in it.
 */
export function isFixed(expr: Expr | undefined): boolean {
  let fixed = true;
  visit(expr, (node) => {
    const kind: unknown = Reflect.get(node, "kind");
    if (typeof kind === "string" && unfixed.has(kind)) fixed = false;
    const over: unknown = Reflect.get(node, "over");
    if (typeof over === "object" && over !== null) fixed &&= isCells(Reflect.get(over, "in"));
  });
  return fixed;
}

const unfixed: ReadonlySet<string> = new Set(["always", "flows", "influenced", "mayRead", "automaton"]);

function isCells(relation: unknown): boolean {
  return typeof relation === "object" && relation !== null && Reflect.get(relation, "kind") === "cells";
}

/** Whether it is a number that the rows decide one by one. */
export function isPlain({ over, value, otherwise }: AggregateExpr): boolean {
  return isFixed(over.where) && isFixed(value) && isFixed(otherwise);
}

/** Whether it speaks of what fluents hold. */
export function readsState(expr: Expr | undefined): boolean {
  let reads = false;
  visit(expr, (node) => {
    const kind: unknown = Reflect.get(node, "kind");
    reads ||= kind === "cell" || kind === "cells";
  });
  return reads;
}
