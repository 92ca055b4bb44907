/** A verdict is never wrong, and is definite wherever everything is known: against brute force over possible worlds. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { judge, type RecordedRun } from "../../src/ir/eval/formula.ts";
import { anyProgram, type ProgramCase, type ProgramOptions } from "../support/arbitrary-program.ts";
import { runCase, traceText } from "../support/case-runs.ts";
import { comparesKeysOnly, mentionsFlows } from "../support/formula-class.ts";
import { Inexact } from "../support/naive-eval.ts";
import { naiveTruth, worldsOf } from "../support/naive-formula.ts";
import { Chance } from "../support/program/chance.ts";
import { anySeed, shorter, someTrace, type TraceOptions } from "../support/program/traces.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";

const options = { timeout: timeout(60) };
const manyFormulas: ProgramOptions = { commands: 0, guarantees: 6, tools: 3 };

test(
  "on traces of calls that all succeeded, in known states, every verdict is definite and right",
  options,
  () => {
    const counts = forTraces(600, manyFormulas, { length: 6, failing: 0, unknown: false });
    expect(counts.holds).toBeGreaterThan(atLeast(300));
    expect(counts.violated).toBeGreaterThan(atLeast(300));
  },
);

test("on traces with failed calls, a definite verdict is right in every world", options, () => {
  const counts = forTraces(700, manyFormulas, { length: 6, failing: 40, unknown: false });
  expect(counts.holds).toBeGreaterThan(atLeast(300));
  expect(counts.violated).toBeGreaterThan(atLeast(300));
  expect(counts.unknown).toBeGreaterThan(atLeast(50));
});

test("in states of which little is known, a definite verdict is right in every world", options, () => {
  const counts = forTraces(500, manyFormulas, { length: 5, failing: 20, unknown: true });
  expect(counts.holds).toBeGreaterThan(atLeast(200));
  expect(counts.violated).toBeGreaterThan(atLeast(200));
});

test("on traces of runs, a definite verdict is right in every world", options, async () => {
  await fc.assert(
    fc.asyncProperty(anyProgram({ catching: 80 }), async (program) => {
      const { trace } = await runCase(program);
      const run = { inputs: program.inputs, initial: program.initial, trace };
      unlessInexact(() => expectRight(program, run, nothing()));
    }),
    { numRuns: runs(400) },
  );
});

test("told in which world it is, a verdict is definite and right", options, () => {
  let judged = 0;
  fc.assert(
    fc.property(anyProgram(manyFormulas), anySeed(), ({ checked, document, ...rest }, seed) => {
      const program = { checked, document, ...rest };
      if (document.fluents.some(({ initial }) => initial === undefined)) return;
      const run = someTrace(Chance.seeded(seed), program, { length: 4, failing: 40, unknown: false });
      for (const world of unlessInexact(() => worldsOf(checked, run)) ?? []) {
        for (const { formula } of document.guarantees) {
          if (formula === undefined || mentionsFlows(formula) || !comparesKeysOnly(checked, formula))
            continue;
          const truth = unlessInexact(() => world.isTrue(formula));
          if (truth === undefined) continue;
          const verdict = judge(checked, formula, { ...run, resolution: world.resolution() });
          expect(verdict).toEqual({ kind: truth ? "holds" : "violated" });
          judged++;
        }
      }
    }),
    { numRuns: runs(300) },
  );
  expect(judged).toBeGreaterThan(atLeast(500));
});

test("a formula and its negation have opposite verdicts", options, () => {
  const opposite = { holds: "violated", violated: "holds", unknown: "unknown" } as const;
  fc.assert(
    fc.property(anyProgram(manyFormulas), anySeed(), (program, seed) => {
      const run = someTrace(Chance.seeded(seed), program, { length: 5, failing: 30, unknown: true });
      for (const { formula } of program.document.guarantees) {
        if (formula === undefined) continue;
        const negated = { kind: "op", op: "not", args: [formula] } as const;
        expect(judge(program.checked, negated, run).kind).toBe(
          opposite[judge(program.checked, formula, run).kind],
        );
      }
    }),
    { numRuns: runs(200) },
  );
});

function unlessInexact<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (thrown) {
    if (thrown instanceof Inexact) return undefined;
    throw thrown;
  }
}

interface Counts {
  holds: number;
  violated: number;
  unknown: number;
}

function nothing(): Counts {
  return { holds: 0, violated: 0, unknown: 0 };
}

function forTraces(count: number, size: ProgramOptions, traces: TraceOptions): Counts {
  const counts = nothing();
  fc.assert(
    fc.property(anyProgram(size), anySeed(), (program, seed) => {
      const run = someTrace(Chance.seeded(seed), program, traces);
      try {
        unlessInexact(() => expectRight(program, run, counts));
      } catch (thrown) {
        throw new Error(`on ${traceText(smallest(program, run).trace).join("\n   ")}`, { cause: thrown });
      }
    }),
    { numRuns: runs(count) },
  );
  return counts;
}

function expectRight({ checked, document }: ProgramCase, run: RecordedRun, counts: Counts): void {
  for (const { formula } of document.guarantees) {
    if (formula === undefined) continue;
    const verdict = judge(checked, formula, run);
    const truth = naiveTruth(checked, formula, run);
    counts[verdict.kind]++;
    if (truth === undefined) continue;
    if (verdict.kind === "holds") expect(truth.no).toBe(0);
    if (verdict.kind === "violated") expect(truth.yes).toBe(0);
    const isCertain = truth.complete && run.trace.every(({ outcome }) => outcome.kind === "returned");
    if (isCertain && comparesKeysOnly(checked, formula) && !mentionsFlows(formula)) {
      expect(verdict).toEqual({ kind: truth.yes > 0 ? "holds" : "violated" });
    }
  }
}

/** Fewer calls that still go wrong. */
function smallest(program: ProgramCase, run: RecordedRun): RecordedRun {
  for (const candidate of shorter(run)) {
    try {
      expectRight(program, candidate, nothing());
    } catch {
      return smallest(program, candidate);
    }
  }
  return run;
}
