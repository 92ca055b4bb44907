/**
 * In which state an automaton is, as a number: that of one of the states that are no error states, or any other once an
 * error state was entered.
 * Part of what must be trusted.
 */
import type { AutomatonExpr, Selection } from "../ir/index.ts";
import type { Term, Terms } from "./encode.ts";

/** Returns the condition that the automaton reads a call; undefined for a call of another relation. */
export type Takes = (over: Selection) => Term | undefined;

export function startOf(terms: Terms, automaton: AutomatonExpr): Term {
  return terms.int(keptOf(automaton).indexOf(automaton.start));
}

/** After a call. The first transition from the state it is in that takes the call counts; without one it stays. */
export function stepOf(terms: Terms, automaton: AutomatonExpr, now: Term, takes: Takes): Term {
  const kept = keptOf(automaton);
  const found = automaton.on.map(({ from, over, to }) => {
    const taken = kept.includes(from) ? takes(over) : undefined;
    const goes = taken === undefined ? terms.false : terms.and(isIn(terms, now, kept.indexOf(from)), taken);
    return { goes, to: terms.int(kept.indexOf(to)) };
  });
  return found.reduceRight((later, { goes, to }) => terms.ite(goes, to, later), now);
}

/** Returns the term "no error state was entered". */
export function isKept(terms: Terms, automaton: AutomatonExpr, now: Term): Term {
  return terms.any(keptOf(automaton).map((_, i) => isIn(terms, now, i)));
}

function isIn(terms: Terms, now: Term, state: number): Term {
  return terms.equal(now, terms.int(state));
}

/** The states that are no error states. */
export function keptOf({ states, error }: AutomatonExpr): readonly string[] {
  return states.filter((state) => !error.includes(state));
}
