/** Keys whose writers are in order only because the list is: the plan itself does not say which of them comes first. */
import type { Conflict } from "../findings.ts";
import type { Scene } from "./walk.ts";

/** One entry for each key, with every writer that has a neighbour it is not ordered with. */
export function conflictsOf(scene: Scene): Conflict[] {
  const { plan, graph, keys } = scene;
  const writers: (number[] | undefined)[] = new Array(keys.names.length);
  for (const i of graph.order) {
    for (const key of graph.uses[i]?.writes ?? []) {
      const known = writers[key];
      if (known === undefined) writers[key] = [i];
      else known.push(i);
    }
  }
  const orders = new DeclaredOrder(scene);
  const conflicts: Conflict[] = [];
  for (const [key, inRow] of writers.entries()) {
    if (inRow === undefined || inRow.length < 2) continue;
    const loose = new Set<number>();
    for (let at = 1; at < inRow.length; at++) {
      const [first = 0, second = 0] = [inRow[at - 1], inRow[at]];
      if (!orders.isBefore(first, second)) loose.add(first).add(second);
    }
    if (loose.size === 0) continue;
    const ids = [...loose].map((i) => plan.actions[i]?.id ?? "");
    conflicts.push({ key: keys.names[key] ?? "", writers: ids });
  }
  return conflicts;
}

/** LIMIT: actions that are looked at for one pair; beyond, the pair counts as not ordered, and a warning is all. */
const mostSteps = 64;

/** What the plan declares: ids, references, and that an action reads what another wrote. */
class DeclaredOrder {
  readonly #scene: Scene;
  /** For each action, the writers that it reads from. */
  readonly #readsFrom: readonly (readonly number[])[];

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#readsFrom = readsFrom(scene);
  }

  isBefore(first: number, second: number): boolean {
    const { declared } = this.#scene.graph;
    if (this.#readsFrom[second]?.includes(first) || declared[second]?.includes(first)) return true;
    const seen = new Set([second]);
    const waiting = [second];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === first) return true;
      if (seen.size > mostSteps) return false;
      for (const list of [this.#readsFrom[next] ?? [], declared[next] ?? []]) {
        for (const one of list) {
          if (seen.size > mostSteps) return false;
          if (seen.has(one)) continue;
          seen.add(one);
          waiting.push(one);
        }
      }
    }
    return false;
  }
}

function readsFrom({ plan, graph, keys }: Scene): readonly (readonly number[])[] {
  const lastWriter = new Int32Array(keys.names.length).fill(-1);
  const found: (readonly number[])[] = new Array(plan.actions.length);
  for (const i of graph.order) {
    const uses = graph.uses[i];
    const from: number[] = [];
    for (const key of uses?.reads ?? []) {
      const writer = lastWriter[key] ?? -1;
      if (writer >= 0) from.push(writer);
    }
    for (const key of uses?.writes ?? []) lastWriter[key] = i;
    found[i] = from;
  }
  return found;
}
