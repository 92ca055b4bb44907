/**
 * Verdicts, evidence and counterexamples do not depend on the load of the machine, on the number of solver engines, or
 * on what was proved before. A few examples in turns by the seed; the soak takes all.
 */
import { afterAll, expect, it } from "vitest";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { examples } from "../examples/examples.ts";
import { seed } from "../support/runs.ts";
import { besideBusy, proofsAtOnce, proofsOf } from "./alone-and-beside.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const turns = 90;
const turn = (seed() ?? Date.now()) % turns;
const some = examples.filter((_, i) => i % turns === turn);

it(`proves alone as beside busy processes, and with one engine as with eight (turn ${turn} of ${turns})`, async () => {
  const alone = await proofsOf(some, solver);
  expect(alone.length).toBeGreaterThan(2);
  expect(await besideBusy(4, () => proofsOf(some, solver))).toEqual(alone);
  expect(await proofsAtOnce(some, 8)).toEqual(alone);
});
