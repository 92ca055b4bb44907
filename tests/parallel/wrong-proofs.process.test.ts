/**
 * No guarantee that some order of the calls breaks is proved. Programs are run first, in many orders; then what was broken is
 * to be proved, and no run that breaks it is looked for, which would hide a wrong proof. The interpreter is the judge.
 */
import { afterAll, expect, test } from "vitest";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { byLooking, bySolver, type Tally } from "../support/net/attempt.ts";
import { type Effort, wrongProofs } from "../support/parallel/net.ts";
import { atLeast, seed as givenSeed, runs } from "../support/runs.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);

const effort: Effort = { worlds: 3, orders: 24, formulas: 25 };
const nets = { "by looking": byLooking, "by the solver": bySolver(solver) } as const;

test.each([
  ["by looking", 80, 20],
  ["by the solver", 15, 0],
] as const)(
  "nothing that some order breaks is proved: %s, %d programs",
  { timeout: 3_600_000 },
  async (way, programs, least) => {
    const tally: Tally = new Map();
    const wrong: string[] = [];
    for (let seed = first; seed < first + runs(programs); seed++)
      wrong.push(...(await wrongProofs(seed, effort, nets[way], tally)));
    const found = { ...Object.fromEntries(tally), wrong: wrong.length };
    process.stdout.write(`${way}, from seed ${first}: ${JSON.stringify(found)}\n`);
    expect(wrong).toEqual([]);
    // What no order breaks, and what every order breaks, says little about orders.
    if (least === 0) return;
    expect(tally.get("broken only in some order") ?? 0).toBeGreaterThan(atLeast(least));
    expect(tally.get("broken when cut off") ?? 0).toBeGreaterThan(atLeast(least));
  },
);
