/** The kernel's state between two steps: plain immutable data. Part of what must be trusted. */
import type { Value } from "../../ir/index.ts";
import type { Args } from "../reasons.ts";
import { digestOf, emptyTrie, type Trie } from "../trie.ts";
import { canonicalText, textOf } from "../values/canonical.ts";
import type { Action } from "./action.ts";
import { type Budget, type Charges, newBudget } from "./budget.ts";
import type { Data } from "./effects.ts";
import type { FormNumber } from "./form.ts";
import type { Policy } from "./policy.ts";
import type { Uses } from "./principal.ts";

export interface KernelState {
  /** The name of the kernel on its ledger. */
  readonly name: string;
  readonly policy: Policy;
  /** Entries so far, and the hash of the last one. */
  readonly seq: number;
  readonly head: string;
  /** The hash of the first entry, which tells one kernel from all others; absent before there is one. */
  readonly first?: string;
  /** The form of the last entry; never goes back, so that nothing is judged by the rules of an earlier one again. */
  readonly form: FormNumber;
  /** Time of the last entry in milliseconds; never decreases. */
  readonly time: number;
  /** Number of commits to the data. */
  readonly version: number;
  readonly data: Data;
  readonly budgets: readonly Budget[];
  /** T2: reservations and executed actions, ever; a rollback gives none back. */
  readonly steps: number;
  readonly refusals: number;
  readonly rollbacks: number;
  readonly emergencies: ReadonlyMap<string, number>;
  /** Times of the last steps, by their number. */
  readonly times: Trie<number>;
  /** The last changes, by the version they made. */
  readonly records: Trie<StepRecord>;
  /** Without an outcome, by the number of their entry. */
  readonly pending: Trie<Reservation>;
  /** Keys that pending reservations will write, and the receipt of the reservation. */
  readonly held: Trie<string>;
  readonly keys: Trie<KeyUse>;
  /** Steps of each tool. */
  readonly calls: Trie<number>;
  /** Use that each principal has made of its quotas and shares. */
  readonly principals: Uses;
  /** Why nothing but emergency actions may happen. */
  readonly stopped?: Stopped;
}

/** An operator's own words, or the keys at which the world differs. */
export type Stopped = { readonly reason: "said" | "drift"; readonly args: Args };

/** A change that was committed, with what it takes to undo it. */
export interface StepRecord {
  readonly version: number;
  readonly hash: string;
  /** Previous value of each key; undefined if the key was absent. */
  readonly before: readonly (readonly [key: string, value: Value | undefined])[];
  readonly charges: Charges;
  /** The window of each budget that was charged. */
  readonly windows: readonly number[];
  readonly undo?: Value;
  /** `open`: can be rolled back. `undone`: was. `final`: no action made it. */
  readonly status: "open" | "undone" | "final";
  /** The principal that took the step; `local` if absent. */
  readonly by?: string;
}

export interface Reservation {
  readonly seq: number;
  readonly receipt: string;
  readonly action: Action;
  readonly key?: string;
  readonly time: number;
  /** The principal that holds it; `local` if absent. */
  readonly by?: string;
  /** End of the lease: from then on it no longer keeps others from its keys. Its charge stays held. */
  readonly until?: number;
}

export interface KeyUse {
  readonly digest: string;
  readonly status: "pending" | "settled" | "released";
  readonly receipt: string;
}

export function stateBefore(name: string, policy: Policy, data: Data): KernelState {
  return {
    name,
    policy,
    seq: 0,
    head: "",
    form: 1,
    time: 0,
    version: 0,
    data,
    budgets: policy.budgets.map(() => newBudget),
    steps: 0,
    refusals: 0,
    rollbacks: 0,
    emergencies: new Map(),
    times: emptyTrie(),
    records: emptyTrie(),
    pending: emptyTrie(),
    held: emptyTrie(),
    keys: emptyTrie(),
    calls: emptyTrie(),
    principals: emptyTrie(),
  };
}

/**
 * The state with some parts changed. Each part is named: to spread an object of so many fields takes twenty times as long,
 * and every step makes two states.
 */
export function successor(
  state: KernelState,
  to: Partial<Omit<KernelState, "name" | "first" | "stopped">>,
): KernelState {
  const next = {
    name: state.name,
    policy: to.policy ?? state.policy,
    seq: to.seq ?? state.seq,
    head: to.head ?? state.head,
    form: to.form ?? state.form,
    time: to.time ?? state.time,
    version: to.version ?? state.version,
    data: to.data ?? state.data,
    budgets: to.budgets ?? state.budgets,
    steps: to.steps ?? state.steps,
    refusals: to.refusals ?? state.refusals,
    rollbacks: to.rollbacks ?? state.rollbacks,
    emergencies: to.emergencies ?? state.emergencies,
    times: to.times ?? state.times,
    records: to.records ?? state.records,
    pending: to.pending ?? state.pending,
    held: to.held ?? state.held,
    keys: to.keys ?? state.keys,
    calls: to.calls ?? state.calls,
    principals: to.principals ?? state.principals,
  };
  const { first, stopped } = state;
  if (first === undefined) return stopped === undefined ? next : { ...next, stopped };
  return stopped === undefined ? { ...next, first } : { ...next, first, stopped };
}

/** The digest of all keys and values. */
export function rootOf(data: Data): string {
  return digestOf(data, cellText);
}

function cellText(key: string, value: Value): string {
  return `[${textOf(key)},${canonicalText(value)}]`;
}
