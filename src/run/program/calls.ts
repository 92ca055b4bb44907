/**
 * The calls of a run, each through the kernel: looked at and reserved, made, and settled. Several may be under way at the
 * same time; each is found by its name.
 * INVARIANT: the interpreter lets one call start or end at a time, so nothing of the run happens while one is reserved or
 * settled.
 */
import {
  type Ambient,
  add,
  type Code,
  compare,
  type Decision,
  decimalText,
  decodeValue,
  encodeValue,
  equal,
  type Hook,
  isBuiltin,
  type Num,
  type Outcome,
  type PendingCall,
  quoted,
  readingHandlers,
  recordOf,
  subtract,
  type Tool,
  type ToolHandler,
  type TraceEntry,
  type Value,
} from "../../ir/index.ts";
import type { Reason } from "../../kernel/index.ts";
import { Failed, NothingDone, tried, Unanswered, waitBefore } from "../attempts.ts";
import { markOf } from "../cells.ts";
import type { RunCode } from "../codes.ts";
import { type Effect, effectsIn, effectsOf, marksFor } from "../effects.ts";
import type { JournalEntry } from "../journal.ts";
import type { Origin } from "../origin.ts";
import { resultSchema } from "../result-schema.ts";
import { settleFailed } from "../settle-failed.ts";
import type { CallsOptions, DoneCall, Stopped, Underway } from "./call-types.ts";
import { Doubts } from "./doubts.ts";
import type { CallExecution, InnerDone, InnerFailed } from "./execution.ts";
import { callKey, callName, endedCell } from "./identity.ts";
import { journalOutcome, journalText, wordsOf } from "./journal-entry.ts";
import type { CallRun, CallStatus } from "./options.ts";
import { outcomeInJournal, wasUnanswered, wasUnmet } from "./recover.ts";
import { differencesFrom, type Stored } from "./stored-state.ts";

/** Ends the run from within a hook; why is kept beside it. */
class Halt extends Error {}

/** LIMIT: how often a call is reserved anew because the state moved on in between. */
const mostRounds = 10;

const asItStands: CallExecution = {};

