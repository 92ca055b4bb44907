/**
 * No guarantee that a run breaks is proved, of programs that build something in one loop and read it in the next. A
 * program is run first; then what was broken is to be proved, and no run that breaks it is looked for. The interpreter
 * is the judge.
 */
import { afterAll, expect, test } from "vitest";
import { bySolver, count, type Tally, wrongProofs } from "../../../tests/support/net/attempt.ts";
import { builtCase } from "../../../tests/support/net/built.ts";
import { atLeast, seed as givenSeed, runs } from "../../../tests/support/runs.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

test("nothing that a run breaks is proved of what loops build", { timeout: 3_600_000 }, async () => {
  const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
  const programs = 8;
  const tally: Tally = new Map();
  const met: Tally = new Map();
  for (let seed = first; seed < first + runs(programs); seed++) {
    const one = builtCase(seed);
    for (const construct of one.constructs) count(met, construct);
    const wrong = await wrongProofs(one.checked, seed, bySolver(solver), tally);
    expect(wrong.length === 0 ? [] : [...wrong, seed, one.source]).toEqual([]);
  }
  const found = Object.fromEntries(tally);
  process.stdout.write(`from seed ${first}: ${JSON.stringify(found)}, ${met.size} constructs\n`);
  expect(found.attempted ?? 0).toBeGreaterThan(atLeast(programs / 4));
});
