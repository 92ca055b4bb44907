/** The long form of loops-soundness.process.test.ts: mostly programs that cost little, some that cost more. */
import { afterAll, expect, test } from "vitest";
import { type WayName, waysWith, wrongWith } from "../../../tests/support/loops/fuzz.ts";
import { seed } from "../../../tests/support/runs.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const ways = waysWith(solver);

const programs = Number(process.env.FORECLAIM_PROGRAMS ?? 1_000);
/** Programs between two progress reports. */
const lap = 500;

test(`no run breaks what is proved of ${programs} programs with loops`, {
  timeout: 2 ** 31 - 1,
}, async () => {
  const tally = new Map<string, number>();
  const first = seed() ?? 1;
  for (let i = 0; i < programs; i++) {
    const way = wayOf(i);
    tally.set(way, (tally.get(way) ?? 0) + 1);
    expect(await wrongWith(first + i, ways[way], tally)).toBeUndefined();
    if ((i + 1) % lap === 0)
      process.stdout.write(`${i + 1} programs ${JSON.stringify(Object.fromEntries(tally))}\n`);
  }
});

/** About as many of each as in the short form. */
function wayOf(i: number): WayName {
  return i % 200 === 0 ? "large" : i % 5 === 0 ? "small" : "by looking";
}
