/**
 * Invariant candidates of loops, from templates; induction keeps those that hold initially and are preserved
 * (Houdini). An unproved candidate is never used.
 */

import type { Symbolic } from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Sort, Term } from "../terms/term.ts";
import type { TextPredicate } from "./text-predicates.ts";

/** The loop's state between two iterations. */
export interface Moment {
  /** Number of completed iterations. */
  readonly index: Term;
  /** The scalars that it carries, and what was counted and summed of the calls so far, always in the same order. */
  readonly numbers: readonly Named[];
  readonly flags: readonly Named[];
  readonly texts: readonly Named[];
  /** Texts in what it carries. */
  readonly subjects: readonly Subject[];
  /** For each automaton that calls in the loop can move: one boolean per state. */
  readonly states: readonly (readonly Term[])[];
  /** Everything that it carries. */
  readonly carried: readonly Symbolic[];
}

/** Something with a name that is the same whenever the loop is looked at again. */
export interface Named {
  readonly name: string;
  readonly term: Term;
  /** All that a text can be, where that is known. */
  readonly values?: readonly string[];
}

/** A text that is there if the condition holds. */
export interface Subject extends Named {
  readonly present: Term;
}

/** The moment before the first iteration. */
export interface Start extends Moment {
  /** The names that the loop can read from outside. */
  readonly outside: ReadonlyMap<string, Symbolic>;
}

/**
 * INVARIANT: a predicate over the two moments alone. The same candidate is asked of every execution of its loop, so its
 * meaning must not depend on the execution that it was made for.
 */
export interface Candidate {
  readonly id: string;
  readonly at: (moment: Moment, start: Start) => Term;
}

/** LIMIT: of guesses for one loop. */
const mostCandidates = 300;

/** Zero and one come first, and say nothing as factors. */
const plainConstants = 2;
/** LIMIT: of factors. */
const mostFactors = 2;
/** LIMIT: of numbers of which two are looked at together. */
const mostTogether = 5;
/** LIMIT: of flags on which it may depend how two numbers change: conditions from outside of the loop come last. */
const mostGuards = 2;
/** LIMIT: of flags that a condition on a text may depend on. */
const mostFlags = 3;

/**
 * Returns guesses for a loop, by the names of what its moments hold.
 * @param layout any moment of the loop
 * @param constants numbers that the program, its tools and its guarantees name
 * @param predicates conditions on texts that they name
 */
