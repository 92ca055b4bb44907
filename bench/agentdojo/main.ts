/** `npm run agentdojo`: the table of what is handled and what is refused, for every task and every attack. */
import { parseArgs } from "node:util";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { type Everything, everything } from "./everything.ts";
import { factsFolder, readSuite, suites } from "./facts.ts";
import { missesOf, printAlone, printSuite, type Result } from "./print.ts";
import { Workbench } from "./prove.ts";

const { values } = parseArgs({
  options: { every: { type: "string", default: "1" }, suite: { type: "string", multiple: true } },
});
const every = Number(values.every);
const chosen = suites.filter((name) => values.suite?.includes(name) ?? true);
const folder = factsFolder(process.cwd());
if (!Number.isInteger(every) || every < 1) {
  console.error("--every takes a whole number from 1");
  process.exitCode = 2;
} else if (values.suite?.some((name) => !suites.some((one) => one === name))) {
  console.error(`--suite takes one of ${suites.join(", ")}`);
  process.exitCode = 2;
} else if (folder === undefined) {
  console.error("the facts of AgentDojo are not here: name their folder with FORECLAIM_AGENTDOJO");
  process.exitCode = 2;
} else {
  process.exitCode = await main(folder);
}

/** Gives 1 if something is not as it should be. */
async function main(folder: string): Promise<number> {
  const solver = z3Wasm();
  const startMs = performance.now();
  const results: Result[] = [];
  for (const name of chosen) {
    const suite = readSuite(folder, name);
    const bench = new Workbench(process.cwd(), solver);
    const found: Everything = await everything(bench, suite, { every, everyTask: 1, first: 0 });
    results.push({ suite, found, proofs: bench.proofs });
  }
  await solver.close();
  const lines = [
    "No model was run: the programs are written from the benchmark's reference calls, and the table says which of them the",
    "policies refuse before they run; it says nothing about utility or about attack success rates.",
    ...(every === 1 ? [] : [`Only about one attack in ${every} was judged.`]),
    "",
    ...printAlone(results),
    ...results.flatMap(printSuite),
  ];
  for (const line of lines) console.log(line);
  const misses = results.flatMap(missesOf);
  for (const one of misses) console.log(`MISS ${one}`);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  console.log(`\n${misses.length} misses, ${seconds} s`);
  return misses.length === 0 ? 0 : 1;
}
