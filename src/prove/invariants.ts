/**
 * What may be true at the beginning of every iteration of a loop: guesses by their form, of which induction keeps those
 * that are true at the first one and pass from each to the next. Nothing rests on a guess that was not shown.
 */
import type { Terms } from "./factory.ts";
import type { Symbolic } from "./symbolic.ts";
import type { Sort, Term } from "./term.ts";

/** What a loop holds at one moment, between two iterations. */
export interface Moment {
  /** How many iterations there were. */
  readonly index: Term;
  /** The scalars that it carries, and what was counted and summed of the calls so far, always in the same order. */
  readonly numbers: readonly Named[];
  readonly flags: readonly Named[];
  readonly texts: readonly Named[];
  /** Of each automaton that calls in it can move: of each of its states, whether it is in that one. */
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

export interface Candidate {
  /** The same whenever the loop is looked at again. */
  readonly id: string;
  readonly at: (moment: Moment) => Term;
}

/** LIMIT: of guesses for one loop. */
const mostCandidates = 300;

/** Zero and one come first, and say nothing as factors. */
const plainConstants = 2;
/** LIMIT: of factors. */
const mostFactors = 2;

/** @param constants numbers that the program, its tools and its guarantees name */
export function candidatesOf(terms: Terms, start: Moment, constants: readonly Term[]): Candidate[] {
  const found: Candidate[] = [];
  const add = (id: string, at: Candidate["at"]) => {
    if (found.length < mostCandidates) found.push({ id, at });
  };
  const number = ({ numbers }: Moment, i: number) => real(terms, numbers[i]?.term);
  const flag = ({ flags }: Moment, f: number) => flags[f]?.term ?? terms.true;
  const change = (moment: Moment, i: number) => minus(terms, number(moment, i), number(start, i));
  const atMost = (a: Term, b: Term) => terms.apply("<=", a, b);
  const zero = terms.literal(0n, "Real");
  const one = terms.literal(1n, "Real");
  start.flags.forEach(({ name, term: first }, i) => {
    add(`${name} stays`, (moment) => same(terms, flag(moment, i), first));
    add(`${name} only rises`, (moment) => terms.implies(first, flag(moment, i)));
    add(`${name} only falls`, (moment) => terms.implies(flag(moment, i), first));
  });
  start.texts.forEach(({ name, term: first }, i) =>
    add(`${name} stays`, ({ texts }) => same(terms, texts[i]?.term, first)),
  );
  start.numbers.forEach(({ name: a }, i) => {
    add(`${a} does not fall`, (moment) => atMost(zero, change(moment, i)));
    add(`${a} does not rise`, (moment) => atMost(change(moment, i), zero));
    add(`${a} is not below 0`, (moment) => atMost(zero, number(moment, i)));
    add(`${a} counts`, (moment) => atMost(change(moment, i), real(terms, moment.index)));
    add(`${a} counts all`, (moment) => same(terms, change(moment, i), real(terms, moment.index)));
  });
  start.numbers.forEach(({ name: a }, i) => {
    start.numbers.forEach(({ name: b }, j) => {
      if (i === j) return;
      add(`${a} changes at most as ${b}`, (moment) => atMost(change(moment, i), change(moment, j)));
      add(`${a} and ${b} change against each other`, (moment) =>
        atMost(terms.apply("+", change(moment, i), change(moment, j)), zero),
      );
      add(`${a} and ${b} make up for each other`, (moment) =>
        atMost(zero, terms.apply("+", change(moment, i), change(moment, j))),
      );
    });
  });
  for (const constant of constants.slice(plainConstants, plainConstants + mostFactors)) {
    const k = real(terms, constant);
    start.numbers.forEach(({ name: a }, i) => {
      start.numbers.forEach(({ name: b }, j) => {
        if (i === j) return;
        const times = (moment: Moment) => terms.apply("*", k, change(moment, j));
        add(`${a} changes at most ${constant.id} times as ${b}`, (moment) =>
          atMost(change(moment, i), times(moment)),
        );
        add(`${a} changes at least ${constant.id} times as ${b}`, (moment) =>
          atMost(times(moment), change(moment, i)),
        );
      });
    });
  }
  start.flags.forEach(({ name: c }, f) => {
    start.numbers.forEach(({ name: a }, i) => {
      add(`${a} does not rise, unless ${c}`, (moment) =>
        terms.or(flag(moment, f), atMost(change(moment, i), zero)),
      );
      add(`${a} is at least 1, if ${c}`, (moment) =>
        terms.implies(flag(moment, f), atMost(one, number(moment, i))),
      );
      add(`${a} does not rise, if ${c}`, (moment) =>
        terms.implies(flag(moment, f), atMost(change(moment, i), zero)),
      );
    });
  });
  for (const constant of constants) {
    const k = real(terms, constant);
    start.numbers.forEach(({ name: a }, i) => {
      const name = `${a} and ${constant.id}`;
      add(`${name}: at most`, (moment) => atMost(number(moment, i), k));
      add(`${name}: at least`, (moment) => atMost(k, number(moment, i)));
      add(`${name}: at most each`, (moment) =>
        atMost(change(moment, i), terms.apply("*", k, real(terms, moment.index))),
      );
    });
  }
  for (const constant of constants) {
    const k = real(terms, constant);
    start.numbers.forEach(({ name: a }, i) => {
      start.flags.forEach(({ name: c }, f) => {
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

export function isNumber(sort: Sort): boolean {
  return sort === "Int" || sort === "Real";
}

function real(terms: Terms, term: Term | undefined): Term {
  if (term === undefined) throw new TypeError("a moment has all numbers");
  return terms.toReal(term);
}

function same(terms: Terms, a: Term | undefined, b: Term): Term {
  if (a === undefined) throw new TypeError("a moment has all that the loop carries");
  return terms.equal(a, b);
}

function minus(terms: Terms, a: Term, b: Term): Term {
  return terms.apply("-", a, b);
}
