/** `trace scrub` finds damage in any kernel of a ledger, and `trace recover` brings back what a checkpoint vouches for. */
import { spawnSync } from "node:child_process";
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSqlite } from "../support/sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-recover-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const main = join(process.cwd(), "dist/cli/main.js");
const cli = (args: readonly string[], input = "") => {
  const { status, stdout } = spawnSync(process.execPath, [main, ...args, "--json"], {
    encoding: "utf8",
    cwd: folder,
    input,
  });
  return { status, ...JSON.parse(stdout.trim().split("\n").at(-1) || "{}") };
};
const steps = (count: number) => `{"id":"pay","cost":"1","args":"${"x".repeat(300)}"}\n`.repeat(count);

test("a damaged tail", () => {
  cli(["kernel", "init", "l.db", "--budget", "usd=1000"]);
  cli(["kernel", "exec", "l.db"], steps(40));
  expect(cli(["trace", "checkpoint", "l.db", "-o", "kept.checkpoint"])).toMatchObject({
    ok: true,
    entries: 41,
  });
  cli(["kernel", "exec", "l.db"], steps(20));
  cli(["kernel", "init", "l.db", "--kernel", "second", "--budget", "usd=1"]);
  expect(cli(["trace", "scrub", "l.db"])).toMatchObject({
    status: 0,
    ok: true,
    kernels: [{ kernel: "main", entries: 61 }, { kernel: "second" }],
  });

  const damaged = (name: string, change: (file: string) => void) => {
    copyFileSync(join(folder, "l.db"), join(folder, name));
    change(join(folder, name));
    return name;
  };
  const rewritten = (seq: number) => (file: string) => {
    const db = openSqlite(file);
    db.exec("DROP TRIGGER entry_stays");
    db.exec(
      `UPDATE entry SET bytes = CAST(replace(CAST(bytes AS TEXT), '"cost":"1"', '"cost":"2"') || ' ' AS BLOB) WHERE seq = ${seq} AND kernel = 1`,
    );
    db.close();
  };
  // After the checkpoint: what is before it, and after it as far as it verifies, comes back.
  const tail = damaged("tail.db", rewritten(55));
  expect(cli(["trace", "scrub", tail])).toMatchObject({
    status: 1,
    ok: false,
    kernels: [{ problem: { seq: 55 } }, { ok: true }],
  });
  expect(cli(["trace", "recover", tail, "new.db", "--checkpoint", "kept.checkpoint"])).toMatchObject({
    status: 0,
    entries: 54,
    lost: { seq: 55 },
  });
  expect(cli(["trace", "verify", "new.db", "--checkpoint", "kept.checkpoint"])).toMatchObject({
    status: 0,
    ok: true,
    entries: 54,
  });
  expect(cli(["kernel", "exec", "new.db"], steps(1))).toMatchObject({ verdict: "allowed", seq: 55 });
  expect(cli(["trace", "recover", tail, "new.db", "--checkpoint", "kept.checkpoint"]).status).toBe(2);
  // Before it: there is nothing to go back to, and nothing is made.
  const early = damaged("early.db", rewritten(30));
  expect(cli(["trace", "recover", early, "none.db", "--checkpoint", "kept.checkpoint"]).status).toBe(1);
  expect(statSync(join(folder, "none.db"), { throwIfNoEntry: false })).toBeUndefined();
  // Pages of the file that are gone.
  const torn = damaged("torn.db", (file) => {
    const { size } = statSync(file);
    const handle = openSync(file, "r+");
    writeSync(handle, Buffer.alloc(8192, 0xff), 0, 8192, size - 3 * 4096);
    closeSync(handle);
  });
  expect(cli(["trace", "scrub", torn]).status).not.toBe(0);
  const back = cli(["trace", "recover", torn, "torn-new.db", "--checkpoint", "kept.checkpoint"]);
  expect([back.status, back.entries === undefined || back.entries >= 41]).toEqual([expect.any(Number), true]);
  if (back.status === 0)
    expect(cli(["trace", "verify", "torn-new.db", "--checkpoint", "kept.checkpoint"]).ok).toBe(true);
});
