/**
 * Decides the equivalence of two plans for every initial state and all tool results: the same calls with the same
 * parameters, in compatible orders, and the same final state.
 * - Yes, if each action has a counterpart with the same content that uses the same writes, and the observable order of
 *   counterparts is the same (`same-runs.ts`).
 * - No, if a run was found in which the plans make different calls, leave different states, or only one ends early.
 * - Unknown otherwise.
 */
import type { Finding } from "../findings.ts";
import type { Plan, State } from "../plan.ts";
import { eachString, referenceIn } from "../references.ts";
import { sameValue } from "../values.ts";
import { asksOf } from "./access-sets.ts";
import { type Cell, type Condition, candidates, holds } from "./conditions.ts";
import { guesses } from "./counterparts.ts";
import { type ObservablePlan, observablePlan } from "./observable-plan.ts";
import { whyNotSame } from "./same-runs.ts";
import { type MadeUpWorld, runOnce, type SingleRun } from "./single-run.ts";
import { type StructureOptions, structureOf } from "./structure.ts";

export type Equivalence =
  | { readonly kind: "equivalent" }
  | { readonly kind: "different"; readonly difference: Difference }
  | { readonly kind: "unknown"; readonly why: string }
  | { readonly kind: "broken"; readonly which: 0 | 1; readonly findings: readonly Finding[] };

export interface Difference {
  /** At the start. */
  readonly state: State;
  /** The calls that fail, as texts. */
  readonly failing: readonly string[];
  readonly runs: readonly [Told, Told];
}

export interface Told extends SingleRun {
  readonly schedule: readonly string[];
}

export interface EquivalentOptions extends StructureOptions {
  /** Look for a difference from this state only. */
  readonly state?: State;
}

export function equivalent(one: Plan, other: Plan, options: EquivalentOptions = {}): Equivalence {
  const [a, b] = [structureOf(one, options), structureOf(other, options)];
  if (a.kind === "broken") return { ...a, which: 0 };
  if (b.kind === "broken") return { ...b, which: 1 };
  const sides: Sides = [observablePlan(one, a, options), observablePlan(other, b, options)];
  const why = whyNot(sides);
  if (why === undefined) return { kind: "equivalent" };
  const difference = differenceOf(sides, options);
  return difference === undefined ? { kind: "unknown", why } : { kind: "different", difference };
}

export type Sides = readonly [ObservablePlan, ObservablePlan];

/** Undefined if they are shown to be equivalent. */
export function whyNot([a, b]: Sides): string | undefined {
  if (a.plan.actions.length !== b.plan.actions.length) return "they have different numbers of actions";
  let why: string | undefined;
  for (const counterparts of guesses(a, b)) {
    const found = whyNotSame(a, b, counterparts);
    if (found === undefined) return undefined;
    // What is said of the last guess says most: there the actions fit together.
    why = found;
  }
  return why ?? "no assignment of counterparts was found";
}

// ── no ───────────────────────────────────────────────────────────────────────────────────────────────────

/** LIMIT: runs that are tried, and actions that are gone through for them. */
const mostRuns = 400;
const mostSteps = 400_000;

