/** The long form of the random test of calls at the same time. */
import { describe, expect, it } from "vitest";
import { printDocument } from "../../../src/ir/index.ts";
import { seed } from "../../support/runs.ts";
import { compileLab, sourceOf } from "../lab.ts";
import { withoutTracking } from "./both.ts";
import { compare, newTally } from "./compare.ts";
import { ConcurrentSource } from "./source.ts";

/** So that a round ends within the time that the soak was given. */
const TIMES = Math.ceil(5_000 * Number(process.env.FORECLAIM_SOAK ?? 1));

describe("random programs with calls at the same time", () => {
  it("do the same compiled as they do in JavaScript, or are refused", async () => {
    const tally = newTally();
    const first = seed() ?? Math.floor(Date.now() / 1000);
    await withoutTracking(async () => {
      for (let i = 0; i < TIMES; i++) {
        const body = new ConcurrentSource(first + i).program();
        const source = sourceOf({ body });
        const compiled = compileLab(source);
        const seeds = Array.from({ length: 12 }, (_, k) => k);
        await compare(source, compiled, seeds, tally, (found, wanted, what) => {
          const shown = "document" in compiled ? printDocument(compiled.document) : "";
          expect(found, `FORECLAIM_SEED=${first + i}\n${what}\n${body}\n${shown}`).toEqual(wanted);
        });
      }
    });
    process.stdout.write(`concurrent programs from ${first}: ${JSON.stringify(tally)}\n`);
    expect(tally.parallel).toBeGreaterThan(TIMES / 4);
  }, 3_600_000);
});
