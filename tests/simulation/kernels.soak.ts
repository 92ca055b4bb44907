/**
 * The long form of `tests/kernel/simulation.process.test.ts`: histories for half of the minutes of the soak, or as many as
 * FORECLAIM_HISTORIES says, and the number of each injected fault.
 */
import { beforeAll, test, vi } from "vitest";
import { seed } from "../support/runs.ts";
import { prepareEngine } from "./engine.ts";
import { simulateKernels } from "./kernels.ts";
import { soak } from "./told.ts";

/** The digest of the state stands in every eighth entry here, so that short histories have snapshots. */
vi.mock("../../src/kernel/trace/state-digest.ts", async (original) => ({
  ...(await original<typeof import("../../src/kernel/trace/state-digest.ts")>()),
  holdsDigest: (seq: number) => seq % 8 === 0,
}));

beforeAll(prepareEngine);

const first = seed() ?? 1;
test(`histories from seed ${first} on`, { timeout: 0 }, () => soak(first, simulateKernels));
