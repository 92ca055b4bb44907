/**
 * Takes a run back: rolls its steps back by their receipts, newest first, and makes up for what they did in the world.
 * All it needs is in the trace, so that it can be begun again after a crash and does only what is left.
 *
 * SOUNDNESS: a rollback gives a charge back. What a plan says makes up for a call may be anything, so the charge of a call
 * is held while it is rolled back, and given back only if the tool itself has taken the call back.
 */
import { type Json, quoted } from "../../ir/index.ts";
import { type Performed, type Reason, undoKey } from "../../kernel/index.ts";
import { hasMarks, type Marking, markOf, tried, unknownKey } from "../../run/index.ts";
import type { PlanCode } from "../codes.ts";
import type { Action } from "../plan.ts";
import { type Outputs, resolve } from "../references.ts";
import { type Effect, isRepeatableTool, readied } from "./call.ts";
import { type Compensation, compensationOf, isCharge, undoAction } from "./compensation.ts";
import { chargeKey, kernelName, originOf } from "./identity.ts";
import { endingOf, type Journal, type Kept, type Step } from "./journal.ts";
import { undoRetries } from "./limits.ts";
import type { PlanCall, RunProblem } from "./options.ts";
import { changesIn, jsonIn, OwnMarks } from "./own-marks.ts";
import { markingOf, type Run, wordsOf } from "./perform.ts";
import { plainJs } from "./values.ts";

export interface TakenBack {
  readonly rolledBack: readonly string[];
  /** Calls that really happened, and that nothing made up for. */
  readonly stillDone: readonly string[];
  readonly problems: readonly RunProblem[];
}

interface Done {
  readonly action: Action;
  readonly kept: Kept;
  readonly step: Step;
}

interface Making {
  readonly action: object;
  readonly sets: ReadonlySet<string>;
  readonly work: () => Promise<void>;
}

type Made =
  | Performed<void>
  | { readonly kind: "done" }
  | { readonly kind: "not done"; readonly error: unknown };

interface RolledBack {
  /** Of the entry that did it. */
  readonly hash: string;
  /** The reservation that holds the charge. */
  readonly held: string | undefined;
}

export async function takeBack(run: Run, journal: Journal): Promise<TakenBack> {
  return new TakingBack(run, journal).all();
}

/** The actions whose effects are there, or were taken back already, newest first. */
export function stepsOf({ plan }: Pick<Run, "plan">, journal: Journal): Done[] {
  const found: Done[] = [];
  const { actions } = journal;
  for (const action of plan.actions) {
    const kept = actions.get(kernelName(action.id))?.last;
    const step = kept?.step;
    if (kept === undefined || step === undefined || endingOf(step.outcome).kind === "failed") continue;
    found.push({ action, kept, step });
  }
  return found.sort((a, b) => b.step.version - a.step.version);
}

class TakingBack implements TakenBack {
  readonly rolledBack: string[] = [];
  readonly stillDone: string[] = [];
  readonly problems: RunProblem[] = [];
  readonly #run: Run;
  readonly #journal: Journal;
  readonly #steps: readonly Done[];
  readonly #outputs: Outputs;
  readonly #marks: OwnMarks;

