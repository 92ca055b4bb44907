/**
 * What may be true at the beginning of every iteration of a loop: guesses by their form, of which induction keeps those
 * that are true at the first one and pass from each to the next. Nothing rests on a guess that was not shown.
 */
import type { Terms } from "./factory.ts";
import type { Sort, Term } from "./term.ts";

/** What a loop holds at one moment, between two iterations. */
export interface Moment {
  /** How many iterations there were. */
  readonly index: Term;
  /** The scalars that it carries, and what was counted and summed of the calls so far, always in the same order. */
  readonly numbers: readonly Term[];
  readonly flags: readonly Term[];
  readonly texts: readonly Term[];
}

export interface Candidate {
  /** The same whenever the loop is looked at again. */
  readonly id: string;
  readonly at: (moment: Moment) => Term;
}

/** LIMIT: of guesses for one loop. */
const mostCandidates = 300;

/** @param constants numbers that the program, its tools and its guarantees name */
export function candidatesOf(terms: Terms, start: Moment, constants: readonly Term[]): Candidate[] {
  const found: Candidate[] = [];
  const add = (id: string, at: Candidate["at"]) => {
    if (found.length < mostCandidates) found.push({ id, at });
  };
  const number = ({ numbers }: Moment, i: number) => real(terms, numbers[i]);
  const change = (moment: Moment, i: number) => minus(terms, number(moment, i), number(start, i));
  const atMost = (a: Term, b: Term) => terms.apply("<=", a, b);
  const zero = terms.literal(0n, "Real");
  start.flags.forEach((first, i) => {
    add(`flag ${i} stays`, ({ flags }) => same(terms, flags[i], first));
    add(`flag ${i} only rises`, ({ flags }) => terms.implies(first, flags[i] ?? terms.true));
    add(`flag ${i} only falls`, ({ flags }) => terms.implies(flags[i] ?? terms.false, first));
  });
  start.texts.forEach((first, i) => add(`text ${i} stays`, ({ texts }) => same(terms, texts[i], first)));
  start.numbers.forEach((_, i) => {
    add(`${i} does not fall`, (moment) => atMost(zero, change(moment, i)));
    add(`${i} does not rise`, (moment) => atMost(change(moment, i), zero));
    add(`${i} is not below 0`, (moment) => atMost(zero, number(moment, i)));
    add(`${i} counts`, (moment) => atMost(change(moment, i), real(terms, moment.index)));
    add(`${i} counts all`, (moment) => same(terms, change(moment, i), real(terms, moment.index)));
  });
  start.numbers.forEach((_, i) => {
    start.numbers.forEach((_other, j) => {
      if (i === j) return;
      add(`${i} changes at most as ${j}`, (moment) => atMost(change(moment, i), change(moment, j)));
      add(`${i} and ${j} change against each other`, (moment) =>
        atMost(terms.apply("+", change(moment, i), change(moment, j)), zero),
      );
      add(`${i} and ${j} make up for each other`, (moment) =>
        atMost(zero, terms.apply("+", change(moment, i), change(moment, j))),
      );
    });
  });
  start.flags.forEach((_, f) => {
    start.numbers.forEach((_number, i) => {
      add(`${i} does not rise, unless ${f}`, (moment) =>
        terms.or(moment.flags[f] ?? terms.true, atMost(change(moment, i), zero)),
      );
      add(`${i} does not rise, if ${f}`, (moment) =>
        terms.implies(moment.flags[f] ?? terms.false, atMost(change(moment, i), zero)),
      );
    });
  });
  for (const constant of constants) {
    const k = real(terms, constant);
    start.numbers.forEach((_, i) => {
      const name = `${i} and ${constant.id}`;
      add(`${name}: at most`, (moment) => atMost(number(moment, i), k));
      add(`${name}: at least`, (moment) => atMost(k, number(moment, i)));
      add(`${name}: at most each`, (moment) =>
        atMost(change(moment, i), terms.apply("*", k, real(terms, moment.index))),
      );
    });
  }
  for (const constant of constants) {
    const k = real(terms, constant);
    start.numbers.forEach((_, i) => {
      start.flags.forEach((_first, f) => {
        const name = `${i} and ${constant.id}: at most`;
        add(`${name}, unless ${f}`, (moment) =>
          terms.or(moment.flags[f] ?? terms.true, atMost(number(moment, i), k)),
        );
        add(`${name}, and less unless ${f}`, (moment) =>
          terms.or(moment.flags[f] ?? terms.true, terms.apply("<", number(moment, i), k)),
        );
        add(`${name}, if ${f}`, (moment) =>
          terms.implies(moment.flags[f] ?? terms.false, atMost(number(moment, i), k)),
        );
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
