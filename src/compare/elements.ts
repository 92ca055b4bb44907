/**
 * Skolemizes a statement about every element of a list: it becomes one about an element that is found. The meaning is
 * the same, and the prover gets further, because the element has a name.
 */
import { type Expr, mapParts } from "../ir/index.ts";
import { negated } from "./logic.ts";

export function withFound(expr: Expr): Expr {
  const made = mapParts(expr, withFound);
  if (made.kind !== "op" || (made.op !== "every" && made.op !== "any")) return made;
  const [list, holds] = made.args;
  if (list === undefined || list.kind === "list" || holds?.kind !== "lambda") return made;
  return made.op === "any"
    ? isFound(list, holds)
    : negated(isFound(list, { ...holds, body: negated(holds.body) }));
}

function isFound(list: Expr, holds: Expr): Expr {
  return { kind: "op", op: "isSome", args: [{ kind: "op", op: "find", args: [list, holds] }] };
}