  constructor(run: Run, journal: Journal) {
    this.#run = run;
    this.#journal = journal;
    this.#steps = stepsOf(run, journal);
    this.#marks = new OwnMarks(run, journal);
    this.#outputs = new Map(
      this.#steps.flatMap(({ action, step }) => {
        const output = outputOf(step);
        return output === undefined ? [] : [[action.id, output] as const];
      }),
    );
  }

  async all(): Promise<TakenBack> {
    for (const done of this.#steps) {
      const before = this.problems.length;
      await this.#one(done);
      const reason = this.problems[before]?.message;
      const { id: actionId } = done.action;
      const isBack = this.rolledBack.at(-1) === actionId;
      this.#run.tell({ kind: "taken back", actionId, isBack, ...(reason !== undefined && { reason }) });
    }
    return this;
  }

  async #one(done: Done): Promise<void> {
    const { action, step } = done;
    const { kernel, plan, tools } = this.#run;
    const compensation = compensationOf(action, plan, tools);
    const back = step.rolledBack === undefined ? await this.#rollBack(done) : this.#heldBefore(step);
    if (back === undefined) return;
    const made = this.#judge(action, compensation, await this.#makeUp(done, compensation, back.hash));
    this.rolledBack.push(action.id);
    if (made === "not") this.stillDone.push(action.id);
    if (made !== "nothing to do") await this.#markLeft(done, made === "not" ? undefined : compensation);
    if (back.held === undefined) return;
    const isGivenBack = made === "made up for" && compensation?.isUndo === true;
    if (isGivenBack) await kernel.release(back.held, "call taken back" satisfies Reason);
    else await kernel.settle(back.held);
  }

  /** Rolls a step back, and holds its charge in the same moment, so that nobody else can have it in between. */
  async #rollBack({ action, kept, step }: Done): Promise<RolledBack | undefined> {
    const { kernel } = this.#run;
    const { id, type } = action;
    const origin = originOf(this.#run, action, "charge", { step: step.receipt });
    const charge = { id: `charge of ${kernelName(id)}`, effects: [], cost: kept.cost, origin };
    const isHeld = type === "tool_call" && isCharge(kept.cost);
    // Of a budget that is used up there will be enough: the rollback gives back as much as is held.
    const against = isHeld ? kernel.evaluate(charge).reasons.filter(({ code }) => code !== "budget") : [];
    if (against.length > 0) {
      const why = `its charge could not be kept: ${wordsOf(against)}`;
      return this.#problem("FC3318", `${quoted(id)} cannot be rolled back, because ${why}`, action);
    }
    const marks = this.#marks.over(kept.effects, step.version);
    const anew = this.#marks.anew(action.id, kept.effects, step.version, marks);
    // What is asked for in one moment is committed in one transaction.
    const unmarking = marks.map(({ receipt }) => kernel.rollback(receipt));
    const [rolled, held, marked, ...unmarked] = await Promise.all([
      kernel.rollback(step.receipt),
      isHeld ? kernel.reserve(charge, chargeKey(step.receipt)) : undefined,
      marks.length > 0 ? kernel.execute(anew) : undefined,
      ...unmarking,
    ]);
    this.#marks.remove(marks);
    if (marked?.verdict === "allowed") this.#marks.add(marked, anew.effects);
    const isOverwritten = unmarked.some(({ verdict }) => verdict === "refused");
    if (marked?.verdict === "allowed" && isOverwritten) await this.#markAll(action, anew);
    if (rolled.verdict === "refused") {
      if (held?.receipt !== undefined)
        await kernel.release(held.receipt, "step not rolled back" satisfies Reason);
      return this.#problem(
        "FC3318",
        `${quoted(id)} cannot be rolled back: ${wordsOf(rolled.reasons)}`,
        action,
      );
    }
    if (held?.verdict === "refused") {
      const why = wordsOf(held.reasons);
      this.#problem(
        "FC3318",
        `the charge of ${quoted(id)} was given back, and could not be kept: ${why}`,
        action,
      );
    }
    return { hash: rolled.hash, held: held?.receipt };
  }

  /** SOUNDNESS: somebody else had marked these keys since, and what they said was overwritten. */
  async #markAll(action: Action, { effects: marks, ...marking }: Marking): Promise<void> {
    const value = markOf("marked by several", action.tool ?? "");
    const effects = marks.map(({ key }) => ({ key, op: "set", value }) as const);
    const marked = await this.#run.kernel.execute({ ...marking, effects });
    if (marked.verdict === "allowed") return this.#marks.add(marked, effects);
    const against = wordsOf(marked.reasons);
    this.#problem(
      "FC3318",
      `what others marked was overwritten, and could not be marked: ${against}`,
      action,
    );
  }

  /**
   * SOUNDNESS: the state is as before the plan again, and what nobody took back is in the world as the call has left it. What
   * makes up for a call by a word of the plan takes back what its own tool sets.
   */
  async #markLeft(done: Done, by: Compensation | undefined): Promise<void> {
    const { kernel, book } = this.#run;
    const { action, kept, step } = done;
    const ending = endingOf(step.outcome);
    // It may have happened more often than it was taken back.
    const isAgain = ending.kind === "done" && ending.again === true;
    if (!isAgain && (by?.isUndo === true || (by !== undefined && book === undefined))) return;
    const setAgain = by === undefined || isAgain ? noneSet : this.#setBy(done, by);
    const why = markOf("call maybe repeated", action.tool ?? "");
    const left = Array.from(changesIn(kept.effects), ([key, text]): Effect[] => {
      if (text === undefined || setAgain.has(key)) return [];
      return isAgain && !hasMarks([key])
        ? [{ key: unknownKey(key), op: "set", value: why }]
        : [{ key, op: "set", value: jsonIn(text) }];
    }).flat();
    const marking = markingOf(this.#run, action, left, "call not taken back");
    const { effects } = marking;
    if (effects.length === 0) return;
    // Once: somebody may have looked after it since.
    const inFirstForm = this.#journal.kept.get(`unknown after ${step.receipt}`)?.status === "settled";
    if (inFirstForm || this.#marks.isMarkedAfter(step.receipt)) return;
    const origin = originOf(this.#run, action, "mark", { step: step.receipt });
    const marked = await kernel.execute({ ...marking, origin });
    if (marked.verdict === "allowed") {
      this.#marks.add(marked, effects);
      return;
    }
    const against = wordsOf(marked.reasons);
    const message = `what ${quoted(action.id)} has set is there, and could not be marked: ${against}`;
    this.#problem("FC3318", message, action);
  }

  /** The keys that a compensation sets by the word of its tool. */
  #setBy(done: Done, by: Compensation): ReadonlySet<string> {
    try {
      return this.#making(done, by).sets;
    } catch {
      return noneSet;
    }
  }

  /** What an earlier process rolled back. The charge is resolved last, so if it is, there is nothing more to do with it. */
  #heldBefore({ receipt, rolledBack = "" }: Step): RolledBack {
    const before = this.#journal.kept.get(chargeKey(receipt));
    return { hash: rolledBack, held: before?.status === "pending" ? before.receipt : undefined };
  }

  /** The tool's own way to take a call back, which is trusted as the tool is. */
  async #undo({ action, step }: Done, tool: string): Promise<void> {
    const [args, output] = [plainJs(this.#asked(action)), plainJs(outputOf(step) ?? null)];
    if (!args.ok || !output.ok) throw new Error(`${quoted(tool)} cannot receive a number exactly`);
    const handler = this.#run.tools.get(tool);
    await this.#tried({ action, step }, tool, (call) => handler?.undo?.(args.value, output.value, call));
  }

  async #tried(
    { action, step }: Pick<Done, "action" | "step">,
    tool: string,
    call: (call: PlanCall) => unknown,
  ): Promise<unknown> {
    const repeatable = isRepeatableTool(tool, this.#run) === true;
    const { value } = await tried({
      ...this.#run,
      // What makes up for a plan that was interrupted is not interrupted itself, and not ended with it.
      interrupted: never,
      ended: never,
      tell: () => {},
      call,
      actionId: action.id,
      key: `undo of ${step.receipt}`,
      retries: repeatable ? undoRetries : 0,
      repeatable,
      timeoutMs: action.timeoutMs ?? this.#run.timeoutMs,
    });
    return value;
  }

  #asked({ parameters }: Action): Json {
    const asked = resolve(parameters, this.#outputs);
    if (asked.kind === "resolved") return asked.value;
    throw new Error(`there is no output for ${quoted(asked.reference)}`);
  }

  /**
   * What is to be performed. SOUNDNESS: what a plan says makes up for a call is a call like any other: it must fit its tool and
   * meet what that requires, it costs what it costs, and it changes the state, which it finds as the action left it.
   */
  #making(done: Done, { tool, isUndo, parameters }: Compensation): Making {
    const { action, kept } = done;
    if (isUndo || parameters === undefined) {
      const body = undoAction(action.id, { tool, isUndo, parameters }, this.#asked(action));
      return { action: body, sets: noneSet, work: () => this.#undo(done, tool) };
    }
    const left = changesIn(kept.effects);
    const state = this.#run.doubts.stateFor(action);
    const kernel = { cell: (key: string) => (left.has(key) ? left.get(key) : state.cell(key)) };
    const call: Action = { ...action, ...nothingAsked, tool, parameters };
    const found = readied(call, { ...this.#run, kernel, outputs: this.#outputs });
    if (found.kind === "unmet") throw new Error(found.message);
    const { args, passed, effects, cost, judge } = found.ready;
    const body = { ...undoAction(action.id, { tool, isUndo, parameters }, args), args, effects };
    return {
      action: cost === undefined ? body : { ...body, cost },
      sets: new Set(effects.flatMap(({ key, op }) => (op === "set" ? [key] : []))),
      work: async () => {
        const given = await this.#tried(done, tool, (one) => this.#run.tools.get(tool)?.run(passed, one));
        const judged = judge(given);
        if (judged.kind === "broken") throw new Error(judged.message);
      },
    };
  }

  /** Performed under a key that the rollback gives it: after a crash, only what is left is done. */
  async #makeUp(
    done: Done,
    compensation: Compensation | undefined,
    rolledBack: string,
  ): Promise<Made | undefined> {
    if (compensation === undefined) return undefined;
    const { kernel } = this.#run;
    const key = undoKey(rolledBack, 0);
    const before = this.#journal.kept.get(key);
    // What was settled under the key is not done again.
    if (before?.status === "settled") return { kind: "done" };
    let making: Making;
    try {
      making = this.#making(done, compensation);
    } catch (error) {
      return { kind: "not done", error };
    }
    if (before?.status === "pending" && isRepeatableTool(compensation.tool, this.#run) === true) {
      try {
        await making.work();
        await kernel.settle(before.receipt);
        return { kind: "done" };
      } catch (error) {
        return { kind: "not done", error };
      }
    }
    const origin = originOf(this.#run, done.action, "undo", { step: done.step.receipt });
    return kernel.perform({ ...making.action, origin }, making.work, { key });
  }

  #judge(
    action: Action,
    compensation: Compensation | undefined,
    undone: Made | undefined,
  ): "made up for" | "nothing to do" | "not" {
    const { book } = this.#run;
    if (compensation === undefined) {
      const isHarmless = action.type !== "tool_call" || book?.tool(action.tool ?? "")?.reads === true;
      return isHarmless ? "nothing to do" : "not";
    }
    if (undone?.kind === "done" || undone?.kind === "done before") return "made up for";
    const why = undone === undefined ? "it was not kept with the action" : whyNot(undone);
    const name = quoted(compensation.tool);
    this.#problem("FC3319", `${name} did not make up for ${quoted(action.id)}: ${why}`, action);
    return "not";
  }

  #problem(code: PlanCode, message: string, { id }: Action): undefined {
    const i = this.#run.plan.actions.findIndex((one) => one.id === id);
    this.problems.push({ code, message, path: ["actions", i], actionId: id });
  }
}

const never = new AbortController().signal;

/** A compensation is held to its tool alone. */
const nothingAsked = {
  type: "tool_call",
  preconditions: [],
  stateDependencies: [],
  readSet: [],
  writeSet: [],
  expectedEffects: [],
} as const;

const noneSet: ReadonlySet<string> = new Set();

function whyNot(undone: Exclude<Made, { readonly kind: "done" | "done before" }>): string {
  if (undone.kind === "refused") return wordsOf(undone.reasons);
  return undone.error instanceof Error ? undone.error.message : "no reason given";
}

function outputOf({ outcome }: Step): Json | undefined {
  const ending = endingOf(outcome);
  return ending.kind === "done" ? ending.output : undefined;
}
