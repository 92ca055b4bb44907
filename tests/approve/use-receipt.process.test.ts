/** A receipt is used once by any caller: on SQLite and PostgreSQL, by several processes, and after kill -9. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { newNonce, type Receipt, receiptText, signReceipt, useReceipt } from "../../src/approve/index.ts";
import { Kernel, MemoryLog, newKeys, verify } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import type { Ledger } from "../../src/ledger/port.ts";
import { PostgresServer } from "../support/postgres.ts";
import { timeout } from "../support/timeout.ts";

const keys = newKeys();
const programs = join(ROOT, `node_modules/.cache/receipt-child-${process.pid}`);
const server = await PostgresServer.start();
let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-receipt-"));
  await build({
    input: join(ROOT, "tests/support/receipt-child.ts"),
    platform: "node",
    external: ["@photostructure/sqlite", "pg"],
    output: { dir: programs, format: "esm", entryFileNames: "child.mjs" },
    logLevel: "silent",
  });
});
afterAll(async () => {
  await server?.stop();
  for (const one of [folder, programs]) rmSync(one, { recursive: true, force: true });
});

function receiptFor(kernel: string, uses = 1): Receipt {
  const hex = "0".repeat(64);
  return signReceipt(
    {
      program: `eir1-${hex}`,
      modules: `fcm1-${hex}`,
      inputs: `in1-${hex}`,
      kernel,
      budget: null,
      uses,
      notBefore: 0,
      expires: 1_000,
      nonce: newNonce(),
      decision: "approved_once",
      by: "a test",
    },
    keys.privateKey,
  );
}

async function opened(ledger: Pick<Ledger, "read" | "transact"> | MemoryLog): Promise<Kernel> {
  const kernel = await Kernel.open({ ledger, clock: Date.now });
  if (!kernel.ok) throw new Error(kernel.problem.message);
  return kernel.value;
}

const firstOf = async (kernel: Kernel) => (await kernel.entries(1, 1))[0]?.hash ?? "";
const codeOf = (used: Awaited<ReturnType<typeof useReceipt>>) =>
  used.kind === "refused" ? used.problems[0]?.code : used.kind;

describe("in memory", () => {
  test("once for a run, and not again by the same run or another", async () => {
    const kernel = await opened(new MemoryLog());
    const receipt = receiptFor(await firstOf(kernel));
    const first = await useReceipt(kernel, receipt, { runId: "r1" });
    expect(codeOf(first)).toBe("used");
    expect(codeOf(await useReceipt(kernel, receipt, { runId: "r1" }))).toBe("FC4010");
    expect(codeOf(await useReceipt(kernel, receipt, { runId: "r2" }))).toBe("FC4010");
    if (first.kind === "used") await kernel.settle(first.reservation, { drop: true });
    expect(codeOf(await useReceipt(kernel, receipt, { runId: "r1" }))).toBe("FC4010");
    expect(codeOf(await useReceipt(kernel, receipt, { runId: "r2" }))).toBe("FC4010");
    expect(codeOf(await useReceipt(kernel, receiptFor(receipt.kernel), { runId: "r2" }))).toBe("used");
  });

  test("a released or rolled back use is no use for another run", async () => {
    const kernel = await opened(new MemoryLog());
    const [a, b] = [receiptFor(await firstOf(kernel)), receiptFor(await firstOf(kernel))];
    const released = await useReceipt(kernel, a, { runId: "r1" });
    if (released.kind === "used") await kernel.release(released.reservation, "given up");
    expect(codeOf(await useReceipt(kernel, a, { runId: "r2" }))).toBe("FC4010");
    const settled = await useReceipt(kernel, b, { runId: "r3", holds: ["x"] });
    const step = settled.kind === "used" ? await kernel.settle(settled.reservation) : undefined;
    expect((await kernel.rollback(step?.receipt ?? "")).verdict).toBe("allowed");
    expect(codeOf(await useReceipt(kernel, b, { runId: "r4" }))).toBe("FC4010");
  });

  test("as often as it says", async () => {
    const kernel = await opened(new MemoryLog());
    const receipt = receiptFor(await firstOf(kernel), 3);
    const found = [];
    for (let i = 0; i < 5; i++) found.push(codeOf(await useReceipt(kernel, receipt, { runId: `r${i}` })));
    expect(found).toEqual(["used", "used", "used", "FC4010", "FC4010"]);
  });

  test("what a run holds, another does not get, and its receipt stays good", async () => {
    const kernel = await opened(new MemoryLog());
    const [a, b] = [receiptFor(await firstOf(kernel)), receiptFor(await firstOf(kernel))];
    const first = await useReceipt(kernel, a, { runId: "r1", holds: ["run:home.doorLocked"] });
    const use = { runId: "r2", holds: ["run:home.light", "run:home.doorLocked"] };
    expect(codeOf(await useReceipt(kernel, b, use))).toBe("held");
    if (first.kind === "used") await kernel.settle(first.reservation, { drop: true });
    expect(codeOf(await useReceipt(kernel, b, use))).toBe("used");
  });

  test("a kernel that is stopped takes no use", async () => {
    const kernel = await opened(new MemoryLog());
    await kernel.stop("maintenance");
    expect(codeOf(await useReceipt(kernel, receiptFor(await firstOf(kernel)), { runId: "r1" }))).toBe(
      "FC4011",
    );
  });
});

interface Child {
  /** Result of the process. */
  readonly said: Promise<string>;
  readonly kill: () => Promise<void>;
}

function child(url: string, runId: string, receipt: Receipt): Child {
  const started = spawn(process.execPath, [join(programs, "child.mjs"), url, runId, receiptText(receipt)]);
  const ended = new Promise<void>((resolve) => started.once("close", () => resolve()));
  let complaint = "";
  started.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const said = new Promise<string>((resolve, reject) => {
    started.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    started.once("exit", () => reject(new Error(complaint)));
  });
  return {
    said,
    kill: async () => {
      started.kill("SIGKILL");
      await ended;
    },
  };
}

const places: readonly (readonly [string, () => string])[] = [
  ["SQLite", () => `sqlite:${join(folder, "ledger.db")}`],
  ...(server === undefined ? [] : [["PostgreSQL", () => server.ledgerUrl("receipts")] as const]),
];

describe.each(places)("processes on %s", (_, urlOf) => {
  test("race for a receipt: one has it, and keeps it after kill -9", { timeout: timeout(120) }, async () => {
    const url = urlOf();
    const ledger = await openLedger(url);
    const kernel = await opened(ledger);
    const receipt = receiptFor(await firstOf(kernel));
    const racing = Array.from({ length: 4 }, (__, i) => child(url, `r${i}`, receipt));
    const said = await Promise.all(racing.map((one) => one.said));
    await Promise.all(racing.map((one) => one.kill()));
    expect(said.sort()).toEqual(["refused", "refused", "refused", "used"]);
    await kernel.refresh();
    expect(kernel.inDoubt().map(({ key }) => key)).toEqual([`receipt ${receipt.nonce}`]);
    expect(codeOf(await useReceipt(kernel, receipt, { runId: "r9" }))).toBe("FC4010");
    const late = child(url, "r10", receipt);
    expect(await late.said).toBe("refused");
    await late.kill();
    expect(await verify(await ledger.read("main", 1, 100))).toMatchObject({ ok: true });
    await ledger.close();
  });
});
