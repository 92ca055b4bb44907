/**
 * Runs a program that was proved and approved: the very document that the receipt names, interpreted under a kernel, call by
 * call. Before the first call the state must be what the proof assumes and the receipt is used up, both in one entry.
 */
import { setMaxListeners } from "node:events";
import { inputsDigest, openBefore, receiptProblems, type Used, useReceipt } from "../../approve/index.ts";
import {
  answerIn,
  type Cell,
  type Checked,
  encodeValue,
  hashDocument,
  isBuiltin,
  json,
  type Num,
  notesIn,
  type PlainJson,
  quoted,
  quotedList,
  type Run,
  ratio,
  recordOf,
  run,
  State,
} from "../../ir/index.ts";
import { decodeValue as decodeKept, type Kernel } from "../../kernel/index.ts";
import { realClock } from "../clock.ts";
import { callLimits } from "../limits.ts";
import { noteText, plainJson } from "../told.ts";
import { worldLimits } from "../world/probe.ts";
import { WorldWatch } from "../world/watch.ts";
import { attestFor } from "./attest-for.ts";
import { RunCalls } from "./calls.ts";
import { type Compensated, compensate } from "./compensate.ts";
import { clearEnd, foreignPart, keepEnd } from "./ending.ts";
import { noExecution } from "./execution.ts";
import { endKey, heldKey, isRunId } from "./identity.ts";
import { wordsOf } from "./journal-entry.ts";
import { Monitor } from "./monitor.ts";
import { needsOrder } from "./needs-order.ts";
import type {
  JudgedGuarantee,
  ProgramRun,
  ProgramRunOptions,
  ProgramRunResult,
  ResumeOptions,
  RunProblem,
  RunProgress,
} from "./options.ts";
import { type RecoveredRun, recover } from "./recover.ts";
import { renewLease } from "./renew-lease.ts";
import { cellToJson, startingState } from "./stored-state.ts";

/** Rejects only if the ledger fails, or we do; the trace then has what `resumeProgram` needs. */
export async function runProgram(checked: Checked, options: ProgramRunOptions): Promise<ProgramRunResult> {
  const wrong = [...optionProblems(options), ...handlerProblems(checked, options)];
  if (wrong.length > 0) return { ok: false, problems: wrong };
  await options.kernel.refresh();
  const approved = await receiptObjections(checked, options, options.wallMs());
  if (approved.length > 0) return { ok: false, problems: approved };
  const world = worldWatch(checked, options);
  const begun = await begin(checked, options, world);
  if (begun.kind === "refused") return { ok: false, problems: begun.problems };
  return { ok: true, value: await new ProgramRunner(checked, options, begun, world).run() };
}

/** Resumes a run that an earlier process began and did not end. Completed calls are not repeated. */
export async function resumeProgram(checked: Checked, options: ResumeOptions): Promise<ProgramRunResult> {
  const { kernel, runId } = options;
  const wrong = [...optionProblems(options), ...handlerProblems(checked, options)];
  if (wrong.length > 0) return { ok: false, problems: wrong };
  await kernel.refresh();
  const earlier = await recover(checked, kernel, runId);
  if (!earlier.ok) return { ok: false, problems: [problem("FC4501", earlier.message)] };
  const { receipt, inputs, reservation, initial } = earlier.value;
  // It was used in time, as its entry shows; everything else must be as it was.
  const whole = { ...options, receipt, inputs };
  const approved = await receiptObjections(checked, whole, receipt.notBefore);
  if (approved.length > 0) return { ok: false, problems: approved };
  // The process that began the run may have died before it looked at runs that began before it.
  const fluents = [...checked.fluents.keys()];
  const held = openBefore(kernel, { holds: fluents.map(heldKey) }, reservation);
  if (held !== undefined) return { ok: false, problems: whyNotBegun(held, fluents) };
  const world = worldWatch(checked, options);
  const { problem: drift } = await world.atStart(true);
  if (drift !== undefined) return { ok: false, problems: [{ ...drift, path: [] }] };
  // No version is known to agree with what the run has made of the state, so that is looked at before the first call.
  const begun: Begun = { kind: "begun", reservation, initial, version: -1, earlier: earlier.value };
  return { ok: true, value: await new ProgramRunner(checked, whole, begun, world).run() };
}

// ── before the first call ────────────────────────────────────────────────────────────────────────────────

