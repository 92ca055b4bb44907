/**
 * Runs a plan under a kernel. A plan that could go wrong is not begun. What an earlier process did of the same run is not
 * done again. If an action ends the plan, everything is rolled back to before it, and made up for.
 */
import { setMaxListeners } from "node:events";
import { type Json, quoted } from "../../ir/index.ts";
import type { Reason } from "../../kernel/index.ts";
import { type Origin, realClock } from "../../run/index.ts";
import type { Plan, State } from "../plan.ts";
import { readState } from "../read.ts";
import { type ExpectedParts, expectedParts } from "../references.ts";
import type { Graph } from "../strict/graph.ts";
import { isRepeatable } from "./call.ts";
import { Doubts, effectsIn } from "./doubts.ts";
import { endKey, kernelName, planDigest } from "./identity.ts";
import { endingOf, type Journal, readJournal } from "./journal.ts";
import { lackOf } from "./lack.ts";
import { runDefaults } from "./limits.ts";
import type {
  ActionRun,
  ActionStatus,
  InDoubtAction,
  PlanProgress,
  PlanRun,
  RunPlanOptions,
  RunPlanResult,
  RunProblem,
} from "./options.ts";
import { type ActionEnd, performAction, type Run, resumeAction } from "./perform.ts";
import { objections, prepared } from "./prepare.ts";
import { afterOf, runSchedule } from "./schedule.ts";
import { takeBack } from "./take-back.ts";

export async function runPlan(plan: Plan, options: RunPlanOptions): Promise<RunPlanResult> {
  const found = prepared(plan, options);
  if (!found.ok) return found;
  const { kernel, runId } = options;
  await kernel.refresh();
  const digest = planDigest(plan);
  const journal = await readJournal(kernel, digest, runId, 1);
  if (journal.otherPlan !== undefined) {
    const message = `the run ${quoted(runId)} is of another plan`;
    const help = "take another id, or the plan as it was";
    return { ok: false, problems: [{ code: "FC3305", message, path: [], help }] };
  }
  // A run that was begun was begun with a valid plan, from a state that is gone.
  const refused =
    journal.kept.size > 0 ? undefined : objections(plan, stateNow(kernel.status().state), options);
  if (refused !== undefined) return refused;
  return { ok: true, value: await new Runner(plan, found.structure.graph, digest, options).run(journal) };
}

function stateNow(text: string): State {
  const read = readState(text);
  if (!read.ok) throw new TypeError("the state of the kernel is not JSON");
  return read.value;
}

const endedBefore: RunProblem = {
  code: "FC3317",
  message: "an earlier process had begun to roll the run back",
  path: [],
};

const nothing: Journal = { actions: new Map(), kept: new Map(), marked: [], otherPlan: undefined };

