/** The whole set of examples: alone, and three times beside four busy processes, with one engine and with eight. */
import { afterAll, expect, it } from "vitest";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { examples } from "../examples/examples.ts";
import { besideBusy, proofsAtOnce, proofsOf } from "./alone-and-beside.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

it("proves all examples alone as beside busy processes", async () => {
  const alone = await proofsOf(examples, solver);
  for (let time = 0; time < 3; time++)
    expect(await besideBusy(4, () => proofsOf(examples, solver))).toEqual(alone);
  expect(await proofsAtOnce(examples, 8)).toEqual(alone);
});
