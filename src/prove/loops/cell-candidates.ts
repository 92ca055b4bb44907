/**
 * Invariant candidates about every cell of a fluent that a loop sets: templates, as in `invariants.ts`, and the
 * guarantees' own formulas about every cell. An unproved candidate is never used.
 */

import type { Fluent } from "../../ir/index.ts";
import type { State } from "../symbolic/fluent-state.ts";
import { type Symbolic, sortOf } from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { isNumber } from "./invariant-candidates.ts";

/** A state, as far as guesses look at it. */
export type Cells = Pick<State, "read">;

/** A cell at one moment of a loop. */
export interface CellView {
  readonly key: Term;
  /** The state before the loop. */
  readonly before: Cells;
  readonly now: Cells;
  readonly moment: CellMoment;
}

/** Loop variables that cells may depend on at one program point, always in the same order. */
export interface CellMoment {
  readonly index: Term;
  /** By how much the numbers that it carries have changed. */
  readonly changes: readonly Term[];
  /** Membership of keys in the loop-carried lists, or in the visited elements. */
  readonly sets: readonly KeySet[];
}

export interface KeySet {
  readonly sort: Term["sort"];
  readonly has: (key: Term) => Term;
}

export interface CellGuess {
  /** The same whenever the loop is looked at again. */
  readonly id: string;
  /** The fluent whose key stands for any. */
  readonly fluent: string;
  /** Those that it reads at that key. */
  readonly reads: readonly string[];
  readonly at: (view: CellView) => Term;
}

/** A guarantee's formula about every cell. */
export interface Stated {
  readonly fluent: string;
  readonly reads: readonly string[];
  readonly holds: (key: Term, now: Cells) => Term;
}

/** LIMIT: of guesses for one fluent. */
const mostGuesses = 90;
/** LIMIT: of cells that are told from all others. */
const mostKeys = 4;
/** LIMIT: of sets that cells are told apart by. */
const mostSets = 4;

type Form = readonly [form: string, at: CellGuess["at"]];

/**
 * @param literals what the document names
 * @param keys cells that may be told from all others
 */
export function cellGuessesOf(
  terms: Terms,
  fluent: Fluent,
  start: CellMoment,
  stated: readonly Stated[],
  literals: readonly Term[],
  keys: readonly Term[],
): readonly CellGuess[] {
  const { name } = fluent;
  const sort = sortOf(fluent.key);
  const found: CellGuess[] = [];
  const add = ([form, at]: Form, reads: readonly string[] = [name]) => {
    if (found.length < mostGuesses) found.push({ id: `cell ${name}: ${form}`, fluent: name, reads, at });
  };
  const claims = stated.map(({ holds }, i): Form => [`stated ${i}`, ({ key, now }) => holds(key, now)]);
  claims.forEach((claim, i) => add(claim, stated[i]?.reads));
  const [forms, more] = formsOf(terms, fluent, literals, start.changes.length);
  for (const form of forms) add(form);
  const sets = start.sets.flatMap((set, i) => (set.sort === sort ? [i] : [])).slice(0, mostSets);
  for (const i of sets) {
    const has = ({ moment, key }: CellView) => moment.sets[i]?.has(key) ?? terms.true;
    const unless = ([form, at]: Form): Form => [
      `${form}, unless in ${i}`,
      (view) => terms.or(has(view), at(view)),
    ];
    const within = ([form, at]: Form): Form => [
      `${form}, if in ${i}`,
      (view) => terms.implies(has(view), at(view)),
    ];
    claims.forEach((claim, j) => {
      add(unless(claim), stated[j]?.reads);
      add(within(claim), stated[j]?.reads);
    });
    for (const form of forms.slice(0, 1)) add(unless(form));
    for (const form of more) if (form[0].startsWith("is ")) add(within(form));
  }
  for (const one of keys.slice(0, mostKeys))
    for (const [form, at] of forms) {
      add([`${form} at ${one.id}`, (view) => terms.implies(terms.equal(view.key, one), at(view))]);
      add([`${form} but at ${one.id}`, (view) => terms.or(terms.equal(view.key, one), at(view))]);
    }
  for (const form of more) add(form);
  return found;
}

/** Forms for a cell, and others that are tried after those. */
function formsOf(
  terms: Terms,
  { name, value }: Fluent,
  literals: readonly Term[],
  numbers: number,
): readonly [readonly Form[], readonly Form[]] {
  const sort = sortOf(value);
  if (sort === undefined) return [[], []];
  const first = ({ before, key }: CellView) => scalarAt(before, name, key);
  const now = (view: CellView) => scalarAt(view.now, name, view.key);
  const real = (term: Term) => terms.toReal(term);
  const atMost = (a: Term, b: Term) => terms.apply("<=", a, b);
  const stays: Form = ["stays", (view) => terms.equal(first(view), now(view))];
  if (sort === "Bool")
    return [
      [
        stays,
        ["only rises", (view) => terms.implies(first(view), now(view))],
        ["only falls", (view) => terms.implies(now(view), first(view))],
        ["is true", now],
        ["is false", (view) => terms.not(now(view))],
      ],
      [
        ["is true", now],
        ["is false", (view) => terms.not(now(view))],
      ],
    ];
  if (isNumber(sort)) {
    const change = (view: CellView) => terms.apply("-", real(now(view)), real(first(view)));
    const changes = Array.from(
      { length: numbers },
      (_, i): Form => [
        `changes at most as ${i}`,
        (view) => atMost(change(view), view.moment.changes[i] ?? change(view)),
      ],
    );
    const bounds = literals
      .filter((literal) => isNumber(literal.sort))
      .flatMap((literal): Form[] => [
        [`at most ${literal.id}`, (view) => atMost(real(now(view)), real(literal))],
        [`at least ${literal.id}`, (view) => atMost(real(literal), real(now(view)))],
      ]);
    return [
      [
        stays,
        ["does not fall", (view) => atMost(first(view), now(view))],
        ["does not rise", (view) => atMost(now(view), first(view))],
      ],
      [...changes, ["counts", (view) => atMost(change(view), real(view.moment.index))], ...bounds],
    ];
  }
  const alike = literals.filter((literal) => literal.sort === sort);
  return [
    [stays],
    [
      ...alike.map((literal): Form => [`is ${literal.id}`, (view) => terms.equal(now(view), literal)]),
      ...alike.flatMap((literal): Form[] => [
        [
          `stays or is ${literal.id}`,
          (view) => terms.or(terms.equal(first(view), now(view)), terms.equal(now(view), literal)),
        ],
        [`not ${literal.id}`, (view) => terms.not(terms.equal(now(view), literal))],
      ]),
    ],
  ];
}

function scalarAt(state: Cells, fluent: string, key: Term): Term {
  const value: Symbolic = state.read(fluent, key);
  if (value.kind !== "scalar") throw new TypeError("a scalar is held here");
  return value.term;
}
