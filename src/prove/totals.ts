/**
 * What of a formula can be kept along the walk, call by call: counts and sums of calls, those of the calls with one key
 * that stands for any key, and how many calls there are of which something is true.
 * Part of what must be trusted.
 */
import type { Checked } from "../ir/check/index.ts";
import type { Expr, Selection, TraceExpr } from "../ir/document.ts";
import { printExpr } from "../ir/text/printer.ts";
import { sortOf } from "./symbolic.ts";
import type { Sort } from "./term.ts";

export interface Total {
  /** The same for expressions that mean the same: all that they speak of is the call and the inputs. */
  readonly id: string;
  readonly over: Selection;
  /** What must be true of a call besides, to be counted. */
  readonly only?: Expr;
  /** What is summed; without it calls are counted. */
  readonly value?: Expr;
  readonly key?: TotalKey;
}

/**
 * Only calls with this key are counted.
 * SOUNDNESS: for every run there is a key for which what is said of every key, or of some key, comes to the same as what
 * is said of this one. So what holds for every choice of it holds, on whichever side of a negation it stands.
 */
export interface TotalKey {
  readonly of: Expr;
  readonly name: string;
  readonly sort: Sort;
}

export function totalId(expr: TraceExpr, what: "count" | "sum" = "count"): string {
  return `${what} ${printExpr(expr)}`;
}

export function totalsIn({ document, types }: Checked, formula: Expr): readonly Total[] {
  const inputs = new Set(document.program.inputs.map(({ name }) => name));
  const found = new Map<string, Total>();
  const add = (total: Total) => {
    const parts = [total.over.where, total.only, total.value, total.key?.of];
    const { in: relation, var: row } = total.over;
    if (relation.kind !== "calls" && relation.kind !== "label") return;
    if (parts.every((part) => part === undefined || speaksOf(part, row, inputs))) found.set(total.id, total);
  };
  const keyOf = (expr: TraceExpr, of: Expr): TotalKey | undefined => {
    const type = types.get(of);
    const sort = type && sortOf(type);
    return sort && { of, name: `key@${printExpr(expr)}`, sort };
  };
  const visit = (expr: Expr, positive: boolean): void => {
    switch (expr.kind) {
      case "aggregate": {
        const { aggregate, over, value } = expr;
        if (aggregate === "count") add({ id: totalId(expr), over });
        if (aggregate === "sum" && value !== undefined) add({ id: totalId(expr, "sum"), over, value });
        return;
      }
      case "distinct": {
        const key = keyOf(expr, expr.key);
        if (key !== undefined) add({ id: totalId(expr), over: expr.over, key });
        return;
      }
      case "perKey": {
        const { over, value, aggregate } = expr;
        const key = keyOf(expr, expr.key);
        if (key === undefined || (aggregate !== "count" && aggregate !== "sum")) return;
        add({ id: totalId(expr), over, key });
        if (aggregate === "sum" && value !== undefined) add({ id: totalId(expr, "sum"), over, value, key });
        return;
      }
      case "quantifier":
        // What is shown of some call is shown by their number; what is denied of every one needs none.
        if (expr.quantifier === "exists" && positive)
          add({ id: totalId(expr), over: expr.over, only: expr.body });
        return;
      case "op":
        expr.args.forEach((arg, i) => {
          const flips = expr.op === "not" || (expr.op === "implies" && i === 0);
          visit(arg, flips ? !positive : positive);
        });
        return;
      case "let":
        visit(expr.value, positive);
        visit(expr.body, positive);
        return;
      default:
        return;
    }
  };
  visit(formula, true);
  return [...found.values()];
}

function speaksOf(expr: Expr, row: string, inputs: ReadonlySet<string>): boolean {
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
      return true;
    case "var":
      return expr.name === row || inputs.has(expr.name);
    case "op":
      return expr.args.every((arg) => speaksOf(arg, row, inputs));
    case "field":
      return speaksOf(expr.of, row, inputs);
    case "list":
      return expr.items.every((item) => speaksOf(item, row, inputs));
    default:
      return false;
  }
}
