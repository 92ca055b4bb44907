/**
 * Eight processes that write to one SQLite ledger without a pause, each command after the last one was acknowledged: how long
 * the unlucky wait beside the others. SQLite has no queue of writers, so fairness is the work of the ledger.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Kernel } from "../src/kernel/index.ts";
import { openLedger } from "../src/ledger/open.ts";

const writers = 8;
const commands = Number(process.env.FORECLAIM_BENCH_COMMANDS ?? 200);
const [url] = process.argv.slice(2);

if (url === undefined) await measure();
else await write(url);

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "foreclaim-fairness-"));
  const place = `sqlite:${join(folder, "ledger.db")}`;
  try {
    await (await opened(place)).close();
    const startMs = performance.now();
    const all = await Promise.all(Array.from({ length: writers }, () => child(place)));
    const seconds = (performance.now() - startMs) / 1000;
    const sorted = all.flat().sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    const [p50, p99] = [at(0.5), at(0.99)];
    const text = [0.5, 0.9, 0.99, 1].map((share) => `p${share * 100} ${at(share).toFixed(1)} ms`).join(", ");
    console.log(`fairness, ${writers} writers on SQLite: ${text}`);
    console.log(`  p99 is ${(p99 / p50).toFixed(1)} times p50; at most 20 is wanted`);
    console.log(`  ${Math.round(sorted.length / seconds)} commands a second, starts included`);
    console.log(`  load of the machine ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a writer; gives how long each of its commands took. */
function child(place: string): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const one = fork(fileURLToPath(import.meta.url), [place]);
    one.once("message", (times) => {
      // SAFETY: a writer sends nothing else.
      resolve(times as readonly number[]);
    });
    one.once("exit", (code) => reject(new Error(`a writer ended with ${code}`)));
  });
}

async function write(place: string): Promise<void> {
  const kernel = await opened(place);
  const times: number[] = [];
  for (let i = 0; i < commands; i++) {
    const startMs = performance.now();
    await kernel.execute({ id: "step", effects: [{ key: "n", op: "increment", value: 1 }] });
    times.push(performance.now() - startMs);
  }
  process.send?.(times);
}

async function opened(place: string): Promise<Kernel> {
  const ledger = await openLedger(place);
  const result = await Kernel.open({ ledger, state: { n: 0 }, clock: Date.now });
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}
