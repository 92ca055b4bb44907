/** A run does what the program says, every time, and from any point on. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkExpr } from "../../src/ir/check/index.ts";
import type { Expr } from "../../src/ir/document.ts";
import { evaluateOn } from "../../src/ir/eval/formula.ts";
import { Unknown } from "../../src/ir/eval/partly.ts";
import { equal, type Value, valueKey } from "../../src/ir/value.ts";
import { anyProgram, type ProgramCase } from "../support/arbitrary-program.ts";
import { caseLimits, endOf, type MadeRun, runCase, stateText, traceText } from "../support/case-runs.ts";
import { Inexact } from "../support/naive-eval.ts";
import { type NaiveRun, naiveRun } from "../support/naive-run.ts";
import { literalOf } from "../support/program/expressions.ts";
import { anySeed } from "../support/program/traces.ts";
import { runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";

test("a run makes the calls that a second reading of the program makes", {
  timeout: timeout(60),
}, async () => {
  let [compared, total] = [0, 0];
  await fc.assert(
    fc.asyncProperty(anyProgram({ parallel: 1 }), async (program) => {
      const done = await runCase(program);
      total++;
      const expected = expectedRun(program);
      // Too big for one of the two, or a precondition that is not known.
      if (expected === undefined || endOf(done).startsWith("FC14") || endOf(done) === "FC1512") return;
      compared++;
      expect(traceText(done.trace)).toEqual(traceText(expected.trace));
      expect(endOf(done)).toBe(expected.stopped ?? "completed");
      expectSameState(program, done, expected);
      expect(madeText(done)).toEqual(done.trace.map(callText));
      for (const { id, indices } of done.trace)
        expect(expected.passedOver).not.toContain(`${id}@${indices.join()}`);
    }),
    { numRuns: runs(700) },
  );
  expect(compared).toBeGreaterThan(0.8 * total);
});

test("two runs are equal", { timeout: timeout(30) }, async () => {
  await fc.assert(
    fc.asyncProperty(anyProgram(), async (program) => {
      const [first, second] = [await runCase(program), await runCase(program)];
      expect(second.outcome).toEqual(first.outcome);
      expect(second.trace).toEqual(first.trace);
      expect(second.steps).toBe(first.steps);
      expect(stateText(program, second.state)).toEqual(stateText(program, first.state));
    }),
    { numRuns: runs(150) },
  );
});

test("a run that is resumed from any prefix ends as the whole run, and makes only the calls that are left", {
  timeout: timeout(60),
}, async () => {
  await fc.assert(
    fc.asyncProperty(anyProgram(), async (program) => {
      const whole = await runCase(program);
      for (const length of prefixLengths(whole)) {
        const resumed = await runCase(program, { recorded: whole.trace.slice(0, length) });
        expect(resumed.outcome).toEqual(whole.outcome);
        expect(resumed.trace).toEqual(whole.trace);
        expect(stateText(program, resumed.state)).toEqual(stateText(program, whole.state));
        expect(madeText(resumed)).toEqual(whole.trace.slice(length).map(callText));
      }
    }),
    { numRuns: runs(250) },
  );
});

test("formulas see the state that the run left", { timeout: timeout(30) }, async () => {
  await fc.assert(
    fc.asyncProperty(anyProgram(), async (program) => {
      const { checked, inputs, initial, document } = program;
      const { state, trace } = await runCase(program);
      for (const { name, key } of document.fluents) {
        const others: Value[] =
          key.kind === "string" ? ["never written"] : key.kind === "bool" ? [false, true] : [];
        for (const at of [...Array.from(state.cells(name), (cell) => cell.key), ...others]) {
          const expr: Expr = { kind: "cell", at: "final", fluent: name, key: literalOf(at) };
          const known = checkExpr(checked, expr, "trace");
          if (!known.ok) throw new Error("a cell was refused");
          const seen = evaluateOn(known.value, expr, { inputs, trace, initial });
          const held = state.read(name, at);
          if (held instanceof Unknown) expect(seen).toBeInstanceOf(Unknown);
          else expect(equal(seen as Value, held)).toBe(true);
        }
      }
    }),
    { numRuns: runs(250) },
  );
});

test("a run takes as many steps as it says, and with one less it is stopped", {
  timeout: timeout(30),
}, async () => {
  await fc.assert(
    fc.asyncProperty(anyProgram(), async (program) => {
      const free = await runCase(program);
      if (endOf(free).startsWith("FC14")) return;
      const enough = await runCase(program, { limits: { ...caseLimits, steps: free.steps } });
      expect([endOf(enough), traceText(enough.trace)]).toEqual([endOf(free), traceText(free.trace)]);
      if (free.steps === 0) return;
      const short = await runCase(program, { limits: { ...caseLimits, steps: free.steps - 1 } });
      expect(endOf(short)).toBe("FC1407");
    }),
    { numRuns: runs(150) },
  );
});

test("wherever a limit stops a run, the trace has every call that was made", {
  timeout: timeout(30),
}, async () => {
  await fc.assert(
    fc.asyncProperty(anyProgram(), anySeed(), async (program, seed) => {
      const free = await runCase(program);
      const stopped = await runCase(program, { limits: { ...caseLimits, steps: seed % (free.steps + 1) } });
      expect(madeText(stopped)).toEqual(stopped.trace.map(callText));
      // The last one may have been stopped while its answer was looked at; all before it are as they would have been.
      expect(free.trace.map(callText).slice(0, stopped.trace.length)).toEqual(stopped.trace.map(callText));
      const before = stopped.trace.slice(0, -1);
      expect(traceText(before)).toEqual(traceText(free.trace.slice(0, before.length)));
    }),
    { numRuns: runs(300) },
  );
});

function expectedRun(program: ProgramCase): NaiveRun | undefined {
  try {
    return naiveRun(program.checked, program);
  } catch (thrown) {
    if (thrown instanceof Inexact) return undefined;
    throw thrown;
  }
}

/** The run knows every cell that the second reading knows. */
function expectSameState({ document }: ProgramCase, { state }: MadeRun, expected: NaiveRun): void {
  for (const { name } of document.fluents) {
    for (const key of [...Array.from(state.cells(name), (cell) => cell.key), ...expected.state.keys(name)]) {
      const held = expected.state.held(name, key);
      const found = state.read(name, key);
      if (held !== undefined)
        expect(found instanceof Unknown ? "unknown" : valueKey(found)).toBe(valueKey(held));
    }
  }
}

/** All of a short run, some of a long one. */
function prefixLengths({ trace }: MadeRun): number[] {
  const all = Array.from({ length: trace.length + 1 }, (_, length) => length);
  return all.length <= 8
    ? all
    : all.filter((length) => length % Math.ceil(all.length / 8) === 0 || length === trace.length);
}

interface CallLike {
  readonly tool: string;
  readonly id: string;
  readonly indices: readonly number[];
  readonly args: Value;
}

function callText({ tool, id, indices, args }: CallLike): string {
  return `${id}@${indices.join()} ${tool} ${valueKey(args)}`;
}

function madeText({ made }: MadeRun): string[] {
  return made.map(callText);
}
