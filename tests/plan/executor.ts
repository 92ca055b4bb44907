/**
 * A reference executor, as simple as can be: it takes any schedule that the declared semantics allows and does what an
 * executor would. It knows nothing of the verifier's graph but the edges, which it can also find out the slow way.
 */
import type { Json } from "../../src/ir/json/json.ts";
import { type Action, keyOf, type Plan, writtenValue } from "../../src/plan/plan.ts";
import { hasReference, referenceIn } from "../../src/plan/references.ts";
import { assertedBy } from "../../src/plan/strict/access-sets.ts";
import { contains, ordered, sameValue } from "../../src/plan/values.ts";

export type Outcome = "done" | "failed" | "skipped";

export interface Executed {
  readonly state: Map<string, Json>;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The first action whose demands on the state were not met, or whose reference had no output. */
  readonly unmet: string | undefined;
  /** The action that ended the plan. */
  readonly endedBy: string | undefined;
}

export interface World {
  readonly toolFails: (action: Action) => boolean;
  /** Choices of a run: the effects that a failing tool leaves, the results of calls, and unspecified writes. */
  readonly leaves: (action: Action, key: string) => boolean;
  readonly chosen: (action: Action, key: string) => Json | undefined;
}

export function execute(
  schedule: readonly Action[],
  initial: ReadonlyMap<string, Json>,
  world: World,
): Executed {
  const state = new Map(initial);
  const outcomes = new Map<string, Outcome>();
  /** Outputs of actions that call no tool. */
  const outputs = new Map<string, Json>();
  let unmet: string | undefined;
  for (const action of schedule) {
    const met = demandsOf(action).every(([key, operator, value]) => meets(state.get(key), operator, value));
    const hasOutputs = action.references.every((id) => outcomes.get(id) === "done");
    if (!met || !hasOutputs) {
      unmet ??= action.id;
      outcomes.set(action.id, "skipped");
      if (action.failureBehavior !== "skip") return { state, outcomes, unmet, endedBy: action.id };
      continue;
    }
    const fails = action.type === "tool_call" && world.toolFails(action);
    const effects = effectsOf(action, world, outputs);
    if (action.type !== "tool_call") {
      outputs.set(action.id, action.type === "state_read" ? (state.get(keyOf(action) ?? "") ?? null) : null);
    }
    if (!fails) for (const [key, value] of effects) put(state, key, value);
    else {
      for (const [key, value] of effects) if (world.leaves(action, key)) put(state, key, value);
      outcomes.set(action.id, "failed");
      if (action.failureBehavior !== "skip") return { state, outcomes, unmet, endedBy: action.id };
      continue;
    }
    outcomes.set(action.id, "done");
  }
  return { state, outcomes, unmet, endedBy: undefined };
}

function put(state: Map<string, Json>, key: string, value: Json | undefined): void {
  if (value === undefined) state.delete(key);
  else state.set(key, value);
}

function effectsOf(
  action: Action,
  world: World,
  outputs: ReadonlyMap<string, Json>,
): Map<string, Json | undefined> {
  const effects = new Map<string, Json | undefined>();
  for (const key of action.writeSet) effects.set(key, world.chosen(action, key));
  const known = (key: string, value: Json) => {
    const reference = typeof value === "string" ? referenceIn(value) : undefined;
    const isRead = reference?.field.length === 0 && outputs.has(reference.id);
    const read = isRead ? outputs.get(reference.id) : (world.chosen(action, key) ?? null);
    effects.set(key, hasReference(value) ? read : value);
  };
  const key = keyOf(action);
  if (action.type === "state_write" && key !== undefined) known(key, writtenValue(action));
  for (const effect of action.expectedEffects) known(effect.key, effect.value);
  return effects;
}

function demandsOf(action: Action): (readonly [string, string, Json])[] {
  const demands: (readonly [string, string, Json])[] = [
    ...action.preconditions.map(({ key, operator, value }) => [key, operator, value] as const),
    ...action.stateDependencies.map((key) => [key, "exists", null] as const),
  ];
  if (action.type === "state_read") demands.push([keyOf(action) ?? "", "exists", null]);
  const asserted = action.type === "assertion" ? assertedBy(action) : undefined;
  if (asserted !== undefined) demands.push([asserted.key, asserted.operator, asserted.value]);
  return demands;
}

