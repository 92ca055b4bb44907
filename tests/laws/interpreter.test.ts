/** A run does what the program says: the same calls as a second, simpler reading of it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Unknown } from "../../src/ir/eval/partly.ts";
import { equal, valueKey } from "../../src/ir/value.ts";
import { anyProgram, type ProgramCase } from "../support/arbitrary-program.ts";
import { type MadeRun, endOf, runCase, traceText } from "../support/case-runs.ts";
import { Inexact } from "../support/naive-eval.ts";
import { type NaiveRun, naiveRun } from "../support/naive-run.ts";
import { runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";

test("a run makes the calls that the program says, in order, with their arguments, and ends as it says", { timeout: timeout(60) }, async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(anyProgram(), async (program) => {
      const done = await runCase(program);
      const expected = expectedRun(program);
      // Too big for one of the two, or a precondition that is not known.
      if (expected === undefined || endOf(done).startsWith("FC14") || endOf(done) === "FC1512") return;
      compared++;
      expect(traceText(done.trace)).toEqual(traceText(expected.trace));
      expect(endOf(done)).toBe(expected.stopped ?? "completed");
      expectSameState(program, done, expected);
      // What the handlers were asked is what the trace says.
      const asked = done.made.map(({ tool, id, indices, args }) => `${id}@${indices.join()} ${tool} ${valueKey(args)}`);
      const traced = done.trace.map(({ tool, id, indices, args }) => `${id}@${indices.join()} ${tool} ${valueKey(args)}`);
      expect(asked).toEqual(traced);
    }),
    { numRuns: runs(700) },
  );
  expect(compared).toBeGreaterThan(runs(500));
});

function expectedRun(program: ProgramCase): NaiveRun | undefined {
  try {
    return naiveRun(program.checked, program);
  } catch (thrown) {
    if (thrown instanceof Inexact) return undefined;
    throw thrown;
  }
}

/** Where the simple reading knows what a cell holds, so does the run. */
function expectSameState({ document }: ProgramCase, { state }: MadeRun, expected: NaiveRun): void {
  for (const { name } of document.fluents) {
    const keys = [...Array.from(state.cells(name), ({ key }) => key), ...expected.state.keys(name)];
    for (const key of keys) {
      const held = expected.state.held(name, key);
      const found = state.read(name, key);
      if (held === undefined) continue;
      expect(found instanceof Unknown || !equal(found, held) ? found : "as expected").toBe("as expected");
    }
  }
}
