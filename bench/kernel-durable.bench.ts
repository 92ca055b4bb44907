/**
 * Durable steps of a kernel (decided, recorded, flushed), beside bare inserts into a table of the same engine with the same
 * durability. Clients of one kernel share commits; a kernel each is what several processes would do. Bare inserts know
 * nothing of each other and share their flushes; inserts in turn are in one order, each after it has read where the last
 * one stopped, as a step must. Eight kernels in one process also do each step eight times, once to decide and seven times
 * to follow, on one core.
 */

import { Kernel } from "../src/kernel/index.ts";
import { openLedger } from "../src/ledger/open.ts";
import type { Ledger } from "../src/ledger/port.ts";
import { onPostgres, onSqlite, type Place, show, timed } from "./durable.ts";
import type { Timing } from "./harness.ts";

const timings = [
  ...(await onSqlite((place) => measure("SQLite", place))),
  ...(await onPostgres((place) => measure("PostgreSQL", place))),
];
show("kernel, durable", timings);
for (const { name, nsPerRun } of timings) {
  for (const kind of ["bare inserts", "inserts in turn"]) {
    const inserts = timings.find((one) => one.name === name.replace(/steps, (\d).*/, `${kind}, $1`));
    if (inserts !== undefined && name.includes("steps")) {
      console.log(`  ${name}: ${(inserts.nsPerRun / nsPerRun).toFixed(2)} times the rate of ${kind}`);
    }
  }
}

async function measure(engine: string, { url, insert, insertInTurn }: Place): Promise<readonly Timing[]> {
  const open: Ledger[] = [];
  const kernelOn = async (name: string): Promise<Kernel> => {
    const ledger = await openLedger(url(name));
    open.push(ledger);
    return opened(ledger);
  };
  const [one, eight] = [await kernelOn("one"), await kernelOn("eight")];
  const each: Kernel[] = [];
  for (let i = 0; i < 8; i++) each.push(await kernelOn("each"));
  const found = await timed([
    { name: `${engine}, bare inserts, 1`, clients: 1, work: insert },
    { name: `${engine}, steps, 1`, clients: 1, work: () => step(one) },
    { name: `${engine}, bare inserts, 8`, clients: 8, work: insert },
    { name: `${engine}, inserts in turn, 8`, clients: 8, work: insertInTurn },
    { name: `${engine}, steps, 8 of one kernel`, clients: 8, work: () => step(eight) },
    { name: `${engine}, steps, 8 with a kernel each`, clients: 8, work: (client) => step(each[client]) },
  ]);
  for (const ledger of open) await ledger.close();
  return found;
}

async function opened(ledger: Ledger): Promise<Kernel> {
  const policy = {
    budgets: { usd: "1000000000" },
    rules: [{ name: "n", enforcement: "blocking", rule: "range", key: "n", min: 0, max: 1_000_000_000 }],
  };
  const result = await Kernel.open({ ledger, policy, state: { n: 0, s: "" }, clock: Date.now });
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

async function step(kernel: Kernel | undefined): Promise<void> {
  const effects = [
    { key: "n", op: "increment", value: 1 },
    { key: "s", op: "set", value: "a text of some length, as it comes" },
  ];
  const outcome = await kernel?.execute({ id: "step", effects, cost: "1.5" });
  if (outcome?.verdict !== "allowed") throw new Error("a step was refused");
}
