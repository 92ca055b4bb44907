/**
 * Nothing that a run breaks is proved, of random programs over the whole surface. The interpreter runs a program first, with random
 * results of its tools; then what was broken is to be proved, and no counterexample is looked for.
 */
import { afterAll, expect, it } from "vitest";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { byLooking, bySolver, type Tally, wrongProofs } from "../support/net/attempt.ts";
import { atLeast, seed as givenSeed, runs } from "../support/runs.ts";
import { surfaceCase } from "./surface.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);

it.each([
  ["by looking", 60, byLooking],
  ["by the solver", 8, bySolver(solver)],
] as const)(
  "nothing that a run breaks is proved of the whole surface: %s, %d programs",
  { timeout: 3_600_000 },
  async (way, programs, net) => {
    const tally: Tally = new Map();
    for (let seed = first; seed < first + runs(programs); seed++) {
      const { checked, source } = surfaceCase(seed);
      if (checked !== undefined) expect(await wrongProofs(checked, seed, net, tally), source).toEqual([]);
    }
    const found = Object.fromEntries(tally);
    process.stdout.write(`${way}, from seed ${first}: ${JSON.stringify(found)}\n`);
    expect(found.programs ?? 0).toBeGreaterThan(atLeast(programs * 0.5));
    expect(found.attempted ?? 0).toBeGreaterThan(atLeast(programs * 0.5));
  },
);
