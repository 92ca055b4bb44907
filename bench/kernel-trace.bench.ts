/**
 * A trace that grows: bytes and time of an entry, memory of the kernel, verifying all of it, and opening a kernel with and
 * without a snapshot. 100,000 entries; with `--long` the growth goes to 1,000,000.
 */

import { decodeAction } from "../src/kernel/core/action.ts";
import {
  decide,
  decodeInitial,
  decodePolicy,
  Kernel,
  type KernelState,
  type Log,
  openKernel,
  seal,
  verify,
} from "../src/kernel/index.ts";
import { MemoryLedger } from "../src/ledger/memory.ts";
import { report, type Timing } from "./harness.ts";

const ENTRIES = 100_000;
const policy = {
  budgets: { usd: "1000000000" },
  rules: [{ name: "n", enforcement: "blocking", rule: "range", key: "n", min: 0, max: 1_000_000_000 }],
};
const initial = { n: 0, s: "" };
const raw = {
  id: "step",
  effects: [
    { key: "n", op: "increment", value: 1 },
    { key: "s", op: "set", value: "a text of some length, as it comes" },
  ],
  cost: "1.5",
};

const growth = grown(process.argv.includes("--long") ? 1_000_000 : ENTRIES);
const timings = [...growth, ...(await recorded())];
report("kernel, trace", timings);

/** Entries that are made and not kept: what is left is what the kernel itself remembers. */
function grown(most: number): Timing[] {
  const found: Timing[] = [];
  let state = opening();
  const action = decodeAction(raw, state.policy);
  if (!action.ok) throw new Error(action.problem.message);
  const command = { kind: "execute", action: action.value } as const;
  let bytes = 0;
  for (let size = most / 10; size <= most; size *= 10) {
    const [from, startNs] = [state.seq, process.hrtime.bigint()];
    while (state.seq <= size) {
      const step = seal(state, decide(state, command, state.seq), `writer-${state.seq}`);
      bytes += step.entry.text.length;
      state = step.state;
    }
    const entries = state.seq - from;
    found.push({ name: "entries", size: entries, nsPerRun: Number(process.hrtime.bigint() - startNs) });
    globalThis.gc?.();
    const [each, heap] = [bytes / (state.seq - 1), process.memoryUsage().heapUsed / 2 ** 20];
    console.log(`  ${state.seq} entries: ${each.toFixed(0)} bytes each, ${heap.toFixed(1)} MB of memory`);
  }
  return found;
}

async function recorded(): Promise<Timing[]> {
  const ledger = new MemoryLedger();
  const kernel = await opened(ledger);
  for (let i = 1; i < ENTRIES; i += 200) {
    await Promise.all(Array.from({ length: Math.min(200, ENTRIES - i) }, () => kernel.execute(raw)));
  }
  const trace = await ledger.read("main", 1, ENTRIES);
  const verified = await timed(`verify`, async () => {
    if (!(await verify(trace)).ok) throw new Error("the trace does not hold");
  });
  const bare = { transact: ledger.transact.bind(ledger), read: ledger.read.bind(ledger) };
  const all = await timed("open, from the first entry", () => opened(bare));
  await kernel.close();
  const quick = await timed("open, from a snapshot", () => opened(ledger));
  return [verified, all, quick];
}

async function timed(name: string, work: () => Promise<unknown>): Promise<Timing> {
  const startNs = process.hrtime.bigint();
  await work();
  return { name, size: ENTRIES, nsPerRun: Number(process.hrtime.bigint() - startNs) };
}

async function opened(ledger: Log): Promise<Kernel> {
  const result = await Kernel.open({ ledger, policy, state: initial, clock: Date.now });
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

function opening(): KernelState {
  const [read, data] = [decodePolicy(policy), decodeInitial(initial)];
  if (!read.ok || !data.ok) throw new Error("the policy cannot be read");
  const step = openKernel("bench", read.value, data.value, 1);
  if (!step.ok) throw new Error(step.problem.message);
  return step.value.state;
}
