/** A SQLite ledger whose writers are killed at random instants, or are many. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Children } from "../support/ledger-children.ts";
import { crash, crashWhileMade } from "../support/ledger-crashes.ts";
import { runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-crash-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("SQLite", () => {
  it("keeps what it acknowledged to processes that are killed", { timeout: timeout(300) }, async () => {
    const children = await Children.prepared();
    // Kernels on such a file are killed far more often in tests/kernel.
    const kills = runs(40);
    const found = await crash(children, { url: `sqlite:${join(folder, "crash.db")}`, kills });
    children.end();
    expect(found.kills).toBeGreaterThanOrEqual(kills);
    expect(found.acknowledged).toBeGreaterThan(kills);
    // At most one entry of each killed process was durable and not acknowledged yet.
    expect(found.entries - found.acknowledged).toBeLessThanOrEqual(found.kills);
  });

  it("is whole although those who made it were killed", { timeout: timeout(120) }, async () => {
    const children = await Children.prepared();
    const urls = Array.from({ length: runs(15) }, (_, n) => `sqlite:${join(folder, `made-${n}.db`)}`);
    await crashWhileMade(children, urls);
    children.end();
  });

  it.skipIf(process.platform === "win32")("keeps what it acknowledged when writing fails", async () => {
    const children = await Children.prepared();
    const url = `sqlite:${join(folder, "full.db")}`;
    const child = children.start(url, "full", "f", 500, { fileBlocks: 200 });
    expect(await child.ended, child.said).toBe(0);
    const log = await children.check(url, "full");
    // Some were acknowledged, some could not be, and none of those is there by halves.
    expect(children.acknowledged.size).toBeGreaterThan(10);
    expect(log.length).toBeLessThan(500);
    children.end();
  });

  it("is one log to several processes", { timeout: timeout(120) }, async () => {
    const children = await Children.prepared();
    const url = `sqlite:${join(folder, "shared.db")}`;
    const all = Array.from({ length: 4 }, (_, n) => children.start(url, "shared", `p${n}`, 100));
    expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    expect(await children.check(url, "shared")).toHaveLength(400);
    expect(children.acknowledged.size).toBe(400);
    children.end();
  });
});
