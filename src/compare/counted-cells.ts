/** The number of cells of a fluent for which a condition holds, compared with a literal number. */
import { type AggregateExpr, compare, type Expr, type Num, type OpExpr } from "../ir/index.ts";
import { allOf } from "./logic.ts";

export interface LeastCount {
  readonly count: AggregateExpr;
  /** There are at least so many. */
  readonly least?: number;
  /** There are at most so many. */
  readonly most?: number;
}

/** LIMIT: of keys that are named for one comparison. */
const mostKeys = 4;

const opposites: Readonly<Record<string, string>> = {
  "<=": ">",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "==": "!=",
  "!=": "==",
};
const mirrored: Readonly<Record<string, string>> = {
  "<=": ">=",
  "<": ">",
  ">=": "<=",
  ">": "<",
  "==": "==",
  "!=": "!=",
};

/** Returns the assumption about a count of cells, if the comparison is one. */
export function leastCount({ op, args }: OpExpr, assumed: boolean): LeastCount | undefined {
  const [first, second] = args;
  if (first === undefined || second === undefined || opposites[op] === undefined) return undefined;
  if (first.kind === "number") {
    const turned = mirrored[op];
    return turned === undefined
      ? undefined
      : leastCount({ kind: "op", op: turned, args: [second, first] }, assumed);
  }
  if (first.kind !== "aggregate" || first.aggregate !== "count" || second.kind !== "number") return undefined;
  if (first.over.in.kind !== "cells") return undefined;
  const [least, most] = [leastAbove(second.value, true), mostBelow(second.value, true)];
  switch (assumed ? op : opposites[op]) {
    case ">=":
      return some(first, least, undefined);
    case ">":
      return some(first, leastAbove(second.value, false), undefined);
    case "<=":
      return some(first, undefined, most);
    case "<":
      return some(first, undefined, mostBelow(second.value, false));
    case "==":
      return least === undefined || most === undefined ? undefined : { count: first, least, most };
    default:
      return undefined;
  }
}

function some(
  count: AggregateExpr,
  least: number | undefined,
  most: number | undefined,
): LeastCount | undefined {
  if (least !== undefined) return { count, least };
  return most === undefined ? undefined : { count, most };
}

function leastAbove(bound: Num, orAt: boolean): number | undefined {
  for (let n = 0; n <= mostKeys; n++) {
    const side = compare(BigInt(n), bound);
    if (side > 0 || (orAt && side === 0)) return n;
  }
  return undefined;
}

/** SOUNDNESS: below zero there is no count, and what is said of it is left as it is. */
function mostBelow(bound: Num, orAt: boolean): number | undefined {
  for (let n = mostKeys; n >= 0; n--) {
    const side = compare(BigInt(n), bound);
    if (side < 0 || (orAt && side === 0)) return n < mostKeys || side === 0 ? n : undefined;
  }
  return undefined;
}

export function distinctKeys(keys: readonly Expr[]): Expr {
  const parts: Expr[] = [];
  keys.forEach((a, i) => {
    for (const b of keys.slice(0, i)) parts.push({ kind: "op", op: "!=", args: [a, b] });
  });
  return allOf(parts);
}

/** LIMIT: of choices of keys that are looked at. */
const mostSubsets = 60;

/** Every choice of so many of them. */
export function subsets<T>(all: readonly T[], size: number): T[][] {
  const found: T[][] = [];
  const grow = (from: number, chosen: readonly T[]): void => {
    if (found.length >= mostSubsets) return;
    if (chosen.length === size) {
      found.push([...chosen]);
      return;
    }
    all.slice(from).forEach((one, i) => {
      grow(from + i + 1, [...chosen, one]);
    });
  };
  grow(0, []);
  return found;
}
