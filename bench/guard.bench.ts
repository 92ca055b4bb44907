/**
 * A session of a million calls under three standing guarantees: the time of one call, after so many. A budget adds the
 * kernel, which keeps every call; that is measured on fewer.
 */

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guard } from "../src/guard/index.ts";
import { report, type Timing } from "./harness.ts";

const module = `import { contract, tool } from "foreclaim";
export const ask = tool({ run: async ({ about }: { about: string }): Promise<boolean> => true });
export const pay = tool({
  cost: ({ amount }) => amount,
  run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => {},
});
export const only = contract((list: string[]) => pay.all((p) => list.includes(p.to)));
export const each = contract((n: number) => pay.perKey((p) => p.to).sum((p) => p.amount) <= n);
export const asks = contract(() => ask.precedes(pay, (a, p) => a.about === p.to));
`;

const folder = mkdtempSync(join(tmpdir(), "foreclaim-bench-"));
mkdirSync(join(folder, "tools"));
writeFileSync(join(folder, "tools/bank.ts"), module);

/** Calls between two readings of the clock. */
const BLOCK = 5_000;

async function measured(
  name: string,
  sizes: readonly number[],
  budget: string | undefined,
): Promise<Timing[]> {
  const bank = {
    ask: async (_: { about: string }) => true,
    pay: async (_: { to: string; amount: number }) => {},
  };
  const guarantees = ['bank.only(["ann", "bob"])', "bank.each(10000000)", "bank.asks()"];
  const { tools, close } = await guard(
    { bank },
    { folder, guarantees, ...(budget !== undefined && { budget }) },
  );
  const timings: Timing[] = [];
  await tools.bank.ask({ about: "ann" });
  let made = 1;
  for (const size of sizes) {
    for (; made < size - BLOCK; made++) await tools.bank.pay({ to: "ann", amount: 1 });
    const before = process.cpuUsage();
    for (let i = 0; i < BLOCK; i++, made++) await tools.bank.pay({ to: "ann", amount: 1 });
    // Time of the processor, so that others on the machine do not count.
    const { user, system } = process.cpuUsage(before);
    const nsPerCall = ((user + system) * 1_000) / BLOCK;
    // A row is as long as its size: growth near 1.0 says that a call costs the same after so many.
    timings.push({ name, size, nsPerRun: nsPerCall * size });
  }
  await close();
  return timings;
}

report("a call of a session, after so many", [
  ...(await measured("3 standing guarantees", [10_000, 100_000, 300_000, 1_000_000], undefined)),
  ...(await measured("and a budget, kept in memory", [10_000, 30_000, 100_000], "1000000")),
]);
