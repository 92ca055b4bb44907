/** A plan (an action proposal) as data: what the reader gives, and all else takes. */
import type { Json, JsonObject } from "../ir/index.ts";

export const actionTypes = ["tool_call", "state_write", "state_read", "assertion"] as const;
export type ActionType = (typeof actionTypes)[number];

export const failureBehaviors = ["abort", "retry", "skip"] as const;
export type FailureBehavior = (typeof failureBehaviors)[number];

export const reversibilities = ["reversible", "compensable", "irreversible"] as const;
export type Reversibility = (typeof reversibilities)[number];

export const comparisons = [
  "eq",
  "neq",
  "gt",
  "lt",
  "gte",
  "lte",
  "exists",
  "not_exists",
  "contains",
] as const;
export type Comparison = (typeof comparisons)[number];

export interface Plan {
  readonly id: string;
  readonly source: string;
  readonly actions: readonly Action[];
  readonly timestamp: string | undefined;
  readonly context: JsonObject;
  /** Contracts of tool modules with their arguments, `bank.maxSpend(500)`. */
  readonly guarantees: readonly string[];
  /** As it was read, for writing a changed plan. */
  readonly json: JsonObject;
}

export interface Action {
  readonly id: string;
  readonly type: ActionType;
  readonly tool: string | undefined;
  readonly parameters: JsonObject;
  readonly preconditions: readonly Precondition[];
  readonly expectedEffects: readonly Effect[];
  /** Keys of the state. */
  readonly stateDependencies: readonly string[];
  /** Ids of other actions. */
  readonly dependencies: readonly string[];
  /** Keys that the action says it reads, and those that it says it writes. */
  readonly readSet: readonly string[];
  readonly writeSet: readonly string[];
  readonly reversibility: Reversibility;
  readonly compensation: Compensation | undefined;
  readonly idempotent: boolean;
  readonly maxRetries: number;
  readonly failureBehavior: FailureBehavior;
  readonly timeoutMs: number | undefined;
  readonly metadata: JsonObject;
  /** Ids whose outputs the parameters or effects refer to, each once, in the order of the document. */
  readonly references: readonly string[];
  readonly json: JsonObject;
}

/** A key and the value that it is expected to have afterwards. */
export interface Effect {
  readonly key: string;
  readonly value: Json;
}

export interface Precondition {
  readonly key: string;
  readonly operator: Comparison;
  readonly value: Json;
  readonly description: string;
}

export type Compensation =
  | { readonly type: "tool"; readonly tool: string; readonly parameters: JsonObject }
  | { readonly type: "action_ref"; readonly actionId: string };

/** Keys and values; a key that is not there is absent. */
export type State = ReadonlyMap<string, Json>;

/** The key that a `state_write`, `state_read` or `assertion` is about. */
export function keyOf(action: Action): string | undefined {
  const { key } = action.parameters;
  return typeof key === "string" ? key : undefined;
}

/** Returns the value that a `state_write` writes. */
export function writtenValue(action: Action): Json {
  return action.parameters.value ?? null;
}
