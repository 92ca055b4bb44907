/** The workbench's programs under QuickJS, a second JavaScript engine: the same mock tools, clock and chance as under Node. */
import {
  newQuickJSWASMModule,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from "quickjs-emscripten";
import { labToolNames, Mocks, type Trace } from "../lab.ts";
import { stripTypes } from "../strip-types.ts";

/** LIMIT: of the engine's stack. More overflows the stack of the WebAssembly module, which the engine cannot catch. */
const maxStackBytes = 192 * 1024;

/** LIMIT: of jobs, that is of steps behind an `await`, in one run. */
const mostJobs = 200_000;

/** LIMIT: of programs in one WebAssembly module, whose memory only grows. */
const programsOfModule = 200;

let current: { readonly engine: QuickJSWASMModule; left: number } | undefined;

/** A module that has never seen a program fail in the engine itself. */
async function freshEnough(): Promise<QuickJSWASMModule> {
  if (current === undefined || current.left === 0)
    current = { engine: await newQuickJSWASMModule(), left: programsOfModule };
  current.left--;
  return current.engine;
}

/** Runs one program, once for each seed, in a runtime of its own each time. */
export async function runInQuickJs(
  source: string,
  input: unknown,
  seeds: readonly number[],
): Promise<readonly Trace[]> {
  const engine = await freshEnough();
  try {
    return runAll(engine, source, input, seeds);
  } catch (error) {
    current = undefined;
    throw error;
  }
}

function runAll(
  engine: QuickJSWASMModule,
  source: string,
  input: unknown,
  seeds: readonly number[],
): readonly Trace[] {
  return seeds.map((seed) => {
    const runtime = engine.newRuntime();
    runtime.setMaxStackSize(maxStackBytes);
    const context = runtime.newContext();
    const mocks = new Mocks(seed);
    for (const [name, give] of Object.entries(hostOf(mocks))) define(context, name, give);
    const ran = context.evalCode(`${prelude}\n(() => { ${wrapped(source, input)} })()`, "program.js");
    if (ran.error) throw new Error(`${JSON.stringify(context.dump(ran.error))}\n${source}`);
    ran.value.dispose();
    runtime.executePendingJobs(mostJobs).dispose();
    const read = context.evalCode("JSON.stringify(__ended ?? null)");
    const text: unknown = context.dump(read.unwrap());
    const ended: unknown = typeof text === "string" ? JSON.parse(text) : null;
    read.dispose();
    context.dispose();
    runtime.dispose();
    return traceOf(mocks, ended, source);
  });
}

function traceOf(mocks: Mocks, ended: unknown, source: string): Trace {
  if (typeof ended !== "object" || ended === null) throw new Error(`the program did not end\n${source}`);
  const { end, result, notes } = ended as Pick<Trace, "end" | "result" | "notes">;
  return { calls: mocks.calls, end, result, notes };
}

/** Host functions take and give texts. */
function hostOf(mocks: Mocks): Record<string, (...args: readonly string[]) => string> {
  return {
    __call: (tool = "", args = "") => {
      try {
        const value = mocks.call(tool, args === "" ? undefined : JSON.parse(args));
        return value === undefined ? "" : JSON.stringify({ value });
      } catch (error) {
        return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
      }
    },
    __now: () => String(mocks.nowMs()),
    __random: () => String(mocks.random()),
  };
}

function define(context: QuickJSContext, name: string, give: (...args: readonly string[]) => string): void {
  const made = context.newFunction(name, (...given: readonly QuickJSHandle[]) =>
    context.newString(give(...given.map((one) => String(context.dump(one))))),
  );
  context.setProp(context.global, name, made);
  made.dispose();
}

const prelude = `
"use strict";
let __ended;
const __notes = [];
const __own = Date;
class __Date extends __own {
  constructor(...given) { super(...(given.length === 0 ? [Number(__now())] : given)); }
  static now() { return Number(__now()); }
}
const lab = { nothing: () => true };
for (const name of ${JSON.stringify(labToolNames)})
  lab[name] = async (args) => {
    const given = __call(name, args === undefined ? "" : JSON.stringify(args));
    if (given === "") return undefined;
    const { value, error } = JSON.parse(given);
    if (error !== undefined) throw new Error(error);
    return value;
  };
const __printed = (one) => (typeof one === "object" && one !== null ? JSON.stringify(one) : String(one));
const __print = (...all) => { __notes.push(all.map(__printed).join(" ")); };
const console = { log: __print, info: __print, warn: __print, error: __print, debug: __print };
const program = (options) => options;
const setTimeout = (then) => { void Promise.resolve().then(then); };
const __Math = Object.create(Math, { random: { value: () => Number(__random()) } });
`;

function wrapped(source: string, input: unknown): string {
  const code = stripTypes(source).replace("export default", "return");
  const given = input === undefined ? "" : JSON.stringify(input);
  return `const made = ((Date, Math) => { ${code} })(__Date, __Math);
made.run(${given}).then(
  (returned) => { __ended = { end: "done", result: returned === undefined ? undefined : JSON.parse(JSON.stringify(returned)), notes: __notes }; },
  (thrown) => { __ended = { end: thrown instanceof Error ? thrown.message : String(thrown), notes: __notes }; },
);`;
}
