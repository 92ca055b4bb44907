/**
 * Formulas over all cells of a fluent, which has a value at every key: the written keys and the keys that the formula
 * names are instantiated one by one, and all others by one arbitrary key. SOUNDNESS: for every run there is a choice
 * of that key for which the instance has the truth value of the quantified formula. So a formula that holds for every
 * choice holds, on either side of a negation. Part of what must be trusted.
 */
import { type Fluent, finiteKeys } from "../../ir/index.ts";
import { termOf } from "../symbolic/compile.ts";
import type { State } from "../symbolic/fluent-state.ts";
import { known, type Symbolic, sortOf } from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";

/** A formula about a cell, as a term. */
export type Says = (key: Term, value: Symbolic) => Term;

export interface CellsContext {
  readonly terms: Terms;
  readonly fluent: Fluent;
  readonly state: State;
  /** The state before the run. */
  readonly initial: State;
  /** A number that was not given before. */
  readonly count: () => number;
}

export function everyCell(context: CellsContext, says: Says): Term {
  const { terms } = context;
  const finite = atFiniteKeys(context, says);
  if (finite !== undefined) return terms.all(finite);
  const { unwritten, said, named } = atOtherKeys(context, says);
  return terms.all([
    ...atWrittenKeys(context, says).map((cell) => terms.implies(cell.guard, cell.said)),
    ...named,
    terms.implies(unwritten, said),
  ]);
}

export function someCell(context: CellsContext, says: Says): Term {
  const { terms } = context;
  const finite = atFiniteKeys(context, says);
  if (finite !== undefined) return terms.any(finite);
  const { unwritten, said, named } = atOtherKeys(context, says);
  return terms.any([
    ...atWrittenKeys(context, says).map((cell) => terms.and(cell.guard, cell.said)),
    ...named,
    terms.and(unwritten, said),
  ]);
}

/** Counts matching cells. Any number of unwritten keys may match, even infinitely many. */
export function countCells(context: CellsContext, says: Says, constrain: (term: Term) => void): Term {
  const { terms, fluent } = context;
  const one = (present: Term) => terms.ite(present, terms.int(1), terms.int(0));
  const finite = atFiniteKeys(context, says);
  if (finite !== undefined) return terms.sum(finite.map(one), "Int");
  const written = atWrittenKeys(context, says);
  const counted = written.map(({ guard, key, said }, i) => {
    const again = written.slice(i + 1).map((later) => terms.and(later.guard, terms.equal(later.key, key)));
    return one(terms.and(guard, said, terms.not(terms.any(again))));
  });
  const { unwritten, said } = atOtherKeys(context, says);
  if (terms.and(unwritten, said) !== terms.false) {
    // SOUNDNESS: a comparison with an infinite number comes out as with a number that is large enough.
    const others = terms.constant(`others@${fluent.name}@${context.count()}`, "Int");
    constrain(terms.apply("<=", terms.int(0), others));
    // SOUNDNESS: if there is another key of which it is true, the one that stands for all others can be such a key.
    constrain(terms.or(terms.equal(others, terms.int(0)), terms.and(unwritten, said)));
    counted.push(others);
  }
  return terms.sum(counted, "Int");
}

/** Returns true if no cell matches before the run, for any key. */
export function startsFromNone({ terms, fluent, initial, count }: CellsContext, says: Says): boolean {
  const sort = sortOf(fluent.key);
  if (sort === undefined || fluent.initial === undefined) return false;
  const key = terms.constant(`first@${fluent.name}@${count()}`, sort);
  return says(key, initial.initial(fluent.name, key)) === terms.false;
}

function atFiniteKeys({ terms, fluent, state }: CellsContext, says: Says): Term[] | undefined {
  return finiteKeys(fluent.key)?.map((value) => {
    const key = termOf(known(terms, value, fluent.key));
    return says(key, state.read(fluent.name, key));
  });
}

function atWrittenKeys(
  { fluent, state }: CellsContext,
  says: Says,
): { readonly guard: Term; readonly key: Term; readonly said: Term }[] {
  const { name } = fluent;
  return state.writes(name).map(({ guard, key }) => ({ guard, key, said: says(key, state.read(name, key)) }));
}

interface OtherKeys {
  /** The condition that the arbitrary key is not one of the written ones. */
  readonly unwritten: Term;
  readonly said: Term;
  /** The formula at the keys that the arbitrary key is compared with. */
  readonly named: readonly Term[];
}

function atOtherKeys(context: CellsContext, says: Says): OtherKeys {
  const { terms, fluent, state } = context;
  const { name } = fluent;
  const sort = sortOf(fluent.key);
  if (sort === undefined) throw new TypeError("a key is a scalar");
  const other = terms.constant(`other@${name}@${context.count()}`, sort);
  const said = says(other, state.initial(name, other));
  const atoms = mentions(said, other);
  // There is always a key that is not written, and it does not matter which.
  if (!atoms.found) return { unwritten: terms.true, said, named: [] };
  const written = state.writes(name).map(({ guard, key }) => terms.and(guard, terms.equal(key, other)));
  const named = [...atoms.compared].map((key) => says(key, state.read(name, key)));
  return { unwritten: terms.not(terms.any(written)), said, named };
}

/** Finds the constant in the term, and the terms that it is compared with. */
function mentions(term: Term, constant: Term): { readonly found: boolean; readonly compared: Set<Term> } {
  const within = new Map<Term, boolean>();
  const compared = new Set<Term>();
  const visit = (one: Term): boolean => {
    if (one === constant) return true;
    if (one.kind !== "apply") return false;
    const known = within.get(one);
    if (known !== undefined) return known;
    const [a, b] = one.args;
    const found = one.args.map(visit);
    if (one.op === "==") {
      if (a === constant && b !== undefined && !found[1]) compared.add(b);
      if (b === constant && a !== undefined && !found[0]) compared.add(a);
    }
    const any = found.includes(true);
    within.set(one, any);
    return any;
  };
  return { found: visit(term), compared };
}
