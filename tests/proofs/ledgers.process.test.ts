/**
 * The model as a second reader of recorded ledgers: every entry of the golden ledgers, done again by the model, gives the
 * verdict, the checks, the cost, the version and the budgets that the entry tells. It does not compute hashes and roots.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openLedger } from "../../src/ledger/open.ts";
import { goldenVersions, sqliteCopy } from "../support/golden/read.ts";
import { type Read, readAgain } from "./read-again.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-model-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(goldenVersions)("the ledgers of version %s", (version) => {
  test("read the same by the model", async () => {
    await using ledger = await openLedger(sqliteCopy(version, folder, `${version}.db`));
    const results: Read[] = [];
    for (const name of await ledger.kernels()) {
      results.push(readAgain(await ledger.read(name, 1, 10_000)));
    }
    expect(results.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    const entries = results.reduce((sum, one) => sum + one.entries, 0);
    const beyond = results.filter((one) => one.beyond !== undefined);
    // Kernels with functions, expressions, or rules on texts are beyond the model; the others are read to their end.
    expect(beyond.length).toBeLessThan(results.length / 2);
    expect(entries).toBeGreaterThan(100);
  });
});
