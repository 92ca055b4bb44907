/**
 * Whether two plans do the same, whatever the state at the start and whatever tools answer: the same calls with the same
 * parameters, in orders that allow each other, and the same state at the end.
 * - Yes, if they are the same but for ids and the order of the list: each action has a counterpart that says the same and
 *   waits for counterparts. Then every run of one is a run of the other.
 * - No, if a run was found in which they make other calls, leave another state, or only one of them ends early.
 * - Unknown otherwise.
 */
import { isJsonArray, isJsonObject, type Json } from "../../ir/json/json.ts";
import type { Finding } from "../findings.ts";
import type { Action, Plan, State } from "../plan.ts";
import { eachString, referenceIn } from "../references.ts";
import { sameValue, valueText } from "../values.ts";
import { type Cell, type Condition, candidates, holds } from "./conditions.ts";
import type { Graph } from "./graph.ts";
import { type MadeUpWorld, runOnce, type SingleRun } from "./single-run.ts";
import { type StructureOptions, structureOf } from "./structure.ts";
import { asksOf } from "./uses.ts";

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
  const sides: Sides = [
    { plan: one, graph: a.graph },
    { plan: other, graph: b.graph },
  ];
  const match = matchOf(sides);
  if (match === "same") return { kind: "equivalent" };
  const difference = differenceOf(sides, options.state);
  return difference === undefined ? { kind: "unknown", why: match } : { kind: "different", difference };
}

interface Side {
  readonly plan: Plan;
  readonly graph: Graph;
}

type Sides = readonly [Side, Side];

// ── yes ──────────────────────────────────────────────────────────────────────────────────────────────────

/** LIMIT: actions for which all that comes before each is worked out. */
const mostMatched = 2_000;

/** `same`, or why that cannot be said. */
function matchOf([a, b]: Sides): string {
  if (a.plan.actions.length !== b.plan.actions.length) return "they have different numbers of actions";
  if (a.plan.actions.length > mostMatched) return `more than ${mostMatched} actions are not compared`;
  const names = new Map<string, number>();
  const [left, right] = [namesIn(a, names), namesIn(b, names)];
  if (left.some((name, i) => name !== right[i])) {
    const here = new Set(left);
    if (right.some((name) => !here.has(name))) return "an action of one has no counterpart in the other";
    if (new Set(right).size < right.length || here.size < left.length) {
      return "several actions say the same, and which is whose counterpart is not clear";
    }
  }
  // SOUNDNESS: with one name for each action, what it waits for is told apart; with names that are shared, only lists
  // that agree place by place are the same.
  const distinct = new Set(left).size === left.length && new Set(right).size === right.length;
  if (distinct) {
    return undosIn(a, left) === undosIn(b, right) ? "same" : "what would undo an action is another one";
  }
  if (agreeByPlace(a, b)) return "same";
  return "several actions say the same, and which is whose counterpart is not clear";
}

/**
 * What would undo each action, under the names of all. SOUNDNESS: by itself, since an action that undoes another may
 * come after it, and has no name yet while that one gets its own.
 */
function undosIn({ plan }: Side, names: readonly number[]): string {
  const numbers = new Map(plan.actions.map(({ id }, i) => [id, i]));
  const nameOf = (id: string) => String(names[numbers.get(id) ?? -1]);
  return plan.actions
    .map((action, i) => `${names[i]} ${undoOf(action, nameOf)}`)
    .sort()
    .join("\n");
}

/** A number for each action that two share only if they say the same and wait for the same, all the way back. */
function namesIn({ plan, graph }: Side, names: Map<string, number>): number[] {
  const found: number[] = new Array(plan.actions.length).fill(-1);
  const ancestors: Set<number>[] = new Array(plan.actions.length);
  const numbers = new Map(plan.actions.map(({ id }, i) => [id, i]));
  for (const i of graph.order) {
    const action = plan.actions[i];
    if (action === undefined) continue;
    const before = new Set<number>();
    for (const one of graph.before[i] ?? []) {
      before.add(one);
      for (const further of ancestors[one] ?? []) before.add(further);
    }
    ancestors[i] = before;
    const waits = [...before].map((one) => found[one] ?? -1).sort((x, y) => x - y);
    const text = `${sayingOf(action, (id) => String(found[numbers.get(id) ?? -1]))} ${waits.join(",")}`;
    const known = names.get(text) ?? names.size;
    names.set(text, known);
    found[i] = known;
  }
  return found;
}

