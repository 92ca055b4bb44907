/** Decides an implication on all traces by looking at all traces of a few calls. */

import { Opaque } from "../coverage/index.ts";

import {
  type AggregateExpr,
  type Expr,
  exprsIn,
  type Field,
  printExpr,
  referencesIn,
  type Tool,
} from "../ir/index.ts";
import type { ProveOptions, Verdict } from "../prove/index.ts";
import { withAnyStates } from "./any-state.ts";
import { decided } from "./decided.ts";
import { withFound } from "./elements.ts";
import { inclusions } from "./inclusions.ts";
import { isOfCalls, isPlain, readsState } from "./kinds.ts";
import type { Layer } from "./layer.ts";
import { anyOf, implied } from "./logic.ts";
import { asCalled, fewCalls } from "./most-general-program.ts";
import { openNames, ours } from "./names.ts";
import { keptTogether } from "./small-model.ts";

/** LIMIT: of calls that are written out at once, over all tools. */
const mostCalls = 24;

/** In normal form. */
export interface Asked {
  readonly given: readonly Expr[];
  readonly goal: Expr;
  readonly params: readonly Field[];
}

/**
 * SOUNDNESS: were there a trace that keeps what is given and breaks the goal, then there would be one of so few calls that
 * keeps what is left of it here and breaks what is left of the goal; and what depends on all calls has a name that stands
 * for any value. The requirements on states are omitted, as are the states themselves.
 * @returns undefined if it would take too many calls
 */
export async function byFewCalls(
  { given, goal, params }: Asked,
  near: Layer,
  options: ProveOptions,
): Promise<Verdict | undefined> {
  const states = withAnyStates(given.map(withFound), withFound(goal), near.fluents);
  const { assumed, denied, fluents } = states;
  const tools = withoutState(near.tools);
  const holds = async (all: Expr) => {
    const one = fewCalls(calledIn([all], near.tools), 1, [...params, ...states.inputs]);
    return (await decided(tools, fluents, one, all, options)).kind === "proved";
  };
  const names = new Set(params.map(({ name }) => name));
  const adding = await addingSums([...assumed, denied], names, holds);
  const isAdding = (sum: AggregateExpr) => adding.has(printExpr(sum));
  const together = [...assumed.map((one) => [one, true] as const), [denied, false] as const];
  const { exprs, calls } = keptTogether(together, isAdding);
  const [premises, last] = [exprs.slice(0, -1), exprs.slice(-1)];
  const called = calledIn(exprs, near.tools);
  if (calls * called.length > mostCalls) return undefined;
  const opaque = new Opaque(near.fluents, `${ours}p`);
  const named = given.map((one) => opaque.of(one, names));
  const goals = [...last, opaque.of(goal, names)];
  const known = await inclusions([...given, goal], names, isAdding, holds);
  const facts = [...known.map((one) => opaque.of(one, names)), ...opaque.known];
  // SOUNDNESS: of cells there may be more than every number, for which no name of a number could stand.
  const canBeNamed = opaque.isWhole && ![...given, goal].some(countsCells);
  const [all, any, inputs] = canBeNamed
    ? [[...premises, ...named, ...facts], goals, opaque.inputs]
    : [premises, last, []];
  const program = fewCalls(called, calls, [...params, ...states.inputs, ...inputs]);
  return decided(tools, fluents, program, implied(all, anyOf(any)), options);
}

/** SOUNDNESS: requirements on states and effects on them are omitted, so that less is assumed of a call. */
function withoutState(tools: readonly Tool[]): Tool[] {
  return asCalled(tools).map(({ cost: _, ...tool }) => ({ ...tool, requires: [], sets: [] }));
}

function countsCells(formula: Expr): boolean {
  return [...exprsIn(formula)].some((expr) => expr.kind === "aggregate" && expr.over.in.kind === "cells");
}

/** The tools of which the formulas speak. */
function calledIn(formulas: readonly Expr[], tools: readonly Tool[]): readonly Tool[] {
  const named = referencesIn(...formulas);
  return tools.filter(
    ({ name, labels }) => named.tools.has(name) || labels.some((label) => named.labels.has(label)),
  );
}

/** The sums of which no call can add less than zero, by their text. */
async function addingSums(
  formulas: readonly Expr[],
  params: ReadonlySet<string>,
  holds: (all: Expr) => Promise<boolean>,
): Promise<ReadonlySet<string>> {
  const sums = new Map<string, AggregateExpr>();
  for (const expr of exprsIn(...formulas)) {
    const sum = expr.kind === "aggregate" ? expr : expr.kind === "perKey" ? sumOf(expr) : undefined;
    if (sum?.aggregate === "sum" && isOfCalls(sum.over) && isPlain(sum) && !readsState(sum))
      sums.set(printExpr(sum), sum);
  }
  const adding = new Set<string>();
  for (const [text, sum] of sums) {
    const { over, value } = sum;
    if (value === undefined || [...openNames(sum)].some((name) => !params.has(name))) continue;
    const body: Expr = { kind: "op", op: ">=", args: [value, { kind: "number", value: 0n }] };
    if (await holds({ kind: "quantifier", quantifier: "forall", over, body })) adding.add(text);
  }
  return adding;
}

function sumOf(expr: Extract<Expr, { readonly kind: "perKey" }>): AggregateExpr | undefined {
  const { aggregate, over, value } = expr;
  return aggregate === "sum" && value !== undefined
    ? { kind: "aggregate", aggregate, over, value }
    : undefined;
}
