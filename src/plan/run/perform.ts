/**
 * One action through the kernel: reserved, done and settled. A call that answers, also with an error, has an outcome, and
 * an error may have come after the effect: it is settled as failed, its charge is spent, and what it may have set is
 * marked as not known. A call that does not answer has none: its reservation stays in doubt.
 */
import { type Json, quoted } from "../../ir/index.ts";
import { type Kernel, NotDone, type Performed, type Problem } from "../../kernel/index.ts";
import {
  Failed,
  type Marking,
  type MarkReason,
  markOf,
  NothingDone,
  settleAgain,
  settleFailed,
  tried,
  Unanswered,
} from "../../run/index.ts";
import type { PlanCode } from "../codes.ts";
import type { Action, Plan } from "../plan.ts";
import { valueText } from "../values.ts";
import {
  type Effect,
  isRepeatable,
  isRepeatableTool,
  type Readied,
  type Ready,
  readied,
  type Surroundings,
} from "./call.ts";
import { compensationOf, undoAction } from "./compensation.ts";
import { type Doubts, marksFor } from "./doubts.ts";
import { actionKey, kernelName, originOf, reservationKey } from "./identity.ts";
import { type Ending, endingOf, outcomeOf, readJournal } from "./journal.ts";
import type { Clock, PlanProgress } from "./options.ts";

export interface Run extends Surroundings {
  readonly kernel: Kernel;
  readonly doubts: Doubts;
  readonly plan: Plan;
  readonly digest: string;
  readonly runId: string;
  readonly timeoutMs: number | undefined;
  readonly graceMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly interrupted: AbortSignal;
  readonly ended: AbortSignal;
  readonly tell: (progress: PlanProgress) => void;
}

export type ActionEnd =
  | { readonly kind: "done"; readonly output: Json | undefined; readonly attempts: number }
  /** The plan ended before it could begin. */
  | { readonly kind: "not begun"; readonly attempts: 0 }
  | {
      readonly kind: "failed";
      readonly code: PlanCode;
      readonly message: string;
      readonly attempts: number;
      /** Whether the plan ends, also if the action could be left out: no verdict on the plan foresaw this. */
      readonly isFatal: boolean;
    }
  | {
      readonly kind: "in doubt";
      readonly code: PlanCode;
      readonly message: string;
      readonly attempts: number;
      readonly receipt: string;
    };

interface Given {
  readonly ending: Ending;
  readonly attempts: number;
}

/** LIMIT: how often it is reserved anew because others were quicker. */
const mostRounds = 10;

export async function performAction(action: Action, run: Run, releases: number): Promise<ActionEnd> {
  for (let round = 1; ; round++) {
    const found = readiedIn(action, run);
    if (found.kind === "unmet") return failed(found.code, found.message, 0);
    const { ready } = found;
    const before = releases + round - 1;
    const key = reservationKey(run.digest, run.runId, action.id, before);
    const performed = await run.kernel.perform<Given>(
      kernelAction(action, ready, run, before + 1),
      () => {
        if (run.ended.aborted) throw new NotBegun();
        if (hasMoved(action, ready, run)) throw new Moved();
        return given(action, ready, run);
      },
      { key, outcome: ({ ending, attempts }) => outcomeOf(ending, attempts) },
    );
    const isQuicker = performed.kind === "released" && performed.error instanceof Moved;
    if (isQuicker && round < mostRounds) continue;
    const end = await endOf(action, ready, performed, run, key);
    if (end.kind === "in doubt") {
      run.doubts.add({
        action,
        receipt: end.receipt,
        effects: [...ready.effects, ...ready.again(end.attempts)],
      });
    }
    return end;
  }
}

/** With the state as the action finds it. */
function readiedIn(action: Action, run: Run): Readied {
  return readied(action, { ...run, kernel: run.doubts.stateFor(action) });
}

/** Others may have changed the state until its keys were held, and then it would overwrite what they wrote. */
function hasMoved(action: Action, ready: Ready, run: Run): boolean {
  const now = readiedIn(action, run);
  return now.kind === "unmet" || textOf(now.ready) !== textOf(ready);
}

function textOf({ args, effects }: Ready): string {
  return valueText([args, ...effects.map((one) => [one.key, one.op === "set" ? one.value : null])]);
}

