import {
  add,
  compare,
  type Decision,
  decimalText,
  decodeValue,
  encodeValue,
  equal,
  type Hook,
  type Num,
  type Outcome,
  type PendingCall,
  quoted,
  recordOf,
  type ToolHandler,
  type TraceEntry,
  type Value,
} from "../../ir/index.ts";
import { Failed, NothingDone, tried, Unanswered } from "../attempts.ts";
import { markOf } from "../cells.ts";
import type { RunCode } from "../codes.ts";
import type { Kept } from "../journal.ts";
import type { Origin } from "../origin.ts";
import { settleFailed } from "../settle-failed.ts";
import type { CallsOptions, DoneCall, Stopped } from "./call-types.ts";
import { outcomeKept } from "./earlier.ts";
import { effectsOf, marksOf } from "./effects.ts";
import { callKey, callName, endedCell } from "./identity.ts";
import { keptOutcome, keptText, wordsOf } from "./kept.ts";
import type { CallRun, CallStatus } from "./options.ts";
import { differencesFrom } from "./stored-state.ts";

interface Underway {
  readonly call: PendingCall;
  readonly name: string;
  readonly receipt: string;
  /** Thrown by the tool, or by what waited for it. */
  error?: unknown;
}

class Doubt extends Error {}

/** LIMIT: how often a call is reserved anew because the state moved on in between. */
const mostRounds = 10;

