/** Read and write sets of actions, and their conditions on the state. */
import type { Json } from "../../ir/index.ts";
import { type Action, type Comparison, comparisons, keyOf } from "../plan.ts";
import type { Condition } from "./conditions.ts";
import type { CallModel } from "./tool-book.ts";

/** A condition with the kind of declaration that it comes from, and its place in the action. */
export interface Ask extends Condition {
  readonly from: "precondition" | "dependency" | "read" | "assertion";
  readonly path: readonly (string | number)[];
}

/** Returns the conditions at the start of an action, in the order of `AccessSets.reads`; read sets have none. */
export function asksOf(action: Action): Ask[] {
  return [...stateAsks(action), ...assertionAsk(action)];
}

/** Returns the condition of an assertion, with references resolved. */
export function assertionAsk(action: Action): Ask[] {
  const own = action.type === "assertion" ? ownAsk(action) : undefined;
  return own === undefined ? [] : [own];
}

/** Returns the conditions of an action on the state, except an assertion's own. */
export function stateAsks(action: Action): Ask[] {
  const { preconditions, stateDependencies } = action;
  const asks = preconditions.map((_, i) => preconditionAsk(action, i));
  for (let i = 0; i < stateDependencies.length; i++) asks.push(dependencyAsk(action, i));
  const own = action.type === "state_read" ? ownAsk(action) : undefined;
  return own === undefined ? asks : [...asks, own];
}

export function preconditionAsk({ preconditions }: Action, i: number): Ask {
  const { key = "", operator = "exists", value = null } = preconditions[i] ?? {};
  return { key, operator, value, from: "precondition", path: ["preconditions", i] };
}

export function dependencyAsk({ stateDependencies }: Action, i: number): Ask {
  const key = stateDependencies[i] ?? "";
  return { key, operator: "exists", value: null, from: "dependency", path: ["state_dependencies", i] };
}

/** Returns the condition of a `state_read` or an `assertion`. */
export function ownAsk(action: Action): Ask | undefined {
  if (action.type === "state_read") {
    const key = keyOf(action) ?? "";
    return { key, operator: "exists", value: null, from: "read", path: ["parameters", "key"] };
  }
  const asserted = action.type === "assertion" ? assertedBy(action) : undefined;
  return asserted && { ...asserted, from: "assertion", path: ["parameters"] };
}

/** Returns the condition in an assertion's parameters; undefined if only its preconditions state one. */
export function assertedBy({ parameters }: Action): Condition | undefined {
  const { key, operator = "eq" } = parameters;
  if (typeof key !== "string" || !isComparison(operator)) return undefined;
  return { key, operator, value: parameters.value ?? parameters.expected ?? null };
}

export function isComparison(word: Json): word is Comparison {
  const words: readonly Json[] = comparisons;
  return words.includes(word);
}

/** Keys as numbers, so that what is known of them can be kept in lists. */
export class Keys {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();

  number(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const next = this.names.length;
    this.#numbers.set(name, next);
    this.names.push(name);
    return next;
  }

  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }
}

/** The same key may stand in a list more than once. */
export interface AccessSets {
  /** Keys from preconditions, state dependencies, the read set, the action's own key, and the tool. */
  readonly reads: readonly number[];
  /** Keys from the write set, the action's own key, its effects, and the tool. */
  readonly writes: readonly number[];
}

export function accessSetsOf(action: Action, keys: Keys, call: CallModel | undefined): AccessSets {
  const { type, preconditions, stateDependencies, readSet, writeSet, expectedEffects } = action;
  const own = type === "tool_call" ? undefined : keyOf(action);
  const isWritten = type === "state_write";
  const read = preconditions.length + stateDependencies.length + readSet.length;
  const written = writeSet.length + expectedEffects.length;
  // Most actions read nothing, or write nothing, and there are many of them.
  let reads: number[] | undefined;
  if (read > 0 || (own !== undefined && !isWritten) || (call !== undefined && call.reads.length > 0)) {
    reads = [];
    for (const { key } of preconditions) reads.push(keys.number(key));
    for (const key of stateDependencies) reads.push(keys.number(key));
    for (const key of readSet) reads.push(keys.number(key));
    if (own !== undefined && !isWritten) reads.push(keys.number(own));
    if (call !== undefined) for (const key of call.reads) reads.push(keys.number(key));
  }
  let writes: number[] | undefined;
  if (written > 0 || (own !== undefined && isWritten) || (call !== undefined && call.writes.length > 0)) {
    writes = [];
    for (const key of writeSet) writes.push(keys.number(key));
    if (own !== undefined && isWritten) writes.push(keys.number(own));
    for (const { key } of expectedEffects) writes.push(keys.number(key));
    if (call !== undefined) for (const key of call.writes) writes.push(keys.number(key));
  }
  return { reads: reads ?? none, writes: writes ?? none };
}

const none: readonly number[] = Object.freeze([]);