/** Takes up a call that an earlier process left without an outcome, under the same reservation and with the same key. */
export async function resumeAction(action: Action, run: Run, receipt: string): Promise<ActionEnd> {
  const found = readiedIn(action, run);
  if (found.kind === "unmet")
    return inDoubt(action, `what became of it is not known, and ${found.message}`, 0, receipt);
  const against = await counted(action, found.ready, run);
  if (against !== undefined) return inDoubt(action, against, 0, receipt);
  try {
    const { ending, attempts } = await given(action, found.ready, run);
    const settled = await run.kernel.settle(receipt, { outcome: outcomeOf(ending, attempts) });
    if (settled.verdict === "refused") return inDoubt(action, notSettled(settled.reasons), attempts, receipt);
    return ending.kind === "done"
      ? { kind: "done", output: ending.output, attempts }
      : failed("FC3312", ending.message, attempts);
  } catch (thrown) {
    // That nothing happened this time says nothing of the time before.
    if (thrown instanceof NothingDone) return inDoubt(action, thrown.message, thrown.attempts, receipt);
    return afterError(action, found.ready, thrown, run, receipt);
  }
}

class Moved extends NotDone {}
class NotBegun extends NotDone {}

class Broken extends Error {
  readonly attempts: number;
  constructor(message: string, attempts: number) {
    super(message);
    this.attempts = attempts;
  }
}

/** It is done, and an earlier try may have been done as well. */
class DoneAgain extends Error {
  readonly given: Given;
  readonly effects: readonly Effect[];
  constructor(given: Given, effects: readonly Effect[]) {
    super("it may have happened more than once");
    this.given = given;
    this.effects = effects;
  }
}

async function given(action: Action, ready: Ready, run: Run): Promise<Given> {
  const answer =
    action.type === "tool_call"
      ? await tried({
          ...run,
          call: (call) => run.tools.get(action.tool ?? "")?.run(ready.passed, call),
          actionId: action.id,
          key: actionKey(run.digest, run.runId, action.id),
          retries: action.failureBehavior === "retry" ? ready.retries : 0,
          repeatable: isRepeatable(action, run),
          mayAgain: () => counted(action, ready, run),
          timeoutMs: action.timeoutMs ?? run.timeoutMs,
        })
      : { value: undefined, attempts: 1, earlier: 0 };
  const judged = ready.judge(answer.value);
  if (judged.kind === "broken") throw new Broken(judged.message, answer.attempts);
  const done: Given = { ending: { kind: "done", output: judged.output }, attempts: answer.attempts };
  const besides = ready.again(1 + answer.earlier);
  if (besides.length > 0) throw new DoneAgain(done, besides);
  return done;
}

/**
 * SOUNDNESS: to budgets and rules, a try after one that may have happened is one more call, unless its tool says that two do
 * no more than one. Gives why the kernel refuses it.
 */
async function counted(action: Action, { args, cost }: Ready, run: Run): Promise<string | undefined> {
  const { id, tool = "" } = action;
  if (isRepeatableTool(tool, run) === true) return undefined;
  const { verdict, reasons } = await run.kernel.execute({
    id: `another try of ${kernelName(id)}`,
    tool,
    args,
    effects: [],
    origin: originOf(run, action, "call"),
    ...(cost !== undefined && { cost }),
  });
  return verdict === "allowed" ? undefined : `the kernel refused another try: ${wordsOf(reasons)}`;
}

function kernelAction(action: Action, { args, effects, cost }: Ready, run: Run, attempt: number): object {
  const { id, type, tool } = action;
  const compensation = compensationOf(action, run.plan, run.tools);
  return {
    id: kernelName(id),
    ...(type === "tool_call" && tool !== undefined && { tool, args }),
    effects,
    ...(cost !== undefined && { cost }),
    ...(compensation && { undo: undoAction(id, compensation, args) }),
    origin: originOf(run, action, "call", { attempt }),
  };
}

