/**
 * A process of its own that runs a plan: `child <ledger> <plan file> <world file> <run id>`. What tools do is a line at the
 * end of the world's file, written at once, so that being killed loses nothing that was done. Prints the run as JSON.
 */
import { appendFileSync, readFileSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Kernel } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import { outputText, type PlanTool, planRunToJson, readPlan, runPlan } from "../../src/plan/index.ts";

const [url = "", planFile = "", world = "", runId = ""] = process.argv.slice(2);
const read = readPlan(readFileSync(planFile, "utf8"));
if (!read.ok) throw new Error(read.problems[0]?.message);
const ledger = await openLedger(url);
const opened = await Kernel.open({ ledger, clock: Date.now });
if (!opened.ok) throw new Error(opened.problem.message);

const doing = (what: string, fails = false): PlanTool["run"] =>
  async function tool(_, { actionId, key }) {
    writeSync(2, `begun ${actionId}\n`);
    await sleep(2);
    appendFileSync(world, `${what} ${actionId} ${key}\n`);
    await sleep(2);
    if (fails) throw new Error("it is broken");
    return `${what} ${actionId}`;
  };
const cost = () => "1";
const tools = new Map<string, PlanTool>([
  ["once", { run: doing("once"), undo: (_, __, call) => doing("undo")(null, call), cost }],
  ["keyed", { run: doing("keyed"), usesKey: true, undo: (_, __, call) => doing("undo")(null, call), cost }],
  ["broken", { run: doing("broken", true), usesKey: true, cost }],
]);
const result = await runPlan(read.value.plan, { kernel: opened.value, tools, runId, believeClaims: true });
if (!result.ok) throw new Error(JSON.stringify(result.problems));
await opened.value.close();
await ledger.close();
writeSync(1, outputText(planRunToJson(result.value)));
