/** Start-up time of the command line beyond that of Node, also with a program to prove. */

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { report } from "./harness.ts";

const SAMPLES = 20;

/** Decided without a solver, as the typical program is. */
const folder = mkdtempSync(join(tmpdir(), "foreclaim-bench-"));
const programPath = join(folder, "program.ts");
mkdirSync(join(folder, "tools"));
writeFileSync(
  join(folder, "tools/bank.ts"),
  `import { contract, tool } from "foreclaim";
export const balance = tool({
  ensures: (result) => result >= 0,
  run: async ({ account }: { account: string }): Promise<number> => account.length,
});
export const withdraw = tool({
  requires: ({ amount }) => amount >= 0,
  run: async ({ account, amount }: { account: string; amount: number }): Promise<void> => {},
});
export const maxSpend = contract((limit: number) => withdraw.sum((w) => w.amount) <= limit);
export const onlyAccount = contract((account: string) => withdraw.all((w) => w.account === account));
`,
);
writeFileSync(
  programPath,
  `import { program } from "foreclaim";
import * as bank from "./tools/bank";
export default program({
  guarantees: [bank.onlyAccount("card")],
  async run() {
    const owed = await bank.balance({ account: "card" });
    if (owed > 0) await bank.withdraw({ account: "card", amount: 3 });
  },
});
`,
);

const nodeNs: number[] = [];
const foreclaimNs: number[] = [];
const proveNs: number[] = [];
// In turns, so that a busy moment of the machine slows both.
for (let sample = 0; sample < SAMPLES; sample++) {
  nodeNs.push(timeNs(["-e", "0"]));
  foreclaimNs.push(timeNs(["dist/cli/main.js", "--version"]));
  proveNs.push(timeNs(["dist/cli/main.js", "prove", programPath]));
}
rmSync(folder, { recursive: true, force: true });

report("start-up", [
  { name: "node -e 0", size: 1, nsPerRun: median(nodeNs) },
  { name: "foreclaim --version", size: 1, nsPerRun: median(foreclaimNs) },
  { name: "over Node's own", size: 1, nsPerRun: median(foreclaimNs) - median(nodeNs) },
  { name: "foreclaim prove program.ts", size: 1, nsPerRun: median(proveNs) },
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
