/** Holds the log of a kernel to what was acknowledged and to plain sums over its entries, which no kernel made. */

import { Kernel, verify } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import type { Stored } from "../../src/ledger/port.ts";
import { textOf, wholeLog } from "./ledger-entries.ts";

/** The checked parts of an entry. */
interface Entry {
  readonly kind: string;
  readonly verdict: "allowed" | "refused";
  readonly seq: number;
  readonly command: { readonly receipt?: string };
  readonly cost: { readonly usd: string };
}

export interface Found {
  readonly log: readonly Stored[];
  readonly allowed: number;
  readonly refused: number;
  readonly inDoubt: readonly string[];
}

/**
 * Opens the ledger anew and looks at all of it: every acknowledged entry is there, the chain verifies and replays, and
 * state, budget and reservations are those that the entries add up to.
 */
export async function checkKernelLog(
  url: string,
  name: string,
  acknowledged: ReadonlyMap<number, string>,
  resolve = false,
): Promise<Found> {
  const known = [...acknowledged];
  const ledger = await openLedger(url, { create: false });
  try {
    const log = await wholeLog(ledger, name);
    for (const [seq, hash] of known) {
      const found = log[seq - 1]?.hash;
      if (found !== hash)
        throw new Error(`entry ${seq} was acknowledged as ${hash} and is ${found ?? "lost"}`);
    }
    if (log.length === 0) return { log, allowed: 0, refused: 0, inDoubt: [] };
    const verified = await verify(log);
    if (!verified.ok) throw new Error(`entry ${verified.problem?.seq}: ${verified.problem?.what}`);
    const sums = sumsOf(log);
    const opened = await Kernel.open({ ledger, name, clock: Date.now });
    if (!opened.ok) throw new Error(opened.problem.message);
    const kernel = opened.value;
    // Others may be writing while this looks: only what was read above is compared.
    if (kernel.status().seq === log.length) compare(kernel, sums);
    if (resolve) await resolveAll(kernel);
    await kernel.close();
    const { allowed, refused, pending } = sums;
    return { log, allowed, refused, inDoubt: [...pending.keys()] };
  } finally {
    await ledger.close();
  }
}

interface Sums {
  readonly executed: number;
  readonly allowed: number;
  readonly refused: number;
  readonly gross: bigint;
  readonly pending: ReadonlyMap<string, bigint>;
}

/** In hundredths. */
function sumsOf(log: readonly Stored[]): Sums {
  const counts = { executed: 0, allowed: 0, refused: 0 };
  const pending = new Map<string, bigint>();
  let gross = 0n;
  for (const stored of log.slice(1)) {
    const entry: Entry = JSON.parse(textOf(stored));
    counts[entry.verdict]++;
    if (entry.verdict === "refused") continue;
    const cost = hundredths(entry.cost.usd);
    if (entry.kind === "execute") counts.executed++;
    if (entry.kind === "execute" || entry.kind === "settle") gross += cost;
    if (entry.kind === "reserve") pending.set(`r${entry.seq}-${stored.hash}`, cost);
    if (entry.kind === "settle" || entry.kind === "release") pending.delete(entry.command.receipt ?? "");
  }
  return { ...counts, gross, pending };
}

function compare(kernel: Kernel, { executed, gross, pending }: Sums): void {
  const status = kernel.status();
  const state: { readonly count: number } = JSON.parse(status.state);
  const held = [...pending.values()].reduce((a, b) => a + b, 0n);
  const found = {
    count: state.count,
    gross: hundredths(status.budgets.usd?.gross ?? ""),
    net: hundredths(status.budgets.usd?.net ?? ""),
    reserved: hundredths(status.budgets.usd?.reserved ?? ""),
    inDoubt: status.inDoubt.map(({ receipt }) => receipt).sort(),
  };
  const expected = {
    count: executed,
    gross,
    net: gross,
    reserved: held,
    inDoubt: [...pending.keys()].sort(),
  };
  const text = (value: unknown) =>
    JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part));
  if (text(found) !== text(expected))
    throw new Error(`the kernel says ${text(found)}, its entries ${text(expected)}`);
}

/** Resolves all doubts; then nothing is held. */
async function resolveAll(kernel: Kernel): Promise<void> {
  const outcomes = await Promise.all(
    kernel
      .inDoubt()
      .map(({ receipt }, i) =>
        i % 2 === 0 ? kernel.release(receipt, "asked the tool") : kernel.settle(receipt, { cost: "1" }),
      ),
  );
  const refused = outcomes.find(({ verdict }) => verdict === "refused");
  if (refused !== undefined) throw new Error(`not resolved: ${JSON.stringify(refused.reasons)}`);
  const { budgets, inDoubt } = kernel.status();
  if (budgets.usd?.reserved !== "0" || inDoubt.length > 0) throw new Error("something is still held");
}

function hundredths(amount: string): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, "0"));
}
