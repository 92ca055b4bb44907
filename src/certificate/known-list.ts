/**
 * Lists whose elements are known one by one, each with the condition under which it is there. What is said of them is
 * written out, element by element.
 * Part of what must be trusted.
 */
import type { Expressions } from "./compile.ts";
import type { Term, Terms } from "./encode.ts";
import { merge, type Part, type Plain, plain, termOf } from "./symbolic-value.ts";

export type Lambda = (...args: readonly Plain[]) => Plain;

type Items = readonly Part[];
type Operator = (items: Items, rest: readonly Plain[], f: Lambda, at: Expressions) => Plain | undefined;

/** Undefined for what is not written out: an operator that is not here, or a list of any length. */
export function listOperator(
  at: Expressions,
  op: string,
  operands: readonly Plain[],
  functions: readonly Lambda[],
): Plain | undefined {
  const [first, ...rest] = operands;
  const operator = table[op];
  if (operator === undefined || first?.kind !== "list") return undefined;
  const [f = missing] = functions;
  return operator(first.items, rest, f, at);
}

const missing: Lambda = () => {
  throw new TypeError("a function is missing");
};

const listOf = (items: Items): Plain => ({ kind: "list", items });

const table: Readonly<Record<string, Operator>> = {
  "++": (items, rest) => {
    const lists = rest.flatMap((other) => (other.kind === "list" ? [other.items] : []));
    return lists.length === rest.length ? listOf([...items, ...lists.flat()]) : undefined;
  },
  length: (items, _, __, { terms }) => plain(numberOf(terms, items)),
  total: (items, _, __, { terms }) => {
    const zero = terms.int(0);
    return plain(terms.sum(items.map(({ present, value }) => terms.ite(present, termOf(value), zero))));
  },
  contains: (items, [sought], _, at) => sought && plain(anyOf(at.terms, isEqual(at, items, sought))),
  indexOf: (items, [sought], _, at) => sought && plain(firstOf(at.terms, isEqual(at, items, sought))),
  any: (items, _, f, { terms }) => plain(anyOf(terms, saying(items, f))),
  every: (items, _, f, { terms }) =>
    plain(terms.all(items.map(({ present, value }) => terms.implies(present, termOf(f(value)))))),
  find: (items, _, f, { terms }) => chosen(terms, saying(items, f)),
  findIndex: (items, _, f, { terms }) => plain(firstOf(terms, saying(items, f))),
  map: (items, _, f) => listOf(items.map(({ present, value }) => ({ present, value: f(value) }))),
  filter: (items, _, f, { terms }) =>
    listOf(items.map(({ present, value }) => ({ present: terms.and(present, termOf(f(value))), value }))),
  flatMap: (items, _, f, { terms }) => {
    const found: Part[] = [];
    for (const { present, value } of items) {
      const inner = f(value);
      if (inner.kind !== "list") return undefined;
      for (const part of inner.items)
        found.push({ present: terms.and(present, part.present), value: part.value });
    }
    return listOf(found);
  },
  fold: (items, [start], f, { terms }) =>
    start && items.reduce((held, { present, value }) => merge(terms, present, f(held, value), held), start),
  reverse: (items) => listOf([...items].reverse()),
  entries: (items, _, __, { terms }) =>
    listOf(
      places(terms, items).map(({ present, value, place }) => ({
        present,
        value: {
          kind: "record",
          fields: new Map([
            ["index", { present: terms.true, value: plain(place) }],
            ["value", { present: terms.true, value }],
          ]),
        },
      })),
    ),
  unique: (items, _, __, at) => {
    const { terms } = at;
    return listOf(
      items.map((item, i) => {
        const before = items
          .slice(0, i)
          .map(({ present, value }) => terms.and(present, at.equal(value, item.value)));
        return { ...item, present: terms.and(item.present, terms.not(terms.any(before))) };
      }),
    );
  },
  at: (items, [position], _, { terms }) =>
    position &&
    chosen(
      terms,
      places(terms, items).map((one) => ({ ...one, chosen: terms.equal(one.place, termOf(position)) })),
    ),
  slice: (items, [from, to], _, { terms }) => {
    if (from === undefined || to === undefined) return undefined;
    const length = numberOf(terms, items);
    const [low, high] = [from, to].map((position) => fromStart(terms, termOf(position), length));
    if (low === undefined || high === undefined) return undefined;
    return listOf(
      places(terms, items).map(({ present, value, place }) => ({
        present: terms.and(present, terms.atMost(low, place), terms.not(terms.atMost(high, place))),
        value,
      })),
    );
  },
};

interface Choice extends Part {
  /** The condition that the element is selected, if present. */
  readonly chosen: Term;
}

function isEqual(at: Expressions, items: Items, sought: Plain): Choice[] {
  return items.map((item) => ({ ...item, chosen: at.equal(item.value, sought) }));
}

function saying(items: Items, f: Lambda): Choice[] {
  return items.map((item) => ({ ...item, chosen: termOf(f(item.value)) }));
}

function one(terms: Terms, present: Term): Term {
  return terms.ite(present, terms.int(1), terms.int(0));
}

export function numberOf(terms: Terms, items: Items): Term {
  return terms.sum(items.map(({ present }) => one(terms, present)));
}

/** Each element with the number of those before it that are there. */
function places(terms: Terms, items: Items): (Part & { readonly place: Term })[] {
  let place = terms.int(0);
  return items.map((item) => {
    const here = { ...item, place };
    place = terms.sum([place, one(terms, item.present)]);
    return here;
  });
}

function anyOf(terms: Terms, items: readonly Choice[]): Term {
  return terms.any(items.map((item) => terms.and(item.present, item.chosen)));
}

/** The first that is chosen. */
function chosen(terms: Terms, items: readonly Choice[]): Plain {
  const value = items.reduceRight<Plain | undefined>((later, item) => {
    if (later === undefined) return item.value;
    return merge(terms, terms.and(item.present, item.chosen), item.value, later);
  }, undefined);
  return { kind: "option", present: anyOf(terms, items), value };
}

/** The place of the first that is chosen, or -1. */
function firstOf(terms: Terms, items: readonly Choice[]): Term {
  const found = places(terms, items).map(({ place }, i) => ({ place, item: items[i] }));
  return found.reduceRight((later, { place, item }) => {
    return item === undefined ? later : terms.ite(terms.and(item.present, item.chosen), place, later);
  }, terms.int(-1));
}

/** A position as `slice` takes it: from the end if it is negative. */
export function fromStart(terms: Terms, position: Term, length: Term): Term {
  const isNegative = terms.not(terms.atMost(terms.int(0), position));
  return terms.ite(isNegative, terms.sum([length, position]), position);
}
