/**
 * Compensates the calls of a stopped run, newest first: by the compensation that the front end names, or else by the
 * `undo` of the tool. A call that its own tool has undone is rolled back in the kernel, with its charge. A call that
 * another call compensates has happened, and so has that call: both stay charged, and the state is what their tools say.
 * A call without compensation keeps its effects, in the state as in the world.
 * Each compensation has a key of its own, so that recovery after a crash does only what is left.
 */
import {
  type Checked,
  callEnvironment,
  costOf,
  decimalText,
  defaultLimits,
  encodeValue,
  firstBroken,
  fromJs,
  Meter,
  type PendingCall,
  printExpr,
  quoted,
  type RecordValue,
  recordOf,
  type Tool,
  toJs,
  type Value,
  writesOf,
} from "../../ir/index.ts";
import type { Kernel, Performed } from "../../kernel/index.ts";
import { tried } from "../attempts.ts";
import { markOf } from "../cells.ts";
import type { Clock } from "../clock.ts";
import { effectsOf, marksOf } from "../effects.ts";
import type { JournalEntry } from "../journal.ts";
import { undoRetries } from "../limits.ts";
import type { LoadedTool } from "../load-tools.ts";
import type { Origin } from "../origin.ts";
import type { AttestFor } from "./attest-for.ts";
import type { DoneCall } from "./call-types.ts";
import { isRepeatable } from "./calls.ts";
import type { Compensation } from "./execution.ts";
import { undoKey } from "./identity.ts";
import { wordsOf } from "./journal-entry.ts";
import type { Monitor } from "./monitor.ts";
import type { RunProblem, RunProgress } from "./options.ts";
import { type Stored, stateNow } from "./stored-state.ts";

export interface CompensationContext {
  readonly checked: Checked;
  readonly monitor: Monitor;
  readonly kernel: Kernel;
  /** The state with what is in doubt marked. */
  readonly state: () => Stored;
  readonly attest: AttestFor;
  readonly runId: string;
  /** The journal of an earlier process, by the keys of reservations. */
  readonly kept: ReadonlyMap<string, JournalEntry>;
  readonly tools: ReadonlyMap<string, LoadedTool>;
  readonly timeoutMs: number | undefined;
  readonly graceMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly tell: (progress: RunProgress) => void;
}

export interface Compensated {
  readonly undone: ReadonlySet<string>;
  readonly notUndone: readonly string[];
  readonly problems: readonly RunProblem[];
}

/** INVARIANT: it was kept before that the run has stopped, so that nobody makes a call of it any more. */
export async function compensate(how: CompensationContext, done: readonly DoneCall[]): Promise<Compensated> {
  const undone = new Set<string>();
  const notUndone: string[] = [];
  const problems: RunProblem[] = [];
  const results = new Map(done.map(({ name, result }) => [name, result]));
  const left = done.filter(({ call }) => call.tool.reads !== true);
  for (const one of [...left].reverse()) {
    const why = one.isBack ? undefined : await compensateCall(how, one, results);
    if (why === undefined) undone.add(one.name);
    else {
      notUndone.push(one.name);
      const message = `${quoted(one.call.tool.name)} (${quoted(one.name)}) was not undone: ${why}`;
      problems.push({ code: "FC4511", message, path: [] });
    }
  }
  return { undone, notUndone, problems };
}

type Results = ReadonlyMap<string, Value | undefined>;

/** Why not, or undefined. */
async function compensateCall(
  how: CompensationContext,
  one: DoneCall,
  results: Results,
): Promise<string | undefined> {
  const { inner, compensation } = one.how;
  // Nothing of it is outside the kernel.
  if (inner !== undefined) return rolledBack(how, one);
  if (compensation !== undefined) return madeUp(how, one, compensation, results);
  const undo = how.tools.get(one.call.tool.name)?.undo;
  return undo === undefined ? "its tool has no `undo`" : undoOne(how, one, undo);
}

