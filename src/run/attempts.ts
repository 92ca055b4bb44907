/**
 * Tries of one call: each with its time, and waits in between that grow and are spread by chance. What comes out is one
 * of: an answer; `NotDone`, if nothing happened for sure; `Failed`, if the tool said that it failed; `Unanswered`, if
 * the result is unknown.
 */
import { NotDone } from "../kernel/index.ts";
import type { Person } from "../toolkit/index.ts";
import type { Clock } from "./clock.ts";
import { backOff, callLimits } from "./limits.ts";
import { Questions } from "./person.ts";
import type { ResultSchema } from "./result-schema.ts";

/** Context that a tool receives besides its arguments. */
export interface CallInfo {
  readonly actionId: string;
  readonly runId: string;
  /** The same at every try, and when a run is taken up again: two calls with one key are one. */
  readonly key: string;
  /** From 1. */
  readonly attempt: number;
  /** Aborted when the time is up or the run is interrupted. */
  readonly signal: AbortSignal;
  /** A person to ask during the call; absent if there is none. */
  readonly person?: Person;
  /** The declared type of the result; absent for a tool that returns nothing. */
  readonly result?: ResultSchema;
}

export type CallProgress =
  | { readonly kind: "begun"; readonly actionId: string; readonly attempt: number }
  | {
      readonly kind: "retrying";
      readonly actionId: string;
      /** The try that comes next. */
      readonly attempt: number;
      readonly waitMs: number;
      readonly reason: string;
    }
  /** A tool answered after its time was up; its answer counts for nothing. */
  | { readonly kind: "late"; readonly actionId: string };

export interface Attempts {
  readonly call: (call: CallInfo) => unknown;
  readonly actionId: string;
  readonly runId: string;
  readonly key: string;
  /** Number of the first attempt, 1 by default. */
  readonly first?: number;
  /** Tries after the first. */
  readonly retries: number;
  /** True if the call may be repeated although the result of the last attempt is unknown. */
  readonly repeatable: boolean;
  /** Asked before each try after one that may have happened; gives why there is none. */
  readonly mayAgain?: () => Promise<string | undefined>;
  readonly timeoutMs: number | undefined;
  readonly person?: Person | undefined;
  readonly result?: ResultSchema | undefined;
  readonly graceMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** The person does not want to wait any longer. */
  readonly interrupted: AbortSignal;
  /** The run has ended, so nothing is tried again. */
  readonly ended: AbortSignal;
  readonly tell: (progress: CallProgress) => void;
}

export interface Answered {
  readonly value: unknown;
  readonly attempts: number;
  /** Tries before the last that may have had their effect. */
  readonly earlier: number;
}

class Attempted extends Error {
  readonly attempts: number;
  constructor(message: string, attempts: number) {
    super(message);
    this.attempts = attempts;
  }
}

export class Failed extends Attempted {
  override readonly name = "Failed";
}
export class Unanswered extends Attempted {
  override readonly name = "Unanswered";
}
/** Thrown in place of a tool whose process ended during the call: whether it happened is not known. */
export class Lost extends Error {
  override readonly name = "Lost";
}
/** With how often it was tried. */
export class NothingDone extends NotDone {
  readonly attempts: number;
  constructor(message: string, attempts: number) {
    super(message);
    this.attempts = attempts;
  }
}

type Answer =
  | { readonly kind: "answered"; readonly value: unknown }
  | { readonly kind: "not done" | "failed" | "unanswered"; readonly reason: string };

