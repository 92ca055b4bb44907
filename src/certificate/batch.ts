/**
 * The questions of a certificate asked at once, since each costs a solver some time before it thinks about it.
 *
 * What must be unsatisfiable: a question is a conjunction over the names that its lines declare. All are of one translation,
 * in which a name has one line, so they can share the names. Someone can choose values for the names so that one of the
 * conjunctions holds if and only if some conjunction can be made to hold by itself: values for names that it does not speak
 * of can be chosen at will, and no sort is empty. So the disjunction of all is unsatisfiable if and only if each is.
 *
 * What must be satisfiable: values that satisfy the conjunction of all satisfy each. The reverse does not hold: two calls may
 * be reached in different runs only. Then, and whenever the answer is another, each question is asked by itself.
 * Part of what must be trusted.
 */

import type { Term, Terms } from "./encode.ts";
import type { Obligation } from "./obligations.ts";

/** An obligation with its verdict. */
export interface Stated {
  readonly obligation: Obligation;
  readonly verdict: "unsat" | "sat";
  readonly uses: readonly number[];
}

/** One question for all that have the verdict; undefined where there are not several. */
export function togetherScript(
  terms: Terms,
  stated: readonly Stated[],
  verdict: Stated["verdict"],
): string | undefined {
  const alike = stated.filter((one) => one.verdict === verdict);
  if (alike.length < 2) return undefined;
  if (verdict === "sat")
    return terms.script(alike.flatMap(({ obligation }) => obligation.answered ?? [])).text;
  return terms.script([terms.any(alike.map((one) => broken(terms, one)))]).text;
}

/** Returns the term "the assumptions hold and the goal fails", which `goalScript` asserts line by line. */
function broken(terms: Terms, { obligation: { assumptions, goal }, uses }: Stated): Term {
  return terms.all([...uses.flatMap((use) => assumptions[use] ?? []), terms.not(goal)]);
}