function optionProblems({ runId, timeoutMs, graceMs, concurrency, world }: ResumeOptions): RunProblem[] {
  const problems: RunProblem[] = [];
  const { runIdLength, timeoutMs: longest, graceMs: mostGrace, concurrency: mostCalls } = callLimits;
  if (typeof runId !== "string" || !isRunId(runId, runIdLength)) {
    const letters = "letters, digits, `.`, `_` and `-`, and begins with one of the first two";
    problems.push(problem("FC4501", `the id of a run is up to ${runIdLength} ${letters}`));
  }
  for (const [name, value, least, most] of [
    ["world.timeoutMs", world?.timeoutMs, 1, longest],
    ["timeoutMs", timeoutMs, 1, longest],
    ["graceMs", graceMs, 0, mostGrace],
    ["concurrency", concurrency, 1, mostCalls],
  ] as const) {
    const isFine = value === undefined || (Number.isInteger(value) && value >= least && value <= most);
    if (!isFine) problems.push(problem("FC4501", `\`${name}\` is a whole number from ${least} to ${most}`));
  }
  return problems;
}

function handlerProblems(
  { document }: Checked,
  { tools, execution = noExecution }: ResumeOptions,
): RunProblem[] {
  if (document.modules === undefined) {
    const message = "the document names no tool modules, so no trusted source declares its tools";
    return [problem("FC4501", message, "run a TypeScript program, which is compiled against them")];
  }
  return document.tools
    .filter(({ name }) => !isBuiltin(name) && !tools.has(name) && !execution.innerTools.has(name))
    .map(({ name }) => problem("FC4501", `there is no handler for the tool ${quoted(name)}`));
}

/** Checks the receipt against the run. SOUNDNESS: every digest is computed here, from what will really run. */
async function receiptObjections(
  checked: Checked,
  options: ProgramRunOptions,
  nowMs: number,
): Promise<RunProblem[]> {
  const { kernel, inputs, receipt, publicKey } = options;
  const [first] = await kernel.entries(1, 1);
  const found = receiptProblems(receipt, publicKey, {
    program: hashDocument(checked.document),
    modules: checked.document.modules ?? "",
    inputs: inputsDigest(checked, inputs),
    kernel: first?.hash ?? "",
    nowMs,
  });
  return found.map((one) => ({ ...one, path: [] }));
}

/** LIMIT: of cells that differ, so many are told. */
const mostDifferences = 20;

function worldWatch(
  checked: Checked,
  { kernel, world, clock = realClock, signal }: ResumeOptions,
): WorldWatch {
  const { probes = new Map(), when = "start", timeoutMs = worldLimits.timeoutMs } = world ?? {};
  const how = { clock, timeoutMs, signal: signal ?? new AbortController().signal };
  return new WorldWatch({ checked, kernel, probes, how }, when);
}

/** Lists the cells in which the kernel's state differs from the state that the proof assumes. */
export function startingProblems(checked: Checked, kernel: Kernel): readonly RunProblem[] {
  const { differences } = startingState(checked, kernel);
  return differences.slice(0, mostDifferences).map(({ key, holds }) => {
    const message = `the proof assumes that ${quoted(key)} holds its initial value, and the kernel has ${quoted(holds)}`;
    return problem(
      "FC4502",
      message,
      "resume the run that left it so, restore its initial value, or declare `initial: unknown`",
    );
  });
}

interface Begun {
  readonly kind: "begun";
  /** The reservation that represents the run. */
  readonly reservation: string;
  readonly initial: readonly Cell[];
  readonly version: number;
  readonly earlier?: RecoveredRun;
}

/** LIMIT: how often it is begun anew because the state moved on while it was looked at. */
const mostRounds = 10;

/** The state is what the proof assumes, the fluents are held, and the receipt is used: all in one entry, or nothing. */
async function begin(
  checked: Checked,
  options: ProgramRunOptions,
  world: WorldWatch,
): Promise<Begun | { readonly kind: "refused"; readonly problems: readonly RunProblem[] }> {
  const { kernel, receipt, runId, inputs, execution = noExecution } = options;
  const fluents = [...checked.fluents.keys()];
  let used: Used | undefined;
  for (let round = 0; round < mostRounds && (used === undefined || used.kind === "moved"); round++) {
    const looked = await world.atStart(false);
    if (looked.problem !== undefined) return { kind: "refused", problems: [{ ...looked.problem, path: [] }] };
    const { version } = looked;
    const problems = [...startingProblems(checked, kernel), ...(execution.objections?.(kernel) ?? [])];
    if (problems.length > 0) return { kind: "refused", problems };
    const { cells } = startingState(checked, kernel);
    const about = {
      inputs: encodeValue(inputs, recordOf(checked.document.program.inputs)),
      initial: cells.map((cell) => cellToJson(checked, cell)),
    };
    const holds = fluents.map(heldKey);
    const lease = options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs };
    used = await useReceipt(kernel, receipt, { runId, reads: version, holds, about, ...lease });
    if (used.kind === "used")
      return { kind: "begun", reservation: used.reservation, initial: cells, version };
  }
  return { kind: "refused", problems: whyNotBegun(used, fluents) };
}

