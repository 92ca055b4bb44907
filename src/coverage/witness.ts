/**
 * Bounds the size of a minimal violation from the form of a formula: if a trace violates it, then so many calls of that
 * trace suffice, and every part of the trace with those calls violates it too. So an implication that holds on all
 * traces of that size holds on all traces, provided that the premises still hold when calls are removed.
 * SOUNDNESS: an unknown form has no bound.
 */

import {
  type AggregateExpr,
  compare,
  type Expr,
  exprsIn,
  type Num,
  type PerKeyExpr,
  type Relation,
  type Selection,
  selectionsOf,
} from "../ir/index.ts";

export function callsToBreak(formula: Expr): number | undefined {
  return witnesses(formula).broken;
}

/** Returns true if the formula depends on single calls only: not on order, results or state. */
export function isAboutCallsOnly(formula: Expr): boolean {
  return ![...exprsIn(formula)].some(
    (node) =>
      beyondCalls.has(node.kind) || selectionsOf(node).some(({ in: { kind } }) => beyondCalls.has(kind)),
  );
}

const beyondCalls = new Set([
  "precedes",
  "result",
  "flows",
  "influenced",
  "mayRead",
  "automaton",
  "always",
  "cell",
  "cells",
  "rows",
]);

interface Witnesses {
  /** Calls that show that it does not hold, whatever else is called. */
  readonly broken: number | undefined;
  /** Calls that show that it holds, whatever else is called. */
  readonly kept: number | undefined;
}

const none: Witnesses = { broken: undefined, kept: undefined };

function witnesses(expr: Expr): Witnesses {
  if (isFixed(expr)) return { broken: 0, kept: 0 };
  switch (expr.kind) {
    case "op":
      return ofOperator(expr.op, expr.args);
    case "let":
      return isFixed(expr.value) ? witnesses(expr.body) : none;
    case "quantifier": {
      if (!isOfCalls(expr.over)) return none;
      const body = witnesses(expr.body);
      return expr.quantifier === "forall"
        ? { broken: total([1, body.broken]), kept: undefined }
        : { broken: undefined, kept: total([1, body.kept]) };
    }
    case "distinct":
      return isOfCalls(expr.over) && isFixed(expr.key) ? { broken: 2, kept: undefined } : none;
    case "perKey":
      return ofKeys(expr);
    default:
      return none;
  }
}

function ofOperator(op: string, args: readonly Expr[]): Witnesses {
  const [first, second, third] = args;
  const parts = () => args.map(witnesses);
  switch (op) {
    case "and":
      return { broken: most(parts().map(broken)), kept: total(parts().map(kept)) };
    case "or":
      return { broken: total(parts().map(broken)), kept: most(parts().map(kept)) };
    case "not":
      return first === undefined ? none : turned(witnesses(first));
    case "implies":
      if (first === undefined || second === undefined) return none;
      return {
        broken: total([witnesses(first).kept, witnesses(second).broken]),
        kept: most([witnesses(first).broken, witnesses(second).kept]),
      };
    case "if": {
      if (first === undefined || second === undefined || third === undefined || !isFixed(first)) return none;
      const sides = [witnesses(second), witnesses(third)];
      return { broken: most(sides.map(broken)), kept: most(sides.map(kept)) };
    }
    case "<=":
    case "<":
    case ">=":
    case ">":
    case "==":
      return first === undefined || second === undefined ? none : ofComparison(op, first, second);
    default:
      return none;
  }
}

type Comparison = "<=" | "<" | ">=" | ">" | "==";

const mirrored: Readonly<Record<Comparison, Comparison>> = {
  "<=": ">=",
  "<": ">",
  ">=": "<=",
  ">": "<",
  "==": "==",
};

/** Bounds the witness of a comparison between a count and a literal number. */
function ofComparison(op: Comparison, first: Expr, second: Expr): Witnesses {
  if (first.kind === "number") return ofComparison(mirrored[op], second, first);
  if (first.kind !== "aggregate" || !isCount(first) || second.kind !== "number") return none;
  return ofCount(op, second.value);
}

function ofCount(op: Comparison, bound: Num): Witnesses {
  const least = leastAbove(bound, op === "<" || op === ">=");
  switch (op) {
    case "<=":
    case "<":
      return { broken: least, kept: undefined };
    case ">=":
    case ">":
      return { broken: undefined, kept: least };
    case "==":
      // Too few calls break it as well, and that no call can show.
      return compare(bound, 0n) === 0 ? { broken: 1, kept: undefined } : none;
  }
}

/** LIMIT: with more calls to look at, nothing is decided. */
const mostCalls = 8;

/** The least count that is above the bound, or at it. */
function leastAbove(bound: Num, orAt: boolean): number | undefined {
  for (let n = 0; n <= mostCalls; n++) {
    const side = compare(BigInt(n), bound);
    if (side > 0 || (orAt && side === 0)) return n;
  }
  return undefined;
}

function ofKeys({ quantifier, aggregate, over, key, body, name }: PerKeyExpr): Witnesses {
  if (quantifier !== "forall" || aggregate !== "count" || !isOfCalls(over) || !isFixed(key)) return none;
  if (body.kind !== "op" || (body.op !== "<=" && body.op !== "<")) return none;
  const [count, bound] = body.args;
  if (count?.kind !== "var" || count.name !== name || bound?.kind !== "number") return none;
  // A key has a call at least.
  return { broken: most([1, ofCount(body.op, bound.value).broken]), kept: undefined };
}

function isCount({ aggregate, over }: AggregateExpr): boolean {
  return aggregate === "count" && isOfCalls(over);
}

function isOfCalls({ in: relation, where }: Selection): boolean {
  return ofCalls(relation) && (where === undefined || isFixed(where));
}

function ofCalls({ kind }: Relation): boolean {
  return kind === "calls" || kind === "label";
}

/** Returns true if the value does not depend on the trace. */
function isFixed(expr: Expr): boolean {
  return ![...exprsIn(expr)].some(({ kind }) => ofTheTrace.has(kind));
}

const ofTheTrace = new Set([
  "quantifier",
  "aggregate",
  "perKey",
  "distinct",
  "always",
  "precedes",
  "result",
  "flows",
  "influenced",
  "mayRead",
  "automaton",
  "cell",
]);

function broken(one: Witnesses): number | undefined {
  return one.broken;
}

function kept(one: Witnesses): number | undefined {
  return one.kept;
}

function turned({ broken, kept }: Witnesses): Witnesses {
  return { broken: kept, kept: broken };
}

function total(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0);
}

function most(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce(
    (high, one) => (high === undefined || one === undefined ? undefined : Math.max(high, one)),
    0,
  );
}
