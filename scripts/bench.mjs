// `npm run bench [-- filter]`: runs the benchmarks of bench/ whose file name contains the filter.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled } from "./ensure.mjs";
import { ROOT, runNode, runTool } from "./tools.mjs";

const filter = process.argv[2] ?? "";
const names = readdirSync(join(ROOT, "bench"))
  .filter((file) => file.endsWith(".bench.ts") && file.includes(filter))
  .map((file) => file.slice(0, -".ts".length))
  .sort();

process.exitCode = ensureInstalled() || ensureBuilt() || runBenchmarks();

/** Gives the exit code of the first benchmark that failed, or 0. */
function runBenchmarks() {
  if (names.length === 0) {
    console.error(`no benchmark in bench/ has a name that contains \`${filter}\``);
    return 1;
  }
  if (filter === "") rmSync(join(ROOT, "bench/results"), { recursive: true, force: true });
  const code = runTool("tsc", ["-p", "tsconfig.bench.json"]);
  if (code !== 0) return code;
  for (const name of names) {
    // A process each: what the compiler has learnt from one benchmark must not help or hurt the next.
    const benchCode = runNode(["--expose-gc", "--enable-source-maps", `bench/build/bench/${name}.js`]);
    if (benchCode !== 0) return benchCode;
  }
  return 0;
}
