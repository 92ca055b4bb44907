/** Histories of workers from the filing of a request to the end of its run, each of one seed, with counted faults. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { runs, seed } from "../support/runs.ts";
import { prepareEngine } from "./engine.ts";
import { Histories, seedsUntil } from "./told.ts";
import { prepareWorkers, simulateWorkers } from "./workers.ts";

vi.mock("../../src/ledger/open.ts", async () => (await import("./place.ts")).ledgersHere);
vi.mock("../../src/approve/requests/open.ts", async () => (await import("./place.ts")).storesHere);
vi.mock("../../src/app/load.ts", async (original) =>
  (await import("./prepared.ts")).loadedBefore(await original<typeof import("../../src/app/load.ts")>()),
);
vi.mock("../../src/app/prove.ts", async (original) =>
  (await import("./prepared.ts")).provedBefore(await original<typeof import("../../src/app/prove.ts")>()),
);

const SEED = seed() ?? Math.floor(Math.random() * 2 ** 31);
beforeAll(async () => {
  await prepareEngine();
  await prepareWorkers();
});

test(`no history breaks a guarantee (seed ${SEED})`, async () => {
  const histories = new Histories();
  for (let n = 0; n < runs(30); n++) await histories.run(simulateWorkers, SEED + n);
  histories.tell(SEED);
  // It looks at what it is for.
  expect(histories.operations).toBeGreaterThan(3 * runs(30));
  expect(Object.keys(histories.faults).length).toBeGreaterThan(4);
});

test("one seed is one history", async () => {
  const [first, again] = [await simulateWorkers(SEED), await simulateWorkers(SEED)];
  expect(again).toEqual(first);
});

describe("a bug that is put in by hand is found within 1,000 seeds", () => {
  test.each([["calls in doubt are taken for calls that were not made", { doubtsIgnored: true }]] as const)(
    "%s",
    { timeout: 600_000 },
    (name, bugs) => seedsUntil((one) => simulateWorkers(one, bugs), SEED, name),
  );
});
