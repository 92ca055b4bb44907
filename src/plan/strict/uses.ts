/** Which keys of the state each action reads and writes, and what it asks of them. */
import type { Json } from "../../ir/json/json.ts";
import { type Action, type Comparison, comparisons, keyOf } from "../plan.ts";
import type { Condition } from "./conditions.ts";

/** A condition with the kind of declaration that it comes from, and its place in the action. */
export interface Ask extends Condition {
  readonly from: "precondition" | "dependency" | "read" | "assertion";
  readonly path: readonly (string | number)[];
}

/** What must hold when the action begins. */
export function asksOf(action: Action): Ask[] {
  const asks: Ask[] = [];
  const { preconditions, stateDependencies } = action;
  for (let i = 0; i < preconditions.length; i++) {
    const one = preconditions[i];
    if (one === undefined) continue;
    const { key, operator, value } = one;
    asks.push({ key, operator, value, from: "precondition", path: ["preconditions", i] });
  }
  for (let i = 0; i < stateDependencies.length; i++) {
    const key = stateDependencies[i] ?? "";
    const path = ["state_dependencies", i];
    asks.push({ key, operator: "exists", value: null, from: "dependency", path });
  }
  if (action.type === "state_read") {
    const key = keyOf(action) ?? "";
    asks.push({ key, operator: "exists", value: null, from: "read", path: ["parameters", "key"] });
  } else if (action.type === "assertion") {
    const asserted = assertedBy(action);
    if (asserted !== undefined) asks.push({ ...asserted, from: "assertion", path: ["parameters"] });
  }
  return asks;
}

/** What an assertion says in its parameters; undefined if all it says is in its preconditions. */
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

export interface Uses {
  /** Each key once. */
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

export function usesOf(action: Action, keys: Keys): Uses {
  const reads: number[] = [];
  const writes: number[] = [];
  for (const { key } of action.preconditions) reads.push(keys.number(key));
  for (const key of action.stateDependencies) reads.push(keys.number(key));
  for (const key of action.readSet) reads.push(keys.number(key));
  const key = keyOf(action);
  if (key !== undefined && action.type === "state_write") writes.push(keys.number(key));
  else if (key !== undefined && action.type !== "tool_call") reads.push(keys.number(key));
  for (const name in action.expectedEffects) writes.push(keys.number(name));
  for (const name of action.writeSet) writes.push(keys.number(name));
  return { reads: eachOnce(reads), writes: eachOnce(writes) };
}

/** Most have one or two; a long list must not take the square of its length. */
function eachOnce(list: number[]): readonly number[] {
  if (list.length < 2) return list;
  if (list.length === 2) return list[0] === list[1] ? list.slice(1) : list;
  return [...new Set(list)];
}
