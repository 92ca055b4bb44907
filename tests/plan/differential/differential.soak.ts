/** The long form of differential.test.ts: larger plans, for as long as the soak was given. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "../../support/runs.ts";
import { anyTrial, tried } from "./checks.ts";
import { Counts } from "./counts.ts";

/** So that a round ends within the time that the soak was given. */
const minutes = Math.min(20, Number(process.env.FORECLAIM_SOAK ?? 1));

test("no run goes against what is said of a larger plan", () => {
  const counts = new Counts();
  fc.assert(
    fc.property(anyTrial(7), (trial) => {
      expect(tried(trial, counts.note)).toEqual([]);
    }),
    { numRuns: 1_000_000, seed: seed() ?? 1, interruptAfterTimeLimit: minutes * 60_000 },
  );
  counts.expect({ valid: 100, equivalent: 20, optimized: 10 });
});
