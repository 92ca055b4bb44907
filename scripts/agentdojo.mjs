// `npm run agentdojo [-- --every N --suite NAME]`: proves a program for every task of AgentDojo's suites, and one for
// every attack on it, or for about every Nth. The facts lie in the folder that FORECLAIM_AGENTDOJO names.

import { ensureInstalled } from "./ensure.mjs";
import { runNode, runTool } from "./tools.mjs";

process.exitCode =
  ensureInstalled() ||
  runTool("tsc", ["-p", "tsconfig.bench.json"]) ||
  runNode(["--enable-source-maps", "bench/build/bench/agentdojo/main.js", ...process.argv.slice(2)]);
