/**
 * Carries out one approved run of the queue: begins it, resumes it, or finds that it has ended. SOUNDNESS: nothing of the store
 * is believed but the receipt, which is signed; the program is compiled and proved here, against the modules that are here.
 */
import {
  type LeftRun,
  type Receipt,
  type RequestRecord,
  readReceipt,
  type TakenRun,
} from "../../approve/index.ts";
import { defaultLimits, ok, type RecordValue, type Result, readInputs, readJson } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import {
  isUnderWay,
  type LookWhen,
  openCalls,
  type Person,
  type RunProgress,
  runOutcome,
} from "../../run/index.ts";
import { endOf, type RunEnd } from "../decide/run-teller.ts";
import { decide } from "../decide.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { inFolder } from "../files/paths.ts";
import { type Clock, type FileSystem, withText } from "../files/port.ts";
import { type Address, type Asker, withKernel } from "../ledger/open.ts";
import { looksLikeDocument } from "../load/form.ts";
import { loadRunnable, type Runnable } from "../load.ts";
import { type Proved, type ProveHow, prove } from "../prove.ts";
import { type Finished, type RunHow, resume, run, type ToolSource } from "../run.ts";

export interface QueuedRunContext {
  readonly host: FileSystem & Clock;
  /** The folder that programs are taken to lie in. */
  readonly folder: string;
  readonly tools?: readonly string[] | undefined;
  readonly how: ProveHow;
  readonly address: Address;
  readonly kernel: string;
  readonly asker: Asker;
  /** Verifies receipts. */
  readonly publicKey: string;
  readonly callTimeoutMs: number;
  readonly look?: LookWhen | undefined;
  /** Lease of the fluents of a run. */
  readonly holdMs: number;
  readonly toolSource: ToolSource;
  readonly person: Person;
  readonly hear: (progress: RunProgress) => void;
  /** Prints a line of a tool. */
  readonly print: (line: string) => void;
  /** Hears how the run ended, before the queue does. */
  readonly tell: (end: RunEnd) => Promise<void>;
  /** False if another worker has taken the run meanwhile. */
  readonly isOurs: () => boolean;
  readonly log: (event: string, why: string) => void;
}

/** Times until a run is looked at again: while it cannot begin, and while a person must resolve a call. */
const laterMs = { first: 500, longest: 15_000 };
const doubtMs = 2_000;

/** The id of a run is that of its request, so that a worker finds what another one began. */
export function runIdOf({ id }: RequestRecord): string {
  return id;
}

export async function runQueued(context: QueuedRunContext, taken: TakenRun): Promise<LeftRun> {
  const { record } = taken;
  const read = readReceipt(record.receipt ?? "");
  if (!read.ok) return end(context, "the request has no receipt");
  const left = await withKernel(
    context.host,
    context.address,
    context.kernel,
    (kernel) => onKernel(context, taken, kernel, read.value),
    context.asker,
  );
  if (left.ok) return left.value;
  context.log("not run", whyIn(left.problems).message);
  return later(context, taken);
}

async function onKernel(
  context: QueuedRunContext,
  taken: TakenRun,
  kernel: Kernel,
  receipt: Receipt,
): Promise<Result<LeftRun, Failure>> {
  const { host } = context;
  const { record, isInDoubt } = taken;
  const runId = runIdOf(record);
  const resumes = isUnderWay(kernel, runId);
  // Only a person can tell, so nothing is compiled until one has.
  if (resumes && isInDoubt && openCalls(kernel, runId).length > 0)
    return ok({ kind: "in doubt", waitMs: doubtMs });
  const ready = await prepare(context, record);
  if (!context.isOurs()) return ok(later(context, taken));
  const not = (why: Why) => notBegun(context, taken, kernel, receipt, why);
  if (!ready.ok) return ok(await not(whyIn(ready.problems)));
  const { proved, inputs } = ready.value;
  const how: RunHow = {
    runId,
    callTimeoutMs: context.callTimeoutMs,
    when: context.look,
    leaseMs: context.holdMs,
    wallMs: host.wallMs,
    ledger: context.address,
    person: context.person,
    onProgress: context.hear,
    print: context.print,
  };
  const finished = resumes
    ? await resume(proved, kernel, context.publicKey, context.toolSource, how)
    : await begin(
        context,
        { proved, inputs, kernel, budget: record.filed.budget ?? undefined },
        receipt,
        how,
      );
  if (!finished.ok) return ok(await not(whyIn(finished.problems)));
  const { value } = finished;
  switch (value.kind) {
    case "refused":
      return ok(await not(whyIn(value.problems)));
    case "cut off":
      context.log("cut off", whyIn(value.failure.problems).message);
      return ok(later(context, taken));
    case "ran":
      await context.tell(endOf(finished));
      return ok(value.run.kind === "in doubt" ? { kind: "in doubt", waitMs: doubtMs } : { kind: "ended" });
  }
}

