/**
 * A process of its own that uses a receipt: `child <url> <run> <receipt>`. Says what came of it at once, and then waits to
 * be killed, as a process does that is in the middle of its run.
 */
import { readReceipt, useReceipt } from "../../src/approve/index.ts";
import { Kernel } from "../../src/kernel/index.ts";
import { openLedger } from "../../src/ledger/open.ts";
import { writeAll } from "./write-all.ts";

const [url = "", runId = "", text = ""] = process.argv.slice(2);
const read = readReceipt(text);
if (!read.ok) throw new Error(read.problems[0]?.message);
const opened = await Kernel.open({ ledger: await openLedger(url), clock: Date.now });
if (!opened.ok) throw new Error(opened.problem.message);
const used = await useReceipt(opened.value, read.value, { runId });
writeAll(1, `${used.kind}\n`);
setInterval(() => {}, 1_000);
