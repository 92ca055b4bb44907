/** A workbench for programs: one tool module, mock tools, and the same program run as JavaScript and as Effect IR. */
import { compileProgram, type SourceDiagnostic } from "../../src/frontend/index.ts";
import { pathInside, urlInside } from "../../src/index.ts";
import { toJs } from "../../src/ir/convert/to-js.ts";
import {
  answerIn,
  check,
  type Document,
  isBuiltin,
  notesIn,
  readInputs,
  readingHandlers,
  run,
  type ToolHandler,
} from "../../src/ir/index.ts";
import { recordOf } from "../../src/ir/type.ts";
import { noteText, plainJson } from "../../src/run/told.ts";
import { stripTypes } from "./strip-types.ts";

export const labModule = `
import { contract, fluent, type Int, tool } from "foreclaim";
export interface Row { id: string; n: number; ok: boolean; tags: string[]; note?: string }
export type Level = "low" | "mid" | "high";
export const say = tool({ labels: ["out"], run: async ({ text }: { text: string }): Promise<void> => {} });
export const put = tool({ labels: ["out"], run: async ({ n }: { n: number }): Promise<void> => {} });
export const flag = tool({ run: async ({ on }: { on: boolean }): Promise<void> => {} });
export const count = tool({ run: async ({ i }: { i: Int }): Promise<void> => {} });
export const list = tool({ run: async ({ items }: { items: string[] }): Promise<void> => {} });
export const nums = tool({ run: async ({ items }: { items: number[] }): Promise<void> => {} });
export const opt = tool({ run: async ({ a, b }: { a?: string; b: string | null }): Promise<void> => {} });
export const set = tool({ run: async ({ level }: { level: Level }): Promise<void> => {} });
export const row = tool({ run: async ({ row }: { row: Row }): Promise<void> => {} });
export const read = tool({ run: async ({ key }: { key: string }): Promise<number> => 0 });
export const test = tool({ run: async ({ key }: { key: string }): Promise<boolean> => true });
export const word = tool({ run: async (): Promise<string> => "" });
export const maybe = tool({ run: async ({ key }: { key: string }): Promise<string | undefined> => undefined });
export const find = tool({ run: async ({ id }: { id: string }): Promise<Row | null> => null });
export const rows = tool({ ensures: (r) => r.length <= 10, run: async (): Promise<Row[]> => [] });
export const level = tool({ run: async (): Promise<Level> => "low" });
export const risky = tool({ run: async ({ key }: { key: string }): Promise<number> => 0 });
export const keep = tool({ run: async ({ value, more }: { value: unknown; more?: unknown }): Promise<void> => {} });
export const nothing = contract(() => true);
export const door = fluent<string, boolean>({ initial: true });
`;

export interface LabProgram {
  /** The body of \`run\`. */
  readonly body: string;
  /** Code above the program. */
  readonly top?: string;
  /** The type of the inputs, and values for them. */
  readonly input?: string;
  readonly inputs?: readonly Record<string, unknown>[];
}

export function sourceOf({ body, top = "", input }: LabProgram): string {
  const param = input === undefined ? "" : `input: ${input}`;
  return `import { program } from "foreclaim";
import * as lab from "./tools/lab";
${top}
export default program({
  guarantees: [lab.nothing()],
  async run(${param}) {
${body}
  },
});
`;
}

export function compileLab(
  source: string,
): { document: Document } | { problems: readonly SourceDiagnostic[] } {
  const files: Record<string, string> = { "program.ts": source, "tools/lab.ts": labModule };
  const result = compileProgram("program.ts", { readFile: (path) => files[path] });
  return result.ok ? { document: result.value.document } : { problems: result.problems };
}

/** `passes`: with every call, and not in between; for programs that make one call at a time. */
export type Time = "still" | "passes";

/** Mock results that depend only on the seed and on how many calls came before. */
export class Mocks {
  readonly calls: { readonly tool: string; readonly args: unknown }[] = [];
  readonly #seed: number;

