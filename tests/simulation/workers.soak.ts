/**
 * The long form of `workers.process.test.ts`: histories for half of the minutes of the soak, or as many as FORECLAIM_HISTORIES
 * says, and the number of each injected fault.
 */
import { beforeAll, test, vi } from "vitest";
import { seed } from "../support/runs.ts";
import { prepareEngine } from "./engine.ts";
import { soak } from "./told.ts";
import { prepareWorkers, simulateWorkers } from "./workers.ts";

vi.mock("../../src/ledger/open.ts", async () => (await import("./place.ts")).ledgersHere);
vi.mock("../../src/approve/requests/open.ts", async () => (await import("./place.ts")).storesHere);
vi.mock("../../src/app/load.ts", async (original) =>
  (await import("./prepared.ts")).loadedBefore(await original<typeof import("../../src/app/load.ts")>()),
);
vi.mock("../../src/app/prove.ts", async (original) =>
  (await import("./prepared.ts")).provedBefore(await original<typeof import("../../src/app/prove.ts")>()),
);

beforeAll(async () => {
  await prepareEngine();
  await prepareWorkers();
});

const first = seed() ?? 1;
test(`histories from seed ${first} on`, { timeout: 0 }, () => soak(first, simulateWorkers));