export async function tried(how: Attempts): Promise<Answered> {
  const { retries, repeatable, ended, tell, actionId, clock } = how;
  // The worst of all tries counts: what may have happened once may have happened.
  let worst: "not done" | "failed" | "unanswered" = "not done";
  let earlier = 0;
  const { first = 1 } = how;
  for (let attempt = 1; ; attempt++) {
    tell({ kind: "begun", actionId, attempt: first + attempt - 1 });
    const answer = await once(how, first + attempt - 1);
    if (answer.kind === "answered") return { value: answer.value, attempts: attempt, earlier };
    const { kind, reason } = answer;
    if (kind !== "not done") earlier++;
    if (kind === "unanswered" || (kind === "failed" && worst === "not done")) worst = kind;
    const again = attempt <= retries && !ended.aborted && (kind !== "unanswered" || repeatable);
    if (!again) throw errorFor(worst, reason, attempt);
    const waitMs = waitBefore(attempt, how.random());
    tell({ kind: "retrying", actionId, attempt: attempt + 1, waitMs, reason });
    await clock.sleep(waitMs, ended);
    const against = kind === "not done" || ended.aborted ? undefined : await how.mayAgain?.();
    if (against !== undefined) throw errorFor(worst, `${reason}, and ${against}`, attempt);
    if (ended.aborted) throw errorFor(worst, reason, attempt);
  }
}

function errorFor(worst: "not done" | "failed" | "unanswered", reason: string, attempts: number): Error {
  switch (worst) {
    case "not done":
      return new NothingDone(reason, attempts);
    case "failed":
      return new Failed(reason, attempts);
    case "unanswered":
      return new Unanswered(reason, attempts);
  }
}

/** Anything up to a bound that doubles, so that many who failed together do not come back together. */
export function waitBefore(attempt: number, chance: number): number {
  return Math.floor(chance * Math.min(backOff.mostMs, backOff.firstMs * 2 ** Math.min(attempt - 1, 30)));
}

async function once(how: Attempts, attempt: number): Promise<Answer> {
  const { call, actionId, runId, key, timeoutMs, graceMs, clock, interrupted, tell, person, result } = how;
  const stop = new AbortController();
  const over = new AbortController();
  const questions = new Questions();
  const info = {
    ...{ actionId, runId, key, attempt, signal: stop.signal },
    ...(person && { person: questions.of(person, { key, attempt }) }),
    ...(result && { result }),
  };
  const work = answerOf(() => call(info));
  const late = async (ms: number) => {
    await questions.quiet(() => clock.sleep(ms, over.signal), over.signal);
    return "late" as const;
  };
  try {
    const first = await Promise.race([
      work,
      ...(timeoutMs === undefined ? [] : [late(timeoutMs)]),
      aborted(interrupted, over.signal).then(() => "interrupted" as const),
    ]);
    if (typeof first === "object") return first;
    const reason =
      first === "late" ? `it timed out after ${timeoutMs} ms` : "the run was interrupted during the call";
    stop.abort(new Error(reason));
    const then = await Promise.race([work, clock.sleep(graceMs, over.signal).then(() => undefined)]);
    if (then?.kind === "not done") return then;
    // A tool that was only asked to hurry, and did, has returned in time.
    if (first === "interrupted" && then !== undefined) return then;
    if (then === undefined)
      void work.then(({ kind }) => kind !== "unanswered" && tell({ kind: "late", actionId }));
    else if (then.kind === "answered") tell({ kind: "late", actionId });
    return { kind: "unanswered", reason };
  } finally {
    over.abort();
  }
}

/** Never rejects. */
async function answerOf(call: () => unknown): Promise<Answer> {
  try {
    return { kind: "answered", value: await call() };
  } catch (thrown) {
    if (thrown instanceof Lost) return { kind: "unanswered", reason: thrown.message };
    return { kind: isNotDone(thrown) ? "not done" : "failed", reason: reasonOf(thrown) };
  }
}

/** By its name: a tool module may have the class from another copy of the package. */
function isNotDone(thrown: unknown): boolean {
  return thrown instanceof NotDone || (thrown instanceof Error && thrown.name === "NotDone");
}

export function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : typeof thrown === "string" ? thrown : "";
  const said = text.trim() === "" ? "no reason given" : text;
  const short = said.length > callLimits.reasonLength ? `${said.slice(0, callLimits.reasonLength)}…` : said;
  // A trace takes no half of a surrogate pair.
  return short.replace(/\p{Cs}/gu, "\ufffd");
}

function aborted(signal: AbortSignal, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => resolve();
    signal.addEventListener("abort", end, { once: true });
    over.addEventListener("abort", () => signal.removeEventListener("abort", end), { once: true });
  });
}