type Why = { readonly code: string; readonly message: string };

function whyIn([first]: readonly Why[]): Why {
  return first ?? { code: "", message: "no reason given" };
}

interface Ready {
  readonly proved: Proved<Runnable>;
  readonly inputs: RecordValue;
}

async function prepare(
  { host, folder, tools, how }: QueuedRunContext,
  { filed }: RequestRecord,
): Promise<Result<Ready, Failure>> {
  const { text } = filed.program;
  // There is no such file; its name is in no hash.
  const path = inFolder(folder, `queued-program.${looksLikeDocument(text) ? "eir" : "ts"}`);
  const loading = await loadRunnable({ path, tools }, { fs: withText(host, path, text) });
  if (loading.kind === "unreadable") return loading.failure;
  if (loading.kind === "invalid")
    return loading.failures[0] ?? plainFailure("FC9011", "the program does not compile");
  const { loaded } = loading;
  const json = readJson(JSON.stringify(filed.inputs), {
    ...defaultLimits,
    depth: 3 * defaultLimits.depth + 10,
  });
  const inputs = json.ok ? readInputs(loaded.document.checked, json.value.value) : json;
  if (!inputs.ok) return plainFailure("FC9011", `the inputs: ${inputs.problems[0]?.message ?? ""}`);
  const proved = await prove(loaded, how);
  if (!proved.ok) return proved;
  if (proved.value.verdict !== "proved")
    return plainFailure("FC9011", `the program is ${proved.value.verdict} here`);
  return ok({ proved: proved.value, inputs: inputs.value });
}

async function begin(
  { host, publicKey, toolSource }: QueuedRunContext,
  request: Ready & { readonly kernel: Kernel; readonly budget: string | undefined },
  receipt: Receipt,
  how: RunHow,
): Promise<Result<Finished, Failure>> {
  const channel = { ask: async () => ok({ kind: "receipt", receipt } as const) };
  const decided = await decide(request, channel, { privateKey: "", publicKey }, host);
  if (!decided.ok) return decided;
  const { value } = decided;
  switch (value.kind) {
    case "approved":
      return run(value, toolSource, how);
    case "rejected":
      return plainFailure("FC9011", value.why);
    case "cannot begin":
      return plainFailure("FC9011", value.problems[0]?.message ?? "the run cannot begin");
    case "invalid plan":
      return plainFailure("FC9011", "the plan can go wrong from the state of the kernel");
  }
}

/**
 * Leaves a run that did not begin now: it may have ended under another worker, or begin later, on other modules or once
 * others have let go of its fluents. Once its receipt has expired it never begins. One that has begun is never given up.
 */
async function notBegun(
  context: QueuedRunContext,
  taken: TakenRun,
  kernel: Kernel,
  receipt: Receipt,
  { code, message }: Why,
): Promise<LeftRun> {
  const runId = runIdOf(taken.record);
  await kernel.refresh();
  if (isUnderWay(kernel, runId)) {
    context.log("not resumed", message);
    return later(context, taken);
  }
  const isOver = context.host.wallMs() >= receipt.expires;
  const isUsed = code === "FC4010";
  const outcome = isOver || isUsed ? await runOutcome(kernel, runId) : undefined;
  if (outcome !== undefined) {
    const { kind, result, notes } = outcome;
    await context.tell({
      state: kind === "done" ? "done" : "stopped",
      text: kind === "abandoned" ? "a person has abandoned the run" : null,
      ...(result !== undefined && { answer: { value: result } }),
      ...(notes.length > 0 && { notes: [...notes] }),
    });
    return { kind: "ended" };
  }
  if (isOver || isUsed) return end(context, message);
  context.log("waits", message);
  return later(context, taken);
}

async function end(context: QueuedRunContext, why: string): Promise<LeftRun> {
  context.log("not run", why);
  await context.tell({ state: "stopped", text: `no call was made: ${why}`.slice(0, mostText) });
  return { kind: "ended" };
}

/** LIMIT: of a text that is told. */
const mostText = 300;

function later({ host }: QueuedRunContext, { attempts, record }: TakenRun): LeftRun {
  // The longer it has waited, the longer it waits again.
  const waited = Math.max(0, host.wallMs() - (record.decided?.at ?? 0));
  const waitMs = Math.min(laterMs.longest, Math.max(laterMs.first * attempts, waited / 10));
  return { kind: "later", waitMs };
}
