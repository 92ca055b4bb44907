/** The long form of surface.process.test.ts: FORECLAIM_SURFACE programs, mostly by looking, some with the solver. */
import { afterAll, expect, it } from "vitest";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { byLooking, bySolver, type Tally, wrongProofs } from "../support/net/attempt.ts";
import { seed } from "../support/runs.ts";
import { surfaceCase } from "./surface.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const asking = bySolver(solver);
const programs = Number(process.env.FORECLAIM_SURFACE ?? 300);
/** Programs between two progress reports. */
const lap = 250;

it(`nothing that a run breaks is proved of ${programs} programs over the whole surface`, {
  timeout: 2 ** 31 - 1,
}, async () => {
  const tally: Tally = new Map();
  const first = seed() ?? 1;
  const wrong: string[] = [];
  for (let i = 0; i < programs; i++) {
    const { checked, source } = surfaceCase(first + i);
    const found =
      checked === undefined
        ? []
        : await wrongProofs(checked, first + i, i % 20 === 0 ? asking : byLooking, tally).catch((thrown) => [
            `seed ${first + i}: a fault of the prover: ${thrown}`,
          ]);
    for (const one of found) process.stdout.write(`WRONG ${one}\n${source}\n`);
    wrong.push(...found);
    if ((i + 1) % lap === 0 || i + 1 === programs)
      process.stdout.write(
        `seed ${first}, ${i + 1} programs, ${wrong.length} wrong proofs, ${JSON.stringify(Object.fromEntries(tally))}\n`,
      );
  }
  expect(wrong).toEqual([]);
});
