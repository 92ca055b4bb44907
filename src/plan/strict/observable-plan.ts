/**
 * The observable part of a plan, for comparing plans. A run shows its calls in order, an early end, and otherwise the
 * final state. So an action is *observable* if it calls a tool, may end the plan, or takes part in compensation; of
 * all others only their writes count.
 */
import type { Plan } from "../plan.ts";
import { eachString, referenceIn } from "../references.ts";
import { type Scene, walk } from "./abstract-interpreter.ts";
import { declaredEdges, type Graph, graphFrom } from "./graph.ts";
import type { ToldTools } from "./single-run.ts";
import type { Structure, StructureOptions } from "./structure.ts";
import type { ToolBook } from "./tool-book.ts";

export interface ObservablePlan {
  readonly plan: Plan;
  readonly graph: Graph;
  readonly numbers: ReadonlyMap<string, number>;
  /** Before each action those that it has edges from by keys and references, whatever it names in `dependencies`. */
  readonly data: readonly (readonly number[])[];
  /** 1 for each action that is seen. */
  readonly seen: Uint8Array;
  readonly tools: ToldTools | undefined;
}

type Sound = Extract<Structure, { readonly kind: "sound" }>;

export function observablePlan(plan: Plan, structure: Sound, { book }: StructureOptions): ObservablePlan {
  const { graph, keys, numbers, calls } = structure;
  const references = plan.actions.map(({ references: ids }) =>
    ids.length === 0 ? unreferring : { dependencies: [], references: ids },
  );
  const data = graphFrom(graph.uses, declaredEdges(references, numbers), graph.order, keys).before;
  return {
    plan,
    graph,
    numbers,
    data,
    seen: seenIn(anyState(plan, structure, book)),
    tools: book && { book, calls },
  };
}

const unreferring = { dependencies: [], references: [] };

/** Nothing is taken as known of the start, so that what is found holds for every state. */
export function anyState(
  plan: Plan,
  { graph, keys, numbers, calls }: Sound,
  book: ToolBook | undefined,
): Scene {
  return {
    plan,
    graph,
    keys,
    numbers,
    initial: undefined,
    ...(book && { tools: { book, calls } }),
    left: new Map(),
    doubtful: new Set(),
  };
}

function seenIn(scene: Scene): Uint8Array {
  const { plan, numbers } = scene;
  const seen = new Uint8Array(plan.actions.length);
  const { mayEnd } = unsureIn(scene);
  for (const [i, { type, compensation }] of plan.actions.entries()) {
    if (type === "tool_call" || compensation !== undefined || mayEnd[i] === 1) seen[i] = 1;
    if (compensation === undefined) continue;
    const by = compensation.type === "tool" ? -1 : (numbers.get(compensation.actionId) ?? -1);
    if (by >= 0) seen[by] = 1;
    const parameters = compensation.type === "tool" ? compensation.parameters : plan.actions[by]?.parameters;
    // What undoes the action can be called only if the outputs are there by then that it refers to.
    eachString(parameters ?? null, (text) => {
      const of = numbers.get(referenceIn(text)?.id ?? "");
      if (of !== undefined) seen[of] = 1;
    });
  }
  return seen;
}

export interface Unsure {
  /** 1 for each action that may find something unmet before its tool is called, but for what that requires. */
  readonly mayFail: Uint8Array;
  /** 1 for each action that may end the plan, besides by a failure of its tool. */
  readonly mayEnd: Uint8Array;
}

export function unsureIn(scene: Scene): Unsure {
  const { actions } = scene.plan;
  const mayFail = new Uint8Array(actions.length);
  const mayEnd = new Uint8Array(actions.length);
  const fail = (i: number): void => {
    mayFail[i] = 1;
    if (actions[i]?.failureBehavior !== "skip") mayEnd[i] = 1;
  };
  // A refusal of the kernel ends the plan also if the action could be skipped.
  const end = (i: number): void => {
    mayFail[i] = 1;
    mayEnd[i] = 1;
  };
  const { fates } = walk(scene, {
    unmet: fail,
    noOutput: fail,
    misfit: fail,
    inexact: fail,
    refused: end,
    fragile: end,
    // SOUNDNESS: what holds only as far as a claim is true may fail.
    claimed: (_, __, i) => fail(i),
  });
  // SOUNDNESS: what an action asks that is not reached was not looked at.
  for (const [i, fate] of fates.entries()) if (fate === "is not reached") end(i);
  return { mayFail, mayEnd };
}

/** LIMIT: seen actions that are kept for one that is not; beyond, it counts as seen itself. */
export const mostSources = 8;

/**
 * For each action the seen ones that it is or waits for, the nearest of them; `counts` is set for those that are not seen
 * and have too many to go through.
 */
export function sourcesIn({ graph }: ObservablePlan, counts: Uint8Array): readonly (readonly number[])[] {
  const sources: (readonly number[])[] = new Array(counts.length).fill(nobody);
  for (const i of graph.order) {
    const found = counts[i] === 1 ? undefined : nearest(graph.before[i] ?? nobody, sources);
    if (found === undefined) counts[i] = 1;
    sources[i] = found ?? [i];
  }
  return sources;
}

const nobody: readonly number[] = Object.freeze([]);

/** Undefined if there are too many. */
function nearest(
  before: readonly number[],
  sources: readonly (readonly number[])[],
): readonly number[] | undefined {
  const [only] = before;
  if (only === undefined) return nobody;
  if (before.length === 1) return sources[only] ?? nobody;
  const found = new Set<number>();
  for (const one of before) {
    for (const source of sources[one] ?? nobody) found.add(source);
    if (found.size > mostSources) return undefined;
  }
  return [...found];
}

/** Looks for ways back along edges, as long as there is work left. */
export class Searcher {
  left: number;
  readonly #before: readonly (readonly number[])[];
  readonly #levelOf: ArrayLike<number>;
  readonly #stamps: Int32Array;
  #stamp = 0;

  constructor(before: readonly (readonly number[])[], levelOf: ArrayLike<number>, steps: number) {
    this.#before = before;
    this.#levelOf = levelOf;
    this.#stamps = new Int32Array(before.length);
    this.left = steps;
  }

  /** Searches backward for a path to `to`; returns false when the step budget or `most` is exhausted. */
  leads(from: readonly number[], to: number, most = Number.POSITIVE_INFINITY): boolean {
    const stamp = ++this.#stamp;
    const level = this.#levelOf[to] ?? 0;
    const waiting: number[] = [];
    let steps = 0;
    const meet = (one: number): boolean => {
      if (one === to) return true;
      // A way only goes to lower levels.
      if ((this.#levelOf[one] ?? 0) > level && this.#stamps[one] !== stamp) {
        this.#stamps[one] = stamp;
        waiting.push(one);
      }
      return false;
    };
    this.left -= from.length;
    if (this.left < 0) return false;
    for (const one of from) if (meet(one)) return true;
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (--this.left < 0 || ++steps > most) return false;
      for (const one of this.#before[next] ?? nobody) if (meet(one)) return true;
    }
    return false;
  }
}
