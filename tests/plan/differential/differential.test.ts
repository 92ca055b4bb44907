/**
 * Random plans, and what the analyses say of them against what happens: `simulator.ts` carries a plan out in every schedule
 * and with every failure of tools, as far as bounds allow, and knows nothing of the analyses. It is held to the product's
 * own runs first.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonObject } from "../../../src/ir/index.ts";
import type { Mark } from "../../../src/run/cells.ts";
import { runs } from "../../support/runs.ts";
import { timeout } from "../../support/timeout.ts";
import type { PlanRun } from "../running.ts";
import { anyTrial, tried } from "./checks.ts";
import { Counts } from "./counts.ts";
import { anyCase, mended, planFrom, stateFrom } from "./generate.ts";
import { optionsFor } from "./laws.ts";
import { differences, ranReally, replayed } from "./real-run.ts";
import { sceneOf } from "./simulator.ts";

/** Returns true if a call has set a cell from one that a failed attempt left open. */
function isLessKnown(state: PlanRun["state"]): boolean {
  return [...state.values()].some(
    (mark) => isJsonObject(mark) && mark.reason === ("set from the unknown" satisfies Mark["reason"]),
  );
}

test("the simulator does what a run does", { timeout: timeout(300) }, async () => {
  const counts = new Counts();
  await fc.assert(
    fc.asyncProperty(
      anyCase(5, fc.constant(true)),
      fc.nat(),
      fc.integer({ min: 1, max: 3 }),
      async (one, seed, concurrency) => {
        // A proof assumes the initial values of fluents, and what is not valid is not begun.
        const state = Object.fromEntries(Object.entries(one.state).filter(([key]) => !key.includes("[")));
        const data = mended(one, optionsFor(true, stateFrom(state)));
        if (data === undefined) return;
        const plan = planFrom(data);
        const real = await ranReally(plan, { state }, { seed, failing: 0.4, concurrency });
        if (!real.result.ok) return counts.note("refused");
        const run = real.result.value;
        counts.note(run.kind);
        for (const { status } of run.actions) if (status !== "done") counts.note(status);
        // A call in doubt holds the run, which the simulator lets end.
        if (run.kind === "in doubt") return;
        // A call in doubt holds its keys: the kernel refuses the next call that sets one, which the run never began.
        if (run.endedBy?.code === "FC4505") return counts.note("held");
        // After a try that failed the run knows less of the cells that a later try sets than the simulator does.
        if (isLessKnown(run.state)) return counts.note("less known");
        const went = replayed(sceneOf(plan, true), state, real);
        expect(differences(went, real, run)).toEqual([]);
      },
    ),
    { numRuns: runs(500) },
  );
  counts.expect({ done: 100, stopped: 10, skipped: 10, failed: 10, "in doubt": 1 });
});

test("no run goes against what is said of a plan", { timeout: timeout(300) }, () => {
  const counts = new Counts();
  fc.assert(
    fc.property(anyTrial(5), (trial) => {
      expect(tried(trial, counts.note)).toEqual([]);
    }),
    { numRuns: runs(2_000) },
  );
  counts.expect({ simulated: 1_000, valid: 800, "valid by claims": 8, equivalent: 300, optimized: 40 });
});