export class RunCalls implements Hook {
  readonly made: CallRun[] = [];
  /** In order. */
  readonly done: DoneCall[] = [];
  readonly #options: CallsOptions;
  #stopped: Stopped | undefined;
  #fault: { readonly thrown: unknown } | undefined;
  #inDoubt = false;
  #underway: Underway | undefined;
  #version: number;
  #spent: Num = 0n;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#version = options.version;
  }

  get stopped(): Stopped | undefined {
    return this.#stopped;
  }

  /** What the ledger threw, or a fault of ours: then nobody knows what was kept, and nothing more is done here. */
  get fault(): { readonly thrown: unknown } | undefined {
    return this.#fault;
  }

  /** Whether something is left that only a person or the tool can tell. */
  get inDoubt(): boolean {
    return this.#inDoubt;
  }

  handlers(): ReadonlyMap<string, ToolHandler> {
    const names = [...this.#options.checked.tools.keys()].filter((name) => this.#options.tools.has(name));
    return new Map(names.map((name) => [name, { run: (args) => this.#make(args) }]));
  }

  // ── in an earlier process ────────────────────────────────────────────────────────────────────────────────

  /** What the call came to then; undefined if it is to be made now, or `before` has to say why it cannot be. */
  readonly recorded = (call: PendingCall): Outcome | undefined => {
    const name = callName(call);
    const last = this.#options.earlier?.calls.get(name)?.last;
    if (last?.status !== "settled" || last.step === undefined) return undefined;
    const outcome = this.#outcomeThen(call, last);
    if (typeof outcome === "string") return undefined;
    const { position, id, indices, tool, args } = call;
    this.#enter(call, { position, id, indices, tool: tool.name, args, outcome });
    this.#spent = add(this.#spent, call.cost);
    const { receipt, rolledBack } = last.step;
    if (outcome.kind === "returned") {
      this.done.push({ call, name, receipt, result: outcome.result, isBack: rolledBack !== undefined });
      this.made.push({ call: name, tool: tool.name, status: "done", before: true, receipt });
    } else {
      const { reason } = outcome;
      this.made.push({ call: name, tool: tool.name, status: "failed", before: true, reason });
    }
    return outcome;
  };

  /** SOUNDNESS: the trace is not believed to be of this program; the arguments must be those that come up now. */
  #outcomeThen({ tool, args }: PendingCall, { args: then, step }: Kept): Outcome | string {
    const read = decodeValue(then ?? null, recordOf(tool.params));
    if (!read.ok || !equal(read.value, args)) return "it was made with other arguments then";
    return outcomeKept(step?.outcome, tool);
  }

  /** Why a call cannot be made although nobody has said what it came to; undefined if it can. */
  #openFrom(call: PendingCall, name: string): Decision | undefined {
    const { earlier } = this.#options;
    if (earlier?.hasStopped === true) return this.#refuse("FC4510", "an earlier process had stopped the run");
    const last = earlier?.calls.get(name)?.last;
    if (last === undefined || last.status === "released") return undefined;
    const { tool } = call;
    if (last.status === "pending" && (tool.reads === true || tool.idempotent === true)) return undefined;
    const then = last.status === "settled" ? this.#outcomeThen(call, last) : undefined;
    const why = typeof then === "string" ? then : "an earlier process was cut off during the call";
    const what =
      last.status === "settled" ? `what ${quoted(name)} came to` : `whether ${quoted(name)} happened`;
    this.#inDoubt = true;
    this.made.push({ call: name, tool: tool.name, status: "in doubt", before: true, receipt: last.receipt });
    return this.#refuse("FC4509", `nobody knows ${what}: ${why}`);
  }

  #enter({ writes }: PendingCall, entry: TraceEntry): void {
    const { monitor, state } = this.#options;
    monitor.add(entry);
    for (const write of writes) {
      if (entry.outcome.kind === "returned") state.write(write);
      else state.writeMaybe(write);
    }
  }

  // ── before ─────────────────────────────────────────────────────────────────────────────────────────────

  readonly before = async (call: PendingCall): Promise<Decision> => {
    const { signal, monitor, checked } = this.#options;
    const name = callName(call);
    const open = this.#openFrom(call, name);
    if (open !== undefined) return open;
    if (signal.aborted) return this.#refuse("FC4510", "the run was interrupted");
    const broken = monitor.brokenBy(call);
    if (broken !== undefined) {
      const guarantee = checked.document.guarantees[broken]?.name ?? "";
      return this.#refuse("FC4507", `${quoted(name)} would break the guarantee ${quoted(guarantee)}`);
    }
    return this.#overBudget(call) ?? this.#noting(() => this.#reserve(call, name));
  };

  /** The interpreter makes a stop of whatever a hook throws, so it is kept for whoever started the run. */
  async #noting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof Doubt)) this.#fault ??= { thrown };
      throw thrown;
    }
  }

  #overBudget({ tool, cost }: PendingCall): Decision | undefined {
    const { budget } = this.#options;
    const sum = add(this.#spent, cost);
    if (budget === undefined || compare(sum, budget) <= 0) return undefined;
    const [all, most] = [decimalText(sum) ?? "more", decimalText(budget) ?? ""];
    return this.#refuse(
      "FC4506",
      `with ${quoted(tool.name)} the run would cost \`${all}\`, and \`${most}\` is approved`,
    );
  }

  async #reserve(call: PendingCall, name: string): Promise<Decision> {
    const { kernel, runId } = this.#options;
    const before = this.#options.earlier?.calls.get(name);
    const attempt = 1 + (before?.releases ?? 0);
    const action = this.#actionFor(call, { run: runId, purpose: "call", call: name, attempt });
    if (action === undefined)
      return this.#refuse(
        "FC4505",
        `what ${quoted(name)} sets or costs is a number that the kernel cannot hold exactly`,
      );
    const key = callKey(runId, name, before?.releases);
    for (let round = 1; ; round++) {
      const moved = this.#differences();
      if (moved !== undefined) return moved;
      // Of one that may be repeated, the reservation of then still stands.
      if (before?.last.status === "pending") return this.#begin(call, name, before.last.receipt);
      const { verdict, reasons, receipt } = await kernel.reserve({ ...action, reads: this.#version }, key);
      if (verdict === "allowed" && receipt !== undefined) return this.#begin(call, name, receipt);
      // The key is this call's alone, so another process has made it: the run is theirs, and not ours to end.
      if (verdict === "allowed" || reasons.some(({ code }) => code === "idempotency-key")) {
        this.#inDoubt = true;
        return this.#refuse("FC4509", `another process goes on with this run: it has made ${quoted(name)}`);
      }
      const isMoved = reasons.length > 0 && reasons.every(({ code }) => code === "version");
      if (isMoved && round < mostRounds) continue;
      return this.#refuse("FC4505", `the kernel refused ${quoted(name)}: ${wordsOf(reasons)}`);
    }
  }

  #begin(call: PendingCall, name: string, receipt: string): Decision {
    this.#underway = { call, name, receipt };
    this.#spent = add(this.#spent, call.cost);
    return { kind: "proceed" };
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

  #actionFor({ tool, args, cost, writes }: PendingCall, origin: Origin): object | undefined {
    const { kernel, tools } = this.#options;
    const effects = effectsOf(writes, tool.name, kernel);
    const charges = tool.cost !== undefined && this.#options.charges ? decimalText(cost) : null;
    if (effects === undefined || charges === undefined) return undefined;
    const encoded = encodeValue(args, recordOf(tool.params));
    const undo = tools.get(tool.name)?.undo === undefined ? {} : { undo: { tool: tool.name, args: encoded } };
    return {
      id: origin.call,
      tool: tool.name,
      args: encoded,
      effects,
      ...(charges !== null && { cost: charges }),
      ...undo,
      origin,
    };
  }

  #refuse(code: RunCode, message: string, help?: string): Decision {
    this.#stopped ??= help === undefined ? { code, message } : { code, message, help };
    return { kind: "refuse", reason: message };
  }

  // ── the call ───────────────────────────────────────────────────────────────────────────────────────────

  async #make(args: unknown): Promise<unknown> {
    const underway = this.#underway;
    if (underway === undefined) throw new TypeError("a call that was not reserved");
    const { call, name } = underway;
    const { runId, tools, timeoutMs, graceMs, clock, signal, tell } = this.#options;
    tell({ kind: "calling", actionId: name, tool: call.tool.name, args: call.args });
    try {
      const { value } = await tried({
        call: (info) => tools.get(call.tool.name)?.run(args, info),
        actionId: name,
        runId,
        key: callKey(runId, name),
        retries: 0,
        repeatable: false,
        timeoutMs,
        graceMs,
        clock,
        random: () => 0,
        interrupted: signal,
        ended: signal,
        tell,
      });
      return value;
    } catch (error) {
      underway.error = error;
      throw error;
    }
  }

  // ── after ──────────────────────────────────────────────────────────────────────────────────────────────

  readonly after = (entry: TraceEntry): Promise<void> => this.#noting(() => this.#settle(entry));
  readonly failed = this.after;

  async #settle(entry: TraceEntry): Promise<void> {
    const underway = this.#underway;
    if (underway === undefined) throw new TypeError("a call that was not reserved");
    this.#underway = undefined;
    this.#enter(underway.call, entry);
    const { error } = underway;
    if (entry.outcome.kind === "returned") await this.#settleDone(underway, entry.outcome);
    else if (error instanceof Unanswered) this.#doubt(underway, "FC4508", error.message);
    else if (error instanceof NothingDone) await this.#settleNotDone(underway, error.message);
    // Thrown by neither the tool nor its absence: a fault of ours, and nobody knows how far it came.
    else if (error !== undefined && !(error instanceof Failed))
      this.#doubt(underway, "FC4508", "the call was cut off");
    else await this.#settleFailed(underway, entry.outcome);
  }

  async #settleDone(underway: Underway, outcome: Outcome & { readonly kind: "returned" }): Promise<void> {
    const { kernel } = this.#options;
    const before = this.#version;
    const settled = await kernel.settle(underway.receipt, { outcome: keptOutcome(underway.call, outcome) });
    if (settled.verdict === "refused")
      return this.#doubt(
        underway,
        "FC4508",
        `it is done, and the kernel did not take that: ${wordsOf(settled.reasons)}`,
      );
    // A change of others in between makes it more, and is looked at before the next call.
    if (settled.version === before + 1) this.#version = settled.version;
    const { call, name } = underway;
    const receipt = settled.receipt ?? "";
    this.done.push({ call, name, receipt, result: outcome.result, isBack: false });
    this.#note(underway, "done", undefined, receipt, outcome.result);
  }

  async #settleFailed(
    underway: Underway,
    outcome: Exclude<Outcome, { readonly kind: "returned" }>,
  ): Promise<void> {
    const { kernel, runId } = this.#options;
    const { call, name, receipt } = underway;
    const { reason } = outcome;
    const kept = { failed: keptText(reason), ...(outcome.kind === "broken" && { broken: outcome.code }) };
    const mark = markOf("call failed", call.tool.name);
    const origin = { run: runId, purpose: "mark", call: name } as const;
    const marking = { id: `unknown after ${name}`, effects: marksOf(call.writes, mark), origin };
    const against = await settleFailed(kernel, receipt, kept, marking);
    if (against !== undefined) return this.#doubt(underway, "FC4508", against);
    this.#note(underway, "failed", reason);
  }

  /** Not released: that it failed belongs to what the run is, also for whoever goes on with it. */
  async #settleNotDone(underway: Underway, reason: string): Promise<void> {
    const outcome = { failed: keptText(reason), nothingDone: true };
    const settled = await this.#options.kernel.settle(underway.receipt, { drop: true, cost: "0", outcome });
    if (settled.verdict === "refused")
      return this.#doubt(
        underway,
        "FC4508",
        `nothing happened, and the kernel did not take that: ${wordsOf(settled.reasons)}`,
      );
    this.#note(underway, "not done", reason);
  }

  /** Throws, so that the run stops here also if the program would catch a failed call. */
  #doubt(underway: Underway, code: RunCode, why: string): never {
    const { name, receipt } = underway;
    const message = `nobody knows whether ${quoted(name)} happened: ${why}`;
    this.#inDoubt = true;
    this.#stopped ??= { code, message };
    this.#note(underway, "in doubt", why, receipt);
    throw new Doubt(message);
  }

  #note(
    { call, name }: Underway,
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
