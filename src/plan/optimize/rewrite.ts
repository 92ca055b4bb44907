/**
 * Fewer `dependencies` for the same runs. An action that is not seen (see `strict/side.ts`) waits for nobody but those
 * whose keys or outputs it uses; who waited for it waits for the seen actions that it waited for. What a dependency
 * says that others say already is removed.
 * Nothing here has to be right: what comes out is compared with what went in.
 */

import type { AccessSets } from "../strict/access-sets.ts";
import { mostSources, type ObservablePlan, Searcher, sourcesIn } from "../strict/observable-plan.ts";

export type Reason =
  /** At least this action is not observable, and the two share no key. */
  | { readonly kind: "not seen"; readonly action: number }
  /** The dependency follows from the others. */
  | { readonly kind: "implied" }
  /** It was waited for by way of an action that is not waited for any more. */
  | { readonly kind: "through"; readonly action: number };

export interface Rewritten {
  /** For each action the numbers that its `dependencies` name. */
  readonly dependencies: readonly (readonly number[])[];
  /** Why those that are not there any more, or that are new, by action and then by dependency. */
  readonly reasons: ReadonlyMap<number, ReadonlyMap<number, Reason>>;
  readonly changed: boolean;
}

/** LIMIT: steps to find out whether one dependency follows from others. */
const mostSteps = 64;

/** LIMIT: of an action with more dependencies than this, all stay that it names. */
const mostCompared = 100;

export function rewrite(side: ObservablePlan): Rewritten {
  const { plan, graph, numbers, seen } = side;
  const kept = Uint8Array.from(seen);
  const sources = sourcesIn(side, kept);
  const byData = dataSources(side, kept);
  const reasons = new Reasons();
  const wanted: (readonly number[])[] = plan.actions.map(() => nobody);
  const stamps = new Stamps();
  for (const i of graph.order) {
    const { dependencies } = plan.actions[i] ?? { dependencies: [] };
    const named =
      dependencies.length === 0 ? nobody : [...new Set(dependencies.map((id) => numbers.get(id) ?? -1))];
    const stay: number[] = [];
    const through = new Map<number, number>();
    const data = side.data[i] ?? nobody;
    const hears = kept[i] === 1;
    if (named.length > 0) stamps.mark(graph.uses[i]);
    for (const one of named) {
      if ((hears && kept[one] === 1) || stamps.meets(graph.uses[one])) stay.push(one);
      else {
        reasons.set(i, one, { kind: "not seen", action: kept[one] === 1 ? i : one });
        if (hears) for (const source of sources[one] ?? nobody) through.set(source, one);
      }
    }
    if (hears) {
      // What is used may itself have waited for others, and does not any more.
      for (const one of [...data, ...stay]) {
        if (kept[one] === 1) continue;
        for (const source of sources[one] ?? nobody) {
          if (!byData[one]?.includes(source)) through.set(source, one);
        }
      }
    }
    for (const one of [...data, ...stay]) through.delete(one);
    for (const [one, action] of through) reasons.set(i, one, { kind: "through", action });
    const added = [...through.keys()].sort((a, b) => a - b);
    wanted[i] = added.length === 0 && stay.length === dependencies.length ? stay : [...stay, ...added];
  }
  const dependencies = withoutImplied(side, wanted, reasons);
  const changed = plan.actions.some(({ dependencies: names }, i) => {
    const now = dependencies[i] ?? nobody;
    return now.length !== names.length || names.some((name, at) => numbers.get(name) !== now[at]);
  });
  return { dependencies, reasons: reasons.all, changed };
}

const nobody: readonly number[] = Object.freeze([]);

class Reasons {
  readonly all = new Map<number, Map<number, Reason>>();

  set(action: number, dependency: number, reason: Reason): void {
    const known = this.all.get(action);
    if (known === undefined) this.all.set(action, new Map([[dependency, reason]]));
    else known.set(dependency, reason);
  }
}

/** The nearest actions that count to which edges by keys and references lead back. */
function dataSources({ graph, data }: ObservablePlan, kept: Uint8Array): readonly (readonly number[])[] {
  const found: (readonly number[])[] = new Array(kept.length).fill(nobody);
  for (const i of graph.order) {
    if (kept[i] === 1) continue;
    const all = new Set<number>();
    for (const one of data[i] ?? nobody) {
      if (kept[one] === 1) all.add(one);
      else for (const source of found[one] ?? nobody) all.add(source);
      if (all.size > mostSources) break;
    }
    found[i] = [...all];
  }
  return found;
}

/** Detects conflicts: a key shared by two actions, one of which writes it. */
class Stamps {
  #reads = new Set<number>();
  #writes = new Set<number>();

  mark(uses: AccessSets | undefined): void {
    this.#reads = new Set(uses?.reads);
    this.#writes = new Set(uses?.writes);
  }

  meets(uses: AccessSets | undefined): boolean {
    if (uses === undefined) return false;
    return (
      uses.writes.some((key) => this.#reads.has(key) || this.#writes.has(key)) ||
      uses.reads.some((key) => this.#writes.has(key))
    );
  }
}

/**
 * Without what follows from other dependencies and references. Edges by keys do not count here: they come from the
 * order of the list, and an author who declared an order does not want it to hang on that.
 */
function withoutImplied(
  { plan, numbers, graph: { levelOf } }: ObservablePlan,
  wanted: readonly (readonly number[])[],
  reasons: Reasons,
): readonly (readonly number[])[] {
  const referred = plan.actions.map(({ references }) =>
    references.length === 0 ? nobody : references.map((id) => numbers.get(id) ?? -1),
  );
  const declared = wanted.map((list, i) => {
    const more = referred[i] ?? nobody;
    return more.length === 0 ? list : [...new Set([...list, ...more])];
  });
  const searcher = new Searcher(declared, levelOf, mostSteps * (declared.length + 1));
  return wanted.map((list, i) => {
    const more = referred[i] ?? nobody;
    const count = list.length + more.length;
    if (count < 2 || count > mostCompared) return list;
    const left = list.filter((one) => {
      const isImplied =
        more.includes(one) ||
        searcher.leads(declared[i]?.filter((other) => other !== one) ?? nobody, one, mostSteps);
      if (isImplied) reasons.set(i, one, { kind: "implied" });
      return !isImplied;
    });
    return left.length === list.length ? list : left;
  });
}
