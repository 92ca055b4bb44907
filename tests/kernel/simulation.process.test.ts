/** Many histories of kernels on one failing log, each of one seed; and bugs put in by hand that some seed must find. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { runs, seed } from "../support/runs.ts";
import { prepareSimulation, simulate } from "../support/simulation.ts";

/** The digest of the state stands in every eighth entry here, so that short histories have snapshots. */
const believed = vi.hoisted(() => ({ everything: false }));
vi.mock("../../src/kernel/trace/state-digest.ts", async (original) => {
  const real = await original<typeof import("../../src/kernel/trace/state-digest.ts")>();
  return {
    holdsDigest: (seq: number) => seq % 8 === 0,
    stateDigest: (...args: Parameters<typeof real.stateDigest>) =>
      believed.everything ? "believed" : real.stateDigest(...args),
  };
});

const SEED = seed() ?? Math.floor(Math.random() * 2 ** 31);
beforeAll(prepareSimulation);

test(`no history breaks a guarantee (seed ${SEED})`, async () => {
  const faults: Record<string, number> = {};
  let entries = 0;
  for (let n = 0; n < runs(12); n++) {
    const { problems, faults: found, entries: more } = await simulate(SEED + n);
    entries += more;
    expect({ seed: SEED + n, problems }).toEqual({ seed: SEED + n, problems: [] });
    for (const [name, count] of Object.entries(found)) faults[name] = (faults[name] ?? 0) + count;
  }
  process.stderr.write(`${runs(12)} histories, ${entries} entries, faults: ${JSON.stringify(faults)}\n`);
  // It looks at what it is for.
  expect(entries).toBeGreaterThan(10 * runs(12));
  expect(Object.keys(faults).length).toBeGreaterThan(4);
});

test("one seed is one history", async () => {
  const [first, again] = [await simulate(SEED), await simulate(SEED)];
  expect(again).toEqual(first);
});

describe("a bug that is put in by hand is found within 1,000 seeds", () => {
  async function seedsUntil(bugs: Parameters<typeof simulate>[1]): Promise<number> {
    for (let n = 1; n <= 1_000; n++) if ((await simulate(SEED + n, bugs)).problems.length > 0) return n;
    return Number.POSITIVE_INFINITY;
  }

  const minutes = 120_000;
  test.each([
    ["fsync skipped", { fsyncSkipped: true }],
    ["lease not renewed", { leaseNotRenewed: true }],
  ] as const)(
    "%s",
    async (name, bugs) => {
      const found = await seedsUntil(bugs);
      process.stderr.write(`${name}: found by seed ${found} of 1,000\n`);
      expect(found).toBeLessThanOrEqual(1_000);
    },
    minutes,
  );

  test(
    "snapshot believed",
    async () => {
      believed.everything = true;
      try {
        const found = await seedsUntil({ snapshotForged: true });
        process.stderr.write(`snapshot believed: found by seed ${found} of 1,000\n`);
        expect(found).toBeLessThanOrEqual(1_000);
      } finally {
        believed.everything = false;
      }
    },
    minutes,
  );
});
