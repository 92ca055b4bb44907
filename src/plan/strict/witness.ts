/**
 * A run in which what an action asks does not hold: an initial state, a schedule, the tools that fail, and what tools
 * leave where the plan does not say. It is put together from what is known and then gone through, one action after the
 * other; if it does not come out, there is none to show.
 */
import type { Json } from "../../ir/index.ts";
import { possibleAt } from "../../run/index.ts";
import type { Witness } from "../findings.ts";
import type { Action, Plan } from "../plan.ts";
import type { Scene } from "./abstract-interpreter.ts";
import { atStart, type Possibility } from "./abstract-state.ts";
import { asksOf } from "./access-sets.ts";
import { type Cell, type Condition, candidates, holds } from "./conditions.ts";

/** LIMIT: actions that are gone through for the witnesses of one plan. */
export class WitnessBudget {
  left: number;

  constructor(actions: number) {
    this.left = 2 * actions + 1_000;
  }
}

/** The failure to construct: a condition that fails for one possible content of its key, or a missing output. */
export type Wanted =
  | { readonly kind: "unmet"; readonly ask: Condition; readonly failing: Possibility }
  | { readonly kind: "no output"; readonly of: number };

export function witnessFor(
  scene: Scene,
  target: number,
  wanted: Wanted,
  budget: WitnessBudget,
): Witness | undefined {
  const schedule = scheduleOf(scene, target, budget);
  return schedule && new Attempt(scene, schedule, target, wanted).witness();
}

/** The action and all that must come before it, in the row. */
function scheduleOf({ graph }: Scene, target: number, budget: WitnessBudget): readonly number[] | undefined {
  const seen = new Set([target]);
  const waiting = [target];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (--budget.left < 0) return undefined;
    for (const one of graph.before[next] ?? []) {
      if (seen.has(one)) continue;
      seen.add(one);
      waiting.push(one);
    }
  }
  const places = placesIn(graph.order);
  return [...seen].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
}

const knownPlaces = new WeakMap<readonly number[], Int32Array>();

function placesIn(order: readonly number[]): Int32Array {
  const known = knownPlaces.get(order);
  if (known !== undefined) return known;
  const places = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) places[order[i] ?? 0] = i;
  knownPlaces.set(order, places);
  return places;
}

const knownCalls = new WeakMap<Plan, ReadonlySet<string>>();

/** The ids of the actions that call tools. */
function callsIn(plan: Plan): ReadonlySet<string> {
  const known = knownCalls.get(plan);
  if (known !== undefined) return known;
  const calls = new Set(plan.actions.filter(({ type }) => type === "tool_call").map(({ id }) => id));
  knownCalls.set(plan, calls);
  return calls;
}

/** A cell whose content is free to choose, with what was asked of it. */
interface Free {
  readonly source: number;
  readonly key: string;
  readonly mayBeAbsent: boolean;
  readonly mustHold: Condition[];
  mustFail: Condition | undefined;
}

type Content = { readonly kind: "is"; readonly cell: Cell } | { readonly kind: "free"; readonly free: Free };

class Attempt {
  readonly #scene: Scene;
  readonly #schedule: readonly number[];
  readonly #target: number;
  readonly #wanted: Wanted;
  readonly #contents = new Map<string, Content>();
  readonly #frees: Free[] = [];
  readonly #failed: string[] = [];
  /** Keys that were looked at before anything wrote them. */
  readonly #atStart = new Map<string, Cell>();
  readonly #left = new Set<string>();
  /** Keys that a call has maybe set that failed. */
  readonly #marked = new Set<string>();

  constructor(scene: Scene, schedule: readonly number[], target: number, wanted: Wanted) {
    this.#scene = scene;
    this.#schedule = schedule;
    this.#target = target;
    this.#wanted = wanted;
  }

