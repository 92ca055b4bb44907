/**
 * Invariants as functions: synchronous, and only a literal `true` passes. What is thrown, a promise and anything else
 * is a violation. They get frozen copies, so they cannot change the state. That they answer the same for the same
 * arguments is the word of its author. One that is called here and does not answer hangs the process; one that is
 * isolated runs in a worker and is ended at its time limit.
 * Part of what must be trusted.
 */
import type { Value } from "../../ir/index.ts";
import { AnswerMissing, askWorker, type Isolated, isNoAnswer } from "../isolated.ts";
import { why } from "../reasons.ts";
import type { Violation } from "../rules/rule.ts";
import { entriesOf, get } from "../trie.ts";
import { type Plain, plainOf } from "../values/plain.ts";
import { type Action, actionBody } from "./action.ts";
import type { Data } from "./effects.ts";
import type { Enforcement, Invariant } from "./invariant.ts";
import { answerThen, lookedUp } from "./written.ts";

export interface FunctionInvariant {
  readonly name: string;
  readonly enforcement: Enforcement;
  /** Version of the function, part of the policy digest; change it when the function changes. */
  readonly version?: string;
  /** Set on stand-ins alone: the digest that a trace holds of a function that is not at hand. */
  readonly digest?: string;
  /** `state` (the default) judges every state, the first one included; `step` judges steps. */
  readonly over?: "state" | "step";
  /** The function, or where a worker finds it. */
  readonly check: CheckFunction | Isolated;
}

export type CheckFunction = (after: StateView, before: StateView, action: Plain) => unknown;

/** A state to look at, as plain frozen data. */
export interface StateView {
  get(key: string): Plain | undefined;
  has(key: string): boolean;
  keys(): string[];
}

export function functionRule({ name, check, over = "state" }: FunctionInvariant): Invariant["rule"] {
  const judged = (after: Data, before: Data, action: Action | undefined): Violation => {
    try {
      const given = action === undefined ? null : plainOf(actionBody(action));
      if (typeof check !== "function") {
        return noAnswerThen(name) ?? askWorker(check, cellsOf(after, check), cellsOf(before, check), given);
      }
      const answer = check(viewOf(after), viewOf(before), given);
      if (answer === true) return undefined;
      return answer === false ? why("does not hold") : why("function answered", { kind: kindOf(answer) });
    } catch (thrown) {
      if (AnswerMissing.is(thrown)) throw thrown;
      // What was thrown is the function's own, and is not looked at.
      return why("function threw");
    }
  };
  const isIsolated = typeof check !== "function";
  if (over === "state") return { state: (after) => judged(after, after, undefined), isIsolated };
  return { step: ({ after, before, action }) => judged(after, before, action), isIsolated };
}

/** Returns the recorded timeout: the function might answer now, and the recorded refusal still stands. */
function noAnswerThen(name: string): Violation {
  return isNoAnswer(lookedUp(name)) ? answerThen(name) : undefined;
}

function cellsOf(data: Data, { keys }: Isolated): (readonly [string, Plain])[] {
  if (keys === undefined)
    return Array.from(entriesOf(data), ([key, value]) => [key, plainOf(value)] as const);
  return keys.flatMap((key) => {
    const value = get(data, key);
    return value === undefined ? [] : [[key, plainOf(value)] as const];
  });
}

function kindOf(answer: unknown): string {
  return answer === null ? "null" : typeof answer;
}

export function viewOf(data: Data): StateView {
  const plain = (value: Value | undefined) => (value === undefined ? undefined : plainOf(value));
  return Object.freeze({
    get: (key: string) => plain(get(data, String(key))),
    has: (key: string) => get(data, String(key)) !== undefined,
    keys: () => Array.from(entriesOf(data), ([key]) => key).sort(),
  });
}
