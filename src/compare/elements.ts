/**
 * What is said of every element of a list that is not written out, said of one that is found: the same, and the prover
 * follows it further, since an element that is found can be spoken of.
 */
import type { Expr } from "../ir/index.ts";
import { negated } from "./logic.ts";

export function withFound(expr: Expr): Expr {
  // SAFETY: a copy with the same kinds and slots, and expressions where there were expressions.
  return copy(expr) as Expr;
}

function copy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(copy);
  if (typeof node !== "object" || node === null) return node;
  const made: object = Object.fromEntries(Object.entries(node).map(([slot, part]) => [slot, copy(part)]));
  // SAFETY: a copy of a node of an expression; other nodes have no such kind.
  const expr = made as Expr;
  if (expr.kind !== "op" || (expr.op !== "every" && expr.op !== "any")) return made;
  const [list, holds] = expr.args;
  if (list === undefined || list.kind === "list" || holds?.kind !== "lambda") return made;
  return expr.op === "any"
    ? isFound(list, holds)
    : negated(isFound(list, { ...holds, body: negated(holds.body) }));
}

function isFound(list: Expr, holds: Expr): Expr {
  return { kind: "op", op: "isSome", args: [{ kind: "op", op: "find", args: [list, holds] }] };
}