function whyNotBegun(used: Used | undefined, fluents: readonly string[]): RunProblem[] {
  if (used?.kind === "refused") return used.problems.map((one) => ({ ...one, path: [] }));
  const reasons = used?.kind === "held" ? used.reasons : [];
  if (reasons.length === 0)
    return [problem("FC4504", "the run cannot start: other writers keep changing the state")];
  const message = `another run uses fluents that this one uses (${quotedList(fluents, quoted, 5)}): ${wordsOf(reasons)}`;
  return [
    problem(
      "FC4503",
      message,
      "wait until it has ended; `foreclaim kernel status` lists a run that was cut off",
    ),
  ];
}

// ── the run ──────────────────────────────────────────────────────────────────────────────────────────────

const graceByDefault = 1_000;
const concurrencyByDefault = 32;
const nothingBack: Compensated = { undone: new Set(), notUndone: [], problems: [] };

/** Returns the signal, after telling Node that every call at the same time may listen to it: Node warns of more than ten. */
function heardByMany(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}

class ProgramRunner {
  readonly #checked: Checked;
  readonly #options: ProgramRunOptions;
  readonly #begun: Begun;
  readonly #monitor: Monitor;
  readonly #calls: RunCalls;

  constructor(checked: Checked, options: ProgramRunOptions, begun: Begun, world: WorldWatch) {
    const {
      kernel,
      runId,
      inputs,
      everywhere,
      tools,
      timeoutMs,
      graceMs = graceByDefault,
      signal,
      clock,
      random,
      execution = noExecution,
    } = options;
    const { initial, version } = begun;
    this.#checked = checked;
    this.#options = options;
    this.#begun = begun;
    this.#monitor = new Monitor(checked, { inputs, initial, everywhere });
    this.#calls = new RunCalls({
      checked,
      execution,
      kernel,
      world,
      attest: attestFor(kernel, options.attest),
      runId,
      reservation: begun.reservation,
      monitor: this.#monitor,
      state: State.initial(checked, initial),
      version,
      charges: Object.keys(kernel.status().budgets).length > 0,
      budget: options.receipt.budget === null ? undefined : amountOf(options.receipt.budget),
      tools,
      earlier: begun.earlier,
      timeoutMs,
      graceMs,
      person: options.person,
      signal: heardByMany(signal ?? new AbortController().signal),
      clock: clock ?? realClock,
      random: random ?? Math.random,
      wallMs: options.wallMs,
      tell: (progress) => this.#tell(progress),
    });
  }

  async run(): Promise<ProgramRun> {
    const over = new AbortController();
    const renewing = renewLease(this.#options, this.#begun.reservation, over.signal);
    try {
      return await this.#run();
    } finally {
      over.abort();
      await renewing;
    }
  }

  async #run(): Promise<ProgramRun> {
    const { inputs, concurrency = concurrencyByDefault } = this.#options;
    const ran = await run(this.#checked, {
      inputs,
      initial: this.#begun.initial,
      tools: this.#calls.handlers(),
      hook: this.#calls,
      recorded: this.#calls.recorded,
      concurrency: needsOrder(this.#checked, this.#options) ? 1 : concurrency,
    });
    const { fault } = this.#calls;
    if (fault !== undefined) throw fault.thrown;
    await this.#calls.keepReadings();
    const endedBy = this.#endOf(ran);
    if (this.#calls.inDoubt) return this.#result("in doubt", endedBy, []);
    const guarantees = endedBy === undefined ? this.#monitor.atEnd() : [];
    const broken = guarantees.flatMap((one) => this.#brokenAtEnd(one));
    const why = endedBy ?? broken[0];
    const { kernel, runId } = this.#options;
    if (why !== undefined) {
      await keepEnd(kernel, runId, this.#begun.earlier?.kept.get(endKey(runId)), why.code);
      const known = new Set([...this.#calls.made.map(({ call }) => call), ...this.#calls.observedNames]);
      const foreign = await foreignPart(this.#checked, kernel, runId, this.#begun.reservation, known);
      if (foreign !== undefined) return this.#result("in doubt", why, [], [problem("FC4509", foreign)]);
    }
    const back = why === undefined ? nothingBack : await this.#compensate();
    const outcome = this.#kept(why === undefined ? "done" : "stopped");
    // What is asked for in one moment is committed in one transaction.
    const [ended] = await Promise.all([
      kernel.settle(this.#begun.reservation, { drop: true, outcome }),
      why === undefined ? undefined : clearEnd(kernel, runId),
    ]);
    const left =
      ended.verdict === "allowed"
        ? []
        : [problem("FC4505", `the kernel refused to record the end of the run: ${wordsOf(ended.reasons)}`)];
    const others = [...broken.filter((one) => one !== why), ...back.problems, ...left];
    return this.#result(why === undefined ? "done" : "stopped", why, guarantees, others, back);
  }

  /** Returns the journal record of the end: with the answer and the notes, if they fit an entry. */
  #kept(run: "done" | "stopped"): PlainJson {
    const { said } = this.#calls;
    const answer = run === "done" ? answerIn(said) : undefined;
    const notes = notesIn(said);
    const whole = {
      run,
      ...(answer !== undefined && { answer: encodeValue(answer, json) }),
      ...(notes.length > 0 && { notes: notes.map((note) => encodeValue(note, json)) }),
    };
    return decodeKept(whole).ok ? whole : { run };
  }

  #compensate(): Promise<Compensated> {
    const { kernel, runId, tools, timeoutMs, graceMs = graceByDefault } = this.#options;
    const { clock = realClock, random = Math.random } = this.#options;
    return compensate(
      {
        checked: this.#checked,
        monitor: this.#monitor,
        state: () => this.#calls.cells(),
        kept: this.#begun.earlier?.kept ?? new Map(),
        kernel,
        attest: attestFor(kernel, this.#options.attest),
        runId,
        tools,
        timeoutMs,
        graceMs,
        clock,
        random,
        tell: (progress) => this.#tell(progress),
      },
      this.#calls.done,
    );
  }

  /** Returns the problem that stopped the interpreter, in the words of the component that reported it. */
  #endOf({ outcome }: Run): RunProblem | undefined {
    if (outcome.kind === "completed") return undefined;
    const { stopped } = this.#calls;
    return stopped === undefined ? outcome.problem : { ...stopped, path: outcome.problem.path };
  }

  #brokenAtEnd({ guarantee, verdict }: JudgedGuarantee): RunProblem[] {
    if (verdict.kind !== "violated") return [];
    const name = this.#checked.document.guarantees[guarantee]?.name ?? "";
    const message = `the run has completed, and the guarantee ${quoted(name)} does not hold`;
    return [{ ...problem("FC4507", message), path: ["guarantees", guarantee] }];
  }

  #result(
    kind: ProgramRun["kind"],
    endedBy: RunProblem | undefined,
    guarantees: readonly JudgedGuarantee[],
    more: readonly RunProblem[] = [],
    { undone, notUndone }: Compensated = nothingBack,
  ): ProgramRun {
    const { runId } = this.#options;
    const problems = endedBy === undefined ? more : [endedBy, ...more];
    const calls = this.#calls.made.map((one) =>
      undone.has(one.call) ? { ...one, status: "undone" as const } : one,
    );
    const answer = kind === "done" ? answerIn(this.#calls.said) : undefined;
    return {
      kind,
      runId,
      calls,
      ...(answer !== undefined && { result: plainJson(answer) }),
      notes: notesIn(this.#calls.said).map(noteText),
      ...(endedBy && { endedBy }),
      problems,
      notUndone,
      guarantees,
    };
  }

  /** Reports progress; a failing listener cannot stop the run. */
  #tell(progress: RunProgress): void {
    try {
      this.#options.onProgress?.(progress);
    } catch {
      // What it threw is its own.
    }
  }
}

/** Parses an amount of a receipt, which is a decimal number. */
function amountOf(text: string): Num {
  const [whole = "0", parts = ""] = text.split(".");
  return ratio(BigInt(whole + parts), 10n ** BigInt(parts.length));
}

function problem(code: RunProblem["code"], message: string, help?: string): RunProblem {
  return { code, message, path: [], ...(help !== undefined && { help }) };
}
