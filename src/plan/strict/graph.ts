/**
 * In which order actions may run. An edge says that one action ends before another begins:
 * - declared: by id in `dependencies`, or by a reference to an output;
 * - data: from the last writer of a key to its next reader or writer, and from readers to the next writer.
 * Actions are first put in a row: again and again the first one of the list whose declared edges are all met. Without
 * a dependency on a later action that is the list. Data edges go along the row.
 *
 * Theorem: two actions that use one key, one of them as a writer, are ordered by edges. For within a key, everyone
 * between two writers has edges from the first and to the second. So each reads what one and the same action wrote,
 * however the schedule goes, and the order within a level does not matter.
 */
import type { Action } from "../plan.ts";
import { type AccessSets, accessSetsOf, type Keys } from "./access-sets.ts";
import type { CallModel } from "./tool-book.ts";

export interface Graph {
  /** Numbers of actions, in the row. */
  readonly order: readonly number[];
  readonly uses: readonly AccessSets[];
  /** Before each action: those it has edges from, each once. */
  readonly before: readonly (readonly number[])[];
  /** Number of leading edges that the plan itself declares: by id, by reference, or by reading a key. */
  readonly said: Int32Array;
  /** Level of each action, from 0. */
  readonly levelOf: Int32Array;
  readonly depth: number;
  readonly edges: number;
  /** Data edges against the list that are not declared themselves. */
  readonly unclear: readonly Unclear[];
}

/** `later` comes first in the list and second in the row. */
export interface Unclear {
  readonly earlier: number;
  readonly later: number;
  readonly key: number;
}

/** Numbers of the actions that each one declares to wait for. */
export function declaredEdges(
  actions: readonly Pick<Action, "dependencies" | "references">[],
  numbers: ReadonlyMap<string, number>,
): (readonly number[])[] {
  return actions.map(({ dependencies, references }) => {
    if (dependencies.length === 0 && references.length === 0) return nobody;
    if (dependencies.length === 1 && references.length === 0) {
      const only = numbers.get(dependencies[0] ?? "");
      return only === undefined ? nobody : [only];
    }
    const found = new Set<number>();
    for (const id of dependencies) {
      const number = numbers.get(id);
      if (number !== undefined) found.add(number);
    }
    for (const id of references) {
      const number = numbers.get(id);
      if (number !== undefined) found.add(number);
    }
    return [...found];
  });
}

const nobody: readonly number[] = Object.freeze([]);

/** The row, or actions that wait for each other in a circle. */
export function rowOf(
  declared: readonly (readonly number[])[],
):
  | { readonly kind: "row"; readonly order: readonly number[] }
  | { readonly kind: "circle"; readonly circle: readonly number[] } {
  const count = declared.length;
  if (declared.every((from, i) => from.length === 0 || from.every((one) => one < i))) {
    return { kind: "row", order: Array.from({ length: count }, (_, i) => i) };
  }
  const waiting = declared.map((from) => from.length);
  const after: number[][] = declared.map(() => []);
  for (const [i, from] of declared.entries()) for (const one of from) after[one]?.push(i);
  const ready = new Heap();
  for (const [i, left] of waiting.entries()) if (left === 0) ready.push(i);
  const order: number[] = [];
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    order.push(next);
    for (const one of after[next] ?? []) {
      const left = (waiting[one] ?? 0) - 1;
      waiting[one] = left;
      if (left === 0) ready.push(one);
    }
  }
  if (order.length === count) return { kind: "row", order };
  return { kind: "circle", circle: circleIn(declared, waiting) };
}

/** From one that still waits, always on to another that it waits for, until one comes again. */
function circleIn(declared: readonly (readonly number[])[], waiting: readonly number[]): number[] {
  const seen = new Map<number, number>();
  const path: number[] = [];
  let at = waiting.findIndex((left) => left > 0);
  while (!seen.has(at)) {
    seen.set(at, path.length);
    path.push(at);
    at = declared[at]?.find((one) => (waiting[one] ?? 0) > 0) ?? at;
  }
  return path.slice(seen.get(at));
}

export function graphOf(
  actions: readonly Action[],
  declared: readonly (readonly number[])[],
  order: readonly number[],
  keys: Keys,
  calls: ReadonlyMap<number, CallModel>,
): Graph {
  const uses = actions.map((action, i) => accessSetsOf(action, keys, calls.get(i)));
  return graphFrom(uses, declared, order, keys);
}

