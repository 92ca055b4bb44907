/**
 * Whether every call of a program can be answered, whatever happened before: the `ensures` of its tool leaves a result
 * to give. Then every beginning of a run is the beginning of a run that completes.
 * SOUNDNESS: only bounds of single numbers of the result are understood; anything else might leave no answer.
 * Part of what must be trusted.
 */
import { add, compare, type Num } from "../ir/number.ts";
import { isNum } from "../ir/value.ts";
import type { Fact } from "./facts.ts";
import { resultName } from "./progress.ts";
import { isApply } from "./simplify.ts";
import type { Term } from "./term.ts";

export function isAnswerable(facts: readonly Fact[]): boolean {
  return facts.every(hasAnswer);
}

interface Bounds {
  low?: Num;
  high?: Num;
}

/** Whether some result is seen to meet all of the `ensures`. */
export function hasAnswer(fact: Fact): boolean {
  const bounds = new Map<Term, Bounds>();
  const parts = fact.ensures.flatMap((term) => (isApply(term, "and") ? term.args : [term]));
  if (!parts.every((part) => learn(part, resultName(fact), bounds))) return false;
  // There is a number, an integer too, strictly between bounds that are more than one apart.
  return [...bounds.values()].every(
    ({ low, high }) => low === undefined || high === undefined || compare(add(low, 1n), high) < 0,
  );
}

/** Notes what the condition says; false if it is not understood. */
function learn(term: Term, result: string, bounds: Map<Term, Bounds>): boolean {
  if (term.kind === "literal") return term.value === true;
  if (!isApply(term, "<") && !isApply(term, "<=")) return false;
  const [left, right] = term.args;
  if (left === undefined || right === undefined) return false;
  for (const [side, other, bound] of [
    [left, right, "high"],
    [right, left, "low"],
  ] as const) {
    const part = isApply(side, "toReal") ? side.args[0] : side;
    if (other.kind !== "literal" || !isNum(other.value) || part === undefined || !isNumberOf(part, result))
      continue;
    const held = bounds.get(part) ?? (isLength(part, result) ? { low: -1n } : {});
    bounds.set(part, held);
    const known = held[bound];
    const sign = bound === "low" ? 1 : -1;
    if (known === undefined || compare(other.value, known) === sign) held[bound] = other.value;
    return true;
  }
  return false;
}

/** Whether it is a number of the result that nothing else depends on. */
function isNumberOf(term: Term, result: string): boolean {
  if (term.kind !== "constant" || (term.sort !== "Int" && term.sort !== "Real")) return false;
  return (
    isLength(term, result) ||
    term.name === result ||
    [".", "!"].some((sign) => term.name.startsWith(result + sign))
  );
}

function isLength(term: Term, result: string): boolean {
  return (
    term.kind === "constant" &&
    (term.name === `length@${result}` || term.name.startsWith(`length@${result}.`))
  );
}
