/** `plan run`: executes a plan under a kernel, with the tools of trusted modules. */
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import {
  type Address,
  type Attempt,
  addressOf,
  attained,
  type Failure,
  failedAttempt,
  type LoadedPlan,
  loadPlan,
  loadState,
  plainFailure,
  shown,
  toolLoader,
  visibleTools,
  withKernel,
} from "../../app/index.ts";
import { Kernel, MemoryLog } from "../../kernel/index.ts";
import {
  outputText,
  type PlanTool,
  planRunToJson,
  type RunPlanResult,
  readState,
  runLimits,
  runPlan,
  type State,
  stateToJson,
  ToolBook,
  verificationToJson,
  verify,
} from "../../plan/index.ts";
import type { ToolPlace } from "../../run/index.ts";
import { type ExitCode, fine, notSo } from "../exit-code.ts";
import { reportFailure } from "../failure.ts";
import { LiveRun } from "../plan/live-run.ts";
import { verificationText } from "../plan/plan-text.ts";
import { planRunText } from "../plan/run-text.ts";
import type { Terminal } from "../terminal.ts";
import { takePrints } from "./run/prints.ts";

export interface PlanRunOptions {
  readonly tools?: readonly string[];
  readonly ledger?: string;
  readonly kernel: string;
  readonly state?: string;
  readonly run?: string;
  readonly concurrency?: number;
  readonly timeout?: number;
  readonly json?: boolean;
}

export async function runPlanFile(
  terminal: Terminal,
  file: string,
  options: PlanRunOptions,
): Promise<ExitCode> {
  const done = await attempt(terminal, file, options);
  return done.ok ? done.value : reportFailure(terminal, done.failure, options.json === true);
}

async function attempt(
  terminal: Terminal,
  file: string,
  options: PlanRunOptions,
): Promise<Attempt<ExitCode>> {
  const wrong = outOfBounds(options);
  if (wrong !== undefined) return failedAttempt(wrong);
  const loaded = await loadPlan(terminal, file, undefined);
  if (!loaded.ok) return loaded;
  const declared = await declaredTools(terminal, file, loaded.value, options.tools);
  if (!declared.ok) return declared;
  const address = options.ledger === undefined ? attained(undefined) : addressOf(options.ledger);
  if (!address.ok) return address;
  return onKernel(terminal, address.value, options, (kernel) =>
    runOn(terminal, kernel, loaded.value, declared.value, address.value, options),
  );
}

/** In the words of the command line. */
function outOfBounds({ concurrency = 1, timeout = 1 }: PlanRunOptions): Failure | undefined {
  const { concurrency: most, timeoutMs } = runLimits;
  if (concurrency < 1 || concurrency > most) {
    return plainFailure("FC9001", `\`--concurrency\` is a whole number from 1 to ${most}`);
  }
  if (timeout < 0.001 || timeout > timeoutMs / 1000) {
    return plainFailure("FC9001", `\`--timeout\` is a number of seconds from 0.001 to ${timeoutMs / 1000}`);
  }
  return undefined;
}

// ── the kernel ───────────────────────────────────────────────────────────────────────────────────────────

async function onKernel(
  terminal: Terminal,
  address: Address | undefined,
  { kernel: name, state: stateFile }: PlanRunOptions,
  work: (kernel: Kernel) => Promise<Attempt<ExitCode>>,
): Promise<Attempt<ExitCode>> {
  if (address !== undefined) return withKernel(terminal, address, name, work);
  const state = stateFile === undefined ? attained<State>(new Map()) : await loadState(terminal, stateFile);
  if (!state.ok) return state;
  const opened = await Kernel.open({
    ledger: new MemoryLog(),
    policy: { undoSteps: 10_000 },
    state: stateToJson(state.value),
    clock: terminal.wallMs,
  });
  if (!opened.ok) return failedAttempt(plainFailure("FC9009", opened.problem.message));
  return work(opened.value);
}