/** The same of what is known already of who uses what. */
export function graphFrom(
  uses: readonly AccessSets[],
  declared: readonly (readonly number[])[],
  order: readonly number[],
  keys: Keys,
): Graph {
  const builder = new Builder(uses.length, keys.names.length);
  for (const i of order) builder.add(i, declared[i] ?? nobody, uses[i] ?? nothing);
  const { before, said, levelOf, depth, edges, unclear } = builder;
  return { order, uses, before, said, levelOf, depth, edges, unclear };
}

/** Groups values of actions by level, in row order within a level. */
export function byLevels<T>(
  { order, levelOf, depth }: Pick<Graph, "order" | "levelOf" | "depth">,
  of: (action: number) => T,
): T[][] {
  const levels: T[][] = new Array(depth);
  for (const i of order) {
    const at = levelOf[i] ?? 0;
    const level = levels[at];
    if (level === undefined) levels[at] = [of(i)];
    else level.push(of(i));
  }
  return levels;
}

const nothing: AccessSets = { reads: nobody, writes: nobody };

class Builder {
  readonly before: (readonly number[])[];
  readonly said: Int32Array;
  readonly levelOf: Int32Array;
  depth = 0;
  readonly unclear: Unclear[] = [];
  edges = 0;
  readonly #lastWriter: Int32Array;
  /** Since the last writer. */
  readonly #readers: (number | number[] | undefined)[];
  /** The last target of an edge, and the last writer of a key. */
  readonly #stamps: Int32Array;
  readonly #written: Int32Array;
  /** Edges of the current action; allocated lazily, because many actions have none. */
  #from: number[] | undefined;
  #level = 0;

  constructor(actions: number, keys: number) {
    this.before = new Array(actions).fill(nobody);
    this.said = new Int32Array(actions);
    this.levelOf = new Int32Array(actions);
    this.#stamps = new Int32Array(actions).fill(-1);
    this.#lastWriter = new Int32Array(keys).fill(-1);
    this.#written = new Int32Array(keys).fill(-1);
    this.#readers = new Array(keys).fill(undefined);
  }

  add(i: number, declared: readonly number[], { reads, writes }: AccessSets): void {
    this.#from = undefined;
    this.#level = 0;
    for (const one of declared) this.#edge(one, i);
    for (const key of writes) this.#written[key] = i;
    for (const key of reads) this.#read(key, i);
    this.said[i] = this.#count();
    for (const key of writes) this.#write(key, i);
    if (this.#from !== undefined) this.before[i] = this.#from;
    this.edges += this.#count();
    this.levelOf[i] = this.#level;
    if (this.#level >= this.depth) this.depth = this.#level + 1;
  }

  #count(): number {
    return this.#from === undefined ? 0 : this.#from.length;
  }

  #read(key: number, i: number): void {
    this.#dataEdge(this.#lastWriter[key] ?? -1, i, key);
    if (this.#written[key] === i) return; // it is about to write it, so the next writer waits for it anyway
    const since = this.#readers[key];
    // A list only where there is more than one: most keys are read once.
    if (since === undefined) this.#readers[key] = i;
    else if (typeof since === "number") this.#readers[key] = [since, i];
    else since.push(i);
  }

  #write(key: number, i: number): void {
    const since = this.#readers[key];
    if (since === undefined) this.#dataEdge(this.#lastWriter[key] ?? -1, i, key);
    else {
      if (typeof since === "number") this.#dataEdge(since, i, key);
      else for (const reader of since) this.#dataEdge(reader, i, key);
      this.#readers[key] = undefined;
    }
    this.#lastWriter[key] = i;
  }

  #dataEdge(one: number, i: number, key: number): void {
    if (one < 0 || one === i) return;
    // What is declared has its stamp already.
    if (one > i && this.#stamps[one] !== i) this.unclear.push({ earlier: one, later: i, key });
    this.#edge(one, i);
  }

  #edge(one: number, i: number): void {
    if (this.#stamps[one] === i) return;
    this.#stamps[one] = i;
    if (this.#from === undefined) this.#from = [one];
    else this.#from.push(one);
    const next = (this.levelOf[one] ?? 0) + 1;
    if (next > this.#level) this.#level = next;
  }
}

/** The smallest number first. */
class Heap {
  readonly #items: number[] = [];

  push(item: number): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] ?? 0;
      if (above <= item) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): number | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (first === undefined || last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if ((items[child + 1] ?? Number.POSITIVE_INFINITY) < (items[child] ?? 0)) child++;
      const below = items[child] ?? 0;
      if (below >= last) break;
      items[at] = below;
      at = child;
    }
    items[at] = last;
    return first;
  }
}
