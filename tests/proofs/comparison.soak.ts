/** As comparison.test.ts, with two million commands: `FORECLAIM_SOAK=1 npx vitest run --project soak tests/proofs`. */
import { expect, test } from "vitest";
import { seed } from "../support/runs.ts";
import { compareRandom, newTally } from "./compare.ts";
import * as kernel from "./kernel-under-test.ts";
import { allSequences } from "./sequences.ts";

const COMMANDS = 2_000_000;

test("two million commands", () => {
  const tally = newTally();
  for (let i = (seed() ?? 1) * 1_000_000; tally.commands < COMMANDS; i++) {
    expect(compareRandom(kernel, i, 60, tally)).toBeUndefined();
  }
});

test("all sequences of five commands", () => {
  expect(allSequences(kernel, 5).problem).toBeUndefined();
});
