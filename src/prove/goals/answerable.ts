/**
 * Decides if every call can return in every situation: the `ensures` of its tool allows a result. Then every prefix
 * of a run is the prefix of a run that completes. Then every beginning of a run is the beginning of a run that
 * completes. SOUNDNESS: only bounds of single numbers of the result are understood; anything else might leave no
 * answer. Part of what must be trusted.
 */
import { add, compare, isNum, type Num } from "../../ir/index.ts";
import { choose, lengthOf } from "../loops/unbounded-list.ts";
import type { Fact } from "../symbolic/call-events.ts";
import { type Progress, resultName } from "../symbolic/symbolic-state.ts";
import type { Symbolic } from "../symbolic/symbolic-value.ts";
import { isApply } from "../terms/simplify.ts";
import type { Term } from "../terms/term.ts";

export function isAnswerable(facts: readonly Fact[]): boolean {
  return facts.every(hasAnswer);
}

interface Bounds {
  low?: Num;
  high?: Num;
}

/** Returns true if some result satisfies all of the `ensures`. */
export function hasAnswer(fact: Fact): boolean {
  if (fact.ensures.length === 0) return true;
  const bounds = new Map<Term, Bounds>();
  const parts = fact.ensures.flatMap((term) => (isApply(term, "and") ? term.args : [term]));
  const result = resultName(fact);
  if (!parts.every((part) => isOfEvery(part, result) || learn(part, result, bounds))) return false;
  // What is said of every element is true of none, if the list may be empty.
  const mayBeEmpty = [...bounds].every(([term, { low }]) => !isLength(term, result) || isBelowZero(low));
  if (parts.some((part) => isOfEvery(part, result)) && !mayBeEmpty) return false;
  // There is a number, an integer too, strictly between bounds that are more than one apart.
  return [...bounds.values()].every(
    ({ low, high }) => low === undefined || high === undefined || compare(add(low, 1n), high) < 0,
  );
}

/**
 * Returns the facts about one element of each list that the call returns, if the list has one. SOUNDNESS: a list that
 * must have elements and can have none is no possible result, and its length alone does not show that.
 */
export function anyElements(walked: Progress, { result }: Fact): readonly Term[] {
  const { terms } = walked;
  const found: Term[] = [];
  const constrain = (term: Term) => {
    found.push(term);
  };
  const nowhere = walked.newScene(() => {
    throw new TypeError("a list does not speak of state or trace");
  });
  const scene = { ...nowhere, constrain };
  const visit = (value: Symbolic | undefined): void => {
    if (value?.kind === "record") for (const field of value.fields.values()) visit(field.value);
    if (value?.kind !== "opaque" || value.type.kind !== "list") return;
    const made = terms.apply("<", terms.int(0), lengthOf(value, scene));
    scene.lists.within(() => choose(value, { name: `answer ${scene.count()}`, made }, scene));
  };
  visit(result);
  return found;
}

/** Returns true for the term "every element of the result, or of a list in it, satisfies …". */
function isOfEvery(term: Term, result: string): boolean {
  if (term.kind !== "constant" || term.sort !== "Bool") return false;
  const list = /^every\(q\d+:(.*)\)#\d+$/s.exec(term.name)?.[1];
  return list !== undefined && (list === result || list.startsWith(`${result}.`));
}

/** SOUNDNESS: a bound of zero may be one that the length is above. */
function isBelowZero(low: Num | undefined): boolean {
  return low === undefined || compare(low, 0n) < 0;
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

/** Returns true for a number of the result that nothing else depends on. */
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