export function candidatesOf(
  terms: Terms,
  layout: Moment,
  constants: readonly Term[],
  predicates: readonly TextPredicate[] = [],
): Candidate[] {
  const found: Candidate[] = [];
  const add = (id: string, at: Candidate["at"]) => {
    if (found.length < mostCandidates) found.push({ id, at });
  };
  const number = ({ numbers }: Moment, i: number) => terms.toReal(held(numbers[i]));
  const flag = ({ flags }: Moment, f: number) => held(flags[f]);
  const text = ({ texts }: Moment, i: number) => held(texts[i]);
  const change = (moment: Moment, from: Moment, i: number) =>
    minus(terms, number(moment, i), number(from, i));
  const atMost = (a: Term, b: Term) => terms.apply("<=", a, b);
  const zero = terms.literal(0n, "Real");
  const one = terms.literal(1n, "Real");
  layout.flags.forEach(({ name }, i) => {
    add(`${name} stays`, (moment, from) => terms.equal(flag(moment, i), flag(from, i)));
    add(`${name} only rises`, (moment, from) => terms.implies(flag(from, i), flag(moment, i)));
    add(`${name} only falls`, (moment, from) => terms.implies(flag(moment, i), flag(from, i)));
  });
  layout.texts.forEach(({ name }, i) =>
    add(`${name} stays`, (moment, from) => terms.equal(text(moment, i), text(from, i))),
  );
  layout.subjects.forEach(({ name }, i) => {
    for (const { id, holds } of predicates) {
      const said = (moment: Moment) => {
        const { present, term } = subjectIn(moment, i);
        return terms.implies(present, holds(term));
      };
      add(`${name}: ${id}`, said);
      add(`${name}: ${id}, unless it stays`, (moment, from) =>
        terms.or(said(moment), terms.equal(subjectIn(moment, i).term, subjectIn(from, i).term)),
      );
      layout.flags
        .slice(0, mostFlags)
        .forEach(({ name: c }, f) =>
          add(`${name}: ${id}, if ${c}`, (moment) => terms.implies(flag(moment, f), said(moment))),
        );
    }
  });
  layout.numbers.forEach(({ name: a }, i) => {
    add(`${a} does not fall`, (moment, from) => atMost(zero, change(moment, from, i)));
    add(`${a} does not rise`, (moment, from) => atMost(change(moment, from, i), zero));
    add(`${a} is not below 0`, (moment) => atMost(zero, number(moment, i)));
    add(`${a} counts`, (moment, from) => atMost(change(moment, from, i), terms.toReal(moment.index)));
    add(`${a} counts all`, (moment, from) =>
      terms.equal(change(moment, from, i), terms.toReal(moment.index)),
    );
  });
  layout.numbers.forEach(({ name: a }, i) => {
    layout.numbers.forEach(({ name: b }, j) => {
      if (i === j) return;
      add(`${a} changes at most as ${b}`, (moment, from) =>
        atMost(change(moment, from, i), change(moment, from, j)),
      );
      add(`${a} and ${b} change against each other`, (moment, from) =>
        atMost(terms.apply("+", change(moment, from, i), change(moment, from, j)), zero),
      );
      add(`${a} and ${b} cancel each other`, (moment, from) =>
        atMost(zero, terms.apply("+", change(moment, from, i), change(moment, from, j))),
      );
    });
  });
  const few = layout.numbers.slice(0, mostTogether);
  few.forEach(({ name: a }, i) => {
    few
      .slice(0, i)
      .forEach(({ name: b }, j) =>
        add(`${a} and ${b} count together`, (moment, from) =>
          atMost(
            terms.apply("+", change(moment, from, i), change(moment, from, j)),
            terms.toReal(moment.index),
          ),
        ),
      );
  });
  for (const constant of constants.slice(plainConstants, plainConstants + mostFactors)) {
    const k = terms.toReal(constant);
    layout.numbers.forEach(({ name: a }, i) => {
      layout.numbers.forEach(({ name: b }, j) => {
        if (i === j) return;
        const times = (moment: Moment, from: Moment) => terms.apply("*", k, change(moment, from, j));
        add(`${a} changes at most ${constant.id} times as ${b}`, (moment, from) =>
          atMost(change(moment, from, i), times(moment, from)),
        );
        add(`${a} changes at least ${constant.id} times as ${b}`, (moment, from) =>
          atMost(times(moment, from), change(moment, from, i)),
        );
      });
    });
  }
  // Counts, and values found by going through the list, come last.
  layout.flags.slice(-mostGuards).forEach(({ name: c }, g) => {
    const f = Math.max(0, layout.flags.length - mostGuards) + g;
    const last = layout.numbers.map(({ name }, i) => ({ name, i })).slice(-mostTogether);
    for (const a of last)
      for (const b of last)
        if (a.i !== b.i)
          add(`${a.name} changes at most as ${b.name}, unless ${c}`, (moment, from) =>
            terms.or(flag(moment, f), atMost(change(moment, from, a.i), change(moment, from, b.i))),
          );
  });
  layout.flags.forEach(({ name: c }, f) => {
    layout.numbers.forEach(({ name: a }, i) => {
      add(`${a} does not rise, unless ${c}`, (moment, from) =>
        terms.or(flag(moment, f), atMost(change(moment, from, i), zero)),
      );
      add(`${a} is at least 1, if ${c}`, (moment) =>
        terms.implies(flag(moment, f), atMost(one, number(moment, i))),
      );
      add(`${a} does not rise, if ${c}`, (moment, from) =>
        terms.implies(flag(moment, f), atMost(change(moment, from, i), zero)),
      );
    });
  });
  for (const constant of constants) {
    const k = terms.toReal(constant);
    layout.numbers.forEach(({ name: a }, i) => {
      const name = `${a} and ${constant.id}`;
      add(`${name}: at most`, (moment) => atMost(number(moment, i), k));
      add(`${name}: at least`, (moment) => atMost(k, number(moment, i)));
      add(`${name}: at most each`, (moment, from) =>
        atMost(change(moment, from, i), terms.apply("*", k, terms.toReal(moment.index))),
      );
    });
  }
  for (const constant of constants) {
    const k = terms.toReal(constant);
    layout.numbers.forEach(({ name: a }, i) => {
      layout.flags.forEach(({ name: c }, f) => {
        const name = `${a} and ${constant.id}: at most`;
        add(`${name}, unless ${c}`, (moment) => terms.or(flag(moment, f), atMost(number(moment, i), k)));
        add(`${name}, and less unless ${c}`, (moment) =>
          terms.or(flag(moment, f), terms.apply("<", number(moment, i), k)),
        );
        add(`${name}, if ${c}`, (moment) => terms.implies(flag(moment, f), atMost(number(moment, i), k)));
      });
    });
  }
  return found;
}

function subjectIn({ subjects }: Moment, i: number): Subject {
  const subject = subjects[i];
  if (subject === undefined) throw new TypeError("a moment has all that its layout names");
  return subject;
}

export function isNumber(sort: Sort): boolean {
  return sort === "Int" || sort === "Real";
}

export function held(named: Named | undefined): Term {
  if (named === undefined) throw new TypeError("a moment has all that its layout names");
  return named.term;
}

function minus(terms: Terms, a: Term, b: Term): Term {
  return terms.apply("-", a, b);
}
