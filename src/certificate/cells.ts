/**
 * What is said of the cells of a fluent.
 * SOUNDNESS: what is said of every cell is said of one key that stands for any. Whatever "for every key" and "for some key"
 * come to in a run, that key can be one for which the formula comes to the same; so what is shown for every choice of it
 * holds. What is said of other keys besides follows from "every", and from it "some" follows.
 * Part of what must be trusted.
 */
import { finiteKeys } from "../ir/index.ts";
import type { Term } from "./encode.ts";
import { isWrite, type State } from "./fluent-state.ts";
import type { Walk } from "./symbolic-executor.ts";
import { type Plain, plain, sortOf } from "./symbolic-value.ts";

/** What is said of something, with whether it is there and chosen. */
export interface Row<T> {
  readonly present: Term;
  readonly said: T;
}

/** The cells of a fluent in some state, and which of them are meant. */
export interface CellsOf {
  readonly fluent: string;
  /** What was written to it. */
  readonly state: State;
  /** Binds the row with key and value. */
  readonly bind: (row: Plain) => void;
  /** Of the row that is bound; undefined where all are meant. */
  readonly chosen: () => Term | undefined;
}

/** Of the keys that are looked at: all where they are few, else one that stands for any, and those that are written or compared with it. */
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

/** Of the keys that are never written it may be true of any number; more than any number is one that is large enough. */
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