async function endOf(
  action: Action,
  ready: Ready,
  performed: Performed<Given>,
  run: Run,
  key: string,
): Promise<ActionEnd> {
  switch (performed.kind) {
    case "done": {
      const { ending, attempts } = performed.result;
      return { kind: "done", output: ending.kind === "done" ? ending.output : undefined, attempts };
    }
    case "done before":
      return doneBefore(run, key);
    case "refused": {
      const message = `the kernel refused ${quoted(action.id)}: ${wordsOf(performed.reasons)}`;
      return { ...failed("FC3315", message, 0), isFatal: action.type !== "tool_call" };
    }
    case "released": {
      const { error } = performed;
      if (error instanceof NotBegun) return { kind: "not begun", attempts: 0 };
      if (error instanceof Moved) {
        return failed(
          "FC3311",
          `others change what ${quoted(action.id)} needs faster than it can be reserved`,
          0,
        );
      }
      const attempts = error instanceof NothingDone ? error.attempts : 1;
      const why = error instanceof Error ? error.message : "no reason given";
      return failed(
        "FC3312",
        `${quoted(action.tool ?? "")} did nothing for ${quoted(action.id)}: ${why}`,
        attempts,
      );
    }
    case "in doubt":
      if (performed.error === undefined) {
        return inDoubt(
          action,
          notSettled(performed.reasons),
          performed.result?.attempts ?? 0,
          performed.receipt,
        );
      }
      return afterError(action, ready, performed.error, run, performed.receipt);
  }
}

/** What becomes of a reservation whose call did not give what it should. */
async function afterError(
  action: Action,
  { effects, again }: Ready,
  error: unknown,
  run: Run,
  receipt: string,
): Promise<ActionEnd> {
  if (error instanceof Unanswered) return inDoubt(action, error.message, error.attempts, receipt);
  if (error instanceof DoneAgain) return doneAgain(action, error, run, receipt);
  // The ledger failed, or we did: that is not for the plan to deal with.
  if (!(error instanceof Failed || error instanceof Broken)) throw error;
  const { message, attempts } = error;
  const marking = markingOf(run, action, [...effects, ...again(attempts)], "call failed");
  const outcome = outcomeOf({ kind: "failed", message }, attempts);
  const against = await settleFailed(run.kernel, receipt, outcome, marking);
  if (against !== undefined) return inDoubt(action, against, attempts, receipt);
  if (error instanceof Broken) return { ...failed("FC3314", message, attempts), isFatal: true };
  return failed(
    "FC3312",
    `${quoted(action.tool ?? "")} failed for ${quoted(action.id)}: ${message}`,
    attempts,
  );
}

/** Its effects are there, or more than that. */
async function doneAgain(
  action: Action,
  { given: { ending, attempts }, effects }: DoneAgain,
  run: Run,
  receipt: string,
): Promise<ActionEnd> {
  const { kernel } = run;
  const output = ending.kind === "done" ? ending.output : undefined;
  const outcome = { ...outcomeOf(ending, attempts), again: true };
  // Its own effects take the place of whatever was marked before.
  const marking = markingOf(
    { ...run, kernel: { cell: () => undefined } },
    action,
    effects,
    "call tried again",
  );
  const against = await settleAgain(kernel, receipt, outcome, marking);
  return against === undefined
    ? { kind: "done", output, attempts }
    : inDoubt(action, against, attempts, receipt);
}

/** That what a call has set, or may have set, is not known any more. */
export function markingOf(
  run: Pick<Run, "digest" | "runId"> & { readonly kernel: Pick<Kernel, "cell"> },
  action: Action,
  effects: readonly Effect[],
  what: MarkReason,
): Marking {
  const { id, tool = "" } = action;
  const marks = marksFor(markOf(what, tool), effects, run.kernel);
  return {
    id: `unknown after ${kernelName(id)}`,
    effects: Array.from(marks, ([key, value]) => ({ key, op: "set", value })),
    origin: originOf(run, action, "mark"),
  };
}

/** Another process has settled it in the meantime. */
async function doneBefore({ kernel, digest, runId }: Run, key: string): Promise<ActionEnd> {
  const journal = await readJournal(kernel, digest, runId, 1);
  const ending = endingOf(journal.kept.get(key)?.step?.outcome);
  return ending.kind === "done"
    ? { kind: "done", output: ending.output, attempts: 0 }
    : failed("FC3312", ending.message, 0);
}

function failed(code: PlanCode, message: string, attempts: number): ActionEnd & { readonly kind: "failed" } {
  return { kind: "failed", code, message, attempts, isFatal: false };
}

function inDoubt({ id }: Action, why: string, attempts: number, receipt: string): ActionEnd {
  const message = `nobody knows whether ${quoted(id)} happened: ${why}`;
  return { kind: "in doubt", code: "FC3313", message, attempts, receipt };
}

function notSettled(reasons: readonly Problem[]): string {
  return `it is done, and the kernel did not take that: ${wordsOf(reasons)}`;
}

export function wordsOf(reasons: readonly Problem[]): string {
  return reasons.map(({ message }) => message).join("; ") || "no reason given";
}
