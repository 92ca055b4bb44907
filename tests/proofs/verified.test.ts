/**
 * The extracted obligations against interpreter, prover and examples: random runs of every example that they cover end the
 * same way in the interpreter and in the model, with the same verdict of every guarantee.
 */
import { describe, expect, test } from "vitest";
import { verifiedObligations } from "../../src/verified/index.ts";
import { seed } from "../support/runs.ts";
import { examplesOf } from "./examples.ts";
import { Chance } from "./random-commands.ts";
import { compareRun, newRuns } from "./random-runs.ts";

const PARTS = 6;
const turn = (seed() ?? 0) % PARTS;

describe("the extracted obligations", () => {
  const found = examplesOf(turn, PARTS);
  const covered = found.filter(({ checked }) => verifiedObligations(checked).kind === "obligations");

  test("cover a third of the examples", () => {
    expect(covered.length).toBeGreaterThan(found.length / 4);
  });

  test("mean what the interpreter does", () => {
    const runs = newRuns();
    const chance = new Chance(seed() ?? 1);
    return covered
      .reduce(async (before, { name, checked }) => {
        await before;
        for (let i = 0; i < 40; i++)
          expect([name, await compareRun(checked, chance, runs)]).toEqual([name, undefined]);
      }, Promise.resolve())
      .then(() => {
        expect(runs.completed).toBeGreaterThan(covered.length * 5);
        expect(runs.violated).toBeGreaterThan(10);
      });
  });
});
