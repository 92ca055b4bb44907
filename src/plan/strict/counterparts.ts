/**
 * Guesses counterparts of actions between two plans: by id, position, content, access sets and dependencies. Each
 * guess is checked afterwards.
 */

import type { ObservablePlan } from "./observable-plan.ts";
import { type Counterparts, sayingOf } from "./same-runs.ts";

export function* guesses(a: ObservablePlan, b: ObservablePlan): Generator<Counterparts> {
  const byId = idsMatched(a, b);
  if (byId !== undefined) yield byId;
  yield Int32Array.from(a.plan.actions, (_, i) => i);
  const byUse = namesMatched(a, b, namesIn);
  if (byUse !== undefined) yield byUse;
  if (a.plan.actions.length > mostMatched) return;
  const byOrder = namesMatched(a, b, orderedNamesIn);
  if (byOrder !== undefined) yield byOrder;
}

/** LIMIT: actions for which all that comes before each is worked out. */
const mostMatched = 2_000;

function idsMatched(a: ObservablePlan, b: ObservablePlan): Counterparts | undefined {
  const found = new Int32Array(a.plan.actions.length);
  for (const [i, { id }] of a.plan.actions.entries()) {
    const other = b.numbers.get(id);
    if (other === undefined) return undefined;
    found[i] = other;
  }
  return found;
}

type NameAll = (side: ObservablePlan, names: Map<string, number>) => readonly number[];

/** Undefined if a name is in one plan only, or there more than once. */
function namesMatched(a: ObservablePlan, b: ObservablePlan, nameAll: NameAll): Counterparts | undefined {
  const names = new Map<string, number>();
  const left = nameAll(a, names);
  const places = new Map(nameAll(b, names).map((name, i) => [name, i]));
  if (places.size < b.plan.actions.length || new Set(left).size < left.length) return undefined;
  const found = new Int32Array(left.length);
  for (const [i, name] of left.entries()) {
    const place = places.get(name);
    if (place === undefined) return undefined;
    found[i] = place;
  }
  return found;
}

/** A number for each action that two share only if they say the same and use what the same ones left. */
function namesIn(
  { plan, graph, numbers, data }: ObservablePlan,
  names: Map<string, number>,
): readonly number[] {
  const found: number[] = new Array(plan.actions.length).fill(-1);
  for (const i of graph.order) {
    const action = plan.actions[i];
    if (action === undefined) continue;
    const waits = (data[i] ?? []).map((one) => found[one] ?? -1).sort((x, y) => x - y);
    const saying = sayingOf(action, (id) => String(found[numbers.get(id) ?? -1]));
    found[i] = nameFor(`${saying} ${waits.join(",")}`, names);
  }
  return found;
}

/** As above, and wait for the same, all the way back. */
function orderedNamesIn(
  { plan, graph, numbers }: ObservablePlan,
  names: Map<string, number>,
): readonly number[] {
  const found: number[] = new Array(plan.actions.length).fill(-1);
  const ancestors: Set<number>[] = new Array(plan.actions.length);
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
    const saying = sayingOf(action, (id) => String(found[numbers.get(id) ?? -1]));
    found[i] = nameFor(`${saying} ${waits.join(",")}`, names);
  }
  return found;
}

function nameFor(text: string, names: Map<string, number>): number {
  const known = names.get(text) ?? names.size;
  names.set(text, known);
  return known;
}