  witness(): Witness | undefined {
    for (const i of this.#schedule) {
      const action = this.#scene.plan.actions[i];
      if (action === undefined) return undefined;
      if (i === this.#target) break;
      if (!this.#run(action, i)) return undefined;
    }
    if (!this.#demandFailure()) return undefined;
    return this.#solved();
  }

  /** False if the schedule cannot get past this action. */
  #run(action: Action, i: number): boolean {
    const skips = action.failureBehavior === "skip";
    // What it asks besides may not be met in every run; then nothing can be shown.
    if (this.#scene.doubtful.has(i)) return false;
    for (const ask of asksOf(action)) {
      if (ask.from === "read" && this.#marked.has(ask.key)) return false;
      const content = this.#contentOf(ask.key);
      if (content.kind === "free") content.free.mustHold.push(ask);
      else if (!holds(ask, content.cell)) {
        if (!skips) return false;
        this.#left.add(action.id);
        return true;
      }
    }
    if (action.references.some((id) => this.#left.has(id))) {
      if (!skips) return false;
      this.#left.add(action.id);
      return true;
    }
    if (this.#mustFail(action, i)) {
      for (const key of this.#scene.graph.uses[i]?.writes ?? []) {
        this.#marked.add(this.#scene.keys.names[key] ?? "");
      }
      this.#failed.push(action.id);
      this.#left.add(action.id);
      return true;
    }
    // What it writes is what another action has found in the state, and not free to choose.
    if (action.type !== "tool_call" && action.references.some((id) => !callsIn(this.#scene.plan).has(id)))
      return false;
    return this.#effects(i);
  }

  #effects(i: number): boolean {
    const { keys, left, tools } = this.#scene;
    const isModelled = tools?.calls.has(i) ?? false;
    // What it leaves may not be the same in every run; then nothing can be shown.
    const isOpen = (known: readonly Possibility[]): boolean =>
      known.length > 1 && (isModelled || known[0]?.kind !== "absent");
    const written = left.get(i);
    if (written === undefined || [...written.values()].some(isOpen)) return false;
    for (const [key, knowledge] of written) {
      const name = keys.names[key] ?? "";
      this.#marked.delete(name);
      this.#contents.set(name, this.#written(name, i, knowledge));
    }
    return true;
  }

  /** A tool call that can be skipped, and would overwrite the value to be seen. */
  #mustFail(action: Action, i: number): boolean {
    if (action.type !== "tool_call" || action.failureBehavior !== "skip") return false;
    const wanted = this.#wanted;
    if (wanted.kind === "no output") return i === wanted.of;
    const { source } = wanted.failing;
    if (i === source) return false;
    const key = this.#scene.keys.find(wanted.ask.key) ?? -1;
    if (!(this.#scene.graph.uses[i]?.writes.includes(key) ?? false)) return false;
    return source === atStart || this.#isAfter(i, source);
  }

  #isAfter(i: number, source: number): boolean {
    const places = placesIn(this.#scene.graph.order);
    return (places[i] ?? 0) > (places[source] ?? 0);
  }

  #contentOf(key: string): Content {
    const known = this.#contents.get(key);
    if (known !== undefined) return known;
    const content = this.#contentAtStart(key);
    if (content.kind === "is") this.#atStart.set(key, content.cell);
    this.#contents.set(key, content);
    return content;
  }

  #contentAtStart(key: string): Content {
    const { initial } = this.#scene;
    if (initial === undefined) return this.#free(atStart, key, true);
    const possible = possibleAt(key, (one) => initial.get(one));
    if (possible === "anything") return this.#free(atStart, key, true);
    const wanted = this.#wanted;
    // Of the values that it may have, the one that is to go wrong, or else the one that stands there.
    const isMeant = wanted.kind === "unmet" && wanted.ask.key === key && wanted.failing.source === atStart;
    const failing = isMeant ? possible.findIndex((cell) => !holds(wanted.ask, cell)) : 0;
    return { kind: "is", cell: possible[Math.max(0, failing)] };
  }

  #written(key: string, i: number, knowledge: readonly Possibility[]): Content {
    const [first] = knowledge;
    if (first?.kind === "value") return { kind: "is", cell: first.value };
    return this.#free(i, key, first?.kind === "absent");
  }

  #free(source: number, key: string, mayBeAbsent: boolean): Content {
    const free: Free = { source, key, mayBeAbsent, mustHold: [], mustFail: undefined };
    this.#frees.push(free);
    return { kind: "free", free };
  }

  #demandFailure(): boolean {
    const wanted = this.#wanted;
    if (wanted.kind === "no output") return this.#left.has(this.#scene.plan.actions[wanted.of]?.id ?? "");
    const content = this.#contentOf(wanted.ask.key);
    if (content.kind === "is") return !holds(wanted.ask, content.cell);
    content.free.mustFail = wanted.ask;
    return true;
  }

  #solved(): Witness | undefined {
    const { plan } = this.#scene;
    const state = new Map<string, Json>();
    for (const [key, value] of this.#atStart) if (value !== undefined) state.set(key, value);
    const written: { actionId: string; key: string; value?: Json }[] = [];
    for (const free of this.#frees) {
      const cell = choose(free);
      if (cell === undefined) return undefined;
      const { source, key } = free;
      const value = cell.value;
      if (source === atStart) {
        if (value !== undefined) state.set(key, value);
      } else if (free.mustHold.length > 0 || free.mustFail !== undefined) {
        const actionId = plan.actions[source]?.id ?? "";
        written.push(value === undefined ? { actionId, key } : { actionId, key, value });
      }
    }
    const schedule = this.#schedule.map((i) => plan.actions[i]?.id ?? "");
    return { state, schedule, failed: this.#failed, written };
  }
}

function choose({ mustHold, mustFail, mayBeAbsent }: Free): { readonly value: Cell } | undefined {
  const all = mustFail === undefined ? mustHold : [...mustHold, mustFail];
  // LIMIT: with very many conditions on one key nothing is tried.
  if (all.length > 64) return undefined;
  for (const value of candidates(all)) {
    if (value === undefined && !mayBeAbsent) continue;
    if (!mustHold.every((one) => holds(one, value))) continue;
    if (mustFail === undefined || !holds(mustFail, value)) return { value };
  }
  return undefined;
}
