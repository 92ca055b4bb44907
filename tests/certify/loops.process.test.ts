/** No run breaks a certificate about loops over lists of any length. The interpreter is the judge. */
import { afterAll, expect, test } from "vitest";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { wrongCertified, wrongCertifiedNest } from "../support/loops/certified.ts";
import { atLeast, seed as givenSeed, runs } from "../support/runs.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const limits = { timeoutMs: 2_000, resources: 100_000 };
/** For much that cannot be shown: the clock has no say. */
const fewLimits = { timeoutMs: 600_000, resources: 2_000 };

test("no run breaks what is shown of loops", { timeout: 3_600_000 }, async () => {
  const tally = new Map<string, number>();
  const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
  for (let seed = first; seed < first + runs(30); seed++)
    expect(await wrongCertified(seed, solver, limits, tally)).toBeUndefined();
  for (const kind of ["guarantee shown", "with invariants", "kept"])
    expect(tally.get(kind) ?? 0, kind).toBeGreaterThan(atLeast(0));
});

test("nothing that a run breaks is shown of loops in loops", { timeout: 3_600_000 }, async () => {
  const tally = new Map<string, number>();
  const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
  for (let seed = first; seed < first + runs(12); seed++)
    expect(await wrongCertifiedNest(seed, solver, fewLimits, tally)).toBeUndefined();
  for (const kind of ["attempted", "guarantee not shown"])
    expect(tally.get(kind) ?? 0, kind).toBeGreaterThan(atLeast(5));
});
