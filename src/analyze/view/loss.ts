/** Why description logic does not say a part of a formula, in words for a person. */
import type { Expr } from "../../ir/document.ts";
import { visit } from "../spoken.ts";

export const losses = {
  aggregate:
    "it adds up, or takes the least or greatest of the values of several rows, which needs arithmetic",
  count: "it computes with a number of rows, which needs arithmetic",
  keys: "it groups rows by a key, or says so within another statement, where no axiom can stand",
  order: "it speaks of the order of calls, and that an order is strict and total cannot be stated",
  state: "it speaks of what fluents hold, which depends on the order of the calls that set them",
  flow: "where a value came from is a matter of the program, and not of the calls that it makes",
  values: "it computes with values, looks inside of them, or compares two of them",
} as const;

/** For a part that is no test of one value against constants. */
export function lossOf(expr: Expr | undefined): string {
  switch (expr?.kind) {
    case "distinct":
    case "perKey":
      return losses.keys;
    case "always":
    case "cell":
      return losses.state;
    case "precedes":
    case "automaton":
      return losses.order;
    case "flows":
    case "influenced":
    case "mayRead":
      return losses.flow;
    default:
      return inside(expr);
  }
}

/** Of several, the first in the list. */
function inside(expr: Expr | undefined): string {
  const kinds = new Set<unknown>();
  visit(expr, (node) => {
    const kind: unknown = Reflect.get(node, "kind");
    kinds.add(kind === "aggregate" && Reflect.get(node, "aggregate") === "count" ? "count" : kind);
  });
  if (kinds.has("cell") || kinds.has("cells")) return losses.state;
  if (kinds.has("flows") || kinds.has("influenced") || kinds.has("mayRead")) return losses.flow;
  if (kinds.has("aggregate")) return losses.aggregate;
  if (kinds.has("count")) return losses.count;
  return losses.values;
}
