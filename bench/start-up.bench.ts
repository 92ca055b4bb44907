/** What the command line adds to the time that Node itself takes to start. */

import { spawnSync } from "node:child_process";
import { report } from "./harness.ts";

const SAMPLES = 20;

const nodeNs: number[] = [];
const foreclaimNs: number[] = [];
// In turns, so that a busy moment of the machine slows both.
for (let sample = 0; sample < SAMPLES; sample++) {
  nodeNs.push(timeNs(["-e", "0"]));
  foreclaimNs.push(timeNs(["dist/cli/main.js", "--version"]));
}

report("start-up", [
  { name: "node -e 0", size: 1, nsPerRun: median(nodeNs) },
  { name: "foreclaim --version", size: 1, nsPerRun: median(foreclaimNs) },
  { name: "over Node's own", size: 1, nsPerRun: median(foreclaimNs) - median(nodeNs) },
]);

function timeNs(args: readonly string[]): number {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const end = process.hrtime.bigint();
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed: ${stderr}`);
  return Number(end - start);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
