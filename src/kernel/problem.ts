/** Why something is refused: a code from a closed set, a reason with arguments, and one sentence. Part of what must be trusted. */
import type { Diagnostic, Result } from "../ir/index.ts";
import { type Args, type Given, type Reason, reasons, sentenceOf, type Why, why } from "./reasons.ts";

export const codes = {
  shape: "not what an action or a command looks like",
  limit: "beyond a bound of the kernel",
  version: "judged on a state that is no longer the newest",
  stopped: "the kernel was stopped",
  emergency: "not the registered emergency action, or its cap is reached",
  protected: "a key that ordinary effects cannot write",
  held: "a key that a reservation holds",
  effect: "an effect that cannot be applied",
  "min-cost": "cheaper than the least cost of a step",
  budget: "more than is left of a budget",
  "step-limit": "no step is left",
  invariant: "a blocking invariant does not hold",
  receipt: "no such receipt, or not one for this",
  dependent: "a later step depends on it",
  "idempotency-key": "the key was used for another action",
  drift: "the world differs from the state",
  principal: "not for this principal",
  quota: "more than the quota of the principal",
} as const;

export type KernelCode = keyof typeof codes;

/** Nothing is decided by its message: the reason is data. */
export interface Problem extends Diagnostic<KernelCode, never> {
  /** The reason and its arguments. */
  readonly reason: Reason;
  readonly args: Args;
}

export type Decoded<T> = Result<T, { readonly ok: false; readonly problem: Problem }>;

/** Leaves a decoder at the first problem; caught where the decoder was started, and never seen outside. */
export class Refused extends Error {
  readonly why: Why;
  readonly #mark = true;

  /** Unlike `instanceof`, asks nothing of an object that someone else has thrown. */
  static is(thrown: unknown): thrown is Refused {
    return typeof thrown === "object" && thrown !== null && #mark in thrown;
  }

  constructor(why: Why) {
    super(why.reason);
    this.why = why;
  }
}

export function refuse<R extends Reason>(reason: R, ...args: Given<R>): never {
  throw new Refused(why(reason, ...args));
}

export function problemOf({ reason, args }: Why): Problem {
  return { code: reasons[reason].code, message: sentenceOf(reason, args), reason, args };
}

/** The problem with a reason of its own. */
export function problem<R extends Reason>(reason: R, ...args: Given<R>): Problem {
  return problemOf(why(reason, ...args));
}

/** Runs a decoder and returns its value, or the problem that it threw. */
export function decoded<T>(body: () => T): Decoded<T> {
  try {
    return { ok: true, value: body() };
  } catch (thrown) {
    if (Refused.is(thrown)) return { ok: false, problem: problemOf(thrown.why) };
    throw thrown;
  }
}
