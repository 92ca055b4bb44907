/**
 * The long form of faults.process.test.ts, with kernels: 300 commands on each of many files whose disk fails. No file is
 * damaged, nothing that was acknowledged is lost, and every trace verifies.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Faults, faultCount, faultEnvironment, faultLibrary } from "../support/faults.ts";
import { checkKernelLog } from "../support/kernel-log.ts";
import { Children } from "../support/ledger-children.ts";
import { seed } from "../support/runs.ts";
import { openSqlite } from "../support/sqlite.ts";

const SEED = seed() ?? 1;
const COMMANDS = 300;
/** So that a round ends within the time that the soak was given. */
const FILES = Math.ceil(Math.min(30, Number(process.env.FORECLAIM_SOAK ?? 1)));

const folder = mkdtempSync(join(tmpdir(), "foreclaim-faults-soak-"));
const library = faultLibrary(folder);
let children: Children;
beforeAll(async () => {
  children = await Children.prepared("kernel-child");
});
afterAll(() => {
  children.end();
  rmSync(folder, { recursive: true, force: true });
});

const kinds: readonly (readonly [string, keyof Omit<Faults, "seed">])[] = [
  ["reads", "read"],
  ["writes", "write"],
  ["writes, by half", "short"],
  ["writes, without room", "full"],
  ["flushes", "sync"],
];
/** Failing calls in 100,000. Flushes and halves of writes are fewer calls, so a higher rate comes on top. */
const rates = [
  ...[100, 500, 2_000].flatMap((rate) => kinds.map(([name, kind]) => ({ name, kind, rate }))),
  ...kinds
    .filter(([, kind]) => kind === "short" || kind === "sync")
    .map(([name, kind]) => ({ name, kind, rate: 5_000 })),
].map((one) => ({ ...one, percent: one.rate / 1_000 }));

describe.skipIf(library === undefined)("kernels on a failing disk", () => {
  it.each(rates)(`$percent % of $name fail, on ${FILES} files`, async ({ name, kind, rate, percent }) => {
    let [failed, acknowledged] = [0, 0];
    for (let n = 0; n < FILES; n++) {
      const file = join(folder, `${kind}-${rate}-${n}.faulty.db`);
      children.acknowledged.clear();
      const environment = faultEnvironment(library ?? "", `${file}.log`, { [kind]: rate, seed: SEED + n });
      const child = children.start(`sqlite:${file}`, "k", "a", COMMANDS, { environment, seed: SEED + n });
      expect([n, await child.ended, child.said.slice(-2_000)]).toEqual([n, 0, expect.any(String)]);
      failed += faultCount(`${file}.log`);
      acknowledged += children.acknowledged.size;
      const db = openSqlite(file);
      expect(db.all("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
      db.close();
      await checkKernelLog(`sqlite:${file}`, "k", children.acknowledged);
    }
    process.stderr.write(
      `${percent} % of ${name}: ${FILES} files, ${failed} failed calls, ${acknowledged} acknowledged entries\n`,
    );
    if (FILES * rate >= 10_000) expect(failed).toBeGreaterThan(0);
  });
});