function differenceOf(sides: Sides, { state: given }: EquivalentOptions): Difference | undefined {
  const fields = fieldsIn(sides);
  const cells = cellsIn(sides);
  const states = given === undefined ? statesFor(sides) : [given];
  let left = Math.min(
    mostRuns,
    Math.ceil(mostSteps / (1 + sides[0].plan.actions.length + sides[1].plan.actions.length)),
  );
  const tried = (world: MadeUpWorld): Difference | undefined => {
    const [a, b] = sides;
    const [first, second] = [runOf(a, world), runOf(b, world)];
    if (first === undefined || second === undefined || !isDifferent(first, second, cells)) return undefined;
    return {
      state: world.state,
      failing: [...world.failing],
      runs: [told(first, a), told(second, b)],
    };
  };
  for (const state of states) {
    if (left-- <= 0) return undefined;
    const found = tried({ state, failing: new Set(), fields });
    if (found !== undefined) return found;
  }
  for (const state of states.slice(0, 8)) {
    for (const call of callsFrom(sides, state, fields)) {
      if (left-- <= 0) return undefined;
      const found = tried({ state, failing: new Set([call]), fields });
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Compares the parts on which all schedules of each plan agree: early end, and otherwise the calls and the state. */
function isDifferent(a: SingleRun, b: SingleRun, cells: ReadonlySet<string>): boolean {
  if ((a.endedBy === undefined) !== (b.endedBy === undefined)) return true;
  if (a.endedBy !== undefined) return false;
  if ([...a.calls].sort().join("\n") !== [...b.calls].sort().join("\n")) return true;
  return [...new Set([...a.state.keys(), ...b.state.keys()])].some((key) => {
    const [left, right] = [a.state.get(key), b.state.get(key)];
    // A cell that is absent holds the initial value of its fluent, which may be the same.
    if (left === undefined || right === undefined) return !cells.has(key);
    return !sameValue(left, right);
  });
}

/** The keys that stand for cells of fluents. */
function cellsIn(sides: Sides): ReadonlySet<string> {
  const calls = sides.flatMap(({ tools }) => [...(tools?.calls.values() ?? [])]);
  return new Set(calls.flatMap(({ reads, writes }) => [...reads, ...writes]));
}

function runOf({ plan, graph, tools }: ObservablePlan, world: MadeUpWorld): SingleRun | undefined {
  return runOnce(plan, graph.order, world, tools);
}

function told(run: SingleRun, { plan, graph }: ObservablePlan): Told {
  const ids = graph.order.map((i) => plan.actions[i]?.id ?? "");
  const end = run.endedBy === undefined ? ids.length : ids.indexOf(run.endedBy) + 1;
  return { ...run, schedule: ids.slice(0, end) };
}

function callsFrom(sides: Sides, state: State, fields: MadeUpWorld["fields"]): ReadonlySet<string> {
  const world = { state, failing: new Set<string>(), fields };
  return new Set(sides.flatMap((side) => runOf(side, world)?.calls ?? []));
}

function fieldsIn(sides: Sides): (readonly string[])[] {
  const fields = new Map<string, readonly string[]>();
  for (const { plan } of sides) {
    for (const { parameters, expectedEffects, references } of plan.actions) {
      if (references.length === 0) continue;
      for (const json of [parameters, ...expectedEffects.map(({ value }) => value)]) {
        eachString(json, (text) => {
          const field = referenceIn(text)?.field ?? [];
          if (field.length > 0) fields.set(field.join("."), field);
        });
      }
    }
  }
  return [...fields.values()];
}

/** States to try: nothing, what meets most conditions, and from there each key with other values. */
function statesFor(sides: Sides): State[] {
  const asks = new Map<string, Condition[]>();
  const keys = new Set<string>();
  for (const { plan } of sides) {
    for (const action of plan.actions) {
      for (const ask of asksOf(action)) asks.set(ask.key, [...(asks.get(ask.key) ?? []), ask].slice(-8));
      for (const { key } of action.expectedEffects) keys.add(key);
      for (const key of action.writeSet) keys.add(key);
    }
  }
  const options = new Map([...asks].map(([key, conditions]) => [key, candidates(conditions)]));
  const best = new Map<string, Cell>();
  for (const [key, cells] of options) best.set(key, bestOf(cells, asks.get(key) ?? []));
  const base = stateFrom(best);
  const states: State[] = [base, new Map()];
  const vary = (key: string, cell: Cell): void => {
    if (states.length >= mostRuns) return;
    const state = new Map(base);
    if (cell === undefined) state.delete(key);
    else state.set(key, cell);
    states.push(state);
  };
  for (const key of keys) vary(key, "something else");
  for (const [key, cells] of options) for (const cell of cells) vary(key, cell);
  return states;
}

function bestOf(cells: readonly Cell[], conditions: readonly Condition[]): Cell {
  const score = (cell: Cell) => conditions.filter((condition) => holds(condition, cell)).length;
  return cells.reduce((best, cell) => (score(cell) > score(best) ? cell : best), undefined);
}

function stateFrom(cells: ReadonlyMap<string, Cell>): State {
  const state = new Map();
  for (const [key, cell] of cells) if (cell !== undefined) state.set(key, cell);
  return state;
}
