/**
 * Looks for a run that breaks a claim by trying a few likely values: plain ones, and those that the terms themselves
 * compare with, and their neighbors. Mistakes of programs are seldom subtle, and what is found needs no solver.
 * Nothing rests on it: what it finds is tried on the interpreter like a solver's model.
 */
import { add, isNum, type Num, ratio, subtract } from "../../ir/index.ts";
import type { Model } from "../decide/solver/port.ts";
import { definitionOf } from "../terms/definitions.ts";
import type { Effort } from "../terms/effort.ts";
import { isOfSort, type Scalar, type Sort, type Term } from "../terms/term.ts";
import { type Candidates, inOrder, type Ordered, Trial } from "./concrete-evaluation.ts";

/** LIMIT: of terms that are evaluated, in all rounds together. */
const mostEvaluations = 30_000;
const rounds = 400;
/** An evaluation costs less than making a term. */
const evaluationsPerStep = 8;
/** LIMIT: of a text that is only as long as it is to be too long. */
const longestText = 5_000n;

/** Values for which the assumptions hold and the goal does not. */
export function guess(assumptions: readonly Term[], goal: Term, effort: Effort): Model | undefined {
  // A round ends where the goal holds, which is seen before what only the assumptions speak of.
  const ordered = inOrder([goal, ...assumptions.toReversed()], mostEvaluations);
  if (ordered === undefined) return undefined;
  const trial = new Trial(ordered, plainest, candidatesOf);
  let met = 0;
  const goesOn = (i: number, value: Scalar): boolean => {
    if (value !== i > 0) return false;
    met++;
    return true;
  };
  for (let round = 0; round < rounds && trial.evaluations < mostEvaluations; round++) {
    met = 0;
    trial.run(round, goesOn);
    if (met > assumptions.length) break;
  }
  charge(effort, ordered, trial);
  return met > assumptions.length ? trial.model() : undefined;
}

function charge(effort: Effort, { order }: Ordered, { evaluations }: Trial): void {
  effort.spend(order.length + Math.ceil(evaluations / evaluationsPerStep));
}

/** LIMIT: for goals that are tried all at once. */
const mostEvaluationsAtOnce = 60_000;

/** Something that must hold where the first so many of the assumptions do. */
export interface Goal {
  readonly goal: Term;
  readonly after: number;
}

/** For those of the goals that are seen not to hold where their assumptions do: values for which it is so. */
export function guessAll<T extends Goal>(
  assumptions: readonly Term[],
  goals: readonly T[],
  effort: Effort,
): ReadonlyMap<T, Model> {
  const most = mostEvaluationsAtOnce;
  const found = new Map<T, Model>();
  // Each goal comes before the first assumption that does not count for it: a round ends where one does not hold.
  const wanted: { readonly term: Term; readonly goal: T | undefined }[] = [];
  const byPlace = new Map<number, T[]>();
  for (const goal of goals) byPlace.set(goal.after, [...(byPlace.get(goal.after) ?? []), goal]);
  for (let i = 0; i <= assumptions.length; i++) {
    for (const goal of byPlace.get(i) ?? []) wanted.push({ term: goal.goal, goal });
    const term = assumptions[i];
    if (term !== undefined) wanted.push({ term, goal: undefined });
  }
  const ordered = inOrder(
    wanted.map(({ term }) => term),
    most,
  );
  if (ordered === undefined) return found;
  const trial = new Trial(ordered, plainest, candidatesOf);
  const broken = new Set<T>();
  const goesOn = (i: number, value: Scalar): boolean => {
    const goal = wanted[i]?.goal;
    if (goal === undefined) return value === true;
    if (value === false && !found.has(goal)) broken.add(goal);
    return true;
  };
  for (let round = 0; round < rounds && found.size < goals.length && trial.evaluations < most; round++) {
    trial.run(round, goesOn);
    if (broken.size === 0) continue;
    const model = trial.model();
    for (const goal of broken) found.set(goal, model);
    broken.clear();
  }
  charge(effort, ordered, trial);
  return found;
}

// ── values to try ────────────────────────────────────────────────────────────────────────────────────────

const plain: Readonly<Record<Sort, readonly Scalar[]>> = {
  Bool: [false, true],
  Int: [0n, 1n, -1n, 2n],
  Real: [0n, 1n, -1n, ratio(1n, 2n), 1000n],
  String: ["", "a", "b", "A b@c"],
};

function plainest({ sort }: Term): Scalar {
  return plain[sort][0] ?? false;
}

/** Texts of which such an operator makes something. */
const samplesFor: ReadonlyMap<string, readonly string[]> = new Map([
  ["timeOfText", ["2026-01-15T10:00:00Z", "2026-03-02"]],
  ["numberOf", ["12", "0", "-5", "1.5"]],
  ["floatOf", ["12", "0", "-5", "1.5"]],
  ["integerOf", ["12", "0", "-5"]],
]);

function candidatesOf(order: readonly Term[]): Candidates {
  const own = new Map<Term, Set<Scalar>>();
  for (const term of order) {
    const definition = definitionOf(term);
    const [read] = definition?.args ?? [];
    const samples = definition && samplesFor.get(definition.op);
    if (read !== undefined && samples !== undefined)
      own.set(read, new Set([...(own.get(read) ?? []), ...samples]));
    if (term.kind !== "apply") continue;
    const [left, right] = term.args;
    if (left === undefined || right === undefined) continue;
    for (const [side, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (other.kind !== "literal") continue;
      const [of, values] = near(side, other.value);
      if (of.kind === "literal") continue;
      const known = own.get(of) ?? new Set();
      for (const value of values) if (isOfSort(value, of.sort)) known.add(value);
      own.set(of, known);
    }
  }
  return (term) => {
    const named = own.get(term);
    return named === undefined
      ? plain[term.sort]
      : [...plain[term.sort].slice(0, 1), ...named, ...plain[term.sort]];
  };
}

/** Returns values to try for a term that is compared with a literal. */
function near(term: Term, literal: Scalar): readonly [Term, readonly Scalar[]] {
  const [inner] = term.kind === "apply" ? term.args : [];
  if (term.kind === "apply" && inner !== undefined && isNum(literal)) {
    if (term.op === "toReal") return near(inner, literal);
    const [, added, more] = term.args;
    if (term.op === "+" && added?.kind === "literal" && isNum(added.value) && more === undefined)
      return near(inner, subtract(literal, added.value));
    if (term.op === "length" && inner.sort === "String" && typeof literal === "bigint")
      return [
        inner,
        [literal, literal + 1n].filter((n) => n >= 0n && n <= longestText).map((n) => "x".repeat(Number(n))),
      ];
  }
  if (isNum(literal)) {
    const around: readonly Num[] = [literal, add(literal, 1n), subtract(literal, 1n)];
    return [term, around];
  }
  return [term, typeof literal === "string" ? [literal, `${literal}x`, `x${literal}`] : [literal]];
}
