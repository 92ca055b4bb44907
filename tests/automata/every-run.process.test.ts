/**
 * Automata agree with an enumeration of every run of small programs: the judge with and without known effects of
 * failed calls, the prover's verdict, the length of its counterexample, and the stopping points.
 */
import { afterAll, expect, it } from "vitest";
import { goalScript, translate } from "../../src/certificate/obligations.ts";
import { judge } from "../../src/ir/eval/formula.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";
import { byLooking, bySolver, wrongProofs } from "../support/net/attempt.ts";
import { Chance } from "../support/program/chance.ts";
import { atLeast, seed as givenSeed, runs } from "../support/runs.ts";
import { checkedOf } from "./documents.ts";
import {
  everyRun,
  type SmallFormula,
  type SmallRun,
  someFormula,
  someProgram,
  someRuns,
  tools,
  ways,
} from "./small.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const limits = { timeoutMs: 20_000, resources: 20_000_000 };

const automataEach = 4;

function caseOf(seed: number, lists: boolean) {
  const chance = Chance.seeded(seed);
  const program = someProgram(chance, lists);
  const formulas = Array.from({ length: automataEach }, () => someFormula(chance));
  const text = `effect-ir 1\n${tools}\nprogram (flag: bool, mode: enum{"a", "b"}) {\n${program}\n}\n${formulas
    .map((one, i) => `guarantee g${i}(): ${one.text}\n`)
    .join("")}`;
  return { text, formulas, checked: checkedOf(text) };
}

/** The fewest calls of a run that breaks it. */
function fewest(all: readonly SmallRun[], { holds }: SmallFormula): number | undefined {
  const broken = all.filter((one) => one.completed && !ways(one).every((calls) => holds(calls, one.inputs)));
  return broken.length === 0 ? undefined : Math.min(...broken.map(({ trace }) => trace.length));
}

/** Returns true if it holds at every stopping point. */
function isSafe(one: SmallRun, { holds }: SmallFormula): boolean {
  return [undefined, ...one.trace].every((_, length) =>
    ways({ ...one, trace: one.trace.slice(0, length) }).every((calls) => holds(calls, one.inputs)),
  );
}

/** LIMIT: of runs of each program that are judged. */
const mostJudged = 60;

/** Runs by chance of each program over a list, since what is wrong may show only after several rounds. */
const longerEach = 60;

it("agrees with every run where there are finitely many", { timeout: 3_600_000 }, async () => {
  const tally = new Map<string, number>();
  const count = (kind: string) => tally.set(kind, (tally.get(kind) ?? 0) + 1);
  const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
  for (let seed = first; seed < first + runs(250); seed++) {
    const { text, formulas, checked } = caseOf(seed, false);
    const all = await everyRun(checked);
    if (all === undefined) continue;
    const proof = await prove(checked, { solver: async () => solver, limits, search: "short" });
    for (const [i, { guarantee, verdict, interruption }] of proof.guarantees.entries()) {
      const about = `seed ${seed}\n${text}\ng${i}`;
      const formula = formulas[i]!;
      const shortest = fewest(all, formula);
      expect(verdict.kind, about).toBe(shortest === undefined ? "proved" : "refuted");
      count(verdict.kind);
      if (verdict.kind === "refuted") {
        expect(verdict.run.trace.length, about).toBe(shortest);
        expect(judge(checked, guarantee.formula!, verdict.run).kind, about).toBe("violated");
      }
      const judged: readonly SmallRun[] = all.slice(0, mostJudged);
      for (const one of judged) {
        const each: ReadonlySet<boolean> = new Set(
          ways(one).map((calls) => formula.holds(calls, one.inputs)),
        );
        const said: string = judge(checked, guarantee.formula!, one).kind;
        // Of two automata it is not known together in which states they may be.
        const isExact =
          formula.text.lastIndexOf("automaton(") <= "not ".length && !formula.text.includes("precedes");
        const expected: string = each.size > 1 ? "unknown" : each.has(true) ? "holds" : "violated";
        if (said !== expected && (isExact || said !== "unknown")) expect.fail(`judged ${said}: ${about}`);
      }
      if (interruption === undefined) continue;
      count(interruption.kind);
      if (interruption.kind === "safe" && !all.every((one) => isSafe(one, formula))) expect.fail(about);
    }
  }
  const decided = (tally.get("proved") ?? 0) + (tally.get("refuted") ?? 0);
  expect(decided).toBeGreaterThan(atLeast(400));
  for (const kind of ["proved", "refuted", "safe"])
    expect(tally.get(kind) ?? 0, kind).toBeGreaterThan(atLeast(10));
});

it("proves nothing that a run with a short list breaks, and shows the shortest", {
  timeout: 3_600_000,
}, async () => {
  const tally = new Map<string, number>();
  const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
  for (let seed = first; seed < first + runs(60); seed++) {
    const { text, formulas, checked } = caseOf(seed, true);
    const net = seed % 3 === 0 ? bySolver(solver) : byLooking;
    expect(await wrongProofs(checked, seed, net, tally)).toEqual([]);
    const all = await everyRun(checked, 2);
    if (all === undefined) continue;
    const proof = await prove(checked, { solver: async () => solver, limits, search: "short" });
    for (const [i, { verdict, interruption }] of proof.guarantees.entries()) {
      const about = `seed ${seed}\n${text}\ng${i}`;
      const formula = formulas[i]!;
      const shortest = fewest(all, formula);
      tally.set(verdict.kind, (tally.get(verdict.kind) ?? 0) + 1);
      if (shortest !== undefined) expect(verdict.kind, about).toBe("refuted");
      if (verdict.kind === "refuted" && shortest !== undefined)
        expect(verdict.run.trace.length, about).toBeLessThanOrEqual(shortest);
      if (interruption?.kind === "safe" && !all.every((one) => isSafe(one, formula))) expect.fail(about);
      if (verdict.kind !== "proved") continue;
      const longer = await someRuns(checked, Chance.seeded(seed), longerEach, 6);
      expect(fewest(longer, formula), about).toBeUndefined();
    }
  }
  for (const kind of ["proved", "refuted", "attempted"])
    expect(tally.get(kind) ?? 0, kind).toBeGreaterThan(atLeast(5));
});

it("is translated for certificates as every run says", { timeout: 3_600_000 }, async () => {
  const tally = new Map<string, number>();
  const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
  for (let seed = first; seed < first + runs(60); seed++) {
    const { text, formulas, checked } = caseOf(seed, false);
    const all = await everyRun(checked);
    const plain = translate(checked);
    if (all === undefined || plain.kind !== "plain") continue;
    for (const [i, claim] of plain.obligations.filter(({ kind }) => kind === "guarantee").entries()) {
      const script = goalScript(plain.terms, claim, [...claim.assumptions.keys()]);
      const { kind } = await solver.check({ text: script.text, values: [] }, limits);
      expect(kind, `seed ${seed}\n${text}\ng${i}`).toBe(
        fewest(all, formulas[i]!) === undefined ? "unsat" : "sat",
      );
      tally.set(kind, (tally.get(kind) ?? 0) + 1);
    }
  }
  for (const kind of ["unsat", "sat"]) expect(tally.get(kind) ?? 0, kind).toBeGreaterThan(atLeast(10));
});
