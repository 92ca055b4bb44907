/**
 * Views agree with their guarantees: in the closed model of random traces, faithful axioms hold if and only if the
 * guarantee does, explanatory ones hold wherever it does, and axioms of the program hold in its runs.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Checked,
  judge,
  printExpr,
  type RecordedRun,
  readDocument,
  record,
} from "../../src/ir/index.ts";
import { recordOf } from "../../src/ir/type.ts";
import { isRecord } from "../../src/ir/value.ts";
import { axiomDl, type View, viewOf } from "../../src/view/index.ts";
import type { Axiom } from "../../src/view/owl.ts";
import { anyProgram, type ProgramCase } from "../support/arbitrary-program.ts";
import { runCase } from "../support/case-runs.ts";
import { Chance } from "../support/program/chance.ts";
import { anySeed, someTrace } from "../support/program/traces.ts";
import { someValue } from "../support/program/types.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";
import { FiniteModel } from "./finite-model.ts";
import { declarations, someFormula } from "./formulas.ts";

interface Counts {
  traces: number;
  readonly seen: Map<string, number>;
}

function expectAgreement(checked: Checked, view: View, run: RecordedRun, counts: Counts): void {
  const model = new FiniteModel(checked, run);
  counts.traces++;
  for (const section of view.sections) {
    // What a program does is not what random traces do.
    if (section.title === "the calls of the program" || section.closes === "calls") continue;
    expectAll(model, section.axioms);
  }
  for (const { guarantee, status, axioms } of view.guarantees) {
    if (guarantee.formula === undefined || status === "needs SMT") continue;
    const verdict = judge(checked, guarantee.formula, run).kind;
    const said = axioms.every((axiom) => model.holds(axiom));
    const isSo = verdict === "holds";
    const isWrong =
      verdict === "unknown" ? status === "faithful" : status === "faithful" ? said !== isSo : isSo && !said;
    if (isWrong) {
      const text = `${printExpr(guarantee.formula)}\n${axioms.map(axiomDl).join("\n")}`;
      expect.fail(
        `${status}: the guarantee is ${verdict}, and the axioms ${said ? "hold" : "do not"}\n${text}`,
      );
    }
    const key = `${status} ${verdict}${said ? "" : " not said"}`;
    counts.seen.set(key, (counts.seen.get(key) ?? 0) + 1);
  }
}

/** The words are made only where they are needed: there are many axioms. */
function expectAll(model: FiniteModel, axioms: readonly Axiom[]): void {
  for (const axiom of axioms) if (!model.holds(axiom)) expect.fail(axiomDl(axiom));
}

/** Gives some of the failed calls their effect. */
function resolved(run: RecordedRun, seed: number): RecordedRun {
  const resolution = {
    took: (position: number) => (seed >> (position % 20)) % 2 === 1,
    left: () => undefined,
  };
  return { ...run, resolution };
}

const options = { timeout: timeout(60) };

test("faithful axioms hold on a trace if and only if the guarantee does", options, () => {
  const counts: Counts = { traces: 0, seen: new Map() };
  fc.assert(
    fc.property(anySeed(), (seed) => {
      const chance = Chance.seeded(seed);
      const stated = Array.from({ length: 6 }, (_, i) => `guarantee t.g${i}(): ${someFormula(chance)}`);
      const read = readDocument(declarations + stated.join("\n"));
      if (!read.ok) throw new Error(`${read.problems[0]?.message}\n${stated.join("\n")}`);
      const { checked } = read.value;
      const inputs = someValue(chance, recordOf(checked.document.program.inputs));
      if (!isRecord(inputs)) throw new TypeError("inputs are a record");
      const program = { checked, inputs } as ProgramCase;
      const view = viewOf(checked);
      for (let i = 0; i < 5; i++) {
        const run = someTrace(chance, program, { length: 5, failing: 20, unknown: false });
        expectAgreement(checked, view, resolved(run, seed), counts);
      }
    }),
    { numRuns: runs(300) },
  );
  const { seen } = counts;
  expect(counts.traces).toBeGreaterThan(atLeast(1_000));
  expect(seen.get("faithful holds")).toBeGreaterThan(atLeast(800));
  expect(seen.get("faithful violated not said")).toBeGreaterThan(atLeast(800));
  expect(seen.get("explanation only holds")).toBeGreaterThan(atLeast(50));
  expect(seen.get("explanation only violated not said")).toBeGreaterThan(atLeast(20));
});

test("so do those of guarantees of any form", options, () => {
  const counts: Counts = { traces: 0, seen: new Map() };
  fc.assert(
    fc.property(anyProgram({ commands: 0, guarantees: 6, tools: 3 }), anySeed(), (program, seed) => {
      const run = someTrace(Chance.seeded(seed), program, { length: 5, failing: 20, unknown: false });
      expectAgreement(program.checked, viewOf(program.checked), resolved(run, seed), counts);
    }),
    { numRuns: runs(400) },
  );
  expect(counts.seen.get("faithful holds")).toBeGreaterThan(atLeast(50));
  expect(counts.seen.get("faithful violated not said")).toBeGreaterThan(atLeast(20));
});

test("what is said of a program holds of each of its completed runs", options, async () => {
  let [completed, calls] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      anyProgram({ catching: 80, failing: 25, parallel: 1 }),
      anySeed(),
      async (program, seed) => {
        const { outcome, trace } = await runCase(program);
        if (outcome.kind !== "completed") return;
        completed++;
        calls += trace.length;
        const run = resolved({ inputs: program.inputs, trace, initial: program.initial }, seed);
        const model = new FiniteModel(program.checked, run);
        for (const { axioms } of viewOf(program.checked).sections) expectAll(model, axioms);
      },
    ),
    { numRuns: runs(250) },
  );
  expect(completed).toBeGreaterThan(atLeast(50));
  expect(calls).toBeGreaterThan(atLeast(100));
});

test("a faithful axiom that is made weaker is found out", () => {
  const read = readDocument(`${declarations}guarantee t.g(): forall x in t.pay: x.n <= 3\n`);
  if (!read.ok) throw new Error("it reads");
  const [one] = viewOf(read.value.checked).guarantees;
  expect(one?.axioms.map(axiomDl)).toEqual(["t.pay ⊑ ∃n.[≤ 3]"]);
  const pay = (n: bigint): RecordedRun => ({
    inputs: record([
      ["vip", true],
      ["limit", 1n],
    ]),
    trace: [
      {
        position: 0,
        id: "c",
        indices: [],
        tool: "t.pay",
        args: record([
          ["to", "x"],
          ["n", n],
          ["tags", []],
          ["who", record([["name", "a"]])],
        ]),
        outcome: { kind: "returned" },
      },
    ],
  });
  const verdicts = [3n, 4n].map((n) =>
    one?.axioms.every((axiom) => new FiniteModel(read.value.checked, pay(n)).holds(axiom)),
  );
  expect(verdicts).toEqual([true, false]);
});
