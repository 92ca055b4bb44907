/** The long form of crash.process.test.ts: in an hour, a thousand killed processes on each engine. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { crashKernels } from "../support/kernel-crashes.ts";
import { Children } from "../support/ledger-children.ts";
import { PostgresServer } from "../support/postgres.ts";
import { seed } from "../support/runs.ts";

/** So that a round ends within the time that the soak was given. */
const TIMES = Math.ceil(Math.min(1000, 17 * Number(process.env.FORECLAIM_SOAK ?? 1)));
const SEED = seed() ?? 1;

const server = await PostgresServer.start();
let folder: string;
let children: Children;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-kernel-soak-"));
  children = await Children.prepared("kernel-child");
});
afterAll(async () => {
  children?.end();
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

it("kernels on a SQLite file", async () => {
  const url = `sqlite:${join(folder, "crash.db")}`;
  const found = await crashKernels(children, { url, kills: TIMES, seed: SEED });
  expect(found.kills).toBeGreaterThanOrEqual(TIMES);
});

it.skipIf(server === undefined)("kernels on PostgreSQL", async () => {
  const found = await crashKernels(children, {
    url: server!.ledgerUrl("kernel_soak"),
    kills: TIMES,
    seed: SEED + 1,
  });
  expect(found.kills).toBeGreaterThanOrEqual(TIMES);
});
