/** Relates two sets of guarantees on every trace of the tools. */
import type { Expr } from "../ir/index.ts";
import { type Answer, implies, type Layer, type RelateOptions } from "./implies.ts";
import { allOf, negated } from "./logic.ts";

/** `stronger`: the first implies the second, and not the other way round. `unknown`: it is not known which. */
export const relationKinds = [
  "equivalent",
  "stronger",
  "weaker",
  "contradictory",
  "different",
  "unknown",
] as const;
export type RelationKind = (typeof relationKinds)[number];

export interface Relation {
  readonly kind: RelationKind;
  /** The answer whether the first implies the second. */
  readonly forward: Answer;
  readonly backward: Answer;
  /** The answer whether no trace satisfies both; asked if neither implies the other. */
  readonly apart?: Answer;
}

export async function relate(
  first: readonly Expr[],
  second: readonly Expr[],
  layer: Layer,
  options: RelateOptions,
): Promise<Relation> {
  const forward = await impliesAll(first, second, layer, options);
  const backward = await impliesAll(second, first, layer, options);
  if (forward.kind === "yes" || backward.kind === "yes")
    return { kind: oneWay(forward, backward), forward, backward };
  const apart = await areApart(first, second, layer, options);
  if (apart.kind === "yes") return { kind: "contradictory", forward, backward, apart };
  const isKnown = forward.kind === "no" && backward.kind === "no" && apart.kind === "no";
  return { kind: isKnown ? "different" : "unknown", forward, backward, apart };
}

function oneWay(forward: Answer, backward: Answer): RelationKind {
  if (forward.kind === "yes" && backward.kind === "yes") return "equivalent";
  if (forward.kind === "yes") return backward.kind === "no" ? "stronger" : "unknown";
  return forward.kind === "no" ? "weaker" : "unknown";
}

/** Decides whether the guarantees imply each of the others. Returns the first negative or open answer. */
export async function impliesAll(
  given: readonly Expr[],
  goals: readonly Expr[],
  layer: Layer,
  options: RelateOptions,
): Promise<Answer> {
  let found: Answer = { kind: "yes", by: "form" };
  for (const goal of goals) {
    const answer = await implies({ given, goal }, layer, options);
    if (answer.kind === "no") return answer;
    if (found.kind !== "unknown")
      found = answer.kind === "yes" && found.kind === "yes" ? stronger(found, answer) : answer;
  }
  return found;
}

/** Decides whether no trace satisfies both. */
export function areApart(
  first: readonly Expr[],
  second: readonly Expr[],
  layer: Layer,
  options: RelateOptions,
): Promise<Answer> {
  return implies({ given: first, goal: negated(allOf(second)) }, layer, options);
}

type Yes = Extract<Answer, { readonly kind: "yes" }>;

/** Returns the weaker evidence of the two. */
function stronger(a: Yes, b: Yes): Yes {
  const order = ["form", "calls", "induction"];
  return order.indexOf(a.by) >= order.indexOf(b.by) ? a : b;
}

/** A finding about a guarantee among others. */
export type InSet =
  | { readonly kind: "implied"; readonly by: readonly number[] }
  | { readonly kind: "always" }
  | { readonly kind: "never" }
  | { readonly kind: "contradicts"; readonly with: readonly number[] };

/** An undecided question about a guarantee among others. */
export interface OpenInSet {
  readonly index: number;
  readonly kind: InSet["kind"];
  readonly others: readonly number[];
  readonly why: string;
}

/**
 * Finds problems of guarantees that are stated together: one holds on every trace, or on none; it contradicts some
 * before it; or others imply it. Every finding is proved.
 * @param open hears the undecided questions
 */
export async function lookAtSet(
  set: readonly Expr[],
  layer: Layer,
  options: RelateOptions,
  open: (question: OpenInSet) => void = () => undefined,
): Promise<ReadonlyMap<number, InSet>> {
  const found = new Map<number, InSet>();
  const left: number[] = [];
  const isYes = (answer: Answer, index: number, kind: InSet["kind"], others: readonly number[] = []) => {
    if (answer.kind === "unknown") open({ index, kind, others, why: answer.why });
    return answer.kind === "yes";
  };
  for (const [i, one] of set.entries()) {
    if (isYes(await isAlways(one, layer, options), i, "always")) found.set(i, { kind: "always" });
    else if (isYes(await isNever(one, layer, options), i, "never")) found.set(i, { kind: "never" });
    else left.push(i);
  }
  const formula = (i: number) => (set[i] === undefined ? [] : [set[i]]);
  for (const [at, i] of left.entries())
    for (const j of left.slice(0, at)) {
      if (found.has(i)) break;
      const apart = await areApart(formula(j), formula(i), layer, options);
      if (isYes(apart, i, "contradicts", [j])) found.set(i, { kind: "contradicts", with: [j] });
    }
  const together = left.filter((i) => !found.has(i));
  const core = together.length > 2 ? await contradiction(together, formula, layer, options, isYes) : [];
  const last = core.at(-1);
  if (last !== undefined) found.set(last, { kind: "contradicts", with: core.slice(0, -1) });
  // From the last one on, so that of two that say the same the first is left.
  const needed = left.filter((i) => !found.has(i));
  for (const i of [...needed].reverse()) {
    const others = needed.filter((j) => j !== i && !found.has(j));
    if (others.length === 0) continue;
    const alone = await firstThatImplies(others, i, set, layer, options);
    if (alone !== undefined) found.set(i, { kind: "implied", by: [alone] });
    else if (others.length > 1) {
      const answer = await impliesAll(others.flatMap(formula), formula(i), layer, options);
      if (isYes(answer, i, "implied", others)) found.set(i, { kind: "implied", by: others });
    }
  }
  return found;
}

/** Some that no trace keeps together, and none of which can be omitted; empty if none were found. */
async function contradiction(
  among: readonly number[],
  formula: (i: number) => readonly Expr[],
  layer: Layer,
  options: RelateOptions,
  isYes: (answer: Answer, index: number, kind: "contradicts", others: readonly number[]) => boolean,
): Promise<readonly number[]> {
  const ask = (some: readonly number[]) => isNever(allOf(some.flatMap(formula)), layer, options);
  const last = among.at(-1) ?? 0;
  if (!isYes(await ask(among), last, "contradicts", among.slice(0, -1))) return [];
  let core = among;
  for (const one of among) {
    const fewer = core.filter((i) => i !== one);
    if ((await ask(fewer)).kind === "yes") core = fewer;
  }
  return core;
}

async function firstThatImplies(
  others: readonly number[],
  goal: number,
  set: readonly Expr[],
  layer: Layer,
  options: RelateOptions,
): Promise<number | undefined> {
  const wanted = set[goal];
  for (const j of others) {
    const given = set[j];
    if (given === undefined || wanted === undefined) continue;
    const answer = await implies({ given: [given], goal: wanted }, layer, options);
    if (answer.kind === "yes") return j;
  }
  return undefined;
}

export function isAlways(goal: Expr, layer: Layer, options: RelateOptions): Promise<Answer> {
  return implies({ given: [], goal }, layer, options);
}

export function isNever(given: Expr, layer: Layer, options: RelateOptions): Promise<Answer> {
  return implies({ given: [given], goal: { kind: "bool", value: false } }, layer, options);
}
