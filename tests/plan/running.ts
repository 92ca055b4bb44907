/**
 * Runs of plans for tests: lowered, approved, and run by the one executor, with kernels in memory, tools that are functions,
 * and time that passes only when nobody works.
 */
import { setMaxListeners } from "node:events";
import { inputsDigest, newNonce, type Receipt, signReceipt } from "../../src/approve/index.ts";
import {
  type Checked,
  check,
  type Field,
  hashDocument,
  json,
  record,
  string,
  type Tool,
} from "../../src/ir/index.ts";
import { Kernel, type Log, MemoryLog, newKeys } from "../../src/kernel/index.ts";
import {
  type ActionRun,
  actionRuns,
  executionOf,
  type Finding,
  type Lowered,
  lower,
  type Plan,
  stateOf,
  structureOf,
  ToolBook,
  type ToolDeclarations,
} from "../../src/plan/index.ts";
import {
  type CallInfo,
  type Clock,
  type LoadedTool,
  type ProgramRun,
  type ProgramRunOptions,
  type ProgramRunResult,
  type RunProblem,
  resumeProgram,
  runProgram,
} from "../../src/run/index.ts";
import { plainState } from "./plans.ts";

export async function kernelOn(
  ledger: Log,
  { state, policy }: { readonly state?: unknown; readonly policy?: unknown } = {},
): Promise<Kernel> {
  const opened = await Kernel.open({
    ledger,
    clock: () => 0,
    ...(state === undefined ? {} : { state }),
    ...(policy === undefined ? {} : { policy }),
  });
  if (!opened.ok) throw new Error(opened.problem.message);
  return opened.value;
}

export function kernelWith(
  options: { readonly state?: unknown; readonly policy?: unknown } = {},
): Promise<Kernel> {
  return kernelOn(new MemoryLog(), options);
}

/** Jumps to the next moment that somebody waits for, whenever there is nothing else to do. */
export class JumpingClock implements Clock {
  now = 0;
  readonly slept: number[] = [];
  #waiting: { readonly at: number; readonly wake: () => void }[] = [];
  #isDue = false;

  readonly nowMs = () => this.now;

  readonly sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      this.slept.push(ms);
      const one = { at: this.now + ms, wake: resolve };
      this.#waiting.push(one);
      signal.addEventListener("abort", () => {
        this.#waiting = this.#waiting.filter((other) => other !== one);
        resolve();
      });
      this.#plan();
    });

  #plan(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    // By then everything that could be done at this moment is done.
    setImmediate(() => {
      this.#isDue = false;
      const at = Math.min(...this.#waiting.map((one) => one.at));
      const next = this.#waiting.findIndex((one) => one.at === at);
      const [one] = next < 0 ? [] : this.#waiting.splice(next, 1);
      if (one === undefined) return;
      this.now = one.at;
      one.wake();
      if (this.#waiting.length > 0) this.#plan();
    });
  }
}

export const never = new AbortController().signal;
setMaxListeners(0, never);

/** A tool as a test gives it: what it does, and what its module would say of it. */
export interface PlanTool {
  readonly run: (args: Readonly<Record<string, unknown>>, call: CallInfo) => unknown;
  readonly undo?: (args: unknown, output: unknown, call: CallInfo) => unknown;
  readonly idempotent?: boolean;
  /** Cost of a call. */
  readonly cost?: bigint;
}

export type GivenTools = Readonly<Record<string, PlanTool | PlanTool["run"]>>;

/** Tools by name; those that are not given answer with nothing. */
export function toolsFor(plan: Plan, given: GivenTools = {}): ReadonlyMap<string, PlanTool> {
  const names = plan.actions.flatMap(({ tool, compensation }) => [
    ...(tool === undefined ? [] : [tool]),
    ...(compensation?.type === "tool" ? [compensation.tool] : []),
  ]);
  const tools = new Map<string, PlanTool>(names.map((name) => [name, { run: () => null }]));
  for (const [name, tool] of Object.entries(given))
    tools.set(name, typeof tool === "function" ? { run: tool } : tool);
  return tools;
}

/**
 * Declares the tools of a plan as a tool module would: parameters and results are JSON. A tool with a parameter
 * `sets` sets the cell `s[…]` of that name to its parameter `to`.
 */
export function declarationsFor(plan: Plan, tools: ReadonlyMap<string, PlanTool>): ToolDeclarations {
  const params = new Map<string, Map<string, Field>>();
  const see = (tool: string, parameters: object): void => {
    const known = params.get(tool) ?? new Map<string, Field>();
    params.set(tool, known);
    for (const name of Object.keys(parameters)) {
      const isSet = name === "sets" || name === "to";
      known.set(name, { name, type: name === "sets" ? string : json, ...(!isSet && { optional: true }) });
    }
  };
  for (const { tool, type, parameters, compensation } of plan.actions) {
    if (type === "tool_call" && tool !== undefined) see(tool, parameters);
    if (compensation?.type === "tool") see(compensation.tool, compensation.parameters);
  }
  const declared = Array.from(params, ([name, fields]): Tool => {
    const { idempotent, cost } = tools.get(name) ?? {};
    const sets = fields.has("sets")
      ? [{ fluent: "s", key: { kind: "var", name: "sets" }, value: { kind: "var", name: "to" } } as const]
      : [];
    return {
      name,
      params: [...fields.values()],
      result: json,
      labels: [],
      requires: [],
      ensures: [],
      sets,
      ...(idempotent === true && { idempotent: true }),
      ...(cost !== undefined && { cost: { kind: "number", value: cost } as const }),
    };
  });
  return { tools: declared, fluents: [{ name: "s", key: string, value: json }] };
}

