/**
 * Checks that every run of one plan is a run of another, given a counterpart for each action. Sufficient conditions:
 * 1. Counterparts have the same content.
 * 2. For each two actions in conflict over a key, the same one comes first in both plans, and both refer to the same
 *    outputs. So each action reads the same state, makes the same checks on it, and writes the same.
 * 3. The observable actions (see `observable-plan.ts`) wait for the same observable actions, over any path.
 *
 * Theorem: then both plans show the same. By 3, an order of the observable actions that one plan allows is one that the
 * other allows. It can be completed with the other actions along all edges, because the edges and that order together
 * have no cycle; by 2, the choice makes no difference. If the run ends early, the other actions have called nothing, and
 * the state is the one before the plan.
 */
import { isJsonArray, isJsonObject, type Json } from "../../ir/index.ts";
import type { Action } from "../plan.ts";
import { referenceIn } from "../references.ts";
import { valueText } from "../values.ts";
import { type ObservablePlan, Searcher, sourcesIn } from "./observable-plan.ts";

/** For each action of the first plan the number of its counterpart. Each is the counterpart of one. */
export type Counterparts = Int32Array;

/** LIMIT: steps back along edges, for each action and on top of that, when an edge is not in both plans. */
const stepsForEach = 64;
const stepsAnyway = 100_000;
/** LIMIT: until both plans agree on what counts as seen; two are enough for plans that are alike. */
const mostRounds = 20;

/** Undefined if that is shown; otherwise what is in the way. */
export function whyNotSame(
  a: ObservablePlan,
  b: ObservablePlan,
  counterparts: Counterparts,
): string | undefined {
  const [left, right] = [placesIn(a, counterparts), placesIn(b, undefined)];
  for (const [i, action] of a.plan.actions.entries()) {
    const other = b.plan.actions[counterparts[i] ?? -1];
    if (other === undefined) return "an action of one has no counterpart in the other";
    if (!isTheSame(action, other) && sayingOf(action, left) !== sayingOf(other, right)) {
      return "an action of one has no counterpart in the other";
    }
  }
  for (const [i, action] of a.plan.actions.entries()) {
    const other = b.plan.actions[counterparts[i] ?? -1];
    if (action.compensation === undefined && other?.compensation === undefined) continue;
    if (other === undefined || undoOf(action, left) !== undoOf(other, right)) {
      return "an action has another compensation";
    }
  }
  for (const [i, from] of a.data.entries()) {
    if (!isSameSet(from, b.data[counterparts[i] ?? -1] ?? [], counterparts)) {
      return "an action reads or overwrites what another one wrote";
    }
  }
  return ordersDiffer(a, b, counterparts)
    ? "calls, or actions that may end the plan, are not in the same order"
    : undefined;
}

/** Returns true if both actions have the same data and reference no other action. */
function isTheSame(a: Action, b: Action): boolean {
  return a.references.length === 0 && said.every((field) => a[field] === b[field]);
}

/** All that `sayingOf` looks at. */
const said = [
  "type",
  "tool",
  "parameters",
  "preconditions",
  "expectedEffects",
  "stateDependencies",
  "readSet",
  "writeSet",
  "reversibility",
  "idempotent",
  "maxRetries",
  "failureBehavior",
  "timeoutMs",
  "references",
] as const;

/** The number of an action by its id, in the second plan. */
function placesIn({ numbers }: ObservablePlan, to: Counterparts | undefined): (id: string) => string {
  return (id) => {
    const i = numbers.get(id) ?? -1;
    return String(to === undefined ? i : to[i]);
  };
}

function isSameSet(from: readonly number[], other: readonly number[], to: Counterparts): boolean {
  if (from.length !== other.length) return false;
  if (from.length === 0) return true;
  if (from.length === 1) return to[from[0] ?? -1] === other[0];
  const there = new Set(other);
  return from.every((one) => there.has(to[one] ?? -1));
}

function ordersDiffer(a: ObservablePlan, b: ObservablePlan, to: Counterparts): boolean {
  const back = new Int32Array(to.length);
  for (const [i, one] of to.entries()) back[one] = i;
  const counts = new Uint8Array(to.length);
  const otherCounts = new Uint8Array(to.length);
  const agree = (): boolean => {
    let changed = false;
    for (const [i, one] of to.entries()) {
      const both = (counts[i] ?? 0) | (otherCounts[one] ?? 0);
      changed ||= both !== counts[i] || both !== otherCounts[one];
      counts[i] = both;
      otherCounts[one] = both;
    }
    return changed;
  };
  counts.set(a.seen);
  otherCounts.set(b.seen);
  // SOUNDNESS: more may count as seen than is; then more has to be in the same order.
  agree();
  let sources = sourcesIn(a, counts);
  let others = sourcesIn(b, otherCounts);
  for (let round = 0; agree(); round++) {
    if (round === mostRounds) return true;
    sources = sourcesIn(a, counts);
    others = sourcesIn(b, otherCounts);
  }
  const steps = stepsForEach * to.length + stepsAnyway;
  const [here, there] = [
    new Searcher(a.graph.before, a.graph.levelOf, steps),
    new Searcher(b.graph.before, b.graph.levelOf, steps),
  ];
  for (const [i, one] of to.entries()) {
    if (counts[i] === 0) continue;
    const [from, other] = [a.graph.before[i] ?? [], b.graph.before[one] ?? []];
    const wanted = new Set<number>();
    for (const before of from) for (const source of sources[before] ?? []) wanted.add(to[source] ?? -1);
    const found = new Set<number>();
    for (const before of other) for (const source of others[before] ?? []) found.add(source);
    for (const source of wanted) if (!found.has(source) && !there.leads(other, source)) return true;
    for (const source of found) {
      if (!wanted.has(source) && !here.leads(from, back[source] ?? -1)) return true;
    }
  }
  return false;
}

// ── what an action says ──────────────────────────────────────────────────────────────────────────────────

export function undoOf({ compensation }: Action, nameOf: (id: string) => string): string {
  if (compensation === undefined) return "nothing";
  if (compensation.type === "action_ref") return `action ${nameOf(compensation.actionId)}`;
  return JSON.stringify([compensation.tool, valueText(withNames(compensation.parameters, nameOf))]);
}

/** All of an action but what would undo it, as text; other actions by the names that are given. */
export function sayingOf(action: Action, nameOf: (id: string) => string): string {
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
  return texts.length < 2 ? texts : [...new Set(texts)].sort();
}
