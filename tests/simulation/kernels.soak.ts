/**
 * The long form of `tests/kernel/simulation.process.test.ts`: histories for half of the minutes of the soak, or as many as
 * FORECLAIM_HISTORIES says, and the number of each injected fault.
 */
import { beforeAll, expect, test, vi } from "vitest";
import { seed } from "../support/runs.ts";
import { prepareEngine } from "./engine.ts";
import { simulateKernels } from "./kernels.ts";
import { added, told } from "./told.ts";

/** The digest of the state stands in every eighth entry here, so that short histories have snapshots. */
vi.mock("../../src/kernel/trace/state-digest.ts", async (original) => ({
  ...(await original<typeof import("../../src/kernel/trace/state-digest.ts")>()),
  holdsDigest: (seq: number) => seq % 8 === 0,
}));

const first = seed() ?? 1;
const asked = process.env.FORECLAIM_HISTORIES;
const most = asked === undefined ? Number.POSITIVE_INFINITY : Number(asked);
const untilMs =
  asked === undefined ? Number(process.env.FORECLAIM_SOAK ?? 1) * 30_000 : Number.POSITIVE_INFINITY;

beforeAll(prepareEngine);

test(`histories from seed ${first} on`, { timeout: 0 }, async () => {
  const faults: Record<string, number> = {};
  let [histories, entries, operations] = [0, 0, 0];
  const startMs = performance.now();
  const tell = () =>
    process.stderr.write(
      `${histories} histories from seed ${first}, ${entries} entries, ${operations} operations, ${told(faults)}\n`,
    );
  for (; histories < most && performance.now() - startMs < untilMs; histories++) {
    const found = await simulateKernels(first + histories);
    entries += found.entries;
    operations += found.operations;
    added(faults, found.faults);
    expect({ seed: first + histories, problems: found.problems }).toEqual({
      seed: first + histories,
      problems: [],
    });
    if (histories % 1_000 === 999) tell();
  }
  tell();
  expect(entries).toBeGreaterThan(0);
});
