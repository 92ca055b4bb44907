/**
 * Formulas on traces, with the verdict of each. A file has a document, then inputs, then traces by name, each a list of
 * calls (`pay { amount: 5 } -> 1`, `pay { amount: 5 } failed`) and of cells that were given (`given f["a"] = 1`); `ended 3`
 * at the end of a call says how many starts and ends came before its end. Then
 * one line for each formula with its verdict on each trace: `+` holds, `-` violated, `?` unknown, `.` not said.
 */
import { describe, expect, test } from "vitest";
import { type Checked, checkExpr } from "../../src/ir/check/index.ts";
import { conforms } from "../../src/ir/convert/conforms.ts";
import type { Expr } from "../../src/ir/document.ts";
import { evaluateOn, judge, type RecordedRun } from "../../src/ir/eval/formula.ts";
import { Unknown } from "../../src/ir/eval/partly.ts";
import type { Cell } from "../../src/ir/eval/state.ts";
import type { TraceEntry } from "../../src/ir/eval/trace.ts";
import { readDocument } from "../../src/ir/read.ts";
import { parseExpr } from "../../src/ir/text/parser.ts";
import { recordOf, type Type } from "../../src/ir/type.ts";
import { isRecord, type RecordValue, record, type Value } from "../../src/ir/value.ts";
import { mentionsFlows } from "../support/formula-class.ts";
import { naiveTruth } from "../support/naive-formula.ts";
import { filesIn, readText } from "../support/spec-files.ts";

const nothing = read("effect-ir 1\n").checked;
const folder = "spec/effect-ir/judgements";
const files = filesIn(folder, ".txt").map((name) => ({ name, ...read(readText(`${folder}/${name}`)) }));

test("there are enough of them", () => {
  const formulas = files.flatMap(({ cases }) => cases);
  expect(formulas.length).toBeGreaterThan(150);
  const verdicts = formulas.flatMap(({ verdicts: row }) => row);
  for (const sign of ["+", "-", "?"])
    expect(verdicts.filter((one) => one === sign).length).toBeGreaterThan(150);
});

describe.each(files)("$name", ({ checked, inputs, traces, cases }) => {
  test.each(cases)("$formula", ({ formula, verdicts }) => {
    const { judged, expr } = formulaOf(checked, formula);
    const runs = traces.map(({ run }) => ({ ...run, inputs }));
    const found = runs.map((run) => signs[judge(judged, expr, run).kind]);
    expect(line(found, verdicts)).toBe(line(verdicts, verdicts));
  });

  test.each(cases)("agrees with all that may have happened: $formula", ({ formula, verdicts }) => {
    const { judged, expr } = formulaOf(checked, formula);
    traces.forEach(({ name, run }, i) => {
      const truth = naiveTruth(judged, expr, { ...run, inputs });
      if (truth === undefined) return;
      if (verdicts[i] === "+") expect(truth.no, name).toBe(0);
      if (verdicts[i] === "-") expect(truth.yes, name).toBe(0);
      // What is unknown is unknown because both may be.
      const decided = truth.complete && !mentionsFlows(expr);
      if (verdicts[i] === "?" && decided) expect(Math.min(truth.yes, truth.no), name).toBeGreaterThan(0);
    });
  });
});

const signs = { holds: "+", violated: "-", unknown: "?" };

/** Without what is not said. */
function line(found: readonly string[], verdicts: readonly string[]): string {
  return found.map((sign, i) => (verdicts[i] === "." ? "." : sign)).join(" ");
}

// ── reading ──────────────────────────────────────────────────────────────────────────────────────────────

interface Judgements {
  readonly checked: Checked;
  readonly inputs: RecordValue;
  readonly traces: readonly { readonly name: string; readonly run: Omit<RecordedRun, "inputs"> }[];
  readonly cases: readonly { readonly formula: string; readonly verdicts: readonly string[] }[];
}

