/** The long form of what CI does in short; in an hour, a thousand killed writers for each way to die. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Children } from "../support/ledger-children.ts";
import { crash } from "../support/ledger-crashes.ts";
import { PostgresServer } from "../support/postgres.ts";

/** So that a round ends within the time that the soak was given. */
const TIMES = Math.ceil(Math.min(1000, 17 * Number(process.env.FORECLAIM_SOAK ?? 1)));

const server = await PostgresServer.start();
let folder: string;
let children: Children;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-soak-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

const strike = (kill: () => Promise<void>) => async () => {
  await kill();
  await server!.untilUp();
};

describe("killed writers", () => {
  it("of a SQLite file", async () => {
    children = await Children.prepared();
    const found = await crash(children, { url: `sqlite:${join(folder, "crash.db")}`, kills: TIMES });
    children.end();
    expect(found.acknowledged).toBeGreaterThan(TIMES);
  });

  it.skipIf(server === undefined)("of PostgreSQL, whose processes are killed too", async () => {
    children = await Children.prepared();
    const disaster = { every: 10, strike: strike(() => server!.killOneBackend()) };
    const found = await crash(children, { url: server!.ledgerUrl("backends"), kills: TIMES, disaster });
    expect(found.disasters).toBeGreaterThanOrEqual(Math.floor(TIMES / 10));
    children.end();
  });

  it.skipIf(server === undefined)("of PostgreSQL, which is killed too", async () => {
    children = await Children.prepared();
    const restart = strike(async () => {
      await server!.killServer();
      await server!.boot();
    });
    const disaster = { every: 10, strike: restart };
    const found = await crash(children, { url: server!.ledgerUrl("servers"), kills: TIMES, disaster });
    expect(found.disasters).toBeGreaterThanOrEqual(Math.floor(TIMES / 10));
    children.end();
  });
});

describe("many writers", () => {
  const share = async (url: string, processes: number, each: number) => {
    children = await Children.prepared();
    const all = Array.from({ length: processes }, (_, n) => children.start(url, "shared", `p${n}`, each));
    expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(all.map(() => 0));
    expect(await children.check(url, "shared")).toHaveLength(processes * each);
    children.end();
  };

  it("of a SQLite file", () => share(`sqlite:${join(folder, "shared.db")}`, 8, TIMES));

  it.skipIf(server === undefined)("of PostgreSQL", () => share(server!.ledgerUrl("shared"), 16, TIMES));
});