function meets(cell: Json | undefined, operator: string, value: Json): boolean {
  if (cell === undefined) return operator === "not_exists";
  const order = ordered(cell, value);
  const answers: Readonly<Record<string, boolean>> = {
    exists: true,
    not_exists: false,
    eq: sameValue(cell, value),
    neq: !sameValue(cell, value),
    gt: order === 1,
    lt: order === -1,
    gte: order === 0 || order === 1,
    lte: order === 0 || order === -1,
    contains: contains(cell, value),
  };
  return answers[operator] ?? false;
}

// ── schedules ────────────────────────────────────────────────────────────────────────────────────────────

/** Returns the order that the contract requires, for each pair, without cleverness. Declared along the list. */
export function mustPrecede(plan: Plan): (first: number, second: number) => boolean {
  const { actions } = plan;
  const count = actions.length;
  const reads = actions.map(
    (action) => new Set([...demandsOf(action).map(([key]) => key), ...action.readSet]),
  );
  const writes = actions.map((action) => new Set(effectKeys(action)));
  const numbers = new Map(actions.map(({ id }, i) => [id, i]));
  const before = actions.map(() => new Array<boolean>(count).fill(false));
  const edge = (a: number, b: number) => {
    before[a]![b] = true;
  };
  const declared = actions.map(({ dependencies, references }) =>
    [...dependencies, ...references].map((id) => numbers.get(id)!),
  );
  const place = placesOf(declared);
  for (let a = 0; a < count; a++) {
    for (const one of declared[a]!) edge(one, a);
    for (let b = 0; b < count; b++) {
      if (place[a]! >= place[b]!) continue;
      const clash =
        [...writes[a]!].some((key) => reads[b]!.has(key) || writes[b]!.has(key)) ||
        [...reads[a]!].some((key) => writes[b]!.has(key));
      if (clash) edge(a, b);
    }
  }
  for (let k = 0; k < count; k++)
    for (let a = 0; a < count; a++)
      for (let b = 0; b < count; b++) if (before[a]![k] && before[k]![b]) edge(a, b);
  return (a, b) => before[a]![b]!;
}

/** Again and again the first of the list that waits for nobody. */
function placesOf(declared: readonly (readonly number[])[]): number[] {
  const places = new Array<number>(declared.length).fill(-1);
  for (let at = 0; at < declared.length; at++) {
    const next = declared.findIndex((from, i) => places[i] === -1 && from.every((one) => places[one] !== -1));
    if (next >= 0) places[next] = at;
  }
  return places;
}

export function effectKeys(action: Action): string[] {
  const key = keyOf(action);
  return [
    ...action.writeSet,
    ...(action.type === "state_write" && key !== undefined ? [key] : []),
    ...action.expectedEffects.map((effect) => effect.key),
  ];
}

/** Some schedule that keeps to the order, by chance. */
export function randomSchedule(
  plan: Plan,
  precedes: (a: number, b: number) => boolean,
  chance: () => number,
): Action[] {
  const left = new Set(plan.actions.keys());
  const schedule: Action[] = [];
  while (left.size > 0) {
    const free = [...left].filter((i) => ![...left].some((one) => one !== i && precedes(one, i)));
    const next = free[Math.floor(chance() * free.length)];
    if (next === undefined) throw new Error("a circle");
    left.delete(next);
    schedule.push(plan.actions[next]!);
  }
  return schedule;
}

export function* allSchedules(plan: Plan, precedes: (a: number, b: number) => boolean): Generator<Action[]> {
  const schedule: Action[] = [];
  const left = new Set(plan.actions.keys());
  function* go(): Generator<Action[]> {
    if (left.size === 0) yield [...schedule];
    for (const i of [...left]) {
      if ([...left].some((one) => one !== i && precedes(one, i))) continue;
      left.delete(i);
      schedule.push(plan.actions[i]!);
      yield* go();
      schedule.pop();
      left.add(i);
    }
  }
  yield* go();
}
