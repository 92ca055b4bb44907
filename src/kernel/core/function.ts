/**
 * Invariants as functions: synchronous, and only a literal `true` passes. What is thrown, a promise and anything else
 * is a violation. They get frozen copies, so they cannot change the state. That they answer the same for the same
 * arguments, and answer at all, is the word of whoever wrote them.
 * Part of what must be trusted.
 */
import type { Value } from "../../ir/value.ts";
import { entriesOf, get } from "../trie.ts";
import { type Plain, plainOf } from "../values/plain.ts";
import { type Action, actionBody } from "./action.ts";
import type { Data } from "./effects.ts";
import type { Enforcement, Invariant } from "./invariant.ts";

export interface FunctionInvariant {
  readonly name: string;
  readonly enforcement: Enforcement;
  /** What the policy digest says of the function; change it when the function changes. */
  readonly version?: string;
  /** `state` (the default) judges every state, the first one included; `step` judges steps. */
  readonly over?: "state" | "step";
  readonly check: (after: StateView, before: StateView, action: Plain) => unknown;
}

/** A state to look at, as plain frozen data. */
export interface StateView {
  get(key: string): Plain | undefined;
  has(key: string): boolean;
  keys(): string[];
}

export function functionRule({ check, over = "state" }: FunctionInvariant): Invariant["rule"] {
  const judged = (after: Data, before: Data, action: Action | undefined): string | undefined => {
    try {
      const answer = check(
        viewOf(after),
        viewOf(before),
        action === undefined ? null : plainOf(actionBody(action)),
      );
      if (answer === true) return undefined;
      return answer === false ? "it does not hold" : `it answered ${kindOf(answer)} instead of \`true\``;
    } catch {
      // What was thrown is the function's own, and is not looked at.
      return "it threw an error";
    }
  };
  if (over === "state") return { state: (after) => judged(after, after, undefined) };
  return { step: ({ after, before, action }) => judged(after, before, action) };
}

function kindOf(answer: unknown): string {
  if (answer === null) return "`null`";
  return typeof answer === "undefined" ? "nothing" : `a value of kind ${typeof answer}`;
}

export function viewOf(data: Data): StateView {
  const plain = (value: Value | undefined) => (value === undefined ? undefined : plainOf(value));
  return Object.freeze({
    get: (key: string) => plain(get(data, String(key))),
    has: (key: string) => get(data, String(key)) !== undefined,
    keys: () => Array.from(entriesOf(data), ([key]) => key).sort(),
  });
}