export interface Tried {
  readonly kernel?: Kernel;
  readonly state?: unknown;
  readonly tools?: GivenTools;
  /** In place of what is worked out from the plan. */
  readonly declarations?: ToolDeclarations;
  readonly options?: Partial<ProgramRunOptions>;
  readonly receipt?: Partial<Receipt>;
}

/** Results of the actions of a plan, and the state. */
export interface PlanRun extends ProgramRun {
  readonly actions: readonly ActionRun[];
  readonly state: ReturnType<typeof stateOf>;
}

export type PlanResult =
  | { readonly ok: true; readonly value: PlanRun }
  | { readonly ok: false; readonly problems: readonly (RunProblem | Finding)[] };

export interface Prepared {
  readonly plan: Plan;
  readonly checked: Checked;
  readonly lowered: Lowered;
  readonly book: ToolBook;
  readonly tools: ReadonlyMap<string, PlanTool>;
}

/** Keys of this process, by default. */
export const keys: { publicKey: string; privateKey: string } = newKeys();

/** A hash, as that of the modules of a test. */
const modules = `fcm1-${"b".repeat(64)}`;

export function prepared(
  plan: Plan,
  given: GivenTools = {},
  declared?: ToolDeclarations,
): Prepared | readonly Finding[] {
  const tools = toolsFor(plan, given);
  const declarations = declared ?? declarationsFor(plan, tools);
  const book = ToolBook.from(declarations);
  if (!book.ok) throw new Error(JSON.stringify(book.problems));
  const structure = structureOf(plan, { book: book.value });
  if (structure.kind === "broken") return structure.findings;
  const lowered = lower(plan, structure, { book: book.value, declarations, guarantees: [], modules });
  if (lowered.kind === "refused") return lowered.findings;
  const checked = check(lowered.document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return { plan, checked: checked.value, lowered, book: book.value, tools };
}

export async function receiptFor(
  { checked }: Prepared,
  kernel: Kernel,
  more: Partial<Receipt> = {},
): Promise<Receipt> {
  const { key: _, signature: __, ...changes } = { key: "", signature: "", ...more };
  return signReceipt(
    {
      program: hashDocument(checked.document),
      modules,
      inputs: inputsDigest(checked, record([])),
      kernel: (await kernel.entries(1, 1))[0]?.hash ?? "",
      budget: null,
      uses: 1,
      notBefore: 0,
      expires: 1_000,
      nonce: newNonce(),
      decision: "approved_once",
      by: "a test",
      ...changes,
    },
    keys.privateKey,
  );
}

export async function tryPlan(plan: Plan, tried: Tried = {}): Promise<PlanResult> {
  const one = prepared(plan, tried.tools, tried.declarations);
  if (!("plan" in one)) return { ok: false, problems: one };
  const kernel = tried.kernel ?? (await kernelWith({ state: tried.state }));
  const receipt = await receiptFor(one, kernel, tried.receipt);
  const inputs = record([]);
  return resultOf(
    one,
    kernel,
    await runProgram(one.checked, { ...optionsFor(one, kernel, tried), inputs, receipt }),
  );
}

/** Resumes a run that an earlier process began. */
export async function resumedPlan(plan: Plan, kernel: Kernel, tried: Tried = {}): Promise<PlanResult> {
  const one = prepared(plan, tried.tools, tried.declarations);
  if (!("plan" in one)) return { ok: false, problems: one };
  return resultOf(one, kernel, await resumeProgram(one.checked, optionsFor(one, kernel, tried)));
}

function optionsFor(
  { plan, lowered, book, tools }: Prepared,
  kernel: Kernel,
  { options }: Tried,
): Omit<ProgramRunOptions, "inputs" | "receipt"> {
  return {
    kernel,
    publicKey: keys.publicKey,
    tools: new Map(Array.from(tools, ([name, tool]) => [name, loaded(tool)])),
    everywhere: new Set(),
    execution: executionOf(plan, lowered, book),
    runId: "r1",
    wallMs: () => 500,
    clock: new JumpingClock(),
    random: () => 0.5,
    ...options,
  };
}

/** Loads a tool; no result is `null`, which is JSON. */
function loaded({ run, undo }: PlanTool): LoadedTool {
  // SAFETY: the executor hands every tool an object of arguments and the `CallInfo`.
  type Given = [Readonly<Record<string, unknown>>, CallInfo];
  return {
    run: async (...given) => (await run(...(given as Given))) ?? null,
    ...(undo && { undo: (args, output, call) => undo(args, output, call as CallInfo) }),
  };
}

function resultOf({ plan, lowered }: Prepared, kernel: Kernel, result: ProgramRunResult): PlanResult {
  if (!result.ok) return result;
  const actions = actionRuns(plan, lowered, result.value);
  return { ok: true, value: { ...result.value, actions, state: stateOf(kernel) } };
}

export async function ranPlan(plan: Plan, tried: Tried = {}): Promise<PlanRun> {
  return ranOf(await tryPlan(plan, tried));
}

export function ranOf(result: PlanResult): PlanRun {
  if (result.ok) return result.value;
  throw new Error(result.problems.map(({ code, message }) => `${code}: ${message}`).join("\n"));
}

/** `a done, b skipped`. */
export function statuses({ actions }: Pick<PlanRun, "actions">): string {
  return actions.map(({ actionId, status }) => `${actionId} ${status}`).join(", ");
}

/** Actions of which it is unknown whether they happened. */
export function doubtful({ actions }: Pick<PlanRun, "actions">): readonly ActionRun[] {
  return actions.filter(({ status }) => status === "in doubt");
}

export function codes({ problems }: { readonly problems: readonly { readonly code: string }[] }): string {
  return problems.map(({ code }) => code).join(" ");
}

export function stateAfter({ state }: Pick<PlanRun, "state">): Record<string, unknown> {
  return plainState(state);
}
