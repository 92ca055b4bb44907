/** Many more programs with branches, in many more orders, for `npm run soak`. */
import { afterAll, expect, test } from "vitest";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { byLooking, bySolver, type Tally } from "../support/net/attempt.ts";
import { type Effort, wrongProofs } from "../support/parallel/net.ts";
import { seed as givenSeed, runs } from "../support/runs.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);

const effort: Effort = { worlds: 5, orders: 120, formulas: 40, everyCut: true };

test.each([
  ["by looking", { ...byLooking, mostAttempts: 6 }, 400],
  ["by the solver", { ...bySolver(solver), mostAttempts: 6 }, 80],
] as const)("nothing that some order breaks is proved: %s", async (way, net, programs) => {
  const tally: Tally = new Map();
  for (let seed = first; seed < first + runs(programs); seed++)
    expect(await wrongProofs(seed, effort, net, tally)).toEqual([]);
  process.stdout.write(`${way}, from seed ${first}: ${JSON.stringify(Object.fromEntries(tally))}\n`);
});
