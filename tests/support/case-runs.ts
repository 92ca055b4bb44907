/** Runs of random programs, and how to compare them. */

import { Unknown } from "../../src/ir/eval/partly.ts";
import type { State } from "../../src/ir/eval/state.ts";
import type { TraceEntry } from "../../src/ir/eval/trace.ts";
import { defaultLimits, type Limits } from "../../src/ir/limits.ts";
import { run } from "../../src/ir/run/interpret.ts";
import type { Run, RunOptions } from "../../src/ir/run/options.ts";
import { valueKey } from "../../src/ir/value.ts";
import { type ProgramCase, toolsOf } from "./arbitrary-program.ts";
import type { SeenCall } from "./program/behaviour.ts";

/** LIMIT: a program may double a string in every iteration; that is not what is tested here. */
export const caseLimits: Limits = {
  ...defaultLimits,
  steps: 300_000,
  listLength: 10_000,
  stringLength: 20_000,
  numberBits: 4_096,
};

export interface MadeRun extends Run {
  /** The calls that handlers were really asked to make. */
  readonly made: readonly SeenCall[];
}

export async function runCase(program: ProgramCase, options: Partial<RunOptions> = {}): Promise<MadeRun> {
  const { checked, inputs, initial } = program;
  const made: SeenCall[] = [];
  const tools = toolsOf(program, (call) => made.push(call));
  // One call at a time: orders are for the tests that are about them.
  const result = await run(checked, {
    inputs,
    initial,
    tools,
    limits: caseLimits,
    concurrency: 1,
    ...options,
  });
  return { ...result, made };
}

/** The code of what stopped it. */
export function endOf({ outcome }: Run): string {
  return outcome.kind === "completed" ? "completed" : outcome.problem.code;
}

/** One line per call, with everything but the words of a failure. */
export function traceText(trace: readonly TraceEntry[]): string[] {
  return trace.map(({ position, id, indices, tool, args, outcome }) => {
    const end =
      outcome.kind !== "returned"
        ? outcome.kind
        : outcome.result === undefined
          ? "ok"
          : valueKey(outcome.result);
    return `${position} ${id}@${indices.join()} ${tool} ${valueKey(args)} -> ${end}`;
  });
}

/** Renders the value of every fluent; the order of writing does not matter. */
export function stateText(program: ProgramCase, state: State): string[] {
  return program.document.fluents.map(({ name }) => {
    const held = (value: ReturnType<State["rest"]>) => (value instanceof Unknown ? "?" : valueKey(value));
    const cells = Array.from(state.cells(name), ({ key, value }) => `${valueKey(key)}=${held(value)}`);
    return `${name}: ${held(state.rest(name))} ${cells.sort().join(" ")}`;
  });
}
