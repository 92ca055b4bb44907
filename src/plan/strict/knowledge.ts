/**
 * What is known of a key at some point of a plan: every value it may have there, where each comes from, and whether it
 * may be absent.
 * SOUNDNESS: the possibilities hold for every schedule that the dependencies allow, every tool that fails and may be
 * skipped, and every initial state that is allowed; there may be more than can happen, never fewer.
 */
import type { Json } from "../../ir/json/json.ts";
import { sameValue } from "../values.ts";
import { type Condition, holds, holdsForAny } from "./conditions.ts";

export type Possibility =
  | { readonly kind: "absent"; readonly source: number; readonly claim: boolean }
  /** There, with a value that nothing is known of. */
  | { readonly kind: "any"; readonly source: number; readonly claim: boolean }
  | { readonly kind: "value"; readonly value: Json; readonly source: number; readonly claim: boolean };

/** Never empty. */
export type Knowledge = readonly Possibility[];

/** In place of an action, for what was there at the start. */
export const atStart = -1;
/** In place of an action, for what was too much to keep apart. */
export const mixed = -2;

export const unknownAtStart: Knowledge = [
  { kind: "absent", source: atStart, claim: false },
  { kind: "any", source: atStart, claim: false },
];
export const absentAtStart: Knowledge = [{ kind: "absent", source: atStart, claim: false }];

/** LIMIT: possibilities that are kept apart; beyond, all that is known is whether the key is there. */
const most = 8;

export function join(a: Knowledge, b: Knowledge): Knowledge {
  const found = [...a];
  for (const one of b) if (!found.some((other) => isSame(one, other))) found.push(one);
  if (found.length <= most) return found;
  const claim = found.some((one) => one.claim);
  const rough: Possibility[] = [{ kind: "any", source: mixed, claim }];
  if (found.some(({ kind }) => kind === "absent")) rough.unshift({ kind: "absent", source: mixed, claim });
  return rough;
}

function isSame(a: Possibility, b: Possibility): boolean {
  if (a.kind !== b.kind || a.source !== b.source) return false;
  return a.kind !== "value" || b.kind !== "value" || sameValue(a.value, b.value);
}

export type Judgement =
  | { readonly kind: "holds" }
  /** For none of the possibilities, or not for all of them; one for which it does not hold. */
  | { readonly kind: "fails" | "open"; readonly failing: Possibility };

const judgedToHold: Judgement = { kind: "holds" };

export function judge(condition: Condition, knowledge: Knowledge): Judgement {
  let failing: Possibility | undefined;
  let holding = false;
  for (const one of knowledge) {
    const answer = answerFor(condition, one);
    if (answer !== "fails") holding = true;
    // What was written fails for more people than what might have been there at the start.
    if (answer !== "holds" && (failing === undefined || failing.source === mixed)) failing = one;
  }
  if (failing === undefined) return judgedToHold;
  return { kind: holding ? "open" : "fails", failing };
}

function answerFor(condition: Condition, one: Possibility): "holds" | "fails" | "open" {
  if (one.kind === "any") return holdsForAny(condition);
  return holds(condition, one.kind === "absent" ? undefined : one.value) ? "holds" : "fails";
}

export function restsOnClaims(knowledge: Knowledge): boolean {
  return knowledge.some((one) => one.claim);
}