async function runOn(
  terminal: Terminal,
  kernel: Kernel,
  loaded: LoadedPlan,
  declared: Declared,
  address: Address | undefined,
  options: PlanRunOptions,
): Promise<Attempt<ExitCode>> {
  const { plan, warnings } = loaded;
  const { book } = declared;
  if (options.run === undefined) {
    // Tool modules are not executed for a plan that will not be run.
    const found = verify(plan, { state: stateOf(kernel), warnings, ...(book && { book }) });
    if (!found.valid)
      return refused(terminal, loaded, { ok: false, problems: [], verification: found }, options);
  }
  const live = new LiveRun(terminal, plan.actions.length, options.json !== true);
  if (options.json === true) terminal.reserveStdout?.();
  const restore = takePrints((text) => live.say(text, options.json === true ? "stderr" : "stdout"));
  const stop = new AbortController();
  const leave = terminal.onInterrupt?.(() => {
    live.say("stopping: what was done is rolled back (again to leave at once)");
    stop.abort();
  });
  const runId = options.run ?? randomBytes(6).toString("hex");
  try {
    const tools = await handlersFor(declared.places);
    if (!tools.ok) return tools;
    // Whoever has to take it up again after a crash needs its name.
    if (options.run === undefined && address !== undefined) live.say(`run ${runId}`);
    const result = await runPlan(plan, {
      kernel,
      tools: tools.value,
      ...(book && { book }),
      runId,
      ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
      ...(options.timeout !== undefined && { timeoutMs: Math.round(options.timeout * 1000) }),
      signal: stop.signal,
      onProgress: live.hear,
      warnings,
    });
    await live.end();
    if (!result.ok) return await refused(terminal, loaded, result, options);
    const run = result.value;
    const { stdout } = terminal;
    await stdout.write(
      options.json ? outputText(planRunToJson(run)) : planRunText(run, loaded, address?.shown, stdout),
    );
    if (run.inDoubt.length > 0) terminal.abandon?.();
    return attained(run.kind === "done" ? fine : notSo);
  } finally {
    leave?.();
    await live.end();
    restore();
  }
}

/** A plan that is not valid is an answer; anything else is bad input. */
async function refused(
  terminal: Terminal,
  loaded: LoadedPlan,
  { problems, verification }: Extract<RunPlanResult, { readonly ok: false }>,
  { json }: PlanRunOptions,
): Promise<Attempt<ExitCode>> {
  if (verification !== undefined && !verification.valid) {
    const { stdout } = terminal;
    const answer = { outcome: "refused", ...asObject(verificationToJson(verification)) };
    await stdout.write(
      json ? outputText(answer) : `${verificationText(verification, loaded, stdout)}nothing was run\n`,
    );
    return attained(notSo);
  }
  const { file, text: source, locate } = loaded;
  const placed = problems.map(({ code, message, path, help }) => {
    const span = path.length === 0 ? undefined : locate(path);
    return { code, message, path, ...(span && { span }), ...(help !== undefined && { help }) };
  });
  return failedAttempt({ file, source, problems: placed });
}

function asObject(json: ReturnType<typeof verificationToJson>) {
  // SAFETY: a verification is written as an object.
  return json as Readonly<Record<string, typeof json>>;
}

function stateOf(kernel: Kernel): State {
  const { state } = kernel.status();
  const read = readState(state);
  if (!read.ok) throw new TypeError("the state of a kernel is not JSON");
  return read.value;
}

// ── tools ────────────────────────────────────────────────────────────────────────────────────────────────

interface Declared {
  readonly book: ToolBook | undefined;
  /** Those that the plan may call. */
  readonly places: readonly ToolPlace[];
}

async function declaredTools(
  terminal: Terminal,
  file: string,
  { plan }: LoadedPlan,
  folders: readonly string[] | undefined,
): Promise<Attempt<Declared>> {
  const called = new Set(
    plan.actions.flatMap(({ type, tool, compensation }) => [
      ...(type === "tool_call" && tool !== undefined ? [tool] : []),
      ...(compensation?.type === "tool" ? [compensation.tool] : []),
    ]),
  );
  if (called.size === 0 && folders === undefined) return attained({ book: undefined, places: [] });
  const found = await visibleTools(terminal, [file === "-" ? "." : dirname(file)], folders);
  if (found.kind === "failed") return failedAttempt(found.failures[0] ?? noTools());
  const compiled = found.folders.map((folder) => folder.compiled);
  const book = ToolBook.from({
    tools: compiled.flatMap(({ tools }) => tools),
    fluents: compiled.flatMap(({ fluents }) => fluents),
  });
  if (!book.ok) return failedAttempt({ problems: book.problems.map(({ span: _, ...problem }) => problem) });
  const places = compiled
    .flatMap(({ declarations }) => declarations)
    .flatMap(({ kind, name, file: at }) => (kind === "tool" && called.has(name) ? [{ name, file: at }] : []));
  return attained({ book: book.value, places });
}

function noTools(): Failure {
  return plainFailure("FC9002", "there are no tools");
}

async function handlersFor(places: readonly ToolPlace[]): Promise<Attempt<ReadonlyMap<string, PlanTool>>> {
  const { loadTools } = await toolLoader();
  const loaded = await loadTools(places);
  if (loaded.ok) return attained(loaded.tools);
  const message = `the tool module \`${shown(loaded.file)}\` cannot be loaded: ${loaded.message}`;
  return failedAttempt(plainFailure("FC9011", message, "nothing was run"));
}
