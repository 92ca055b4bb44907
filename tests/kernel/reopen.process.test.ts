/** A kernel on a file: closed and opened again from its snapshot, and from the log when the snapshot is spoilt. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Kernel, verify } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import type { Ledger } from "../../src/ledger/port.ts";
import { openSqlite } from "../support/sqlite.ts";
import { act, usd } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-reopen-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, "ledger.db");
const step = { ...act({ key: "n", op: "increment", value: 1 }), cost: "0.01" };

async function withKernel<T>(work: (kernel: Kernel, ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await openLedger(`sqlite:${file}`);
  try {
    const policy = { budgets: usd(100) };
    const opened = await Kernel.open({ ledger, policy, state: { n: 0 }, clock: () => 1, snapshotEvery: 500 });
    if (!opened.ok) throw new Error(opened.problem.message);
    const result = await work(opened.value, ledger);
    await opened.value.close();
    return result;
  } finally {
    await ledger.close();
  }
}

test("is the same kernel, whatever became of the snapshot", async () => {
  const first = await withKernel(async (kernel) => {
    for (let i = 0; i < 6; i++) await Promise.all(Array.from({ length: 200 }, () => kernel.execute(step)));
    await kernel.reserve({ id: "pay", cost: 1 }, "once");
    return kernel.status();
  });
  expect(first).toMatchObject({
    state: '{"n":1200}',
    seq: 1_202,
    budgets: { usd: { net: "12", reserved: "1" } },
  });
  const snapshot = await withKernel(async (kernel, ledger) => {
    expect(kernel.status()).toEqual(first);
    return ledger.loadSnapshot("main");
  });
  // The last one that an entry vouches for: entry 1,024 holds the digest of the state before it.
  expect(snapshot?.seq).toBe(1_023);
  const spoil = [
    "UPDATE snapshot SET bytes = zeroblob(10)",
    "UPDATE snapshot SET seq = 7",
    "DELETE FROM snapshot",
  ];
  for (const statement of spoil) {
    const db = openSqlite(file);
    db.exec(statement);
    db.close();
    const status = await withKernel(async (kernel) => kernel.status());
    expect(status).toEqual(first);
  }
  const found = await withKernel(async (kernel, ledger) => {
    expect((await kernel.execute(step)).seq).toBe(1_203);
    return verify(await ledger.read("main", 1, 2_000));
  });
  expect(found).toMatchObject({ ok: true, entries: 1_203 });
});
