/** Readings of the clock and of chance: a replay reads what the record says, and no record may say what no run can read. */
import { describe, expect, test } from "vitest";
import { clockTool, isDeclaredAsBuiltin, pauseTool, randomTool } from "../builtin.ts";
import type { TraceEntry } from "../eval/trace.ts";
import { readJson } from "../json/reader.ts";
import { readDocument } from "../read.ts";
import { printTool } from "../text/printer.ts";
import { record } from "../value.ts";
import { run } from "./interpret.ts";
import type { ToolHandler } from "./options.ts";
import { type Ambient, readingHandlers } from "./readings.ts";
import { recordedRunFromJson, recordedRunToJson } from "./recorded.ts";

const text = `effect-ir 1
${[clockTool, randomTool, pauseTool].map(printTool).join("\n")}
tool say(n: real)
program () {
  let a = call foreclaim.clock(after: 946684800000)
  let luck = call foreclaim.random()
  call foreclaim.pause(ms: 250)
  let b = call foreclaim.clock(after: a)
  call say(n: b - a + luck)
}`;

const read = readDocument(text);
if (!read.ok) throw new Error(JSON.stringify(read.problems));
const { checked } = read.value;

const nobody: Ambient = {
  nowMs: () => {
    throw new Error("nobody is asked");
  },
  random: () => Number.NaN,
  pause: () => Promise.reject(new Error("nobody is asked")),
};

function handlers(ambient: Ambient): ReadonlyMap<string, ToolHandler> {
  return new Map([...readingHandlers(ambient), ["say", { run: () => undefined }]]);
}

/** Time in milliseconds: one for each reading. */
function ambient(times: readonly number[]): Ambient & { readonly pauses: number[] } {
  const left = [...times];
  const pauses: number[] = [];
  return {
    pauses,
    nowMs: () => left.shift() ?? 0,
    random: () => 0.5,
    pause: async (ms) => {
      pauses.push(ms);
    },
  };
}

const inputs = record([]);
const t = 1_700_000_000_000;

function said(trace: readonly TraceEntry[]): unknown {
  return trace.find(({ tool }) => tool === "say")?.args.fields.n;
}

describe("a run", () => {
  test("reads, and pauses", async () => {
    const given = ambient([t + 0.75, t + 400]);
    const { outcome, trace } = await run(checked, { inputs, tools: handlers(given) });
    expect(outcome).toEqual({ kind: "completed" });
    expect(trace.map(({ tool }) => tool)).toEqual([
      "foreclaim.clock",
      "foreclaim.random",
      "foreclaim.pause",
      "foreclaim.clock",
      "say",
    ]);
    expect(given.pauses).toEqual([250]);
    expect(said(trace)).toEqual({ kind: "ratio", num: 801n, den: 2n });
  });

  test("does not see a clock go back", async () => {
    const { trace } = await run(checked, { inputs, tools: handlers(ambient([t, t - 5_000])) });
    expect(said(trace)).toEqual({ kind: "ratio", num: 1n, den: 2n });
  });

  test.each([
    ["before 2000", 5_000],
    ["after 9999", 8.64e15],
    ["no time", Number.NaN],
  ])("is stopped by a clock that says %s", async (_, now) => {
    const { outcome, trace } = await run(checked, { inputs, tools: handlers(ambient([now])) });
    expect(outcome).toMatchObject({ kind: "stopped" });
    expect(said(trace)).toBeUndefined();
  });

  test("without a clock does not begin", async () => {
    const { outcome } = await run(checked, { inputs, tools: new Map([["say", { run: () => undefined }]]) });
    expect(outcome).toMatchObject({ kind: "stopped", problem: { code: "FC1501" } });
  });
});

describe("a record", () => {
  const recorded = async (): Promise<readonly TraceEntry[]> =>
    (await run(checked, { inputs, tools: handlers(ambient([t, t + 100])) })).trace;

  test("is read again, and nobody is asked", async () => {
    const trace = await recorded();
    const json = recordedRunToJson(checked, { inputs, trace });
    const back = readJsonRun(json);
    const again = await run(checked, { inputs, tools: handlers(nobody), recorded: back });
    expect(again.outcome).toEqual({ kind: "completed" });
    expect(again.trace).toEqual(trace);
  });

  test.each([0, 1, 2, 3, 4])("of %i calls is gone on with", async (length) => {
    const trace = (await recorded()).slice(0, length);
    const again = await run(checked, { inputs, tools: handlers(ambient([t, t])), recorded: trace });
    expect(again.outcome).toEqual({ kind: "completed" });
    expect(again.trace.slice(0, length)).toEqual(trace);
  });

  test.each<[string, number, TraceEntry["outcome"]]>([
    ["a clock that goes back", 3, { kind: "returned", result: BigInt(t) - 1n }],
    ["a time before all", 0, { kind: "returned", result: 0n }],
    ["a chance of 1", 1, { kind: "returned", result: 1n }],
    ["a chance below 0", 1, { kind: "returned", result: -1n }],
    ["a text", 0, { kind: "returned", result: "now" }],
    ["no reading", 0, { kind: "returned" }],
    ["a clock that failed", 0, { kind: "failed", reason: "no" }],
    ["a pause that failed", 2, { kind: "failed", reason: "no" }],
  ])("with %s is not believed", async (_, at, outcome) => {
    const trace = (await recorded()).map((entry, i) => (i === at ? { ...entry, outcome } : entry));
    const again = await run(checked, { inputs, tools: handlers(nobody), recorded: trace });
    expect(again.outcome).toMatchObject({ kind: "stopped", problem: { code: "FC1510" } });
  });
});

test("nobody declares another clock", () => {
  expect(isDeclaredAsBuiltin(clockTool)).toBe(true);
  for (const other of [
    { ...clockTool, ensures: [] },
    { ...clockTool, ensures: [...clockTool.ensures].reverse() },
    { ...clockTool, untrusted: true as const },
    { ...clockTool, name: randomTool.name },
    { ...pauseTool, params: clockTool.params },
  ])
    expect(isDeclaredAsBuiltin(other)).toBe(false);
});

function readJsonRun(json: unknown): readonly TraceEntry[] {
  const parsed = readJson(JSON.stringify(json));
  if (!parsed.ok) throw new Error("no JSON");
  const back = recordedRunFromJson(checked, parsed.value.value);
  if (!back.ok) throw new Error(JSON.stringify(back.problems));
  return back.value.trace;
}