function read(text: string): Judgements {
  const [document = "", ...rest] = text.split(/^--- /m);
  const sections = new Map(
    rest.map((section) => [
      section.slice(0, section.indexOf("\n")),
      section.slice(section.indexOf("\n") + 1),
    ]),
  );
  const found = readDocument(document);
  if (!found.ok) throw new Error(found.problems.map(({ code, message }) => `${code} ${message}`).join("\n"));
  const { checked } = found.value;
  const inputs = sections.has("inputs") ? valueOfText(sections.get("inputs")!) : record([]);
  if (!isRecord(inputs)) throw new Error("inputs are a record");
  expectType(inputs, recordOf(checked.document.program.inputs));
  const traces = lines(sections.get("traces")).map((one) => {
    const [, name = "", calls = ""] = /^(\w+):(.*)$/.exec(one) ?? [];
    return { name, run: runOf(checked, calls) };
  });
  const cases = lines(sections.get("verdicts")).map((one) => {
    const [, row = "", formula = ""] = /^([-+?. ]+) : (.*)$/.exec(one) ?? [];
    const verdicts = row.split(" ");
    if (verdicts.length !== traces.length)
      throw new Error(`${verdicts.length} verdicts, ${traces.length} traces: ${one}`);
    return { formula, verdicts };
  });
  return { checked, inputs, traces, cases };
}

function lines(section: string | undefined): string[] {
  return (section ?? "").split("\n").filter((one) => one !== "");
}

function runOf(checked: Checked, text: string): Omit<RecordedRun, "inputs"> {
  const trace: TraceEntry[] = [];
  const initial: Cell[] = [];
  for (const part of text.split(";").map((one) => one.trim())) {
    if (part === "") continue;
    const cell = /^given ([\w.]+)\[(.*)\] = (.*)$/.exec(part);
    if (cell === null) trace.push(entryOf(checked, part, trace.length));
    else initial.push(cellOf(checked, cell[1]!, cell[2]!, cell[3]!));
  }
  return { trace, initial };
}

function cellOf(checked: Checked, name: string, keyText: string, valueText: string): Cell {
  const fluent = checked.fluents.get(name)!;
  const key = valueOfText(keyText);
  expectType(key, fluent.key);
  if (valueText === "unknown") return { fluent: name, key, value: new Unknown("nothing is known") };
  const value = valueOfText(valueText);
  expectType(value, fluent.value);
  return { fluent: name, key, value };
}

function entryOf(checked: Checked, text: string, position: number): TraceEntry {
  const [, name = "", argsText = "", end = "", ended] =
    /^([\w.]+) (\{.*?\})( failed| -> .*?)?(?: ended (\d+))?$/.exec(text) ?? [];
  const tool = checked.tools.get(name);
  const args = valueOfText(argsText);
  if (tool === undefined || !isRecord(args)) throw new Error(`no call: ${text}`);
  expectType(args, recordOf(tool.params));
  const late = ended === undefined ? {} : { ended: Number(ended) };
  const call = { position, id: `c${position + 1}`, indices: [], tool: name, args, ...late };
  if (end === " failed") return { ...call, outcome: { kind: "failed", reason: "out of order" } };
  if (end === "") {
    if (tool.result !== undefined) throw new Error(`no result: ${text}`);
    return { ...call, outcome: { kind: "returned" } };
  }
  const result = valueOfText(end.slice(" -> ".length));
  expectType(result, tool.result!);
  return { ...call, outcome: { kind: "returned", result } };
}

function valueOfText(text: string): Value {
  const { judged, expr } = exprOf(nothing, text, "values");
  return evaluateOn(judged, expr, { inputs: record([]), trace: [] }) as Value;
}

function formulaOf(checked: Checked, text: string): { readonly judged: Checked; readonly expr: Expr } {
  return exprOf(checked, text, "trace");
}

function exprOf(
  checked: Checked,
  text: string,
  view: "values" | "trace",
): { readonly judged: Checked; readonly expr: Expr } {
  const parsed = parseExpr(text);
  if (!parsed.ok) throw new Error(`${parsed.problems[0]?.message}: ${text}`);
  const { expr } = parsed.value;
  const judged = checkExpr(checked, expr, view);
  if (!judged.ok) throw new Error(`${judged.problems[0]?.message}: ${text}`);
  return { judged: judged.value, expr };
}

function expectType(value: Value, type: Type): void {
  if (!conforms(value, type)) throw new Error("a value is not of its type");
}
