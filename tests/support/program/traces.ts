/** Random traces that no program needs to have made: formulas have a meaning on every one of them. */
import fc from "fast-check";
import type { Checked } from "../../../src/ir/check/index.ts";
import type { RecordedRun } from "../../../src/ir/eval/formula.ts";
import { Unknown } from "../../../src/ir/eval/partly.ts";
import type { Cell } from "../../../src/ir/eval/state.ts";
import type { TraceEntry } from "../../../src/ir/eval/trace.ts";
import { recordOf } from "../../../src/ir/type.ts";
import { isRecord, type RecordValue } from "../../../src/ir/value.ts";
import type { ProgramCase } from "../arbitrary-program.ts";
import type { Chance } from "./chance.ts";
import { someValue } from "./types.ts";

export interface TraceOptions {
  readonly length: number;
  /** Failed calls in a hundred. */
  readonly failing: number;
  /** True if some cells may be unknown from the start. */
  readonly unknown: boolean;
}

export function someTrace(
  chance: Chance,
  { checked, inputs }: ProgramCase,
  options: TraceOptions,
): RecordedRun {
  const tools = [...checked.tools.values()];
  const length = tools.length === 0 ? 0 : chance.int(0, options.length);
  const trace = Array.from({ length }, (_, position): TraceEntry => {
    const tool = chance.pick(tools);
    const failed = chance.odds(options.failing);
    return {
      position,
      id: `c${position}`,
      indices: [],
      tool: tool.name,
      args: someRecord(chance, recordOf(tool.params)),
      outcome: failed
        ? { kind: "failed", reason: "out of order" }
        : tool.result === undefined
          ? { kind: "returned" }
          : { kind: "returned", result: someValue(chance, tool.result) },
    };
  });
  return { inputs, trace, initial: someCells(chance, checked, options.unknown) };
}

function someRecord(chance: Chance, type: ReturnType<typeof recordOf>): RecordValue {
  const value = someValue(chance, type);
  if (!isRecord(value)) throw new TypeError("a record was asked for");
  return value;
}

function someCells(chance: Chance, checked: Checked, unknown: boolean): Cell[] {
  return [...checked.fluents.values()].flatMap(({ name, key, value }) =>
    chance.times(0, 2, () => ({
      fluent: name,
      key: someValue(chance, key),
      value: unknown && chance.odds(40) ? new Unknown("nobody knows") : someValue(chance, value),
    })),
  );
}

/** The first calls of the run, fewer each time, for shrinking. */
export function shorter(run: RecordedRun): RecordedRun[] {
  return run.trace.map((_, i) => ({
    ...run,
    trace: run.trace.filter((_, j) => j !== i).map((entry, position) => ({ ...entry, position })),
  }));
}

export function anySeed(): fc.Arbitrary<number> {
  return fc.noShrink(fc.nat(2 ** 31 - 1));
}
