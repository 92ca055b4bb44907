/** Faults put into the kernel on purpose: the comparison with the model finds every one of them. */
import { describe, expect, test } from "vitest";
import { seed } from "../support/runs.ts";
import { compareRandom, type Kernel, newTally } from "./compare.ts";
import { faults } from "./fault-list.ts";
import { bundledKernel, loaded, withFault } from "./faults.ts";

const text = await bundledKernel();

/** Random kernels that are tried before a fault counts as missed; most take fewer than fifty. */
const TRIES = 1_500;

/** Returns true if some random kernel shows a disagreement. An exception is one as well. */
function isFound(kernel: Kernel): boolean {
  const tally = newTally();
  for (let i = 0; i < TRIES; i++) {
    try {
      if (compareRandom(kernel, i, 40, tally) !== undefined) return true;
    } catch {
      return true;
    }
  }
  return false;
}

describe("a fault in the kernel", () => {
  test("is not seen where there is none", () => {
    const kernel = loaded(text);
    for (let i = 0; i < 10; i++) expect(compareRandom(kernel, i, 40, newTally())).toBeUndefined();
  });

  // A third of the list in turn, all of it in the soak.
  const turn = (seed() ?? 0) % 3;
  const mine = process.env.FORECLAIM_SOAK === undefined ? faults.filter((_, i) => i % 3 === turn) : faults;
  test.each(mine.map((fault) => [fault.name, fault] as const))("%s", (_, fault) => {
    expect(isFound(loaded(withFault(text, fault)))).toBe(true);
  });
});
