/**
 * The kernel against the model that was extracted from the proofs: after every command both must agree on verdict, checks,
 * cost, answer, receipt, entry and the whole state.
 */
import { describe, expect, test } from "vitest";
import { atLeast, runs, seed } from "../support/runs.ts";
import { compareRandom, newTally } from "./compare.ts";
import * as kernel from "./kernel-under-test.ts";
import { allSequences } from "./sequences.ts";

const start = (seed() ?? 1) % 1_000_000_000;

describe("the kernel and its model", () => {
  test("agree on random policies and commands", () => {
    const tally = newTally();
    for (let i = 0; i < runs(300); i++) {
      expect(compareRandom(kernel, start + i, 45, tally)).toBeUndefined();
    }
    expect(tally.commands).toBeGreaterThan(atLeast(10_000));
    // Every kind of command is seen allowed and refused; a comparison of refusals alone would say little.
    for (const kind of ["execute", "emergency", "reserve", "settle", "rollback", "grant", "observe"]) {
      expect([kind, (tally.allowed.get(kind) ?? 0) > atLeast(5)]).toEqual([kind, true]);
      expect([kind, (tally.refused.get(kind) ?? 0) > atLeast(5)]).toEqual([kind, true]);
    }
  });

  test("agree on all sequences of four commands", () => {
    const { allowed, problem, steps } = allSequences(kernel, 4);
    expect(problem).toBeUndefined();
    expect(steps).toBeGreaterThan(18_000);
    expect(allowed).toBeGreaterThan(5_000);
  });

  test("agree that a bound beyond the greatest safe number is a bound", () => {
    for (const limit of ["9007199254740990", "9007199254740991", "9007199254740992", "90071992547409910"]) {
      const policy = kernel.decodePolicy({ budgets: [{ name: "b", limit, quantum: "1", minCost: "1" }] });
      const least = BigInt(limit) < BigInt(Number.MAX_SAFE_INTEGER) ? Number(limit) : Number.MAX_SAFE_INTEGER;
      expect(policy.ok && policy.value.maxSteps).toBe(least);
    }
  });
});
