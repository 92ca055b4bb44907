/** Many processes, one budget: on PostgreSQL, through the kernel. */

import { afterAll, describe, expect, it } from "vitest";
import { Kernel } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import { checkKernelLog } from "../support/kernel-log.ts";
import { crashPolicy, crashState } from "../support/kernel-policy.ts";
import { Children } from "../support/ledger-children.ts";
import { PostgresServer } from "../support/postgres.ts";
import { timeout } from "../support/timeout.ts";

const PROCESSES = 8;
const STEPS = 500;
/** Less than they ask for, so that the last of it is fought over. */
const LIMIT = "3000";

const server = await PostgresServer.start();
afterAll(() => server?.stop());

describe.skipIf(server === undefined)("one budget on PostgreSQL", () => {
  it(`holds for ${PROCESSES} processes with ${STEPS} steps each`, { timeout: timeout(300) }, async () => {
    const url = server!.ledgerUrl("kernel_shared");
    const ledger = await openLedger(url);
    const policy = { ...crashPolicy, budgets: { usd: { ...crashPolicy.budgets.usd, limit: LIMIT } } };
    const opened = await Kernel.open({ ledger, name: "shared", policy, state: crashState, clock: Date.now });
    await ledger.close();
    expect(opened.ok).toBe(true);

    const children = await Children.prepared("kernel-child");
    const all = Array.from({ length: PROCESSES }, (_, n) =>
      children.start(url, "shared", `p${n}`, STEPS, { seed: n + 1 }),
    );
    const codes = await Promise.all(all.map(({ ended }) => ended));
    expect(codes, all.map(({ said }) => said).join("")).toEqual(all.map(() => 0));

    // Sums over the entries are those of the kernel, every acknowledgement is in its place, and the chain replays.
    const { log, allowed, refused } = await checkKernelLog(url, "shared", children.acknowledged);
    children.end();
    expect(children.acknowledged.size).toBe(log.length - 1);
    expect(allowed + refused).toBe(log.length - 1);
    expect(refused).toBeGreaterThan(0);
    let highest = 0;
    for (const { bytes } of log) {
      const { budgets } = JSON.parse(new TextDecoder().decode(bytes));
      highest = Math.max(highest, Number(budgets.usd.spent) + Number(budgets.usd.reserved));
    }
    // Never one unit over, at any entry; and it was used up to less than the cheapest step.
    expect(highest).toBeLessThanOrEqual(Number(LIMIT));
    expect(highest).toBeGreaterThan(Number(LIMIT) - 2);
  });
});