// ── the tool's own `undo` ────────────────────────────────────────────────────────────────────────────────

type Undo = NonNullable<LoadedTool["undo"]>;

async function undoOne(how: CompensationContext, one: DoneCall, undo: Undo): Promise<string | undefined> {
  const { call, name } = one;
  how.tell({ kind: "undoing", actionId: name });
  const action = {
    id: `undo of ${name}`,
    tool: call.tool.name,
    args: encodeValue(call.args, recordOf(call.tool.params)),
    effects: [],
    origin: originOf(how, one),
  };
  const why = await performed(how, one, call.tool, action, () => calledUndo(how, one, undo));
  if (why === undefined) return rolledBack(how, one);
  // It may have been undone or not, so its cells are unknown.
  if (why.isOpen) await markUnknown(how, one);
  return why.message;
}

async function calledUndo(how: CompensationContext, one: DoneCall, undo: Undo): Promise<void> {
  const { call, result } = one;
  const { tool } = call;
  const args = toJs(call.args, recordOf(tool.params));
  const given = result === undefined || tool.result === undefined ? undefined : toJs(result, tool.result);
  if (!args.ok || given?.ok === false) throw new Error("it cannot receive a number exactly");
  await answered(how, one, tool, (info) => undo(args.value, given?.value, info));
}

/** The tool itself has taken the call back, so its charge and its effects go too. */
async function rolledBack(how: CompensationContext, one: DoneCall): Promise<string | undefined> {
  const outcome = await how.kernel.rollback(one.receipt);
  if (outcome.verdict === "allowed") return undefined;
  if (one.how.inner !== undefined) return `the kernel cannot roll it back: ${wordsOf(outcome.reasons)}`;
  await markUnknown(how, one);
  return `its \`undo\` happened, and the kernel cannot roll it back: ${wordsOf(outcome.reasons)}`;
}

async function markUnknown({ kernel, runId }: CompensationContext, { call, name }: DoneCall): Promise<void> {
  const effects = marksOf(call.writes, markOf("undo not clear", call.tool.name));
  const origin: Origin = { run: runId, purpose: "mark", call: name };
  if (effects.length > 0) await kernel.execute({ id: `unknown after undo of ${name}`, effects, origin });
}

// ── another call ─────────────────────────────────────────────────────────────────────────────────────────

/** LIMIT: units of work for the clauses of one call. */
const limits = { ...defaultLimits, steps: 100_000 };

/**
 * SOUNDNESS: a compensation is a call like any other: it must meet what its tool requires in the state as it is now, it
 * breaks no guarantee that holds wherever a run stops, it costs what it costs, and it changes the state.
 */
async function madeUp(
  how: CompensationContext,
  one: DoneCall,
  { tool, args: argsFrom }: Compensation,
  results: Results,
): Promise<string | undefined> {
  const args = argsFrom(results);
  if (typeof args === "string") return args;
  const pending = pendingCall(how, one, tool, args);
  if (typeof pending === "string") return pending;
  const effects = effectsOf(pending.writes, tool.name, how.kernel);
  const cost = tool.cost === undefined || !hasBudgets(how) ? null : decimalText(pending.cost);
  if (effects === undefined || cost === undefined)
    return `what ${quoted(tool.name)} sets or costs is a number that the kernel cannot store exactly`;
  const broken = how.monitor.brokenBy(pending);
  if (broken !== undefined) {
    const guarantee = how.checked.document.guarantees[broken]?.name ?? "";
    return `${quoted(tool.name)} would break the guarantee ${quoted(guarantee)}`;
  }
  how.tell({ kind: "undoing", actionId: one.name });
  const action = {
    id: pending.id,
    tool: tool.name,
    args: encodeValue(args, recordOf(tool.params)),
    effects,
    ...(cost !== null && { cost }),
    origin: originOf(how, one),
  };
  const why = await performed(how, one, tool, action, () => calledTool(how, one, pending));
  return why?.message;
}

