/**
 * Ledgers that earlier versions wrote, on both engines: each opens, is verified with its checkpoints, can be shown, and takes
 * new entries, of runs that were cut off then as well.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Kernel, type Log, type StoredEntry, verify } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import type { Ledger } from "../../src/ledger/port.ts";
import { golden, goldenVersions, postgresCopy, sqliteCopy } from "../support/golden/read.ts";
import { functions } from "../support/golden/rules.ts";
import { programRuns, resumeGolden } from "../support/golden/runs.ts";
import { PostgresServer } from "../support/postgres.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-golden-"));
let server: PostgresServer | undefined;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

let copies = 0;

/** The URL of a copy of its own; undefined without a server. */
async function copyOf(version: string, engine: "sqlite" | "postgres"): Promise<string | undefined> {
  const name = `golden${++copies}`;
  if (engine === "sqlite") return sqliteCopy(version, folder, `${name}.db`);
  return server && postgresCopy(version, server, name);
}

const traceOf = (ledger: Ledger, kernel: string) => ledger.read(kernel, 1, 10_000);

async function opened(ledger: Log, name: string): Promise<Kernel> {
  const given = name === "functions" ? { functions } : {};
  const result = await Kernel.open({ ledger, name, clock: () => 9_000_000, ...given });
  if (!result.ok) throw new Error(`${name}: ${result.problem.message}`);
  return result.value;
}

const text = ({ bytes }: StoredEntry) => new TextDecoder().decode(bytes);

const cases = goldenVersions.flatMap((version) =>
  (["sqlite", "postgres"] as const).map((engine) => [version, engine] as const),
);

describe.each(cases)("a ledger of version %s on %s", (version, engine) => {
  test("opens, verifies with its checkpoints, and goes on", async () => {
    const url = await copyOf(version, engine);
    if (url === undefined) return;
    const { publicKey, checkpoints } = golden(version);
    await using ledger = await openLedger(url);
    const names = await ledger.kernels();
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const before = await traceOf(ledger, name);
      const own = checkpoints[engine].filter((one) => one.kernel === name);
      expect(own.length > 0).toBe(name === "steps");
      expect(await verify(before, { checkpoints: own, publicKey })).toMatchObject({
        ok: true,
        entries: before.length,
      });
      const kernel = await opened(ledger, name);
      expect(kernel.status().seq).toBe(before.length);
      const refused = await kernel.execute({ id: "after", effects: [{ key: "nowhere", op: "delete" }] });
      expect(refused.verdict).toBe("refused");
      await kernel.execute({ id: "after", effects: [{ key: "after", op: "set", value: 1 }], cost: 1 });
      await kernel.execute({ id: 5 });
      await kernel.stop("for the test");
      await kernel.execute({ id: "after", effects: [] });
      await kernel.resume("after the test");
      await kernel.close();
      const after = await traceOf(ledger, name);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after).toHaveLength(before.length + 6);
      const whole = await verify(after, { checkpoints: own, publicKey });
      expect(whole).toMatchObject({ ok: true, entries: after.length });
      // From the snapshot, and from the entries alone.
      const again = await opened(ledger, name);
      const anew = await opened(withoutSnapshots(ledger), name);
      expect(again.status()).toEqual(anew.status());
    }
  });

  test("goes on with runs that were cut off, and does nothing twice", async () => {
    const url = await copyOf(version, engine);
    if (url === undefined) return;
    const { program, publicKey } = golden(version);
    await using ledger = await openLedger(url);
    const ended: Record<string, unknown> = {};
    for (const { name, runId } of programRuns) {
      const calls: string[] = [];
      const kernel = await opened(ledger, name);
      const result = await resumeGolden(program, kernel, publicKey, runId, calls);
      ended[name] = [result.ok ? result.value.kind : result.problems.map(({ code }) => code), calls];
      expect((await verify(await traceOf(ledger, name))).ok).toBe(true);
    }
    expect(ended).toEqual({
      "program done": [["FC4501"], []],
      "program failed": [["FC4501"], []],
      "program cut off": ["in doubt", []],
      "program cut off in a call": ["done", ["bank.pay x 2", "bank.pay y 2", "home.lock front"]],
      // Its `undo` had happened, and the step was not rolled back yet.
      "program cut off while undone": ["stopped", []],
    });
    // Runs of plans were not approved then, and nobody resumes one; what they left in doubt is for a person.
    const kernel = await opened(ledger, "plans");
    for (const runId of ["done", "cut-off", "cut-off-back", "taken-back"]) {
      const calls: string[] = [];
      const result = await resumeGolden(program, kernel, publicKey, runId, calls);
      expect([runId, result.ok, calls]).toEqual([runId, false, []]);
    }
    for (const { receipt } of kernel.inDoubt())
      expect((await kernel.release(receipt, "a person looked")).verdict).toBe("allowed");
    expect(kernel.inDoubt()).toEqual([]);
    expect((await verify(await traceOf(ledger, "plans"))).ok).toBe(true);
  });

  test("what is changed in it is found: a byte, or with all hashes made anew the decision", async () => {
    const url = await copyOf(version, engine);
    if (url === undefined) return;
    await using ledger = await openLedger(url);
    const trace = await traceOf(ledger, "steps");
    for (const [i, entry] of trace.entries()) {
      const bytes = Uint8Array.from(entry.bytes);
      const at = (i * 97) % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      const result = await verify([...trace.slice(0, i), { ...entry, bytes }, ...trace.slice(i + 1)]);
      expect(result.problem?.seq).toBe(i + 1);
    }
    expect(trace.filter((one) => text(one).includes('"verdict":"refused"')).length).toBeGreaterThan(10);
  });
});

function withoutSnapshots(ledger: Ledger) {
  return {
    read: ledger.read.bind(ledger),
    transact: ledger.transact.bind(ledger),
  };
}

test("`foreclaim trace verify` and `trace show` take one as it is", async () => {
  for (const version of goldenVersions) {
    const url = sqliteCopy(version, folder, `cli-${version}.db`);
    const cli = (...args: readonly string[]) =>
      spawnSync(process.execPath, ["dist/cli/main.js", ...args], { encoding: "utf8" });
    const verified = cli("trace", "verify", url, "--kernel", "rules");
    expect([verified.status, verified.stderr]).toEqual([0, ""]);
    const shown = cli("trace", "show", url, "--kernel", "steps", "--verdict", "refused", "--limit", "500");
    expect(shown.status).toBe(0);
    expect(shown.stdout).toContain("it costs `100`");
  }
});
