/**
 * Formulas over the cells of a fluent. SOUNDNESS: a quantifier over all cells is instantiated with one arbitrary key
 * (Skolem constant). For every run there is a choice of that key for which the instance has the truth value of the
 * quantified formula; so a result for every choice holds. Instances for other keys follow from "every", and imply
 * "some". Part of what must be trusted.
 */
import { finiteKeys } from "../ir/index.ts";
import type { Term } from "./encode.ts";
import { isWrite, type State } from "./fluent-state.ts";
import type { Walk } from "./symbolic-executor.ts";
import { type Plain, plain, sortOf } from "./symbolic-value.ts";

/** A formula about a row, with the condition that the row is present and selected. */
export interface Row<T> {
  readonly present: Term;
  readonly said: T;
}

/** The cells of a fluent in some state, and which of them are meant. */
export interface CellsOf {
  readonly fluent: string;
  /** The writes to the fluent. */
  readonly state: State;
  /** Binds the row with key and value. */
  readonly bind: (row: Plain) => void;
  /** Selects the bound row; undefined selects all. */
  readonly chosen: () => Term | undefined;
}

/**
 * Returns the relevant keys: all if they are few; otherwise one arbitrary key, and the keys that are written or
 * compared with it.
 */
export function cellRows(
  { at, states }: Walk,
  { fluent: name, state, bind, chosen }: CellsOf,
  body: () => Term,
): Row<Term>[] {
  const fluent = states.fluent(name);
  const say = (key: Term): Row<Term> => {
    const parts = { key: plain(key), value: states.read(state, name, key) };
    const fields = Object.entries(parts).map(
      ([part, held]) => [part, { present: at.terms.true, value: held }] as const,
    );
    bind({ kind: "record", fields: new Map(fields) });
    const present = chosen() ?? at.terms.true;
    return { present, said: body() };
  };
  const sort = sortOf(fluent.key);
  if (sort === undefined) throw new TypeError("a key is a scalar");
  const finite = finiteKeys(fluent.key);
  if (finite !== undefined) return finite.map((key) => say(at.terms.literal(key, sort)));
  const any = at.terms.constant(sort, `what is said of every cell of \`${name}\``);
  const { said, compared } = at.watching(any, () => say(any));
  // SOUNDNESS: only what can be a key is one of "every".
  const others = [...state.filter(isWrite).map(({ key }) => key), ...compared].filter(
    (key) => key.sort === sort,
  );
  return [said, ...others.map(say)];
}

/**
 * Counts matching cells. Any number of unwritten keys may match; a sufficiently large constant stands for "more than
 * any number".
 */
export function countCells(walk: Walk, cells: CellsOf): Term {
  const { at, states } = walk;
  const { terms } = at;
  const { fluent, state } = cells;
  const one = (present: Term) => terms.ite(present, terms.int(1), terms.int(0));
  const rows = cellRows(walk, cells, () => terms.true);
  if (finiteKeys(states.fluent(fluent).key) !== undefined)
    return terms.sum(rows.map(({ present }) => one(present)));
  const writes = state.filter(isWrite);
  if (writes.length < state.length) return at.refuse(`how many cells of \`${fluent}\` a loop changes`);
  const [other, ...rest] = rows;
  if (other === undefined) throw new TypeError("one key stands for all others");
  const counted = writes.map((write, i) => {
    const again = writes
      .slice(i + 1)
      .map((later) => terms.and(later.guard, terms.equal(later.key, write.key)));
    const present = rest[i]?.present ?? terms.false;
    return one(terms.and(write.guard, present, terms.not(terms.any(again))));
  });
  if (other.present.value === false) return terms.sum(counted);
  const others = terms.constant("Int", `how many cells of \`${fluent}\` are never written`);
  at.assume(terms.atMost(terms.int(0), others));
  // If it is true of a key that is never written, the one that stands for any can be such a key.
  at.assume(terms.or(terms.equal(others, terms.int(0)), other.present));
  return terms.sum([...counted, others]);
}
