/**
 * A process of its own that takes steps with a kernel: `child <url> <kernel> <name> <count> <seed>`. What was
 * acknowledged is printed at once, straight to the pipe, as `<entry> <hash>`, so that being killed loses nothing that was
 * printed. Some steps are executed, some reserved and then settled, released or left without an outcome.
 */

import { Kernel } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import { InDoubt, LedgerUnavailable } from "../../src/ledger/port.ts";
import { crashPolicy, crashState } from "./kernel-policy.ts";
import { randomFrom } from "./random.ts";
import { writeAll } from "./write-all.ts";

const [url = "", kernelName = "", name = "", count = "0", seed = "0"] = process.argv.slice(2);
const random = randomFrom(Number(seed));

const ledger = await patiently(() => openLedger(url));
const there = (await patiently(() => ledger.read(kernelName, 1, 1))).length > 0;
// Making a kernel that was made is opening it, so one that is in doubt is made again.
const opened = await patiently(
  () =>
    Kernel.open({
      ledger,
      name: kernelName,
      clock: Date.now,
      ...(there ? {} : { policy: crashPolicy, state: crashState }),
    }),
  (error) => error instanceof InDoubt,
);
if (!opened.ok) throw new Error(opened.problem.message);
const kernel = opened.value;

for (let n = 1; n <= Number(count); ) {
  // Several at once share a transaction; more often it is one.
  const together = Math.min(Number(count) - n + 1, random() < 0.3 ? 1 + Math.floor(random() * 4) : 1);
  const choices = Array.from({ length: together }, (_, i) => ({ n: n + i, chance: random() }));
  await Promise.all(choices.map((choice) => step(choice.n, choice.chance)));
  n += together;
}
await kernel.close();
await ledger.close();

async function step(n: number, chance: number): Promise<void> {
  if (chance < 0.6) {
    const effects = [
      { key: "count", op: "increment", value: 1 },
      { key: `last.${name}`, op: "set", value: n },
    ];
    await acknowledged(() => kernel.execute({ id: "execute", effects, cost: "1.25" }));
    return;
  }
  const effects = [{ key: `real.${name}.${n}`, op: "set", value: true }];
  const key = `${name}:${n}`;
  const receipt = await acknowledged(() => kernel.reserve({ id: "reserve", effects, cost: "2" }, key));
  if (receipt === undefined || chance < 0.65) return;
  if (chance < 0.9) await acknowledged(() => kernel.settle(receipt, { cost: "0.75", outcome: n }));
  else await acknowledged(() => kernel.release(receipt, "it did not happen"));
}

async function acknowledged(
  ask: () => Promise<{ readonly seq: number; readonly hash: string; readonly receipt?: string }>,
): Promise<string | undefined> {
  try {
    const { seq, hash, receipt } = await patiently(ask);
    writeAll(1, `${seq} ${hash}\n`);
    return receipt;
  } catch (error) {
    // Whether it happened is not known: it is neither tried again nor reported.
    if (error instanceof InDoubt) return undefined;
    throw error;
  }
}

async function patiently<T>(
  work: () => Promise<T>,
  isFine: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LedgerUnavailable || isFine(error)) || tries > 100) throw error;
      writeAll(2, `${error instanceof Error ? error.message : error}\n`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
