/**
 * A process of its own that runs a plan, or resumes its run: `child <ledger> <plan file> <world file> <run id>`. What
 * tools do is a line at the end of the world's file, written at once, so that being killed loses nothing that was done.
 * Prints the run as JSON.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Kernel } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import { readPlan } from "../../src/plan/index.ts";
import { realClock } from "../../src/run/index.ts";
import { doubtful, keys, type PlanTool, ranOf, resumedPlan, stateAfter, tryPlan } from "../plan/running.ts";
import { writeAll } from "./write-all.ts";

const [url = "", planFile = "", world = "", runId = ""] = process.argv.slice(2);
const read = readPlan(readFileSync(planFile, "utf8"));
if (!read.ok) throw new Error(read.problems[0]?.message);
const { plan } = read.value;
const ledger = await openLedger(url);
const opened = await Kernel.open({ ledger, clock: Date.now });
if (!opened.ok) throw new Error(opened.problem.message);
const kernel = opened.value;

// Processes of one run verify its receipt with one key.
const keyFile = `${planFile}.keys`;
if (existsSync(keyFile)) Object.assign(keys, JSON.parse(readFileSync(keyFile, "utf8")));
else writeFileSync(keyFile, JSON.stringify(keys));

const doing = (what: string, fails = false): PlanTool["run"] =>
  async function tool(_, { actionId, key }) {
    writeAll(2, `begun ${actionId}\n`);
    await sleep(2);
    appendFileSync(world, `${what} ${actionId} ${key}\n`);
    await sleep(2);
    if (fails) throw new Error("it is broken");
    return `${what} ${actionId}`;
  };
const undo: PlanTool["undo"] = (_, __, call) => doing("undo")({}, call);
const tried = {
  tools: {
    once: { run: doing("once"), undo, cost: 1n },
    keyed: { run: doing("keyed"), idempotent: true, undo, cost: 1n },
    broken: { run: doing("broken", true), idempotent: true, cost: 1n },
  },
  options: { runId, clock: realClock },
};
const hasBegun = (await kernel.entries(1, 10)).some(({ bytes }) =>
  new TextDecoder().decode(bytes).includes('"purpose":"run"'),
);
const result = hasBegun ? await resumedPlan(plan, kernel, tried) : await tryPlan(plan, { ...tried, kernel });
// The one before was killed right after it had ended the run.
const isOver = !result.ok && hasBegun && kernel.inDoubt().length === 0;
const answer = isOver ? { outcome: "over", state: {}, in_doubt: [] } : answerOf(ranOf(result));
await kernel.close();
await ledger.close();
writeAll(1, JSON.stringify(answer));

function answerOf(run: ReturnType<typeof ranOf>): object {
  const in_doubt = doubtful(run).map(({ actionId, receipt }) => ({ action_id: actionId, receipt }));
  return { outcome: run.kind, state: stateAfter(run), in_doubt };
}
