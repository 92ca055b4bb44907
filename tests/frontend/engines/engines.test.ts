/** Random programs over the whole surface do the same under Node, under QuickJS and compiled, or are refused. */
import { expect, it } from "vitest";
import { atLeast, runs, seed } from "../../support/runs.ts";
import { compareEngines } from "./compare.ts";

const first = seed() ?? Math.floor(Math.random() * 2 ** 31);

it(`does the same in three engines, from seed ${first}`, { timeout: 600_000 }, async () => {
  const outcomes = new Map<string, number>();
  const used = new Set<string>();
  for (let i = 0; i < runs(150); i++) {
    const compared = await compareEngines(first + i);
    expect(compared.difference).toBeUndefined();
    outcomes.set(compared.outcome, (outcomes.get(compared.outcome) ?? 0) + 1);
    for (const form of compared.used) used.add(form);
  }
  process.stdout.write(`from seed ${first}: ${JSON.stringify([...outcomes])}, ${used.size} forms\n`);
  expect(outcomes.get("done") ?? 0).toBeGreaterThan(atLeast(75));
  expect(used.size).toBeGreaterThan(atLeast(120));
});