export class RunCalls implements Hook {
  readonly made: CallRun[] = [];
  /** The answer and the notes, in their order. */
  readonly said: TraceEntry[] = [];
  /** The names of the readings and pauses, which are no calls of tools. */
  readonly observedNames = new Set<string>();
  /** In the order in which they ended. */
  readonly done: DoneCall[] = [];
  readonly #options: CallsOptions;
  readonly #underway = new Map<string, Underway>();
  readonly #doubts: Doubts;
  /** Why the first try of a call was not made, by what it is a try of: no further one is. */
  readonly #unmet = new Map<string, string>();
  /** The positions in `made` of tries that ran out of time, by what they are tries of: such a call may have happened. */
  readonly #unanswered = new Map<string, number>();
  /** Readings and pauses that the trace does not have yet. */
  readonly #readings: TraceEntry[] = [];
  /** Why the last try failed. */
  readonly #failures = new Map<string, string>();
  /** The actions whose first try was charged: all tries of an action cost one call. */
  readonly #charged = new Set<string>();
  #stopped: Stopped | undefined;
  #fault: { readonly thrown: unknown } | undefined;
  #inDoubt = false;
  #isEnding = false;
  #version: number;
  #spent: Num = 0n;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#version = options.version;
    this.#doubts = new Doubts(options.kernel);
  }

  get stopped(): Stopped | undefined {
    return this.#stopped;
  }

  /** A fault of the ledger or of this program: it is unknown what was recorded, so the run makes no further call. */
  get fault(): { readonly thrown: unknown } | undefined {
    return this.#fault;
  }

  /** True if a call is in doubt: only a person or the tool can tell its result. */
  get inDoubt(): boolean {
    return this.#inDoubt;
  }

  /** The state as a call finds it: what is in doubt is marked. */
  cells(): Stored {
    return this.#doubts.state();
  }

  handlers(): ReadonlyMap<string, ToolHandler> {
    const { checked, tools, execution } = this.#options;
    const names = [...checked.tools.keys()].filter(
      (name) => tools.has(name) || execution.innerTools.has(name),
    );
    return new Map([
      ...readingHandlers(this.#ambient),
      ...names.map((name): [string, ToolHandler] => {
        const run: ToolHandler["run"] = (args, context) => this.#make(args, callName(context));
        // No JavaScript receives the arguments of a call that the run carries out itself.
        return [name, execution.innerTools.has(name) ? { run, args: "exact" } : { run }];
      }),
    ]);
  }

  // ── readings and pauses ──────────────────────────────────────────────────────────────────────────────────

  get #ambient(): Ambient {
    const { clock, random, wallMs, signal } = this.#options;
    const pause: Ambient["pause"] = async (ms) => {
      if (this.#ended() === undefined && !signal.aborted) await clock.sleep(ms, signal);
      if (!signal.aborted) return;
      this.#refuse("FC4510", "the run was interrupted");
      throw new Error("the run was interrupted");
    };
    return { nowMs: wallMs, random, pause };
  }

  /** A reading or a pause that was made now. It is kept before the next call, so that nothing was done because of it yet. */
  readonly observed = (entry: TraceEntry): void => {
    this.#options.monitor.end(entry);
    this.#readings.push(entry);
    this.observedNames.add(callName(entry));
  };

  /** Records the readings in the trace: a resumed run reads the same. */
  async keepReadings(): Promise<Decision | undefined> {
    const readings = this.#readings.splice(0);
    const kept = await Promise.all(readings.map((entry) => this.#keepReading(entry)));
    return kept.find((one) => one !== undefined);
  }

  async #keepReading({ id, indices, tool: of, args, outcome }: TraceEntry): Promise<Decision | undefined> {
    const { kernel, runId, checked } = this.#options;
    const tool = checked.tools.get(of);
    if (tool === undefined || outcome.kind !== "returned") return undefined;
    const name = callName({ id, indices });
    const releases = await this.#freed(name, asItStands);
    const origin: Origin = { run: runId, purpose: "call", call: name, attempt: 1 + releases };
    const given = encodeValue(args, recordOf(tool.params));
    const reserved = await kernel.reserve(
      { id: name, args: given, effects: [], origin },
      callKey(runId, name, releases),
    );
    const refused = (reasons: Parameters<typeof wordsOf>[0]) =>
      this.#refuse("FC4505", `the kernel did not keep what ${quoted(name)} read: ${wordsOf(reasons)}`);
    const { verdict, reasons, receipt } = reserved;
    if (receipt !== undefined) {
      const settled = await kernel.settle(receipt, {
        drop: true,
        outcome: journalOutcome({ tool }, outcome),
      });
      return settled.verdict === "allowed" ? undefined : refused(settled.reasons);
    }
    if (verdict !== "allowed" && !reasons.some(({ code }) => code === "idempotency-key"))
      return refused(reasons);
    this.#inDoubt = true;
    return this.#refuse("FC4509", `another process has resumed this run: it has read ${quoted(name)}`);
  }

  #howOf({ id }: Pick<PendingCall, "id">): CallExecution {
    return this.#options.execution.calls.get(id) ?? asItStands;
  }

  // ── in an earlier process ────────────────────────────────────────────────────────────────────────────────

  /**
   * Returns the recorded outcome of a call; undefined if the call is to be made now, or `before` must explain why
   * not.
   */
  readonly recorded = (call: PendingCall): Outcome | undefined => {
    const name = callName(call);
    const how = this.#howOf(call);
    const last = this.#options.earlier?.calls.get(name)?.last;
    if (last?.status === "pending") return this.#leftOpen(call, how, last);
    if (last?.status !== "settled" || last.step === undefined) return undefined;
    const outcome = this.#outcomeThen(call, last);
    if (typeof outcome === "string") return undefined;
    const isUnmet = wasUnmet(last.step.outcome);
    this.#enter(call, entryOf(call, outcome));
    if (isBuiltin(call.tool.name)) {
      this.observedNames.add(name);
      return outcome;
    }
    this.#countThen(call, how, last);
    const { receipt, rolledBack } = last.step;
    const about = { call: name, tool: call.tool.name, before: true } as const;
    if (outcome.kind === "returned") {
      this.done.push({ call, name, how, receipt, result: outcome.result, isBack: rolledBack !== undefined });
      this.made.push({ ...about, status: "done", receipt });
    } else {
      const { reason } = outcome;
      if (isUnmet && how.of !== undefined) this.#unmet.set(how.of, reason);
      if (wasUnanswered(last.step.outcome)) this.#noteUnanswered(how);
      this.made.push({ ...about, status: isUnmet ? "not done" : "failed", reason });
    }
    return outcome;
  };

  /** A call with an unknown result, which the run continues without. */
  #leftOpen(call: PendingCall, how: CallExecution, { receipt, effects }: JournalEntry): Outcome | undefined {
    if (how.optional !== true || isRepeatable(call.tool)) return undefined;
    const reason = "an earlier process was interrupted during the call";
    const outcome = { kind: "failed", reason } as const;
    this.#doubts.add({ tool: call.tool.name, receipt, effects: effectsIn(effects) });
    this.#enter(call, entryOf(call, outcome));
    this.#spent = add(this.#spent, call.cost);
    const about = { call: callName(call), tool: call.tool.name, before: true } as const;
    this.made.push({ ...about, status: "in doubt", reason, receipt });
    return outcome;
  }

  /** As far as the budget of the run goes. */
  #countThen({ tool, cost }: PendingCall, { of }: CallExecution, { cost: charged }: JournalEntry): void {
    // What a failed try was not charged for it does not count for either.
    if (tool.cost !== undefined && charged === undefined && this.#options.charges) return;
    this.#spent = add(this.#spent, cost);
    if (of !== undefined) this.#charged.add(of);
  }

  /** SOUNDNESS: the trace is not believed to be of this program; the arguments must be those that come up now. */
  #outcomeThen({ tool, args }: PendingCall, { args: then, step }: JournalEntry): Outcome | string {
    const read = decodeValue(then ?? null, recordOf(tool.params));
    if (!read.ok || !equal(read.value, args)) return "it was made with other arguments then";
    return outcomeInJournal(step?.outcome, tool);
  }

  /** Why a call cannot be made although nobody has said what it came to; undefined if it can. */
  #openFrom(call: PendingCall, name: string): Decision | undefined {
    const { earlier } = this.#options;
    if (earlier?.hasStopped === true) return this.#refuse("FC4510", "an earlier process had stopped the run");
    const last = earlier?.calls.get(name)?.last;
    if (last === undefined || last.status === "released") return undefined;
    const { tool } = call;
    if (last.status === "pending" && (isRepeatable(tool) || last.tool === undefined)) return undefined;
    const then = last.status === "settled" ? this.#outcomeThen(call, last) : undefined;
    const why = typeof then === "string" ? then : "an earlier process was interrupted during the call";
    const what =
      last.status === "settled" ? `what ${quoted(name)} came to` : `whether ${quoted(name)} happened`;
    this.#inDoubt = true;
    this.made.push({ call: name, tool: tool.name, status: "in doubt", before: true, receipt: last.receipt });
    return this.#refuse("FC4509", `it is unknown ${what}: ${why}`);
  }

  #enter({ writes }: PendingCall, entry: TraceEntry): void {
    const { monitor, state } = this.#options;
    monitor.end(entry);
    for (const write of writes) {
      if (entry.outcome.kind === "returned") state.write(write);
      else state.writeMaybe(write);
    }
  }

  // ── before ─────────────────────────────────────────────────────────────────────────────────────────────

  readonly before = async (call: PendingCall): Promise<Decision> => {
    const how = this.#howOf(call);
    const isOver = this.#ended() !== undefined || this.#options.signal.aborted;
    const decision = (await this.#noting(() => this.keepReadings())) ?? (await this.#decide(call, how));
    if (decision.kind === "refuse") this.#leaveUnanswered(how, isOver);
    return decision;
  };

  /** No further try settles whether an earlier one happened. A run that only ended too early can be resumed for it. */
  #leaveUnanswered({ of = "" }: CallExecution, isOver: boolean): void {
    const position = this.#unanswered.get(of);
    const then = position === undefined ? undefined : this.made[position];
    if (position === undefined || then === undefined) return;
    this.made[position] = { ...then, status: "in doubt" };
    if (isOver) this.#inDoubt = true;
  }

  async #decide(call: PendingCall, how: CallExecution): Promise<Decision> {
    const { signal } = this.#options;
    const name = callName(call);
    const open = this.#hollow(call, name, how) ?? this.#ended() ?? this.#openFrom(call, name);
    if (open !== undefined) return open;
    if (signal.aborted) return this.#refuse("FC4510", "the run was interrupted");
    const { monitor } = this.#options;
    const broken = this.#broken(call, name);
    if (broken !== undefined) return broken;
    const cost = this.#isFree(call, how) ? 0n : call.cost;
    const over = this.#overBudget(call, cost);
    if (over !== undefined) return over;
    // Before anything is waited for, so that no other call counts on the same money, or on this one not being made.
    monitor.begin(call);
    this.#spent = add(this.#spent, cost);
    const decision = await this.#noting(
      async () => (await this.#lookBefore(call, how)) ?? (await this.#reserve(call, name, how)),
    );
    const isMade = decision.kind === "proceed" && this.#underway.get(name)?.unmet === undefined;
    if (!isMade) this.#spent = subtract(this.#spent, cost);
    else if (how.of !== undefined) this.#charged.add(how.of);
    if (decision.kind === "refuse") monitor.cancel(call);
    return decision;
  }

  /** SOUNDNESS: what the call relies on must be so in the world, not only in the state. */
  async #lookBefore(call: PendingCall, { inner }: CallExecution): Promise<Decision | undefined> {
    const { world, state } = this.#options;
    const problem = inner === undefined ? await world.before(call, state) : undefined;
    return problem && this.#refuse(problem.code, problem.message, problem.help);
  }

  #broken(call: PendingCall, name: string): Decision | undefined {
    const { monitor, checked } = this.#options;
    const broken = monitor.brokenBy(call);
    if (broken === undefined) return undefined;
    const guarantee = checked.document.guarantees[broken]?.name ?? "";
    return this.#refuse("FC4507", `${quoted(name)} would break the guarantee ${quoted(guarantee)}`);
  }

  /**
   * Decides about an answer or a note, which is no call of a tool: guarantees hold for it, and it costs nothing and leaves
   * nothing in the kernel. A resumed run computes it again.
   */
  readonly told = (call: PendingCall): Decision => {
    const refused = this.#ended() ?? this.#broken(call, callName(call));
    if (refused !== undefined) return refused;
    const entry = entryOf(call, { kind: "returned" });
    this.#options.monitor.end(entry);
    this.said.push(entry);
    return { kind: "proceed" };
  };

  /** Nothing more begins once a call is in doubt that the run cannot do without, or once one has ended the run. */
  #ended(): Decision | undefined {
    if (!this.#inDoubt && !this.#isEnding) return undefined;
    return { kind: "refuse", reason: this.#stopped?.message ?? "the run has ended" };
  }

  /** Calls that leave nothing in the kernel: those that only compute, and tries of what could not be tried at first. */
  #hollow(call: PendingCall, name: string, how: CallExecution): Decision | undefined {
    const unmet = how.of === undefined ? undefined : this.#unmet.get(how.of);
    const about = { call, name, how, receipt: undefined, effects: [] };
    if (unmet !== undefined) this.#underway.set(name, { ...about, unmet });
    else if (how.inner?.isPure === true) {
      const done = how.inner.work(call.args, this.#doubts.state());
      if ("unmet" in done && done.isFatal === true) return this.#refuse("FC1505", done.unmet);
      this.#underway.set(name, "unmet" in done ? { ...about, ...done } : { ...about, inner: done });
    } else return undefined;
    this.#options.monitor.begin(call);
    return { kind: "proceed" };
  }

  /** Before another try: longer each time, and spread by chance. */
  async #pause({ attempt = 1, of = "" }: CallExecution, name: string): Promise<void> {
    if (attempt === 1) return;
    const { clock, random, signal, tell } = this.#options;
    const waitMs = waitBefore(attempt - 1, random());
    tell({
      kind: "retrying",
      actionId: name,
      attempt,
      waitMs,
      reason: this.#failures.get(of) ?? "it failed",
    });
    await clock.sleep(waitMs, signal);
    if (signal.aborted || this.#ended() !== undefined)
      throw new NothingDone("the run ended before it was retried", 0);
  }

  /** The interpreter turns anything that a hook throws into a stop, so the error is kept for the caller of the run. */
  async #noting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof Halt)) this.#fault ??= { thrown };
      throw thrown;
    }
  }

  /** All tries of a call that does no more if it is made twice are charged once. */
  #isFree({ tool }: PendingCall, { of, attempt = 1 }: CallExecution): boolean {
    return attempt > 1 && of !== undefined && isRepeatable(tool) && this.#charged.has(of);
  }

  #overBudget({ tool }: PendingCall, cost: Num): Decision | undefined {
    const { budget } = this.#options;
    const sum = add(this.#spent, cost);
    if (budget === undefined || compare(sum, budget) <= 0) return undefined;
    const [all, most] = [decimalText(sum) ?? "more", decimalText(budget) ?? ""];
    return this.#refuse(
      "FC4506",
      `with ${quoted(tool.name)} the run would cost \`${all}\`, and \`${most}\` is approved`,
    );
  }

  async #reserve(call: PendingCall, name: string, how: CallExecution): Promise<Decision> {
    const releases = await this.#freed(name, how);
    for (let round = 1; ; round++) {
      const decision = await this.#reserveNow(call, name, how, releases, round === mostRounds);
      if (decision !== "moved") return decision;
    }
  }

  /** Returns the number of releases of the call, after freeing the reservation that an earlier process left. */
  async #freed(name: string, { inner }: CallExecution): Promise<number> {
    const { kernel, earlier } = this.#options;
    const before = earlier?.calls.get(name);
    const releases = before?.releases ?? 0;
    // Nothing of it is outside the kernel, so nothing has happened.
    const isOwn =
      before?.last.status === "pending" && (inner !== undefined || before.last.tool === undefined);
    if (!isOwn) return releases;
    await kernel.release(before.last.receipt, "run cut off" satisfies Reason);
    return releases + 1;
  }

  async #reserveNow(
    call: PendingCall,
    name: string,
    how: CallExecution,
    releases: number,
    isLast: boolean,
  ): Promise<Decision | "moved"> {
    const { kernel, runId, earlier } = this.#options;
    const moved = this.#differences();
    if (moved !== undefined) return moved;
    const found = this.#looked(call, how);
    if ("unmet" in found) {
      if (found.isFatal === true) return this.#refuse("FC1505", found.unmet);
      return this.#notMade(call, name, how, releases, found.unmet);
    }
    const { effects, inner } = found;
    const begin = (receipt: string, more: Pick<Underway, "isCutOff"> = {}): Decision => {
      this.#underway.set(name, { call, name, how, receipt, effects, ...(inner && { inner }), ...more });
      return { kind: "proceed" };
    };
    // A repeatable call keeps the reservation of the earlier process.
    const before = earlier?.calls.get(name)?.last;
    if (before?.status === "pending" && how.inner === undefined && before.tool !== undefined)
      return begin(before.receipt, { isCutOff: true });
    const origin: Origin = { run: runId, purpose: "call", call: name, attempt: 1 + releases };
    const action = this.#actionFor(call, how, effects, origin);
    if (action === undefined) return this.#inexact(name);
    const key = callKey(runId, name, releases);
    const attestations = await this.#options.attest(action);
    const reading = { ...action, reads: this.#version };
    const { verdict, reasons, receipt } = await kernel.reserve(reading, key, undefined, attestations);
    if (verdict === "allowed" && receipt !== undefined) return begin(receipt);
    // The key is this call's alone, so another process has made it: the run is theirs, and not ours to end.
    if (verdict === "allowed" || reasons.some(({ code }) => code === "idempotency-key")) {
      this.#inDoubt = true;
      return this.#refuse("FC4509", `another process has resumed this run: it has made ${quoted(name)}`);
    }
    if (!isLast && reasons.length > 0 && reasons.every(({ code }) => code === "version")) return "moved";
    const why = `the kernel refused ${quoted(name)}: ${wordsOf(reasons)}`;
    if (how.optional === true && how.inner === undefined)
      return this.#notMade(call, name, how, releases, why);
    return this.#refuse("FC4505", why);
  }

  /** Returns the effects of the call on the state, or why it must not be made. */
  #looked(
    call: PendingCall,
    { inner, unmet }: CallExecution,
  ): { readonly effects: readonly Effect[]; readonly inner?: InnerDone } | InnerFailed {
    const { kernel } = this.#options;
    const cells = this.#doubts.state();
    const against = unmet?.(call.args, cells);
    if (against !== undefined) return { unmet: against };
    if (inner !== undefined) {
      const done = inner.work(call.args, cells);
      return "unmet" in done ? done : { effects: done.effects, inner: done };
    }
    const effects = effectsOf(call.writes, call.tool.name, kernel);
    return effects === undefined ? { unmet: "it sets a number that the kernel cannot store" } : { effects };
  }

  /** Recorded as an outcome, so that a resumed run finds the same. */
  async #notMade(
    call: PendingCall,
    name: string,
    how: CallExecution,
    releases: number,
    why: string,
  ): Promise<Decision> {
    const { kernel, runId } = this.#options;
    const args = encodeValue(call.args, recordOf(call.tool.params));
    const origin: Origin = { run: runId, purpose: "call", call: name, attempt: 1 + releases };
    const action = { id: name, args, effects: [], origin };
    const reserved = await kernel.reserve(action, callKey(runId, name, releases));
    if (reserved.receipt === undefined) return this.#refuse("FC4505", `${quoted(name)} is not made: ${why}`);
    const outcome = { failed: journalText(why), nothingDone: true, unmet: true };
    const settled = await kernel.settle(reserved.receipt, { drop: true, outcome });
    if (settled.verdict === "refused") return this.#refuse("FC4505", `${quoted(name)} is not made: ${why}`);
    if (how.of !== undefined) this.#unmet.set(how.of, why);
    this.#underway.set(name, { call, name, how, receipt: undefined, effects: [], unmet: why });
    return { kind: "proceed" };
  }

  #inexact(name: string): Decision {
    return this.#refuse(
      "FC4505",
      `what ${quoted(name)} costs is a number that the kernel cannot store exactly`,
    );
  }

  /** A foreign change of a fluent that the run uses ends it; one of anything else does not. */
  #differences(): Decision | undefined {
    const { kernel, checked, state, runId, reservation } = this.#options;
    const isUnderWay = kernel.inDoubt().some(({ receipt }) => receipt === reservation);
    if (!isUnderWay || kernel.cell(endedCell(runId)) !== undefined) {
      this.#inDoubt = true;
      return this.#refuse("FC4509", "another process, or a person, has ended this run");
    }
    if (kernel.version === this.#version) return undefined;
    const { version } = kernel;
    const [first] = differencesFrom(checked, kernel, state);
    if (first !== undefined)
      return this.#refuse(
        "FC4504",
        `others changed ${quoted(first.key)}, which the run uses: it holds ${quoted(first.holds)}`,
      );
    this.#version = version;
    return undefined;
  }

  #actionFor(
    call: PendingCall,
    how: CallExecution,
    effects: readonly Effect[],
    origin: Origin,
  ): object | undefined {
    const { tool, args, cost } = call;
    const isCharged = tool.cost !== undefined && this.#options.charges && !this.#isFree(call, how);
    const charge = isCharged ? decimalText(cost) : null;
    if (charge === undefined) return undefined;
    const encoded = encodeValue(args, recordOf(tool.params));
    const isUndone = how.compensation === undefined && this.#options.tools.get(tool.name)?.undo !== undefined;
    return {
      id: origin.call,
      tool: tool.name,
      args: encoded,
      effects,
      ...(charge !== null && { cost: charge }),
      ...(isUndone && { undo: { tool: tool.name, args: encoded } }),
      origin,
    };
  }

  #refuse(code: Stopped["code"], message: string, help?: string): Decision {
    this.#stopped ??= help === undefined ? { code, message } : { code, message, help };
    return { kind: "refuse", reason: message };
  }

  // ── the call ───────────────────────────────────────────────────────────────────────────────────────────

  async #make(args: unknown, name: string): Promise<unknown> {
    const underway = this.#underway.get(name);
    if (underway === undefined) throw new TypeError("a call that was not reserved");
    try {
      return await this.#made(underway, args);
    } catch (error) {
      underway.error = error;
      throw error;
    }
  }

  async #made({ call, name, how, unmet, inner }: Underway, args: unknown): Promise<unknown> {
    if (unmet !== undefined) throw new NothingDone(unmet, 0);
    if (inner !== undefined) return inner.result;
    const { runId, tools, timeoutMs, graceMs, clock, random, signal, tell, person } = this.#options;
    const { result } = call.tool;
    await this.#pause(how, name);
    tell({ kind: "calling", actionId: name, tool: call.tool.name, args: call.args });
    const { value } = await tried({
      call: (info) => tools.get(call.tool.name)?.run(args, info),
      actionId: how.of ?? name,
      runId,
      key: callKey(runId, how.of ?? name),
      first: how.attempt ?? 1,
      retries: 0,
      repeatable: false,
      timeoutMs: how.timeoutMs ?? timeoutMs,
      graceMs,
      person,
      result: result && resultSchema(result),
      clock,
      random,
      interrupted: signal,
      ended: signal,
      tell: (progress) => tell({ ...progress, actionId: name }),
    });
    return value;
  }

  // ── after ──────────────────────────────────────────────────────────────────────────────────────────────

  readonly after = (entry: TraceEntry): Promise<void> => this.#noting(() => this.#settle(entry));
  readonly failed = this.after;

  async #settle(entry: TraceEntry): Promise<void> {
    const underway = this.#underway.get(callName(entry));
    if (underway === undefined) throw new TypeError("a call that was not reserved");
    this.#underway.delete(underway.name);
    this.#enter(underway.call, entry);
    const { error, receipt, how, call } = underway;
    if (receipt === undefined) return this.#endHollow(underway, entry);
    const settling: Settling = { ...underway, receipt };
    const unsure = this.#unsure(underway);
    if (entry.outcome.kind === "returned") await this.#settleDone(settling, entry.outcome);
    else if (unsure !== undefined) {
      // Another try follows and does no harm, so this one counts as failed.
      if (how.again === true && isRepeatable(call.tool))
        await this.#settleUnanswered(settling, entry.outcome);
      else this.#doubt(settling, "FC4508", unsure);
    } else if (error instanceof NothingDone) await this.#settleNotDone(settling, error.message);
    // Thrown by neither the tool nor its absence: a fault of ours, and it is unknown how far it came.
    else if (error !== undefined && !(error instanceof Failed))
      this.#doubt(settling, "FC4508", "the call was cut off");
    else await this.#settleFailed(settling, entry.outcome);
  }

  /**
   * Says why a call that failed may have happened; undefined if nothing speaks for it. The worst of all tries counts,
   * whatever the last one says.
   */
  #unsure({ call, how, isCutOff, error }: Underway): string | undefined {
    if (error instanceof Unanswered) return error.message;
    if (!(error instanceof Failed || error instanceof NothingDone)) return undefined;
    if (isCutOff === true && call.tool.reads !== true)
      return `an earlier process was interrupted during the call, and the retry failed: ${error.message}`;
    if (how.again === true || !this.#unanswered.has(how.of ?? "")) return undefined;
    return `an earlier attempt timed out, and the last one failed: ${error.message}`;
  }

  async #settleUnanswered(underway: Settling, outcome: FailedOutcome): Promise<void> {
    this.#noteUnanswered(underway.how);
    await this.#settleFailed(underway, outcome, { unanswered: true });
  }

  /** Notes that the next call in `made` has no tool result. */
  #noteUnanswered({ of }: CallExecution): void {
    if (of !== undefined) this.#unanswered.set(of, this.made.length);
  }

  #noteFailure({ call, how }: Underway, reason: string, broken?: Code): void {
    if (how.of !== undefined) this.#failures.set(how.of, reason);
    if (how.ends !== true) return;
    this.#isEnding = true;
    const verb = broken === undefined ? " failed:" : "";
    this.#stopped ??= { code: broken ?? "FC1504", message: `${quoted(call.tool.name)}${verb} ${reason}` };
  }

  #endHollow(underway: Underway, { outcome }: TraceEntry): void {
    const { how, unmet, inner } = underway;
    if (inner !== undefined && outcome.kind === "returned") return;
    const reason = unmet ?? "it could not be computed";
    this.#noteFailure(underway, reason);
    if ((how.attempt ?? 1) === 1) this.#note(underway, "not done", reason);
  }

  async #settleDone(underway: Settling, outcome: Outcome & { readonly kind: "returned" }): Promise<void> {
    const { kernel } = this.#options;
    const settled = await kernel.settle(underway.receipt, {
      outcome: journalOutcome(underway.call, outcome),
    });
    if (settled.verdict === "refused")
      return this.#doubt(
        underway,
        "FC4508",
        `it completed, but the kernel refused to settle it: ${wordsOf(settled.reasons)}`,
      );
    // A change of others in between makes it more, and is looked at before the next call.
    if (settled.version === this.#version + 1) this.#version = settled.version;
    const { call, name, how } = underway;
    const receipt = settled.receipt ?? "";
    this.done.push({ call, name, how, receipt, result: outcome.result, isBack: false });
    this.#note(underway, "done", undefined, receipt, outcome.result);
    if (underway.inner === undefined) await this.#lookAfter(call);
  }

  /** Throws, so that the run stops also where nothing would come after the call. */
  async #lookAfter(call: PendingCall): Promise<void> {
    const problem = await this.#options.world.after(call);
    if (problem === undefined) return;
    const { code, message, help } = problem;
    this.#stopped ??= { code, message, ...(help !== undefined && { help }) };
    throw new Halt(message);
  }

  async #settleFailed(
    underway: Settling,
    outcome: FailedOutcome,
    more: { readonly unanswered?: true } = {},
  ): Promise<void> {
    const { kernel, runId } = this.#options;
    const { call, name, receipt, effects } = underway;
    const { reason } = outcome;
    const broken = outcome.kind === "broken" && { broken: outcome.code };
    const kept = { failed: journalText(reason), ...broken, ...more };
    const mark = markOf("call failed", call.tool.name);
    const origin = { run: runId, purpose: "mark", call: name } as const;
    const marking = { id: `unknown after ${name}`, effects: marksFor(mark, effects, kernel), origin };
    const against = await settleFailed(kernel, receipt, kept, marking);
    if (against !== undefined) return this.#doubt(underway, "FC4508", against);
    this.#noteFailure(underway, reason, outcome.kind === "broken" ? outcome.code : undefined);
    this.#note(underway, "failed", reason);
  }

  /** Not released: the failure is part of the run, also when it is resumed. */
  async #settleNotDone(underway: Settling, reason: string): Promise<void> {
    const { how, call } = underway;
    const outcome = { failed: journalText(reason), nothingDone: true };
    const settled = await this.#options.kernel.settle(underway.receipt, { drop: true, cost: "0", outcome });
    if (settled.verdict === "refused")
      return this.#doubt(
        underway,
        "FC4508",
        `it had no effect, but the kernel refused to release it: ${wordsOf(settled.reasons)}`,
      );
    if (how.of !== undefined && (how.attempt ?? 1) === 1 && isRepeatable(call.tool))
      this.#charged.delete(how.of);
    this.#noteFailure(underway, reason);
    this.#note(underway, "not done", reason);
  }

  /**
   * Throws, so that the run stops here also if the program would catch a failed call; unless the run is to go on without
   * the call.
   */
  #doubt(underway: Settling, code: RunCode, why: string): void {
    const { name, receipt, call, how, effects } = underway;
    const message = `it is unknown whether ${quoted(name)} happened: ${why}`;
    this.#note(underway, "in doubt", why, receipt);
    if (how.optional === true) {
      this.#doubts.add({ tool: call.tool.name, receipt, effects });
      return;
    }
    this.#inDoubt = true;
    this.#stopped ??= { code, message };
    throw new Halt(message);
  }

  #note(
    { call, name }: Pick<Underway, "call" | "name">,
    status: CallStatus,
    reason?: string,
    receipt?: string,
    result?: Value,
  ): void {
    const more = { ...(reason !== undefined && { reason }) };
    this.made.push({
      call: name,
      tool: call.tool.name,
      status,
      before: false,
      ...more,
      ...(receipt !== undefined && { receipt }),
    });
    const given = { ...(result !== undefined && { result }) };
    this.#options.tell({ kind: "ended", actionId: name, status, ...more, ...given });
  }
}

type Settling = Underway & { readonly receipt: string };
type FailedOutcome = Exclude<Outcome, { readonly kind: "returned" }>;

function entryOf({ position, id, indices, tool, args }: PendingCall, outcome: Outcome): TraceEntry {
  return { position, id, indices, tool: tool.name, args, outcome };
}

/** Returns whether calling it again does no harm. */
export function isRepeatable({ reads, idempotent }: Tool): boolean {
  return reads === true || idempotent === true;
}
