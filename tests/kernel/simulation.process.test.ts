/** Many histories of kernels on one failing ledger, each of one seed; and bugs put in by hand that some seed must find. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Bugs, prepareEngine } from "../simulation/engine.ts";
import { simulateKernels } from "../simulation/kernels.ts";
import { Histories, seedsUntil } from "../simulation/told.ts";
import { runs, seed } from "../support/runs.ts";

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
beforeAll(prepareEngine);

test(`no history breaks a guarantee (seed ${SEED})`, async () => {
  const histories = new Histories();
  for (let n = 0; n < runs(80); n++) await histories.run(simulateKernels, SEED + n);
  histories.tell(SEED);
  // It looks at what it is for.
  expect(histories.entries).toBeGreaterThan(10 * runs(80));
  expect(Object.keys(histories.faults).length).toBeGreaterThan(4);
});

test("one seed is one history", async () => {
  const [first, again] = [await simulateKernels(SEED), await simulateKernels(SEED)];
  expect(again).toEqual(first);
});

describe("a bug that is put in by hand is found within 1,000 seeds", () => {
  const minutes = 120_000;
  const bugs: readonly (readonly [string, Bugs])[] = [
    ["fsync skipped", { fsyncSkipped: true }],
    ["lease not renewed", { leaseNotRenewed: true }],
    ["snapshot believed", { snapshotForged: true }],
    ["commit repeated", { commitRepeated: true }],
    ["order of commits ignored", { orderIgnored: true }],
  ];

  test.each(bugs)(
    "%s",
    async (name, bug) => {
      believed.everything = bug.snapshotForged === true;
      try {
        await seedsUntil((one) => simulateKernels(one, bug), SEED, name);
      } finally {
        believed.everything = false;
      }
    },
    minutes,
  );
});
