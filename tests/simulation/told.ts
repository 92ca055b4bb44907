/** Many histories, one for each seed, and counts of the faults that were injected into them. */
import { expect } from "vitest";
import type { Simulated } from "./kernels.ts";

type Simulate = (seed: number) => Promise<Simulated>;

/** Adds up what histories were of. */
export class Histories {
  readonly faults: Record<string, number> = {};
  count = 0;
  entries = 0;
  operations = 0;

  /** One more, which must break no guarantee. */
  async run(simulate: Simulate, seed: number): Promise<void> {
    const { problems, faults, entries, operations } = await simulate(seed);
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    this.count++;
    this.entries += entries;
    this.operations += operations;
    for (const [name, count] of Object.entries(faults)) this.faults[name] = (this.faults[name] ?? 0) + count;
  }

  tell(first: number): void {
    const counts = Object.entries(this.faults).sort(([, a], [, b]) => b - a);
    const sum = counts.reduce((total, [, count]) => total + count, 0);
    const each = counts.map(([name, count]) => `${name} ${count}`).join(", ");
    process.stderr.write(
      `${this.count} histories from seed ${first}, ${this.entries} entries, ${this.operations} operations, ${sum} faults (${each})\n`,
    );
  }
}

/** For half of the minutes of the soak, or as many as FORECLAIM_HISTORIES says. */
export async function soak(first: number, simulate: Simulate): Promise<void> {
  const asked = process.env.FORECLAIM_HISTORIES;
  const most = asked === undefined ? Number.POSITIVE_INFINITY : Number(asked);
  const longestMs =
    asked === undefined ? Number(process.env.FORECLAIM_SOAK ?? 1) * 30_000 : Number.POSITIVE_INFINITY;
  const histories = new Histories();
  const startMs = performance.now();
  while (histories.count < most && performance.now() - startMs < longestMs) {
    await histories.run(simulate, first + histories.count);
    if (histories.count % 1_000 === 0) histories.tell(first);
  }
  histories.tell(first);
  expect(histories.entries).toBeGreaterThan(0);
}

/** The number of seeds until a bug that was put in by hand is found. */
export async function seedsUntil(simulate: Simulate, first: number, name: string): Promise<void> {
  let found = 0;
  let problem: string | undefined;
  while (problem === undefined && found < 1_000) [problem] = (await simulate(first + ++found)).problems;
  process.stderr.write(`${name}: found by seed ${found} of 1,000: ${problem}\n`);
  expect(problem).toBeDefined();
}