  readonly #time: Time;
  #drawn = 0;

  constructor(seed: number, time: Time = "still") {
    this.#seed = seed;
    this.#time = time;
  }

  nowMs(): number {
    const passed = this.#time === "still" ? 0 : this.calls.length * 37;
    return Date.UTC(2024, 1, 28, 23, 59, 59, 900) + this.#seed * 7_654_321 + passed;
  }

  /** A multiple of 2⁻¹²: products with small integers are exact in JavaScript too. */
  random(): number {
    let x = (this.#seed * 2654435761 + this.#drawn++ * 40503 + 77) >>> 0;
    x = Math.imul(x ^ (x >>> 16), 2246822519) >>> 0;
    return ((x ^ (x >>> 13)) & 0xfff) / 2 ** 12;
  }

  call(tool: string, args: unknown): unknown {
    const at = this.calls.push({ tool, args: plain(args) }) - 1;
    const dice = (sides: number, salt = 0): number => {
      let x = (this.#seed * 7919 + at * 104729 + salt * 1299709 + 12345) >>> 0;
      x = Math.imul(x ^ (x >>> 15), 2246822519) >>> 0;
      x = Math.imul(x ^ (x >>> 13), 3266489917) >>> 0;
      return (x >>> 5) % sides;
    };
    switch (tool) {
      case "read":
        return [0, 1, 2, 5, 10, -3, 2.5][dice(7)];
      case "test":
        return dice(2) === 0;
      case "word":
        return ["", "a", "bob@x.io", "hello world", "  pad "][dice(5)];
      case "maybe":
        return [undefined, "", "yes", "no"][dice(4)];
      case "find":
        return dice(3) === 0 ? null : makeRow(dice, 1);
      case "rows":
        return Array.from({ length: dice(5) }, (_, i) => makeRow(dice, 10 * (i + 1)));
      case "level":
        return ["low", "mid", "high"][dice(3)];
      case "risky":
        if (dice(2) === 0) throw new Error("broken");
        return dice(10);
      default:
        return undefined;
    }
  }
}

function makeRow(dice: (sides: number, salt?: number) => number, salt: number): object {
  const row = {
    id: ["a", "b", "c", "d"][dice(4, salt)],
    n: dice(9, salt + 1) - 2,
    ok: dice(2, salt + 2) === 0,
    tags: ["x", "y", "z"].slice(dice(4, salt + 3)),
  };
  return dice(2, salt + 4) === 0 ? row : { ...row, note: "n" };
}

/** As data: a field that is \`undefined\` is one that is not there. */
function plain(value: unknown): unknown {
  return value === undefined ? {} : JSON.parse(JSON.stringify(value));
}

export interface Trace {
  readonly calls: readonly { readonly tool: string; readonly args: unknown }[];
  /** End of the run: \`done\`, or the reason. */
  readonly end: string;
  /** The value that \`run\` returned, as JSON; undefined if none, or if it threw. */
  readonly result?: unknown;
  readonly notes: readonly string[];
}

export const labToolNames = [...labModule.matchAll(/export const (\w+) = tool/g)].map(
  (match) => match[1] ?? "",
);

/** The tools of the workbench as functions that a program can call. */
export function labTools(call: (name: string, args: unknown) => Promise<unknown>): Record<string, unknown> {
  const lab: Record<string, unknown> = { nothing: () => true };
  for (const name of labToolNames) lab[name] = (args: unknown) => call(name, args);
  return lab;
}

/** The `run` of a program, as JavaScript. */
export function loadProgram(
  source: string,
  lab: Record<string, unknown>,
  notes: string[] = [],
  mocks: Pick<Mocks, "nowMs" | "random"> = new Mocks(0),
): (input: unknown) => Promise<unknown> {
  // A module is strict.
  const code = `"use strict";\n${stripTypes(source).replace("export default", "return")}`;
  // The test's own programs, never a user's.
  const print = (...args: readonly unknown[]) => {
    notes.push(args.map(printed).join(" "));
  };
  const console = { log: print, info: print, warn: print, error: print, debug: print };
  const given = {
    lab,
    program: (options: unknown) => options,
    pathInside,
    urlInside,
    console,
    ...ambient(
      () => mocks.nowMs(),
      () => mocks.random(),
    ),
  };
  const made = new Function(...Object.keys(given), code)(...Object.values(given));
  return (input) => made.run(input);
}

/** JavaScript's time and chance, from another clock and another source; pauses take no time. */
function ambient(nowMs: () => number, random: () => number): Record<string, unknown> {
  class TestDate extends Date {
    constructor(...given: readonly unknown[]) {
      // SAFETY: the arguments are those of the program under test, and every one of them is taken by `Date`.
      super(...((given.length === 0 ? [nowMs()] : given) as [number]));
    }
    static override now(): number {
      return nowMs();
    }
  }
  const math = Object.create(Math, { random: { value: random } });
  const later = (then: () => void) => {
    void Promise.resolve().then(then);
  };
  return { Date: TestDate, Math: math, setTimeout: later };
}

/** As Node prints simple values; what is not simple, as JSON. */
function printed(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** @param late whether calls end some time after they were started, each after another time */
export async function runAsJavaScript(
  source: string,
  input: unknown,
  seed: number,
  late = false,
  time: Time = "still",
): Promise<Trace> {
  const mocks = new Mocks(seed, time);
  const lab = labTools(async (name, args) => {
    const turns = late ? (seed * 31 + mocks.calls.length * 17) % 7 : 0;
    const outcome = attempt(() => mocks.call(name, args));
    for (let i = 0; i < turns; i++) await undefined;
    return outcome();
  });
  const notes: string[] = [];
  const { end, result } = await loadProgram(source, lab, notes, {
    nowMs: () => mocks.nowMs(),
    random: () => mocks.random(),
  })(input).then(
    (returned): Pick<Trace, "end" | "result"> => ({
      end: "done",
      result: returned === undefined ? undefined : JSON.parse(JSON.stringify(returned)),
    }),
    (thrown: unknown) => ({
      end: thrown instanceof Error ? thrown.message : String(thrown),
      result: undefined,
    }),
  );
  // What is still under way when the program has ended makes its calls too.
  if (late) for (let i = 0; i < 100; i++) await undefined;
  return { calls: mocks.calls, end, result, notes };
}

function attempt(body: () => unknown): () => unknown {
  try {
    const value = body();
    return () => value;
  } catch (thrown) {
    return () => {
      throw thrown;
    };
  }
}

export async function runAsIr(
  document: Document,
  input: unknown,
  seed: number,
  time: Time = "still",
): Promise<Trace> {
  const checked = check(document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const mocks = new Mocks(seed, time);
  const inputs = readInputs(checked.value, input ?? {});
  if (!inputs.ok) throw new Error(JSON.stringify(inputs.problems));
  const readings = readingHandlers({
    nowMs: () => mocks.nowMs(),
    random: () => mocks.random(),
    pause: async () => {},
  });
  const tools = new Map<string, ToolHandler>(
    document.tools.map(({ name }) => [
      name,
      readings.get(name) ?? { run: (args) => mocks.call(name.replace("lab.", ""), args) },
    ]),
  );
  const result = await run(checked.value, { inputs: inputs.value, tools });
  const made = result.trace.filter(({ tool }) => !isBuiltin(tool));
  const calls = made.map((entry) => {
    const tool = checked.value.tools.get(entry.tool);
    const args = toJs(entry.args, recordOf(tool?.params ?? []));
    if (!args.ok) throw new Error("arguments");
    return { tool: entry.tool.replace("lab.", ""), args: args.value };
  });
  const { outcome } = result;
  const answer = answerIn(result.trace);
  return {
    calls,
    end: outcome.kind === "completed" ? "done" : `${outcome.problem.code} ${outcome.problem.message}`,
    result: answer === undefined ? undefined : plainJson(answer),
    notes: notesIn(result.trace).map(noteText),
  };
}
