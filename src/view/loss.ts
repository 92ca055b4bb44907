/** Why description logic does not say a part of a formula, in words for a person. */

import { type Expr, exprsIn, selectionsOf } from "../ir/index.ts";

export const losses = {
  aggregate: "it sums or takes the minimum or maximum over several rows, which needs arithmetic",
  count: "it computes with a count of rows, which needs arithmetic",
  keys: "it groups rows by a key, or says so within another statement, where no axiom can stand",
  key: "the key is more than values that are always there, and axioms about keys do not compare what is absent",
  order: "it speaks of the order of calls, and that an order is strict and total cannot be stated",
  state: "it speaks of what fluents hold, which depends on the order of the calls that set them",
  flow: "where a value came from is a matter of the program, and not of the calls that it makes",
  strings: "it looks inside of strings or lists",
  arithmetic: "it computes with numbers, which needs arithmetic",
  pairs: "it compares two values that are not known before the run, or lists and records as a whole",
  values: "it computes with values in ways that axioms have no words for",
} as const;

const ofStrings = new Set(
  "contains startsWith endsWith matches pathInside urlInside length slice indexOf at split joinText replaceFirst replaceAll ++ trim trimStart trimEnd toLowerCase toUpperCase textOf every any".split(
    " ",
  ),
);
const ofNumbers = new Set("+ - * / negate abs min max floor ceil round truncate remainder total".split(" "));
const comparisons = new Set("== != < <= > >=".split(" "));

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

/** Names the unsupported construct; the first in the list if there are several. */
function inside(expr: Expr | undefined): string {
  const kinds = new Set<string>();
  const ops = new Set<string>();
  for (const node of exprsIn(expr)) {
    if (node.kind === "op") ops.add(node.op);
    for (const over of selectionsOf(node)) kinds.add(over.in.kind);
    kinds.add(node.kind === "aggregate" && node.aggregate === "count" ? "count" : node.kind);
  }
  if (kinds.has("cell") || kinds.has("cells")) return losses.state;
  if (kinds.has("flows") || kinds.has("influenced") || kinds.has("mayRead")) return losses.flow;
  if (kinds.has("aggregate")) return losses.aggregate;
  if (kinds.has("count")) return losses.count;
  const uses = (some: ReadonlySet<string>) => [...ops].some((op) => some.has(op));
  if (uses(ofStrings)) return losses.strings;
  if (uses(ofNumbers)) return losses.arithmetic;
  return uses(comparisons) ? losses.pairs : losses.values;
}
