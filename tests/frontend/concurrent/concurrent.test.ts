/**
 * Random programs that make calls at the same time start the same calls in the same order, with the same arguments, as
 * JavaScript does when its calls end in the same order, and end alike; what is not so is refused.
 */
import { describe, expect, it } from "vitest";
import { printDocument } from "../../../src/ir/index.ts";
import { atLeast, runs, seed } from "../../support/runs.ts";
import { compileLab, sourceOf } from "../lab.ts";
import { withoutTracking } from "./both.ts";
import { compare, newTally } from "./compare.ts";
import { ConcurrentSource } from "./source.ts";

describe("a random program with calls at the same time", () => {
  it("does the same compiled as it does in JavaScript, or is refused", async () => {
    const tally = newTally();
    const first = (seed() ?? 0) * 100_000;
    await withoutTracking(async () => {
      for (let i = 1; i <= runs(600); i++) {
        const source = sourceOf({ body: new ConcurrentSource(first + i).program() });
        const compiled = compileLab(source);
        const shown = () =>
          `seed ${first + i}\n${source}\n${"document" in compiled ? printDocument(compiled.document) : ""}`;
        await compare(source, compiled, [0, 1, 2, 3, 6, 7], tally, (found, wanted, what) =>
          expect(found, `${what}\n${shown()}`).toEqual(wanted),
        );
      }
    });
    process.stdout.write(`concurrent programs: ${JSON.stringify(tally)}\n`);
    expect(tally.parallel).toBeGreaterThan(atLeast(150));
    expect(tally.refused).toBeGreaterThan(atLeast(20));
  }, 120_000);
});
