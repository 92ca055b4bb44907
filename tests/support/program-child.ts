/**
 * A process of its own that runs a document with calls at the same time, or resumes its run:
 * `child <ledger> <document> <world file>`. What tools do is a line at the end of the world's file, written at once, so that
 * being killed loses nothing that was done. Prints how the run ended as JSON.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { readDocument, record } from "../../src/ir/index.ts";
import { Kernel } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import { type CallInfo, type LoadedTool, resumeProgram, runProgram } from "../../src/run/index.ts";
import { keys, receiptFor } from "../run/lab.ts";
import { writeAll } from "./write-all.ts";

const [url = "", file = "", world = ""] = process.argv.slice(2);
const read = readDocument(readFileSync(file, "utf8"));
if (!read.ok) throw new Error(read.problems[0]?.message);
const { checked } = read.value;
const ledger = await openLedger(url);
const opened = await Kernel.open({ ledger, clock: Date.now });
if (!opened.ok) throw new Error(opened.problem.message);
const kernel = opened.value;

// Processes of one run verify its receipt with one key.
const keyFile = `${file}.keys`;
if (existsSync(keyFile)) Object.assign(keys, JSON.parse(readFileSync(keyFile, "utf8")));
else writeFileSync(keyFile, JSON.stringify(keys));

const doing = (what: string): LoadedTool["run"] =>
  async function tool(_, call) {
    // SAFETY: the executor tells every tool of its call.
    const { actionId, key } = call as CallInfo;
    writeAll(2, `begun ${actionId}\n`);
    await sleep(2);
    appendFileSync(world, `${what} ${actionId} ${key}\n`);
    await sleep(2);
    return `${what} ${actionId}`;
  };
const common = {
  kernel,
  publicKey: keys.publicKey,
  tools: new Map([
    ["t.once", { run: doing("once") }],
    ["t.keyed", { run: doing("keyed") }],
  ]),
  everywhere: new Set([0]),
  runId: "r1",
  wallMs: () => 500,
};
const hasBegun = (await kernel.entries(1, 10)).some(({ bytes }) =>
  new TextDecoder().decode(bytes).includes('"purpose":"run"'),
);
const result = hasBegun
  ? await resumeProgram(checked, common)
  : await runProgram(checked, {
      ...common,
      inputs: record([]),
      receipt: await receiptFor({ checked, everywhere: new Set() }, kernel),
    });
// The one before was killed right after it had ended the run.
const isOver = !result.ok && hasBegun && kernel.inDoubt().length === 0;
if (!result.ok && !isOver) throw new Error(JSON.stringify(result.problems));
const calls = result.ok ? result.value.calls : [];
const answer = {
  outcome: result.ok ? result.value.kind : "over",
  inDoubt: calls
    .filter(({ status }) => status === "in doubt")
    .map(({ call, tool, receipt }) => ({ call, tool, receipt })),
};
await kernel.close();
await ledger.close();
writeAll(1, JSON.stringify(answer));