function hasBudgets({ kernel }: CompensationContext): boolean {
  return Object.keys(kernel.status().budgets).length > 0;
}

/** The call as it would be made now; a text says why it must not be. */
function pendingCall(
  { checked, state }: CompensationContext,
  { call, name }: DoneCall,
  tool: Tool,
  args: RecordValue,
): PendingCall | string {
  const environment = callEnvironment(checked, tool, args, stateNow(checked, state()), new Meter(limits));
  const broken = firstBroken(tool.requires, environment);
  if (broken !== undefined)
    return `${quoted(tool.name)} requires ${quoted(printExpr(broken.condition))}, which does not hold`;
  return {
    // After every other call.
    position: Number.MAX_SAFE_INTEGER,
    id: `compensation of ${name}`,
    indices: call.indices,
    tool,
    args,
    cost: costOf(tool, environment),
    writes: writesOf(tool, environment),
  };
}

async function calledTool(
  how: CompensationContext,
  one: DoneCall,
  { tool, args }: PendingCall,
): Promise<void> {
  const passed = toJs(args, recordOf(tool.params));
  if (!passed.ok) throw new Error("it cannot receive a number exactly");
  const given = await answered(how, one, tool, (info) => how.tools.get(tool.name)?.run(passed.value, info));
  if (tool.result === undefined) return;
  const result = fromJs(given, tool.result);
  if (!result.ok) throw new Error(`it returned a wrong value: ${result.problems[0]?.message ?? ""}`);
}

// ── both ─────────────────────────────────────────────────────────────────────────────────────────────────

interface WhyNot {
  readonly message: string;
  /** True if it may have happened all the same. */
  readonly isOpen: boolean;
}

/** Under a key that the step gives it: after a crash, only what is left is done. */
async function performed(
  { kernel, kept, attest }: CompensationContext,
  { receipt }: DoneCall,
  tool: Tool,
  action: object,
  work: () => Promise<void>,
): Promise<WhyNot | undefined> {
  const key = undoKey(receipt);
  const before = kept.get(key);
  if (before?.status === "pending" && isRepeatable(tool)) {
    try {
      await work();
      await kernel.settle(before.receipt);
      return undefined;
    } catch (error) {
      return { message: openText(error), isOpen: true };
    }
  }
  const attestations = await attest(action);
  return whyNot(await kernel.perform(action, work, { key, ...(attestations && { attestations }) }));
}

function whyNot(found: Performed<void>): WhyNot | undefined {
  switch (found.kind) {
    case "done":
    case "done before":
      return undefined;
    case "refused":
      return { message: wordsOf(found.reasons), isOpen: false };
    case "released":
      return { message: wordsFor(found.error), isOpen: false };
    case "in doubt":
      return { message: openText(found.error), isOpen: true };
  }
}

function openText(error: unknown): string {
  return `it is unknown whether its \`undo\` happened: ${wordsFor(error)}`;
}

async function answered(
  how: CompensationContext,
  { call, name, receipt, how: { timeoutMs } }: DoneCall,
  tool: Tool,
  work: Parameters<typeof tried>[0]["call"],
): Promise<unknown> {
  const repeatable = tool !== call.tool && isRepeatable(tool);
  const { value } = await tried({
    ...how,
    call: work,
    actionId: name,
    key: undoKey(receipt),
    retries: repeatable ? undoRetries : 0,
    repeatable,
    timeoutMs: timeoutMs ?? how.timeoutMs,
    // The compensation of an interrupted run is not interrupted itself.
    interrupted: never,
    ended: never,
    tell: () => {},
  });
  return value;
}

const never = new AbortController().signal;

function originOf({ runId }: CompensationContext, { name, receipt }: DoneCall): Origin {
  return { run: runId, purpose: "undo", call: name, step: receipt };
}

function wordsFor(error: unknown): string {
  return error instanceof Error ? error.message : "no reason given";
}
