/** Dependencies of formula parts: on the calls of a run, or on nothing that omitting calls would change. */

import { type AggregateExpr, type Expr, exprsIn, type Selection, selectionsOf } from "../ir/index.ts";

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
 * Returns whether no other call changes it: statements about bound calls stay, because the calls and their order do.
 * SOUNDNESS: cells count as fixed, for states that are taken to be any; `always` does not, and `now` stands only in it.
 */
export function isFixed(expr: Expr | undefined): boolean {
  for (const node of exprsIn(expr))
    if (unfixed.has(node.kind) || !selectionsOf(node).every(isOfCells)) return false;
  return true;
}

const unfixed: ReadonlySet<string> = new Set(["always", "flows", "influenced", "mayRead", "automaton"]);

/** Returns whether it is a number that the rows decide one by one. */
export function isPlain({ over, value, otherwise }: AggregateExpr): boolean {
  return isFixed(over.where) && isFixed(value) && isFixed(otherwise);
}

/** Returns whether it is about the values of fluents. */
export function readsState(expr: Expr | undefined): boolean {
  for (const node of exprsIn(expr))
    if (node.kind === "cell" || selectionsOf(node).some(isOfCells)) return true;
  return false;
}
