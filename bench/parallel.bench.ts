/**
 * Twenty calls of 100 ms in a `Promise.all`, run as a user runs them. The tool notes when each call starts and ends, so
 * the start of the command does not count. Prints the ratio to the time of the calls one after the other.
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { report } from "./harness.ts";

const CALLS = 20;
const CALL_MS = 100;
const SAMPLES = 3;

const folder = mkdtempSync(join(tmpdir(), "foreclaim-bench-"));
mkdirSync(join(folder, "tools"));
writeFileSync(
  join(folder, "tools/net.ts"),
  `import { contract, tool } from "foreclaim";
export const get = tool({
  reads: true,
  run: async ({ n }: { n: number }): Promise<number> => {
    console.log("at", performance.now());
    await new Promise((resolve) => setTimeout(resolve, ${CALL_MS}));
    console.log("at", performance.now());
    return n;
  },
});
export const few = contract((most: number) => get.count() <= most);
`,
);
const numbers = Array.from({ length: CALLS }, (_, i) => i);
writeFileSync(
  join(folder, "all.ts"),
  `import { program } from "foreclaim";
import * as net from "./tools/net";
export default program({
  guarantees: [net.few(${CALLS})],
  async run() {
    const found = await Promise.all(${JSON.stringify(numbers)}.map((n) => net.get({ n })));
    return found.length;
  },
});
`,
);

let spanMs = Number.POSITIVE_INFINITY;
for (let sample = 0; sample < SAMPLES; sample++) {
  const { stdout, status } = spawnSync(
    process.execPath,
    ["dist/cli/main.js", "run", join(folder, "all.ts"), "--yes"],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`the run failed:\n${stdout}`);
  const times = [...stdout.matchAll(/^at ([0-9.]+)$/gm)].map(([, time]) => Number(time));
  if (times.length !== 2 * CALLS) throw new Error(`${times.length} times in place of ${2 * CALLS}`);
  spanMs = Math.min(spanMs, Math.max(...times) - Math.min(...times));
}
rmSync(folder, { recursive: true, force: true });

report("parallel", [
  { name: `${CALLS} calls of ${CALL_MS} ms in a Promise.all`, size: CALLS, nsPerRun: spanMs * 1e6 },
]);
console.log(`${((CALLS * CALL_MS) / spanMs).toFixed(1)} times as fast as one after the other`);
