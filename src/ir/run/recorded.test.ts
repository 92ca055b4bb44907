/** Runs that are kept as JSON: exact, tied to their document, and not believed. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyProgram } from "../../../tests/support/arbitrary-program.ts";
import { runCase, traceText } from "../../../tests/support/case-runs.ts";
import { Chance } from "../../../tests/support/program/chance.ts";
import { anySeed, someTrace } from "../../../tests/support/program/traces.ts";
import { runs } from "../../../tests/support/runs.ts";
import { timeout } from "../../../tests/support/timeout.ts";
import type { Checked } from "../check/index.ts";
import { judge, type RecordedRun } from "../eval/formula.ts";
import { Unknown } from "../eval/partly.ts";
import { hashDocument } from "../hash.ts";
import { readJson } from "../json/reader.ts";
import { readDocument } from "../read.ts";
import { record } from "../value.ts";
import { recordedRunFromJson, recordedRunToJson } from "./recorded.ts";

const options = { timeout: timeout(30) };

test("is the same after it was written and read", options, async () => {
  await fc.assert(
    fc.asyncProperty(anyProgram({ parallel: 1 }), async (program) => {
      const { trace } = await runCase(program);
      const run = { inputs: program.inputs, initial: program.initial, trace };
      const again = read(program.checked, JSON.stringify(recordedRunToJson(program.checked, run)));
      expect(again).toEqual({ ok: true, value: run });
      // And can be gone on from.
      if (!again.ok) return;
      const resumed = await runCase(program, { recorded: again.value.trace });
      expect(traceText(resumed.trace)).toEqual(traceText(trace));
      expect(resumed.made).toEqual([]);
    }),
    { numRuns: runs(150) },
  );
});

test("has the same verdicts, whatever is known", options, () => {
  fc.assert(
    fc.property(
      anyProgram({ commands: 0, guarantees: 4 }),
      anySeed(),
      ({ checked, document, ...program }, seed) => {
        const run = someTrace(
          Chance.seeded(seed),
          { checked, document, ...program },
          { length: 5, failing: 20, unknown: true },
        );
        const again = read(checked, JSON.stringify(recordedRunToJson(checked, run)));
        if (!again.ok) throw new Error(again.problems[0]?.message);
        for (const { formula } of document.guarantees) {
          if (formula === undefined) continue;
          expect(judge(checked, formula, again.value).kind).toBe(judge(checked, formula, run).kind);
        }
      },
    ),
    { numRuns: runs(150) },
  );
});

const text = `effect-ir 1
fluent f[string]: bool = true
tool ask(q: string, n?: int) -> real
tool tell()
program (a: int) {
  let x = call ask(q: "x") catch failed
  call tell()
}
guarantee g(): final f["a"]
`;

const checked = documentOf(text);
const run: RecordedRun = {
  inputs: record([["a", 1n]]),
  initial: [{ fluent: "f", key: "b", value: false }],
  trace: [
    {
      position: 0,
      id: "c1",
      indices: [],
      tool: "ask",
      args: record([["q", "x"]]),
      outcome: { kind: "returned", result: 5n },
    },
    {
      position: 1,
      id: "c2",
      indices: [],
      tool: "tell",
      args: record([]),
      outcome: { kind: "failed", reason: "why" },
    },
  ],
};
const json = recordedRunToJson(checked, run) as Record<string, unknown>;

test("looks like this", () => {
  expect(json).toEqual({
    document: hashDocument(checked.document),
    inputs: { a: "1" },
    initial: [{ fluent: "f", key: "b", value: false }],
    trace: [
      { position: 0, id: "c1", indices: [], tool: "ask", args: { q: "x" }, result: "5" },
      { position: 1, id: "c2", indices: [], tool: "tell", args: {}, failed: "why" },
    ],
  });
});

test("a cell that is unknown stays unknown", () => {
  const unknown = { ...run, initial: [{ fluent: "f", key: "a", value: new Unknown("nobody knows") }] };
  const again = read(checked, JSON.stringify(recordedRunToJson(checked, unknown)));
  const { formula } = checked.document.guarantees[0]!;
  expect(again.ok && judge(checked, formula!, again.value).kind).toBe("unknown");
});

describe("is refused", () => {
  const entries = json.trace as Record<string, unknown>[];
  const entry = (change: Record<string, unknown>, at = 0) => ({
    ...json,
    trace: entries.map((one, i) => (i === at ? { ...one, ...change } : one)),
  });
  const without = (name: string) => ({
    ...json,
    trace: entries.map(({ [name]: _, ...rest }, i) => (i === 0 ? rest : entries[i])),
  });

  test.each<[string, unknown]>([
    ["nothing", null],
    ["a list", []],
    ["no document", { ...json, document: undefined }],
    ["another document", { ...json, document: `eir1-${"0".repeat(64)}` }],
    ["no inputs", { ...json, inputs: undefined }],
    ["inputs of another type", { ...json, inputs: { a: 1 } }],
    ["further inputs", { ...json, inputs: { a: "1", b: "1" } }],
    ["no trace", { ...json, trace: undefined }],
    ["a trace that is no list", { ...json, trace: {} }],
    ["a call that is no object", { ...json, trace: [5] }],
    ["a cell of no fluent", { ...json, initial: [{ fluent: "g", key: "a", value: true }] }],
    ["a cell of another type", { ...json, initial: [{ fluent: "f", key: "a", value: "true" }] }],
    ["a cell with a further field", { ...json, initial: [{ fluent: "f", key: "a", value: true, at: 1 }] }],
    ["a position that is another", entry({ position: 1 })],
    ["a position that is no number", entry({ position: "0" })],
    ["an id that is no string", entry({ id: 1 })],
    ["an index below zero", entry({ indices: [-1] })],
    ["half an index", entry({ indices: [0.5] })],
    ["an unknown tool", entry({ tool: "toString" })],
    ["an argument of another type", entry({ args: { q: 1 } })],
    ["a further argument", entry({ args: { q: "x", more: 1 } })],
    ["a missing argument", entry({ args: {} })],
    ["a number that is not in lowest terms", entry({ result: "10/2" })],
    ["a number that is no string", entry({ result: 5 })],
    ["a result and a failure", entry({ failed: "why" })],
    ["a failure without a reason", entry({ failed: true, result: undefined })],
    ["a result of a tool that returns nothing", entry({ failed: undefined, result: "5" }, 1)],
    ["a further field", entry({ note: "x" })],
    ["no result", without("result")],
    ["no position", without("position")],
    ["no id", without("id")],
    ["no indices", without("indices")],
    ["no tool", without("tool")],
    ["no arguments", without("args")],
  ])("%s", (_, changed) => {
    const again = read(checked, JSON.stringify(changed));
    expect(again.ok).toBe(false);
    if (!again.ok) expect(again.problems.map(({ code }) => code)).toContain("FC1510");
  });

  test("but not for what a report says around it", () => {
    expect(read(checked, JSON.stringify({ ...json, outcome: "completed", steps: 5 })).ok).toBe(true);
  });
});

function documentOf(source: string): Checked {
  const found = readDocument(source);
  if (!found.ok) throw new Error(found.problems[0]?.message);
  return found.value.checked;
}

function read(of: Checked, written: string) {
  const found = readJson(written);
  if (!found.ok) throw new Error(found.problems[0]?.message);
  return recordedRunFromJson(of, found.value.value);
}