/** One that every action may listen to. */
function listenedTo(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Of one action, as far as it is known. */
interface Slot {
  status: ActionStatus;
  attempts: number;
  before: boolean;
  output?: Json;
  problem?: RunProblem;
  receipt?: string;
}

class Runner {
  readonly #plan: Plan;
  readonly #graph: Graph;
  readonly #options: RunPlanOptions;
  readonly #run: Run;
  readonly #slots: Slot[];
  readonly #outputs = new Map<string, Json>();
  readonly #expected: ExpectedParts;
  readonly #ending = listenedTo();
  readonly #interrupting = listenedTo();
  #endedBy: RunProblem | undefined;
  #ended = 0;

  constructor(plan: Plan, graph: Graph, digest: string, options: RunPlanOptions) {
    const {
      kernel,
      tools,
      book,
      believeClaims = false,
      runId,
      timeoutMs,
      graceMs = runDefaults.graceMs,
    } = options;
    this.#plan = plan;
    this.#graph = graph;
    this.#options = options;
    this.#expected = expectedParts(plan.actions);
    this.#slots = plan.actions.map(() => ({ status: "not reached", attempts: 0, before: false }));
    this.#run = {
      plan,
      digest,
      runId,
      kernel,
      doubts: new Doubts(kernel),
      tools,
      book,
      believeClaims,
      outputs: this.#outputs,
      charges: Object.keys(kernel.status().budgets).length > 0,
      timeoutMs,
      graceMs,
      clock: options.clock ?? realClock,
      random: options.random ?? Math.random,
      interrupted: this.#interrupting.signal,
      ended: this.#ending.signal,
      tell: (progress) => this.#tell(progress),
    };
  }

  async run(journal: Journal): Promise<PlanRun> {
    const { signal, concurrency = runDefaults.concurrency } = this.#options;
    const from = this.#run.kernel.status().seq + 1;
    const isOver = this.#takeUp(journal);
    if (!isOver && this.#inDoubt(journal).some(({ actionId }) => this.#isStuck(actionId))) {
      return this.#result("in doubt", journal);
    }
    const interrupt = (): void => {
      this.#end({ code: "FC3317", message: "the run was interrupted", path: [] });
      this.#interrupting.abort();
    };
    if (signal?.aborted) interrupt();
    signal?.addEventListener("abort", interrupt, { once: true });
    try {
      await runSchedule({
        graph: this.#graph,
        concurrency,
        hasEnded: (i) => this.#slots[i]?.before === true,
        act: (i) => this.#act(i, journal),
        stopped: this.#ending.signal,
      });
    } finally {
      signal?.removeEventListener("abort", interrupt);
    }
    if (this.#endedBy === undefined) {
      const isClear = this.#slots.every(({ status }) => status !== "in doubt");
      return this.#result("done", isClear ? nothing : await this.#journalFrom(journal, from));
    }
    return this.#abort(await this.#journalFrom(journal, from), this.#endedBy);
  }

  /** What is new in the trace, or all of it if there was something before. */
  #journalFrom(journal: Journal, from: number): Promise<Journal> {
    const { kernel, digest, runId } = this.#run;
    return readJournal(kernel, digest, runId, journal.kept.size > 0 ? 1 : from);
  }

  // ── what an earlier process did ────────────────────────────────────────────────────────────────────────

  /** Gives whether it had ended the plan. */
  #takeUp({ actions: recorded, kept }: Journal): boolean {
    const { actions } = this.#plan;
    const { digest, runId, doubts } = this.#run;
    for (const action of actions) {
      const last = recorded.get(kernelName(action.id))?.last;
      if (last?.status !== "pending") continue;
      doubts.add({ action, receipt: last.receipt, effects: effectsIn(last.effects) });
    }
    for (const [i, { id, failureBehavior }] of actions.entries()) {
      const step = recorded.get(kernelName(id))?.last.step;
      if (step === undefined) continue;
      const ending = endingOf(step.outcome);
      if (ending.kind === "done") {
        this.#note(i, {
          status: "done",
          receipt: step.receipt,
          ...(ending.output !== undefined && { output: ending.output }),
        });
        const lack = this.#lackOf(i, ending.output);
        if (lack !== undefined) this.#end(lack);
      } else {
        const problem = this.#problemOf(i, "FC3312", `${quoted(id)} failed: ${ending.message}`);
        const isSkip = failureBehavior === "skip";
        this.#note(i, { status: isSkip ? "skipped" : "failed", problem });
        if (!isSkip) this.#end(problem);
      }
      if (step.rolledBack !== undefined) this.#end(endedBefore);
    }
    if (kept.has(endKey(digest, runId))) this.#end(endedBefore);
    for (const i of this.#passed(recorded)) this.#note(i, { status: "skipped" });
    return this.#endedBy !== undefined;
  }

  /** Actions without an outcome that others have gone past: they were left out. */
  #passed(recorded: Journal["actions"]): number[] {
    const after = afterOf(this.#graph);
    const wasBegun = this.#plan.actions.map(({ id }) => recorded.has(kernelName(id)));
    const isPast: boolean[] = [];
    for (const i of [...this.#graph.order].reverse()) {
      isPast[i] = (after[i] ?? []).some((one) => wasBegun[one] === true || isPast[one] === true);
    }
    return this.#graph.order.filter((i) => isPast[i] === true && this.#slots[i]?.before === false);
  }

  #note(i: number, known: Partial<Slot>): void {
    const [slot, action] = [this.#slots[i], this.#plan.actions[i]];
    if (slot === undefined || action === undefined) return;
    Object.assign(slot, known, { before: true });
    if (known.output !== undefined) this.#outputs.set(action.id, known.output);
    this.#tellEnded(i);
  }

  /** Whether only a person or the tool can tell what became of it. */
  #isStuck(id: string): boolean {
    const action = this.#plan.actions.find((one) => one.id === id);
    return action !== undefined && action.failureBehavior !== "skip" && !isRepeatable(action, this.#run);
  }

  // ── one action ─────────────────────────────────────────────────────────────────────────────────────────

  async #act(i: number, journal: Journal): Promise<void> {
    const [slot, action] = [this.#slots[i], this.#plan.actions[i]];
    if (slot === undefined || action === undefined) return;
    const end = await this.#endOf(action, journal);
    if (end.kind === "not begun") return;
    slot.attempts = end.attempts;
    if (end.kind === "done") {
      slot.status = "done";
      if (end.output !== undefined) {
        slot.output = end.output;
        this.#outputs.set(action.id, end.output);
      }
      const lack = this.#lackOf(i, end.output);
      if (lack !== undefined) {
        Object.assign(slot, { status: "failed", problem: lack });
        this.#end(lack);
      }
    } else {
      const problem = this.#problemOf(i, end.code, end.message);
      const isLeftOut = action.failureBehavior === "skip" && !(end.kind === "failed" && end.isFatal);
      slot.problem = problem;
      slot.status = end.kind === "in doubt" ? "in doubt" : isLeftOut ? "skipped" : "failed";
      if (end.kind === "in doubt") slot.receipt = end.receipt;
      if (!isLeftOut) this.#end(problem);
    }
    this.#tellEnded(i);
  }

  /**
   * SOUNDNESS: what actions refer to in a result is expected of the call. One that does not give it ends the plan itself, so
   * that what refers to it does not, wherever that stands.
   */
  #lackOf(i: number, output: Json | undefined): RunProblem | undefined {
    const action = this.#plan.actions[i];
    const parts = action?.type === "tool_call" ? this.#expected.get(action.id) : undefined;
    if (action === undefined || parts === undefined) return undefined;
    const lack = lackOf(output, parts, this.#run.book !== undefined);
    if (lack === undefined) return undefined;
    const message = `${quoted(action.tool ?? "")} gave ${lack} for ${quoted(action.id)}, and another action refers to it`;
    return this.#problemOf(i, "FC3314", message);
  }

  async #endOf(action: Plan["actions"][number], journal: Journal): Promise<ActionEnd> {
    const recorded = journal.actions.get(kernelName(action.id));
    const releases = recorded?.releases ?? 0;
    if (recorded?.last.status !== "pending") return performAction(action, this.#run, releases);
    const { receipt } = recorded.last;
    if (action.type !== "tool_call") {
      // Nothing of it is outside the kernel, so nothing has happened.
      await this.#run.kernel.release(receipt, "run cut off" satisfies Reason);
      return performAction(action, this.#run, releases + 1);
    }
    if (isRepeatable(action, this.#run)) return resumeAction(action, this.#run, receipt);
    const message = `nobody knows whether ${quoted(action.id)} happened: an earlier process was cut off`;
    return { kind: "in doubt", code: "FC3316", message, attempts: 0, receipt };
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────────────

  #end(problem: RunProblem): void {
    this.#endedBy ??= problem;
    this.#ending.abort();
  }

  async #abort(journal: Journal, endedBy: RunProblem): Promise<PlanRun> {
    const { kernel } = this.#run;
    const steps = [...journal.actions.values()].filter(({ last }) => last.step !== undefined).length;
    this.#tell({ kind: "rolling back", steps, reason: endedBy.message });
    await kernel.refresh();
    await this.#keepEnd(journal, endedBy);
    const { rolledBack, stillDone, problems } = await takeBack(this.#run, journal);
    const isBack = new Set(rolledBack);
    for (const [i, { id }] of this.#plan.actions.entries()) {
      const slot = this.#slots[i];
      if (slot !== undefined && isBack.has(id)) slot.status = "rolled back";
    }
    return {
      ...this.#result("aborted", journal),
      endedBy,
      problems: this.#problems(endedBy, problems),
      stillDone,
    };
  }

  /** From now on the run is only taken back. If the kernel takes no more steps, what is rolled back will tell. */
  async #keepEnd({ kept }: Journal, { code }: RunProblem): Promise<void> {
    const { kernel, digest, runId } = this.#run;
    const key = endKey(digest, runId);
    const before = kept.get(key);
    if (before?.status === "pending") await kernel.settle(before.receipt);
    if (kept.size === 0 || before !== undefined) return;
    const origin: Origin = { plan: digest, run: runId, purpose: "end" };
    const action = { id: "end of the plan", args: { because: code }, effects: [], origin };
    await kernel.perform(action, () => null, { key });
  }

  #problems(endedBy: RunProblem | undefined, more: readonly RunProblem[] = []): RunProblem[] {
    const own = this.#slots.flatMap(({ problem }) =>
      problem === undefined || problem === endedBy ? [] : [problem],
    );
    return [...(endedBy === undefined ? [] : [endedBy]), ...own, ...more];
  }

  #result(kind: PlanRun["kind"], journal: Journal): PlanRun {
    const inDoubt = this.#inDoubt(journal);
    const stuck = inDoubt.map(({ actionId, receipt }) => {
      const i = this.#plan.actions.findIndex(({ id }) => id === actionId);
      const slot = this.#slots[i];
      if (slot === undefined || slot.status !== "not reached") return undefined;
      const why = `nobody knows whether ${quoted(actionId)} happened: an earlier process was cut off`;
      const problem = this.#problemOf(i, "FC3316", why);
      Object.assign(slot, { status: "in doubt", problem, receipt });
      return problem;
    });
    const endedBy = kind === "in doubt" ? stuck.find((one) => one !== undefined) : undefined;
    return {
      kind,
      runId: this.#run.runId,
      digest: this.#run.digest,
      actions: this.#plan.actions.map(({ id }, i): ActionRun => ({ actionId: id, ...this.#slotAt(i) })),
      ...(endedBy && { endedBy }),
      problems: this.#problems(endedBy),
      inDoubt,
      stillDone: [],
      state: stateNow(this.#run.kernel.status().state),
    };
  }

  #slotAt(i: number): Slot {
    return this.#slots[i] ?? { status: "not reached", attempts: 0, before: false };
  }

  #inDoubt({ actions: recorded }: Journal): InDoubtAction[] {
    return this.#plan.actions.flatMap(({ id }) => {
      const last = recorded.get(kernelName(id))?.last;
      return last?.status === "pending" ? [{ actionId: id, receipt: last.receipt, key: last.key }] : [];
    });
  }

  #problemOf(i: number, code: RunProblem["code"], message: string): RunProblem {
    const actionId = this.#plan.actions[i]?.id ?? "";
    return { code, message, path: ["actions", i], actionId };
  }

  #tellEnded(i: number): void {
    const { status, before, problem } = this.#slotAt(i);
    this.#tell({
      kind: "ended",
      actionId: this.#plan.actions[i]?.id ?? "",
      status,
      ended: ++this.#ended,
      all: this.#plan.actions.length,
      before,
      ...(problem && { reason: problem.message }),
    });
  }

  /** Whoever listens cannot stop the run by failing. */
  #tell(progress: PlanProgress): void {
    try {
      this.#options.onProgress?.(progress);
    } catch {
      // What it threw is its own.
    }
  }
}
