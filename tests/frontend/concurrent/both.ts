/** One program as JavaScript and as Effect IR, with calls that end in the same order. */
import { toJs } from "../../../src/ir/convert/to-js.ts";
import { check, type Document, readInputs, run, type ToolHandler } from "../../../src/ir/index.ts";
import { recordOf } from "../../../src/ir/type.ts";
import { labTools, loadProgram, type Trace } from "../lab.ts";
import { Strands } from "./oracle.ts";
import { type Rank, Scheduler } from "./scheduler.ts";

/** @returns with it an order in which calls whose end nobody waits for end first */
export async function inJavaScript(source: string, seed: number): Promise<Trace & { readonly early: Rank }> {
  const scheduler = new Scheduler(seed);
  const run = loadProgram(
    source,
    labTools((name, args) => scheduler.call(name, args)),
  );
  let end = "never";
  void run(undefined).then(
    () => {
      end = "done";
    },
    (thrown: unknown) => {
      end = thrown instanceof Error ? thrown.message : String(thrown);
    },
  );
  // Calls that are still under way when the program has failed are made too.
  await scheduler.drain();
  const { calls, ended, silent } = scheduler;
  const early = (at: number) => (silent.has(at) ? at - calls.length : ended.indexOf(at));
  return { calls, end, early, notes: [] };
}

/** By a reading of the document that shares nothing with the interpreter but the evaluation of expressions. */
export async function inIr(document: Document, seed: number, rank?: Rank): Promise<Trace> {
  const checked = check(document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const scheduler = new Scheduler(seed, rank);
  const strands = new Strands(checked.value, (tool, args) => {
    const declared = checked.value.tools.get(tool);
    const plain = toJs(args, recordOf(declared?.params ?? []));
    if (!plain.ok) throw new Error("arguments");
    return scheduler.call(tool.replace("lab.", ""), plain.value);
  });
  strands.start();
  await scheduler.drain();
  return { calls: scheduler.calls, end: strands.end, notes: [] };
}

/** By the interpreter itself, with as many calls under way as there are. */
export async function inInterpreter(document: Document, seed: number, rank?: Rank): Promise<Trace> {
  const checked = check(document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const inputs = readInputs(checked.value, {});
  if (!inputs.ok) throw new Error(JSON.stringify(inputs.problems));
  const scheduler = new Scheduler(seed, rank);
  const tools = new Map<string, ToolHandler>(
    document.tools.map(({ name }) => [
      name,
      { run: (args) => scheduler.call(name.replace("lab.", ""), args) },
    ]),
  );
  let end = "never";
  const running = run(checked.value, { inputs: inputs.value, tools, concurrency: 1000 }).then(
    ({ outcome }) => {
      end = outcome.kind === "completed" ? "done" : outcome.problem.code;
    },
  );
  await scheduler.drain();
  await running;
  return { calls: scheduler.calls, end, notes: [] };
}

/**
 * Runs `body` while nobody looks at promises that are rejected before they are awaited: Node would end the process,
 * and the language leaves that to its host.
 */
export async function withoutTracking<T>(body: () => Promise<T>): Promise<T> {
  const before = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", () => undefined);
  try {
    return await body();
  } finally {
    await new Promise((resolve) => setImmediate(resolve));
    process.removeAllListeners("unhandledRejection");
    for (const one of before) process.on("unhandledRejection", one);
  }
}
