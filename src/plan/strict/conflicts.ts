/** Keys whose writers are in order only because the list is: the plan itself does not say which of them comes first. */
import type { Conflict } from "../findings.ts";
import type { Scene } from "./abstract-interpreter.ts";

/** One entry for each key, with every writer that has an unordered neighbor. */
export function conflictsOf(scene: Scene): Conflict[] {
  const { plan, keys } = scene;
  const conflicts: Conflict[] = [];
  for (const [key, inRow] of sharedKeys(scene)) {
    const loose = new Set<number>();
    for (let at = 1; at < inRow.length; at++) {
      const [first = 0, second = 0] = [inRow[at - 1], inRow[at]];
      if (!isSaidToPrecede(scene, first, second)) loose.add(first).add(second);
    }
    if (loose.size === 0) continue;
    const ids = [...loose].map((i) => plan.actions[i]?.id ?? "");
    conflicts.push({ key: keys.names[key] ?? "", writers: ids });
  }
  return conflicts;
}

/** The keys that more than one action writes, with these actions in the row. */
function sharedKeys({ graph, keys }: Scene): ReadonlyMap<number, readonly number[]> {
  const first = new Int32Array(keys.names.length).fill(-1);
  const shared = new Map<number, number[]>();
  for (const i of graph.order) {
    for (const key of graph.uses[i]?.writes ?? []) {
      const one = first[key] ?? -1;
      if (one < 0) first[key] = i;
      if (one < 0 || one === i) continue;
      const known = shared.get(key);
      if (known === undefined) shared.set(key, [one, i]);
      else if (known.at(-1) !== i) known.push(i);
    }
  }
  return shared;
}

/** LIMIT: actions that are looked at for one pair; beyond, the pair counts as not ordered, and a warning is all. */
const mostSteps = 64;

function isSaidToPrecede({ graph: { before, said } }: Scene, first: number, second: number): boolean {
  if (said[second] === 0) return false;
  const seen = new Set([second]);
  // A set goes on to what is added while it is gone through.
  for (const next of seen) {
    const count = said[next] ?? 0;
    for (let at = 0; at < count; at++) {
      const one = before[next]?.[at] ?? -1;
      if (one === first) return true;
      seen.add(one);
      if (seen.size > mostSteps) return false;
    }
  }
  return false;
}
