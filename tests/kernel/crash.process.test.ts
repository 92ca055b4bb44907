/** Kernels on real ledgers whose processes are killed at random instants. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CrashCounts, crashKernels } from "../support/kernel-crashes.ts";
import { checkKernelLog } from "../support/kernel-log.ts";
import { Children } from "../support/ledger-children.ts";
import { PostgresServer } from "../support/postgres.ts";
import { runs, seed } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";

const KILLS = runs(200);
const SEED = seed() ?? Math.floor(Math.random() * 2 ** 31);

const server = await PostgresServer.start();
let folder: string;
let children: Children;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-kernel-crash-"));
  children = await Children.prepared("kernel-child");
});
afterAll(async () => {
  children?.end();
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

describe(`kernels whose processes are killed (seed ${SEED})`, () => {
  it("on a SQLite file: nothing acknowledged is lost, nothing is half done", {
    timeout: timeout(300),
  }, async () => {
    const url = `sqlite:${join(folder, "crash.db")}`;
    looksRight(await crashKernels(children, { url, kills: KILLS, seed: SEED }));
    // A reader of the log would have seen a lost entry, and one that is another.
    const lost = new Map([[1_000_000, "0".repeat(64)]]);
    await expect(checkKernelLog(url, "crashed-0", lost)).rejects.toThrow("and is lost");
    const other = new Map([[2, "0".repeat(64)]]);
    await expect(checkKernelLog(url, "crashed-0", other)).rejects.toThrow("was acknowledged as");
  });

  it.skipIf(server === undefined)(
    "on PostgreSQL: nothing acknowledged is lost, nothing is half done",
    { timeout: timeout(300) },
    async () => {
      const url = server!.ledgerUrl("kernel_crash");
      looksRight(await crashKernels(children, { url, kills: KILLS, seed: SEED + 1 }));
    },
  );
});

function looksRight(found: CrashCounts): void {
  expect(found.kills).toBeGreaterThanOrEqual(KILLS);
  // Most were killed in the middle of work, and some of that work was left in doubt.
  expect(found.acknowledged).toBeGreaterThan(KILLS);
  expect(found.inDoubt).toBeGreaterThan(KILLS / 20);
}
