/**
 * No guarantee that a run breaks is proved, of programs with loops in loops. A program is run first, with lists of up to
 * 15 elements; then what was broken is to be proved, and no run that breaks it is looked for, which would hide a wrong
 * proof. The interpreter is the judge.
 */
import { afterAll, expect, test } from "vitest";
import { byLooking, bySolver, count, type Tally, wrongProofs } from "../../../tests/support/net/attempt.ts";
import { largeNest, nestedCase, smallNest, turningNest } from "../../../tests/support/net/nested.ts";
import { typeScriptCase } from "../../../tests/support/net/typescript.ts";
import { atLeast, seed as givenSeed, runs } from "../../../tests/support/runs.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);

const ways = {
  "by looking": { case: (seed: number) => nestedCase(seed, smallNest), net: byLooking },
  "by looking, large": { case: (seed: number) => nestedCase(seed, largeNest), net: byLooking },
  "unknown turns, by looking": { case: (seed: number) => nestedCase(seed, turningNest), net: byLooking },
  "unknown turns, by the solver": {
    case: (seed: number) => nestedCase(seed, turningNest),
    net: bySolver(solver),
  },
  "TypeScript, by looking": { case: typeScriptCase, net: byLooking },
  "by the solver": { case: (seed: number) => nestedCase(seed, smallNest), net: bySolver(solver) },
} as const;

test.each([
  ["by looking", 480, 100],
  ["by looking, large", 30, 0],
  ["TypeScript, by looking", 70, 35],
  ["by the solver", 20, 0],
  ["unknown turns, by looking", 60, 60],
  ["unknown turns, by the solver", 6, 0],
] as const)(
  "nothing that a run breaks is proved of loops in loops: %s, %d programs",
  { timeout: 3_600_000 },
  async (way, programs, constructs) => {
    const tally: Tally = new Map();
    const met: Tally = new Map();
    for (let seed = first; seed < first + runs(programs); seed++) {
      const one = ways[way].case(seed);
      for (const construct of one.constructs) count(met, construct);
      expect(await wrongProofs(one.checked, seed, ways[way].net, tally)).toEqual([]);
    }
    const found = Object.fromEntries(tally);
    process.stdout.write(`${way}, from seed ${first}: ${JSON.stringify(found)}, ${met.size} constructs\n`);
    // Programs of which nothing is broken, and what is not attempted, say nothing.
    expect(found["programs with broken guarantees"] ?? 0).toBeGreaterThan(atLeast(programs * 0.6));
    expect(found.attempted ?? 0).toBeGreaterThan(atLeast(programs));
    expect(met.size).toBeGreaterThan(atLeast(constructs));
  },
);
