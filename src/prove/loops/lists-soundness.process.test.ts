/**
 * No guarantee that a run breaks is proved of loops over lists that are made of others: sorted ones, positions in them, sets,
 * known maps. No run that breaks it is looked for, which would hide a wrong proof. The interpreter is the judge.
 */
import { afterAll, expect, test } from "vitest";
import { byLooking, bySolver, type Tally, wrongProofs } from "../../../tests/support/net/attempt.ts";
import { listCase } from "../../../tests/support/net/lists.ts";
import { atLeast, seed as givenSeed, runs } from "../../../tests/support/runs.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);

test.each([
  ["by looking", 150, byLooking],
  ["by the solver", 25, bySolver(solver)],
] as const)(
  "nothing that a run breaks is proved of lists made of others: %s, %d programs",
  { timeout: 3_600_000 },
  async (way, programs, net) => {
    const tally: Tally = new Map();
    for (let seed = first; seed < first + runs(programs); seed++)
      expect(await wrongProofs(listCase(seed).checked, seed, { ...net, mostAttempts: 3 }, tally)).toEqual([]);
    process.stdout.write(`${way}, from seed ${first}: ${JSON.stringify(Object.fromEntries(tally))}\n`);
    expect(tally.get("attempted") ?? 0).toBeGreaterThan(atLeast(programs / 2));
  },
);
