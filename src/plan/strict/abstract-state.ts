/**
 * Abstract values of keys at a point of a plan: every possible value with its origin, possible absence, and whether
 * the run knows the value. SOUNDNESS: the possibilities hold for every schedule that the dependencies allow, every
 * tool that fails and may be skipped, and every initial state that is allowed; there may be more than can happen,
 * never fewer.
 */
import type { Json } from "../../ir/index.ts";
import { sameValue } from "../values.ts";
import { type Condition, holds, holdsForAny } from "./conditions.ts";
import type { Shape } from "./shapes.ts";

interface Origin {
  readonly source: number;
  readonly claim: boolean;
  /** A call that failed may have set the key or not, and the run only knows that. */
  readonly doubt?: true;
}

export type Possibility = Origin &
  (
    | { readonly kind: "absent" }
    /** There, with a value of which nothing is known but maybe a shape. */
    | { readonly kind: "any"; readonly shape?: Shape }
    | { readonly kind: "value"; readonly value: Json }
  );

/** Never empty. */
export type AbstractValue = readonly Possibility[];

/** In place of an action, for what was there at the start. */
export const atStart = -1;
/** In place of an action, for what was too much to keep apart. */
export const mixed = -2;

export const unknownAtStart: AbstractValue = [
  { kind: "absent", source: atStart, claim: false },
  { kind: "any", source: atStart, claim: false },
];
export const absentAtStart: AbstractValue = [{ kind: "absent", source: atStart, claim: false }];

/** It may hold anything, and a run does not know what: no condition is met for sure. */
export function inTheDark(source: number): AbstractValue {
  return [
    { kind: "absent", source, claim: false, doubt: true },
    { kind: "any", source, claim: false, doubt: true },
  ];
}

/** LIMIT: possibilities that are kept apart; beyond, all that is known is whether the key is there. */
const most = 8;

export function join(a: AbstractValue, b: AbstractValue): AbstractValue {
  const found = [...a];
  for (const one of b) if (!found.some((other) => isSame(one, other))) found.push(one);
  if (found.length <= most) return found;
  const rest = { source: mixed, claim: found.some((one) => one.claim), ...(isDoubtful(found) && doubt) };
  const rough: Possibility[] = [{ kind: "any", ...rest }];
  if (found.some(({ kind }) => kind === "absent")) rough.unshift({ kind: "absent", ...rest });
  return rough;
}

const doubt = { doubt: true } as const;

/** The same, where a run may not know which of them it is. */
export function doubted(knowledge: AbstractValue): AbstractValue {
  return knowledge.map((one) => ({ ...one, ...doubt }));
}

export function isDoubtful(knowledge: AbstractValue): boolean {
  return knowledge.some((one) => one.doubt === true);
}

function isSame(a: Possibility, b: Possibility): boolean {
  if (a.kind !== b.kind || a.source !== b.source || a.doubt !== b.doubt) return false;
  if (a.kind === "any" && b.kind === "any") return a.shape === b.shape;
  return a.kind !== "value" || b.kind !== "value" || sameValue(a.value, b.value);
}

export type Judgment =
  | { readonly kind: "holds" }
  /** For none of the possibilities, or not for all of them; one for which it does not hold. */
  | { readonly kind: "fails" | "open"; readonly failing: Possibility };

const judgedToHold: Judgment = { kind: "holds" };

/**
 * A query about a key: a condition, possibly with a value known only in the run, or with the requirement that the run
 * knows the content.
 */
export interface Asked {
  readonly condition: Condition;
  readonly valueIsOpen?: boolean;
  readonly mustBeKnown?: boolean;
}

export function judge({ condition, valueIsOpen, mustBeKnown }: Asked, knowledge: AbstractValue): Judgment {
  let failing: Possibility | undefined;
  let holding = false;
  for (const one of knowledge) {
    const content = valueIsOpen === true ? answerForOpen(condition, one) : answerFor(condition, one);
    const answer = content === "holds" && mustBeKnown === true && one.doubt === true ? "open" : content;
    if (answer !== "fails") holding = true;
    // What was written fails for more people than what might have been there at the start.
    if (answer !== "holds" && (failing === undefined || failing.source === mixed)) failing = one;
  }
  if (failing === undefined) return judgedToHold;
  return { kind: holding ? "open" : "fails", failing };
}

function answerFor(condition: Condition, one: Possibility): "holds" | "fails" | "open" {
  if (one.kind !== "any") {
    return holds(condition, one.kind === "absent" ? undefined : one.value) ? "holds" : "fails";
  }
  // Of what a run cannot tell at all it takes nothing for granted, not even that it is there.
  return one.doubt === true ? "open" : holdsForAny(condition);
}

/** Decides a comparison with an unknown value. */
function answerForOpen({ operator }: Condition, one: Possibility): "holds" | "fails" | "open" {
  if (operator === "exists" || operator === "not_exists")
    return answerFor({ key: "", operator, value: null }, one);
  return one.kind === "absent" ? "fails" : "open";
}

/** The value that a key has for sure; undefined if it may be absent or have another one. */
export function onlyValue(knowledge: AbstractValue): Json | undefined {
  const [first] = knowledge;
  return knowledge.length === 1 && first?.kind === "value" ? first.value : undefined;
}

export function restsOnClaims(knowledge: AbstractValue): boolean {
  return knowledge.some((one) => one.claim);
}
