/** A PostgreSQL ledger whose writers, connections or server are killed at random instants, or whose writers are many. */

import { afterAll, describe, expect, it } from "vitest";
import { Children } from "../support/ledger-children.ts";
import { crash, crashWhileMade } from "../support/ledger-crashes.ts";
import { PostgresServer } from "../support/postgres.ts";
import { runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";

const server = await PostgresServer.start();

describe.skipIf(server === undefined)("PostgreSQL", () => {
  afterAll(() => server?.stop());

  it("keeps what it acknowledged to processes that are killed", { timeout: timeout(300) }, async () => {
    const children = await Children.prepared();
    const url = server!.ledgerUrl("crash");
    // Kernels on this ledger are killed far more often in tests/kernel; here the server dies with its clients.
    const kills = runs(40);
    let turn = 0;
    // One of the server's processes, which makes it start over, or all of it at once.
    const strike = async () => {
      if (turn++ % 2 === 0) await server!.killOneBackend();
      else {
        await server!.killServer();
        await server!.boot();
      }
      await server!.untilUp();
    };
    const found = await crash(children, { url, kills, disaster: { every: 5, strike } });
    children.end();
    expect(found.kills).toBeGreaterThanOrEqual(kills);
    expect(found.disasters).toBeGreaterThanOrEqual(Math.floor(kills / 5));
    expect(found.acknowledged).toBeGreaterThan(kills);
  });

  it("is whole although those who made it were killed", { timeout: timeout(120) }, async () => {
    const children = await Children.prepared();
    const urls = Array.from({ length: runs(10) }, (_, n) => server!.ledgerUrl(`made_${n}`));
    await crashWhileMade(children, urls);
    children.end();
  });

  it("is one log to 8 processes with 100 entries each", { timeout: timeout(300) }, async () => {
    const children = await Children.prepared();
    const url = server!.ledgerUrl("shared");
    const all = Array.from({ length: 8 }, (_, n) => children.start(url, "shared", `p${n}`, 100));
    expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(all.map(() => 0));
    expect(await children.check(url, "shared")).toHaveLength(800);
    expect(children.acknowledged.size).toBe(800);
    children.end();
  });
});
