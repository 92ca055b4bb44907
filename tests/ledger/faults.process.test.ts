/**
 * A SQLite ledger on a disk whose calls fail now and then. After each run the file is whole, and everything that was
 * acknowledged is in it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Faults, faultCount, faultEnvironment, faultLibrary } from "../support/faults.ts";
import { Children } from "../support/ledger-children.ts";
import { runs, seed } from "../support/runs.ts";
import { openSqlite } from "../support/sqlite.ts";

const SEED = seed() ?? Math.floor(Math.random() * 2 ** 31);
/** Long enough for the write-ahead log to be moved into the file some times. */
const ENTRIES = 400;
/** An entry of its own page, so that this is soon. */
const LONG = "x".repeat(3_000);

const folder = mkdtempSync(join(tmpdir(), "foreclaim-faults-"));
const library = faultLibrary(folder);
let children: Children;
let failed = 0;
beforeAll(async () => {
  children = await Children.prepared();
});
afterAll(() => {
  children.end();
  rmSync(folder, { recursive: true, force: true });
});

const kinds: readonly (readonly [string, Omit<Faults, "seed">])[] = [
  ["reads, one of 50", { read: 2_000 }],
  ["reads, one of 500", { read: 200 }],
  ["writes, one of 50", { write: 2_000 }],
  ["flushes, one of 20", { sync: 5_000 }],
  ["short writes, one of 20", { short: 5_000 }],
  ["no room, one of 50", { full: 2_000 }],
  // Opening reads the whole log of SQLite: with more failing reads hardly any attempt would come to its end.
  [
    "everything, one of 200, and reads, one of 2,000",
    { read: 50, write: 500, sync: 500, full: 500, short: 500 },
  ],
];
const cases = [
  // A read that fails while the file is opened makes SQLite take it for a damaged one.
  { name: "everything, as it once looked damaged", faults: { read: 500, write: 500, sync: 500, seed: 401 } },
  ...kinds.flatMap(([name, rates], kind) =>
    Array.from({ length: runs(1) }, (_, n) => ({ name, faults: { ...rates, seed: SEED + 100 * kind + n } })),
  ),
];

describe.skipIf(library === undefined)(`a ledger on a failing disk (seed ${SEED})`, () => {
  it.each(cases)("is whole after failing $name, with seed $faults.seed", async ({ faults }) => {
    const file = join(folder, `${faults.seed}.faulty.db`);
    const log = `${file}.log`;
    const url = `sqlite:${file}`;
    children.acknowledged.clear();
    const environment = faultEnvironment(library ?? "", log, faults);
    const child = children.start(url, "k", LONG, ENTRIES, { environment });
    expect([await child.ended, child.said.includes("Error")], child.said.slice(-3000)).toEqual([0, false]);
    failed += faultCount(log);
    const db = openSqlite(file);
    expect(db.all("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
    db.close();
    const kept = await children.check(url, "k");
    expect(kept.length).toBeGreaterThanOrEqual(children.acknowledged.size);
    // Reads that fail lose nothing; a commit whose flush fails is in doubt, and is not tried again.
    const isWriting = faults.write || faults.sync || faults.full;
    expect(children.acknowledged.size).toBeGreaterThan(isWriting ? 200 : ENTRIES - 1);
  });

  it("failed often", () => {
    process.stderr.write(`${failed} calls failed\n`);
    expect(failed).toBeGreaterThan(50);
  });
});
