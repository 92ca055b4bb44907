/** Two instances on one ledger, SQLite or PostgreSQL: runs that use the same fluents go one after the other. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openLedger } from "../../src/ledger/open.ts";
import { PostgresServer } from "../support/postgres.ts";
import { timeout } from "../support/timeout.ts";
import { codesOf, kernelOn, program, proved, ran, receiptFor, tryRun, verified, World } from "./lab.ts";

const server = await PostgresServer.start();
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-two-"));
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const visit = await proved(
  program(
    'home.allDoorsLockedAtEnd(), home.onlyDoor("front")',
    'await home.unlock({ door: "front" }); await home.lock({ door: "front" });',
  ),
);

const places: readonly (readonly [string, () => string])[] = [
  ["SQLite", () => `sqlite:${join(folder, "ledger.db")}`],
  ...(server === undefined ? [] : [["PostgreSQL", () => server.ledgerUrl("two_runs")] as const]),
];

describe.each(places)("two instances on %s", (_, urlOf) => {
  test("hold their fluents, and see what the other did", { timeout: timeout(120) }, async () => {
    const [here, there] = [await openLedger(urlOf()), await openLedger(urlOf())];
    const [a, b] = [await kernelOn(here), await kernelOn(there)];
    const second = await receiptFor(visit, b);
    const other = { kernel: b, options: { receipt: second, runId: "r2" } };
    let inner: readonly string[] = [];
    const world = new World({
      "home.unlock": async () => {
        inner = await codesOf(tryRun(visit, new World(), other));
      },
    });
    expect((await ran(visit, world, { kernel: a })).kind).toBe("done");
    // It waits for the run, or for the door that is open in between.
    expect(inner).toEqual(["FC4503"]);
    expect((await ran(visit, new World(), other)).kind).toBe("done");
    const burglar = { id: "burglar", effects: [{ key: "home.doorLocked[back]", op: "set", value: false }] };
    const robbed = new World({ "home.unlock": async () => void (await b.execute(burglar)) });
    const run = await ran(visit, robbed, { kernel: a, options: { runId: "r3" } });
    expect([run.kind, run.endedBy?.code]).toEqual(["stopped", "FC4504"]);
    expect(robbed.done).toEqual(["home.unlock front"]);
    expect(await verified(a)).toBe(true);
    for (const ledger of [here, there]) await ledger.close();
  });

  test("many runs that race for one fluent are never two at a time", { timeout: timeout(120) }, async () => {
    const ledgers = await Promise.all(Array.from({ length: 4 }, () => openLedger(urlOf())));
    const kernels = await Promise.all(ledgers.map((ledger) => kernelOn(ledger)));
    const [kernel] = kernels;
    if (kernel === undefined) throw new Error("no kernel");
    const repair = { id: "repair", effects: [{ key: "home.doorLocked[back]", op: "set", value: true }] };
    const mend = { id: "mend", effects: [{ key: "home.doorLocked[front]", op: "set", value: true }] };
    for (const action of [repair, mend]) await kernel.execute(action);
    let [inside, most] = [0, 0];
    const entering = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const world = (): World => new World({ "home.unlock": entering, "home.lock": () => void inside-- });
    const all = await Promise.all(
      kernels.map((one, i) =>
        codesOf(tryRun(visit, world(), { kernel: one, options: { runId: `many${i}` } })),
      ),
    );
    expect(most).toBe(1);
    expect(all.filter((codes) => codes.length === 0).length).toBeGreaterThanOrEqual(1);
    expect(await verified(kernel)).toBe(true);
    for (const ledger of ledgers) await ledger.close();
  });
});
