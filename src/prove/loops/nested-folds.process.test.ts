/**
 * Loops in loops with numbers that are found by going through a list: what a run breaks is not proved, with and without a
 * look for runs that break it, and what holds still is.
 */
import { afterAll, describe, expect, it } from "vitest";
import { brokenIn } from "../../../tests/support/net/broken.ts";
import { checkedWith, variants } from "../../../tests/support/net/variants.ts";
import type { Checked } from "../../ir/check/index.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";
import { prove } from "../prove.ts";
import type { ProveOptions } from "../verdict.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

/** The work is counted, so that the clock has no say. */
const limits = { timeoutMs: 600_000, workMs: 20_000, resources: 300_000 };
/** Random runs, always the same: of every variant some break what is wrong, and none breaks what holds. */
const runs = 300;

async function verdictOf(checked: Checked, likely: Pick<ProveOptions, "likely"> = {}): Promise<string> {
  const proof = await prove(checked, { solver: async () => solver, limits, stops: "omitted", ...likely });
  expect(proof.guarantees).toHaveLength(1);
  return proof.guarantees[0]?.verdict.kind ?? "none";
}

describe.each(variants)("$name", (variant) => {
  it("has no proof of what a run breaks", async () => {
    const wrong = checkedWith(variant, variant.wrong);
    expect((await brokenIn(wrong, 1, runs)).guarantees).toHaveLength(1);
    expect(await verdictOf(wrong, { likely: "omitted" })).not.toBe("proved");
    expect(await verdictOf(wrong)).not.toBe("proved");
  });

  it("still has a proof of what holds", async () => {
    const right = checkedWith(variant, variant.holds);
    expect((await brokenIn(right, 1, runs)).guarantees).toEqual([]);
    const verdict = await verdictOf(right);
    if (variant.twin === "proved") expect(verdict).toBe("proved");
    else expect(verdict).not.toBe("refuted");
  });
});
