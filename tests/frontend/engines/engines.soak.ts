/** The long form of engines.test.ts: FORECLAIM_ENGINES programs, and every difference is printed before the end. */
import { expect, it } from "vitest";
import { seed } from "../../support/runs.ts";
import { compareEngines } from "./compare.ts";

const programs = Number(process.env.FORECLAIM_ENGINES ?? 500);
const first = seed() ?? 1;
/** Programs between two progress reports. */
const lap = 500;

it(`${programs} programs do the same in three engines, from seed ${first}`, {
  timeout: 2 ** 31 - 1,
}, async () => {
  const outcomes = new Map<string, number>();
  const differences: string[] = [];
  for (let i = 0; i < programs; i++) {
    const { outcome, difference } = await compareEngines(first + i);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (difference !== undefined) {
      differences.push(difference);
      process.stdout.write(`DIFFERENCE ${difference}\n`);
    }
    if ((i + 1) % lap === 0 || i + 1 === programs)
      process.stdout.write(
        `seed ${first}, ${i + 1} programs, ${differences.length} differences, ${JSON.stringify([...outcomes])}\n`,
      );
  }
  expect(differences).toEqual([]);
});
