/**
 * The statement that matters most: what is called proved is never broken by a run, and what is called refuted is.
 * Random programs, random inputs, random tool behavior; the interpreter is the judge.
 */
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { anyProgram, type ProgramCase } from "../../tests/support/arbitrary-program.ts";
import { caseLimits, runCase } from "../../tests/support/case-runs.ts";
import { byLooking, wrongProofs } from "../../tests/support/net/attempt.ts";
import { Chance } from "../../tests/support/program/chance.ts";
import { someValue } from "../../tests/support/program/types.ts";
import { runs } from "../../tests/support/runs.ts";
import { judge } from "../ir/eval/formula.ts";
import { printExpr } from "../ir/text/printer.ts";
import { recordOf } from "../ir/type.ts";
import { isRecord } from "../ir/value.ts";
import { z3Wasm } from "./decide/solver/z3-wasm.ts";
import { type Proof, prove } from "./prove.ts";
import { type Fact, obligationCodes } from "./symbolic/call-events.ts";

type Trace = Awaited<ReturnType<typeof runCase>>["trace"];

const solver = z3Wasm();
afterAll(() => solver.close());

const limits = { timeoutMs: 1_000, resources: 50_000 };
/** Many small ones, which say much about one thing each, and some in which things meet. */
const somePrograms = fc.oneof(
  {
    weight: 3,
    arbitrary: anyProgram({
      failing: 10,
      fluents: 2,
      tools: 2,
      commands: 4,
      guarantees: 2,
      fuel: 2,
      readings: 6,
    }),
  },
  { weight: 1, arbitrary: anyProgram({ failing: 10, readings: 6 }) },
);
const tally = new Map<string, number>();

function count(kind: string): void {
  tally.set(kind, (tally.get(kind) ?? 0) + 1);
}

test("no run breaks what is proved, and every run given as a counterexample breaks what is refuted", {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(somePrograms, async (program) => {
      const { checked } = program;
      // A run that is found hides a wrong proof, and of every other program none is looked for first.
      const likely =
        program.behaviour.seed % 2 === 0 ? ({ search: "short" } as const) : ({ likely: "omitted" } as const);
      const proof = await prove(checked, { solver: async () => solver, limits, ...likely });
      for (const { verdict } of [...proof.guarantees, ...proof.obligations])
        count(verdict.kind === "proved" ? `proved by ${verdict.by}` : verdict.kind);
      for (const { guarantee, verdict } of proof.guarantees) {
        if (verdict.kind !== "refuted" || guarantee.formula === undefined) continue;
        expect(judge(checked, guarantee.formula, verdict.run).kind).toBe("violated");
      }
      const { seed: own } = program.behaviour;
      // What a run breaks is attempted of some of them: the runs cost as much as the proof.
      if (own % 4 === 0)
        expect(await wrongProofs(checked, own, { ...byLooking, tries: 6 }, tally)).toEqual([]);
      const isAnythingProved = [...proof.guarantees, ...proof.obligations].some(
        ({ verdict }) => verdict.kind === "proved",
      );
      for (let seed = 0; isAnythingProved && seed < 10; seed++) await expectKept(other(program, seed), proof);
    }),
    { numRuns: runs(2_000) },
  );
  // A test of proofs that finds nothing to prove tests nothing.
  const kinds = ["proved by ground", "proved by smt", "refuted", "unknown", "safe", "open", "attempted"];
  for (const kind of kinds) expect(tally.get(kind) ?? 0).toBeGreaterThan(0);
});

/** The same document with other inputs and other answers, from the initial state that the proof assumes. */
function other(program: ProgramCase, seed: number): ProgramCase {
  const chance = Chance.seeded(seed * 7919 + program.behaviour.seed);
  const inputs = someValue(chance, recordOf(program.document.program.inputs));
  if (!isRecord(inputs)) throw new TypeError("inputs are a record");
  const behaviour = { seed: chance.int(0, 2 ** 31 - 1), failing: chance.int(0, 30) };
  return { ...program, inputs, behaviour, initial: [] };
}

async function expectKept(program: ProgramCase, proof: Proof): Promise<void> {
  const { checked, inputs } = program;
  const { outcome, trace } = await runCase(program);
  expectKeptWhenStopped(program, trace, proof);
  if (outcome.kind === "stopped") {
    const { code, path } = outcome.problem;
    for (const { obligation, verdict } of proof.obligations) {
      const isIt = obligationCodes[obligation.kind] === code && obligation.path.join() === path.join();
      if (!isIt || verdict.kind !== "proved") continue;
      // Several conditions of one call stand at one place; one of them at least must not be proved.
      const others = proof.obligations.filter(
        (one) => one.obligation.path.join() === path.join() && one.obligation.kind === obligation.kind,
      );
      expect(
        others.some((one) => one.verdict.kind !== "proved"),
        `${code} ${outcome.problem.message}`,
      ).toBe(true);
    }
    return;
  }
  for (const { guarantee, verdict } of proof.guarantees) {
    if (verdict.kind !== "proved" || guarantee.formula === undefined) continue;
    const found = judge(checked, guarantee.formula, { inputs, trace }, caseLimits);
    expect(found.kind, `${printExpr(guarantee.formula)} was proved by ${verdict.by}`).not.toBe("violated");
  }
}

/** At every stopping point a proved guarantee holds, or the proof reports that it may not. */
function expectKeptWhenStopped({ checked, inputs }: ProgramCase, trace: Trace, proof: Proof): void {
  for (const { guarantee, interruption } of proof.guarantees) {
    if (interruption === undefined || guarantee.formula === undefined) continue;
    count(interruption.kind);
    const open = interruption.kind === "open" ? interruption.at : [];
    for (let length = 0; length <= trace.length; length++) {
      const last = trace[length - 1];
      // What a tool returned against its declaration is no call that the proof speaks of.
      if (last?.outcome.kind === "broken") break;
      if (open.some(({ after }) => isPlace(after, last))) continue;
      const stopped = { inputs, trace: trace.slice(0, length) };
      expect(
        judge(checked, guarantee.formula, stopped, caseLimits).kind,
        `${printExpr(guarantee.formula)} was said to hold after ${length} calls`,
      ).not.toBe("violated");
    }
  }
}

/** A call that stands for any iteration of a loop has an index there that no call of a run has. */
function isPlace(after: Fact | undefined, last: Trace[number] | undefined): boolean {
  if (after === undefined || last === undefined) return after === last;
  const { id, indices } = after;
  return (
    id === last.id &&
    indices.length === last.indices.length &&
    indices.every((index, i) => index < 0 || index === last.indices[i])
  );
}
