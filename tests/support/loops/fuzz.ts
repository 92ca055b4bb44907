/** Random programs with loops are proved in three ways, which differ in what they cost and in what they reach. */
import { printExpr } from "../../../src/ir/text/printer.ts";
import type { Solver, SolverLimits } from "../../../src/prove/decide/solver/port.ts";
import { prove } from "../../../src/prove/prove.ts";
import { byLooking, nobody, wrongProofs } from "../net/attempt.ts";
import { type LoopSize, loopCase, smallLoops, statedWhy, usualLoops } from "./programs.ts";
import { wrongIn } from "./runs.ts";

export interface Way {
  readonly size: LoopSize;
  readonly solver: Solver;
  readonly limits: SolverLimits;
  /** Runs of a program with a proof. */
  readonly tries: number;
}

export type WayName = "large" | "small" | "by looking";

export function waysWith(solver: Solver): Readonly<Record<WayName, Way>> {
  return {
    large: { size: usualLoops, solver, limits: { timeoutMs: 4_000, resources: 1_000_000 }, tries: 25 },
    small: { size: smallLoops, solver, limits: { timeoutMs: 4_000, resources: 20_000 }, tries: 25 },
    "by looking": {
      size: smallLoops,
      solver: nobody,
      limits: { timeoutMs: 4_000, resources: 1 },
      tries: 12,
    },
  };
}

/** Returns the error in the proof of the program of this seed; counts the cases. */
export async function wrongWith(
  seed: number,
  { size, solver, limits, tries }: Way,
  tally: Map<string, number>,
): Promise<string | undefined> {
  const count = (kind: string) => tally.set(kind, (tally.get(kind) ?? 0) + 1);
  const one = loopCase(seed, size);
  // A run that is found hides a wrong proof, and of every other program none is looked for first.
  const likely = seed % 2 === 0 ? {} : ({ likely: "omitted" } as const);
  const proof = await prove(one.checked, { solver: async () => solver, limits, ...likely });
  for (const { verdict } of [...proof.guarantees, ...proof.obligations])
    count(verdict.kind === "proved" ? `proved by ${verdict.by}` : verdict.kind);
  for (const { obligation, verdict } of proof.obligations)
    if (obligation.why === statedWhy) count(`invariant ${verdict.kind}`);
  for (const { guarantee, verdict } of proof.guarantees)
    if (guarantee.formula !== undefined && /\b(min|max)\(\w+ in /.test(printExpr(guarantee.formula)))
      count(`min or max ${verdict.kind}`);
  for (const { guarantee, verdict } of proof.guarantees)
    if (guarantee.formula !== undefined && printExpr(guarantee.formula).includes("automaton("))
      count(`automaton ${verdict.kind}`);
  const wrong = await wrongIn(one, proof, seed, tries, count);
  if (wrong !== undefined) return `seed ${seed}: ${wrong}\n${one.text}`;
  // What a run breaks is attempted of some of them: the runs cost as much as the proof.
  if (seed % 4 !== 0) return undefined;
  const [other] = await wrongProofs(one.checked, seed, { ...byLooking, solver, limits, tries }, tally);
  return other;
}