function agreeByPlace(a: Side, b: Side): boolean {
  const place = ({ plan }: Side) => {
    const numbers = new Map(plan.actions.map(({ id }, i) => [id, i]));
    return (id: string) => String(numbers.get(id));
  };
  const [left, right] = [place(a), place(b)];
  return a.plan.actions.every((action, i) => {
    const other = b.plan.actions[i];
    if (other === undefined || sayingOf(action, left) !== sayingOf(other, right)) return false;
    if (undoOf(action, left) !== undoOf(other, right)) return false;
    const edges = ({ graph }: Side) => [...(graph.before[i] ?? [])].sort((x, y) => x - y).join(",");
    return edges(a) === edges(b);
  });
}

function undoOf({ compensation }: Action, nameOf: (id: string) => string): string {
  if (compensation === undefined) return "nothing";
  if (compensation.type === "action_ref") return `action ${nameOf(compensation.actionId)}`;
  return JSON.stringify([compensation.tool, valueText(withNames(compensation.parameters, nameOf))]);
}

/** All of an action but what would undo it, as text; other actions by the names that are given. */
function sayingOf(action: Action, nameOf: (id: string) => string): string {
  const renamed = (json: Json): string => valueText(withNames(json, nameOf));
  const { type, tool, parameters, preconditions, expectedEffects, stateDependencies, readSet, writeSet } =
    action;
  const { reversibility, idempotent, maxRetries, failureBehavior, timeoutMs } = action;
  return JSON.stringify([
    type,
    tool,
    renamed(parameters),
    sorted(
      preconditions.map(({ key, operator, value }) => JSON.stringify([key, operator, valueText(value)])),
    ),
    sorted(expectedEffects.map(({ key, value }) => JSON.stringify([key, renamed(value)]))),
    sorted(stateDependencies),
    sorted(readSet),
    sorted(writeSet),
    [reversibility, idempotent, failureBehavior, timeoutMs, failureBehavior === "retry" ? maxRetries : 0],
  ]);
}

/** With other names in the references. A text that is no reference cannot look like a renamed one. */
function withNames(json: Json, nameOf: (id: string) => string): Json {
  if (typeof json === "string") {
    const reference = referenceIn(json);
    if (reference === undefined) return `text ${json}`;
    return `output ${nameOf(reference.id)} ${JSON.stringify(reference.field)}`;
  }
  if (isJsonArray(json)) return json.map((item) => withNames(item, nameOf));
  if (!isJsonObject(json)) return json;
  const object: Record<string, Json> = Object.create(null);
  for (const [name, part] of Object.entries(json)) object[name] = withNames(part, nameOf);
  return object;
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

// ── no ───────────────────────────────────────────────────────────────────────────────────────────────────

/** LIMIT: runs that are tried, and actions that are gone through for them. */
const mostRuns = 400;
const mostSteps = 400_000;

function differenceOf(sides: Sides, given: State | undefined): Difference | undefined {
  const fields = fieldsIn(sides);
  const states = given === undefined ? statesFor(sides) : [given];
  let left = Math.min(
    mostRuns,
    Math.ceil(mostSteps / (1 + sides[0].plan.actions.length + sides[1].plan.actions.length)),
  );
  const tried = (world: MadeUpWorld): Difference | undefined => {
    const runs = sides.map(({ plan, graph }) => runOnce(plan, graph.order, world));
    const [first, second] = runs;
    if (first === undefined || second === undefined || !isDifferent(first, second)) return undefined;
    const [a, b] = sides;
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

/** What all schedules of each agree on: whether it ends early, and if not, the calls and the state. */
function isDifferent(a: SingleRun, b: SingleRun): boolean {
  if ((a.endedBy === undefined) !== (b.endedBy === undefined)) return true;
  if (a.endedBy !== undefined) return false;
  if ([...a.calls].sort().join("\n") !== [...b.calls].sort().join("\n")) return true;
  if (a.state.size !== b.state.size) return true;
  return [...a.state].some(([key, value]) => {
    const held = b.state.get(key);
    return held === undefined || !sameValue(value, held);
  });
}

function told(run: SingleRun, { plan, graph }: Side): Told {
  const ids = graph.order.map((i) => plan.actions[i]?.id ?? "");
  const end = run.endedBy === undefined ? ids.length : ids.indexOf(run.endedBy) + 1;
  return { ...run, schedule: ids.slice(0, end) };
}

function callsFrom(sides: Sides, state: State, fields: MadeUpWorld["fields"]): ReadonlySet<string> {
  const world = { state, failing: new Set<string>(), fields };
  return new Set(sides.flatMap(({ plan, graph }) => runOnce(plan, graph.order, world).calls));
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
