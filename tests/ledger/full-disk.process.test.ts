/** On a full disk emergency actions and `stop` are still kept, and nothing else takes their room. */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Kernel, verify } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-full-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]).status === 0;
if (!mounted) process.stderr.write("a small disk cannot be mounted here: full disks are not tested\n");
afterAll(() => {
  if (mounted) spawnSync("umount", [folder]);
  rmSync(folder, { recursive: true, force: true });
});

const filler = join(folder, "filler");
function fill(): void {
  const page = Buffer.alloc(4096, 1);
  try {
    for (;;) appendFileSync(filler, page);
  } catch {
    expect(statfsSync(folder).bavail).toBe(0);
  }
}

describe.skipIf(!mounted)("a full disk", () => {
  test("keeps emergency actions and `stop`, refuses the rest, and goes on when there is room", async () => {
    writeFileSync(filler, "");
    const url = `sqlite:${join(folder, "l.db")}`;
    const policy = { budgets: { usd: 1_000 }, emergencies: [{ id: "halt", cap: 100 }] };
    let ledger = await openLedger(url);
    const open = async () => {
      const opened = await Kernel.open({ ledger, policy, clock: Date.now });
      if (!opened.ok) throw new Error(opened.problem.message);
      return opened.value;
    };
    let kernel = await open();
    await kernel.execute({ id: "pay", cost: 1 });
    fill();
    const big = { id: "pay", args: "x".repeat(50_000) };
    let kept = 2;
    for (let i = 0; i < 50; i++) {
      const outcome = await kernel.execute(big).catch((error: Error) => error);
      if (outcome instanceof Error) expect(outcome.message).toContain("full");
      else kept = outcome.seq;
    }
    // Together with others that have no room.
    const [halted, refused, stopped] = await Promise.all([
      kernel.execute({ id: "halt" }),
      kernel.execute(big).catch((error: Error) => error),
      kernel.stop("the disk is full"),
    ]);
    expect([halted.verdict, stopped.verdict]).toEqual(["allowed", "allowed"]);
    expect(refused).toBeInstanceOf(Error);
    await expect(kernel.execute({ id: "small" })).rejects.toThrow("full");
    for (let i = 0; i < 10; i++) expect((await kernel.execute({ id: "halt" })).verdict).toBe("allowed");
    await kernel.close();
    await ledger.close();
    // A process that starts on the full disk: SQLite needs files of its own.
    fill();
    const cli = (...args: readonly string[]) =>
      spawnSync(process.execPath, ["dist/cli/main.js", ...args], {
        encoding: "utf8",
        input: '{"id":"halt"}\n',
      });
    const told = cli("kernel", "exec", url, "--json");
    expect([told.status, told.stderr]).toEqual([0, ""]);
    expect(cli("kernel", "stop", url, "still full").status).toBe(0);
    truncateSync(filler, 0);
    ledger = await openLedger(url);
    kernel = await open();
    await kernel.resume("there is room");
    expect((await kernel.execute(big)).verdict).toBe("allowed");
    const trace = await ledger.read("main", 1, 1_000);
    expect(await verify(trace)).toMatchObject({ ok: true });
    expect(trace.length).toBe(kept + 1 + 1 + 10 + 2 + 2);
    await ledger.close();
  });
});
