/**
 * What may be true of every cell of a fluent at the beginning of every iteration of a loop that sets it: guesses by
 * their form, as in `invariants.ts`. They are shown for one key that stands for any, and assumed of each key that is read.
 * SOUNDNESS: a guess about a cell speaks of no other cell, so what is shown of any key is true of all keys together.
 * Part of what must be trusted.
 */
import type { Checked } from "../ir/check/index.ts";
import type { Fluent } from "../ir/document.ts";
import type { Terms } from "./factory.ts";
import { isNumber } from "./invariants.ts";
import type { State } from "./state.ts";
import { sortOf } from "./symbolic.ts";
import type { Term } from "./term.ts";

export interface CellGuess {
  /** The same whenever the loop is looked at again. */
  readonly id: string;
  readonly fluent: string;
  /** @param first what the cell held before the loop */
  readonly at: (first: Term, now: Term, key: Term) => Term;
}

/** LIMIT: of guesses for one fluent. */
const mostGuesses = 60;

/**
 * @param literals what the document names
 * @param keys cells that may be told from all others
 */
export function cellGuessesOf(
  terms: Terms,
  { name, value }: Fluent,
  literals: readonly Term[],
  keys: readonly Term[],
): readonly CellGuess[] {
  const sort = sortOf(value);
  if (sort === undefined) return [];
  const found: CellGuess[] = [];
  const add = (form: string, at: CellGuess["at"]) => {
    if (found.length < mostGuesses) found.push({ id: `cell ${name}: ${form}`, fluent: name, at });
  };
  add("stays", (first, now) => terms.equal(first, now));
  if (sort === "Bool") {
    add("only rises", (first, now) => terms.implies(first, now));
    add("only falls", (first, now) => terms.implies(now, first));
    add("is true", (_, now) => now);
    add("is false", (_, now) => terms.not(now));
  }
  if (isNumber(sort)) {
    add("does not fall", (first, now) => terms.apply("<=", first, now));
    add("does not rise", (first, now) => terms.apply("<=", now, first));
  }
  const forms = [...found];
  for (const one of keys)
    for (const { id, at } of forms) {
      add(`${id} at ${one.id}`, (first, now, key) =>
        terms.implies(terms.equal(key, one), at(first, now, key)),
      );
      add(`${id} but at ${one.id}`, (first, now, key) =>
        terms.or(terms.equal(key, one), at(first, now, key)),
      );
    }
  for (const literal of literals) {
    if (isNumber(sort) !== isNumber(literal.sort) || (!isNumber(sort) && literal.sort !== sort)) continue;
    if (isNumber(sort)) {
      add(`at most ${literal.id}`, (_, now) => terms.apply("<=", terms.toReal(now), terms.toReal(literal)));
      add(`at least ${literal.id}`, (_, now) => terms.apply("<=", terms.toReal(literal), terms.toReal(now)));
    } else {
      add(`stays or is ${literal.id}`, (first, now) =>
        terms.or(terms.equal(first, now), terms.equal(now, literal)),
      );
      add(`is not ${literal.id}`, (_, now) => terms.not(terms.equal(now, literal)));
    }
  }
  return found;
}

/** What the cell of the key holds, if it is a scalar. */
export function cellAt(state: State, fluent: string, key: Term): Term | undefined {
  const value = state.read(fluent, key);
  return value.kind === "scalar" ? value.term : undefined;
}

/** The key that stands for any. */
export function anyCell(terms: Terms, checked: Checked, fluent: string): Term {
  const key = checked.fluents.get(fluent)?.key;
  const sort = key && sortOf(key);
  if (sort === undefined) throw new TypeError("a key is a scalar");
  return terms.constant(`any@${fluent}`, sort);
}
