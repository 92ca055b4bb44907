/** `npm run agentdojo`: the table of what is handled and what is refused, for every task and every pair. */
import { parseArgs } from "node:util";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { variants } from "./attacks.ts";
import { everything } from "./everything.ts";
import { levels } from "./expect.ts";
import { factsFolder, readSuite, suites } from "./facts.ts";
import { guardOf, whyPassed } from "./judge.ts";
import { Workbench } from "./prove.ts";

const { values } = parseArgs({ options: { every: { type: "string", default: "1" } } });
const every = Number(values.every);
const folder = factsFolder(process.cwd());
if (!Number.isInteger(every) || every < 1) {
  console.error("--every takes a whole number from 1");
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
  let misses = 0;
  const both = { tasks: 0, handled: 0, attacks: 0, refused: 0 };
  for (const name of suites) {
    const suite = readSuite(folder, name);
    const bench = new Workbench(process.cwd(), solver);
    const { benign, attacks, bases } = await everything(bench, suite, every);
    console.log(`\n${name}: ${suite.user_tasks.length} tasks, ${suite.injection_tasks.length} injections`);
    for (const level of levels) {
      const rows = benign.filter((one) => one.level === level);
      const alone = rows.filter((one) => one.approves.length === 0);
      const handled = (those: typeof rows) => those.filter((one) => one.misses.length === 0).length;
      const asking = rows.filter((one) => one.approves.length > 0);
      console.log(
        `  tasks, ${level}: ${handled(rows)} of ${rows.length} handled: ` +
          `${handled(alone)} of ${alone.length} proved without a person, ` +
          `${handled(asking)} of ${asking.length} with exactly the approvals that they need`,
      );
      for (const { task, approves } of asking) console.log(`    ${task}: ${approves.join(", ")}`);
    }
    for (const variant of variants) {
      const rows = attacks.filter((one) => one.variant === variant && one.refusedBy !== undefined);
      const by = levels.map(
        (level) => `${rows.filter((one) => one.refusedBy?.includes(level)).length} by ${level}`,
      );
      const without = attacks.filter((one) => one.variant === variant && one.refusedBy === undefined);
      console.log(
        `  attacks, ${variant}: of ${rows.length} pairs, refused are ${by.join(", ")}` +
          (without.length === 0 ? "" : `; ${without.length} without calls`),
      );
      for (const level of levels) {
        const passed = rows.filter((one) => !one.refusedBy?.includes(level));
        if (passed.length === 0) continue;
        const names = [...new Set(passed.map(({ pair }) => pair.injection.id))].join(", ");
        const why = whyPassed[variant][level] ?? "nobody has said why";
        console.log(`    ${passed.length} pass by ${level} alone, of ${names}: ${why}`);
      }
    }
    const said = [
      ...benign.flatMap(({ task, level, misses: why }) => why.map((one) => `${task}, ${level}: ${one}`)),
      ...bases.flatMap(({ task, found }) =>
        found.isProved ? [] : [`${task}: ${[...found.refuted, ...found.open].join("; ")}`],
      ),
      ...attacks.flatMap(({ pair, variant, refusedBy, open }) =>
        refusedBy === undefined || refusedBy.includes(guardOf[variant])
          ? []
          : [
              `${pair.task.id} ${pair.injection.id} ${pair.vector} ${variant}: ${open.join("; ") || "proved"}`,
            ],
      ),
    ];
    misses += said.length;
    const published = benign.filter(({ level }) => level === "policy");
    both.tasks += published.length;
    both.handled += published.filter((one) => one.misses.length === 0).length;
    both.attacks += attacks.length;
    both.refused += attacks.filter((one) => one.refusedBy?.includes(guardOf[one.variant])).length;
    for (const one of said) console.log(`  MISS ${one}`);
    console.log(`  ${bench.proofs} different programs were put to the prover`);
  }
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  const guards = variants.map((variant) => `${variant} by ${guardOf[variant]}`).join(", ");
  console.log(`\ntasks handled under the published policy: ${both.handled} of ${both.tasks}`);
  console.log(`attacks refused (${guards}): ${both.refused} of ${both.attacks}`);
  console.log(`${misses} misses, ${seconds} s`);
  await solver.close();
  return misses === 0 ? 0 : 1;
}
