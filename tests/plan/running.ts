/** Runs of plans for tests: kernels in memory, tools that are functions, and time that passes only when nobody works. */
import { setMaxListeners } from "node:events";
import { Kernel, type Log, MemoryLog } from "../../src/kernel/index.ts";
import {
  type Clock,
  type Plan,
  type PlanRun,
  type PlanTool,
  type RunPlanOptions,
  type RunPlanResult,
  runPlan,
} from "../../src/plan/index.ts";
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

/** Tools by name; those that are not given answer with nothing. */
export function toolsFor(
  plan: Plan,
  given: Readonly<Record<string, PlanTool | PlanTool["run"]>> = {},
): ReadonlyMap<string, PlanTool> {
  const names = plan.actions.flatMap(({ tool, compensation }) => [
    ...(tool === undefined ? [] : [tool]),
    ...(compensation?.type === "tool" ? [compensation.tool] : []),
  ]);
  const tools = new Map<string, PlanTool>(names.map((name) => [name, { run: () => null }]));
  for (const [name, tool] of Object.entries(given))
    tools.set(name, typeof tool === "function" ? { run: tool } : tool);
  return tools;
}

export interface Tried {
  readonly kernel?: Kernel;
  readonly state?: unknown;
  readonly tools?: Readonly<Record<string, PlanTool | PlanTool["run"]>>;
  readonly options?: Partial<RunPlanOptions>;
}

export async function tryPlan(
  plan: Plan,
  { kernel, state, tools, options }: Tried = {},
): Promise<RunPlanResult> {
  return runPlan(plan, {
    kernel: kernel ?? (await kernelWith({ state })),
    tools: toolsFor(plan, tools),
    runId: "r1",
    believeClaims: true,
    clock: new JumpingClock(),
    random: () => 0.5,
    ...options,
  });
}

export async function ranPlan(plan: Plan, tried: Tried = {}): Promise<PlanRun> {
  const result = await tryPlan(plan, tried);
  if (!result.ok)
    throw new Error(result.problems.map(({ code, message }) => `${code}: ${message}`).join("\n"));
  return result.value;
}

/** `a done, b skipped`. */
export function statuses({ actions }: PlanRun): string {
  return actions.map(({ actionId, status }) => `${actionId} ${status}`).join(", ");
}

export function codes({ problems }: { readonly problems: readonly { readonly code: string }[] }): string {
  return problems.map(({ code }) => code).join(" ");
}

export function stateAfter({ state }: PlanRun): Record<string, unknown> {
  return plainState(state);
}
