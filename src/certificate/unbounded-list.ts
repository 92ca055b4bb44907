/**
 * Lists of any length. Nothing is said of all of their elements at once: an element is chosen and stands for any, what is
 * true of every element is said of each that was chosen, and what is true of some element is said of one that was chosen.
 * SOUNDNESS: a choice is a name for some element, with the condition that one was chosen. Everything that is assumed of it
 * is assumed under that condition and is true of every element that it can be, so for every run there is a choice of which
 * all of it is true. Part of what must be trusted.
 */
import { bool, type Type } from "../ir/index.ts";
import type { Expressions } from "./compile.ts";
import type { Term } from "./encode.ts";
import { fromStart, type Lambda, numberOf } from "./known-list.ts";
import {
  asType,
  type Many,
  merge,
  type Part,
  type Plain,
  plain,
  type Source,
  termOf,
} from "./symbolic-value.ts";

/** A fact about each selected element. */
type Rule = (element: Plain, chosen: Term) => Term;

interface Chosen {
  readonly chosen: Term;
  readonly element: Plain;
}

/** LIMIT: of choices in choices; deeper ones are any value of their type. */
const deepest = 3;
const doubt = "a list of any length";

/** Facts about lists, by list id. */
export class Lists {
  readonly #at: Expressions;
  #rules: ReadonlyMap<string, readonly Rule[]> = new Map();
  #chosen: ReadonlyMap<string, readonly Chosen[]> = new Map();
  #once: ReadonlyMap<string, Plain> = new Map();
  #depth = 0;

  constructor(at: Expressions) {
    this.#at = at;
  }

  /** Does the work, and forgets what was found of lists meanwhile: what was assumed for it may be forgotten too. */
  aside<T>(work: () => T): T {
    const before = [this.#rules, this.#chosen, this.#once] as const;
    try {
      return work();
    } finally {
      [this.#rules, this.#chosen, this.#once] = before;
    }
  }

  /** Any element of the list, where `chosen` holds. */
  choose(list: Plain, chosen: Term, type: Type): Plain {
    const { terms } = this.#at;
    if (list.kind === "list") return this.#oneOf(list.items, chosen, type, (item) => item);
    if (list.kind !== "many") throw new TypeError(`a ${list.kind} has no elements`);
    if (this.#depth >= deepest) return this.#at.any(type, doubt);
    this.#depth++;
    const found =
      list.source === undefined ? this.#at.any(type, doubt) : this.#from(list.source, chosen, type);
    const element = asType(terms, found, list.element);
    this.#at.assume(terms.implies(chosen, terms.atMost(terms.int(1), this.length(list))));
    for (const rule of this.#rules.get(list.id.text) ?? []) this.#at.assume(rule(element, chosen));
    this.#chosen = added(this.#chosen, list, { chosen, element });
    this.#depth--;
    return element;
  }

  #from(source: Source, chosen: Term, type: Type): Plain {
    const { terms } = this.#at;
    switch (source.kind) {
      case "part": {
        const element = this.choose(source.of, chosen, source.of.element);
        if (source.holds !== undefined) this.#at.assume(terms.implies(chosen, source.holds(element)));
        return element;
      }
      case "each":
        return source.make(this.choose(source.of, chosen, source.of.element));
      case "all":
        return this.choose(source.make(this.choose(source.of, chosen, source.of.element)), chosen, type);
      case "joined":
        return this.#oneOf(source.parts, chosen, type, (part, here) => ({
          present: terms.true,
          value: this.choose(part, terms.and(chosen, here), type),
        }));
      case "choice": {
        const { condition, yes, no } = source;
        return merge(
          terms,
          condition,
          this.choose(yes, terms.and(chosen, condition), type),
          this.choose(no, terms.and(chosen, terms.not(condition)), type),
        );
      }
    }
  }

  /** One of those that are there, by its place. */
  #oneOf<T>(parts: readonly T[], chosen: Term, type: Type, part: (one: T, here: Term) => Part): Plain {
    const { terms } = this.#at;
    const place = terms.constant("Int", doubt);
    const here = parts.map((_, i) => terms.equal(place, terms.int(i)));
    const items = parts.map((one, i) => part(one, here[i] ?? terms.false));
    const there = items.map(({ present }, i) => terms.and(here[i] ?? terms.false, present));
    this.#at.assume(terms.implies(chosen, terms.any(there)));
    const found = items.reduceRight<Plain | undefined>((rest, { value }, i) => {
      return rest === undefined ? value : merge(terms, here[i] ?? terms.false, value, rest);
    }, undefined);
    return found ?? this.#at.any(type, doubt);
  }

  /** Elements with whether they are there: all of them, or those that were chosen and one that stands for any. */
  someOf(list: Plain): readonly Part[] {
    if (list.kind === "list") return list.items;
    if (list.kind !== "many") throw new TypeError(`a ${list.kind} has no elements`);
    this.choose(list, this.#at.terms.constant("Bool", doubt), list.element);
    return (this.#chosen.get(list.id.text) ?? []).map(({ chosen, element }) => ({
      present: chosen,
      value: element,
    }));
  }

  /** The rule for every element, those that were chosen already as well. */
  #every({ id }: Many, rule: Rule): void {
    for (const { chosen, element } of this.#chosen.get(id.text) ?? []) this.#at.assume(rule(element, chosen));
    this.#rules = added(this.#rules, { id }, rule);
  }

  length(list: Plain): Term {
    const { terms } = this.#at;
    if (list.kind === "list") return numberOf(terms, list.items);
    if (list.kind !== "many") throw new TypeError(`a ${list.kind} has no length`);
    const { source } = list;
    if (source?.kind === "each") return this.length(source.of);
    if (source?.kind === "joined") return terms.sum(source.parts.map((part) => this.length(part)));
    if (source?.kind === "choice")
      return terms.ite(source.condition, this.length(source.yes), this.length(source.no));
    return termOf(
      this.once(`length ${list.id.text}`, () => {
        const length = terms.unknown("length", [list.id], "Int", doubt);
        this.#at.assume(terms.atMost(terms.int(0), length));
        if (source?.kind === "part") this.#at.assume(terms.atMost(length, this.length(source.of)));
        return plain(length);
      }),
    );
  }

  /** Encodes `every` or `some` with a witness element (Skolem constant) for its negation or truth. */
  says(list: Many, which: "every" | "any", holds: (element: Plain) => Term): Term {
    const { terms } = this.#at;
    const said = terms.constant("Bool", doubt);
    const meets = (element: Plain) => (which === "any" ? holds(element) : terms.not(holds(element)));
    const shown = which === "any" ? said : terms.not(said);
    this.#every(list, (element, chosen) => terms.implies(terms.and(chosen, meets(element)), shown));
    const witness = this.choose(list, shown, list.element);
    this.#at.assume(terms.implies(shown, meets(witness)));
    return said;
  }

  /** Some element of which the condition holds, where there is one. */
  find(list: Many, holds: (element: Plain) => Term): Plain {
    const { terms } = this.#at;
    const present = terms.constant("Bool", doubt);
    this.#every(list, (element, chosen) => terms.implies(terms.and(chosen, holds(element)), present));
    const value = this.choose(list, present, list.element);
    this.#at.assume(terms.implies(present, holds(value)));
    return { kind: "option", present, value };
  }

  contains(list: Plain, sought: Plain): Term {
    const { terms } = this.#at;
    const isIt = (element: Plain) => this.#at.equal(element, sought);
    if (list.kind === "list")
      return terms.any(list.items.map(({ present, value }) => terms.and(present, isIt(value))));
    if (list.kind !== "many") throw new TypeError(`a ${list.kind} has no elements`);
    const { source } = list;
    if (source?.kind === "joined") return terms.any(source.parts.map((part) => this.contains(part, sought)));
    if (source?.kind === "choice")
      return terms.ite(source.condition, this.contains(source.yes, sought), this.contains(source.no, sought));
    // A function of the list and the value.
    const contained = termOf(this.#at.unknownOf("contains", [list, sought], bool));
    return termOf(
      this.once(`contains ${contained.text}`, () => {
        this.#every(list, (element, chosen) => terms.implies(terms.and(chosen, isIt(element)), contained));
        this.#at.assume(terms.implies(contained, isIt(this.choose(list, contained, list.element))));
        return plain(contained);
      }),
    );
  }

  /** SOUNDNESS: exact, as the operator defines it. */
  slice(list: Many, part: Plain, [from, to]: readonly (Term | undefined)[]): Plain {
    const { terms } = this.#at;
    if (from === undefined || to === undefined) return part;
    const length = this.length(list);
    const zero = terms.int(0);
    const within = (place: Term) => {
      const start = fromStart(terms, place, length);
      return terms.ite(
        terms.atMost(start, zero),
        zero,
        terms.ite(terms.atMost(length, start), length, start),
      );
    };
    const taken = terms.difference(within(to), within(from));
    this.#at.assume(terms.equal(this.length(part), terms.ite(terms.atMost(taken, zero), zero, taken)));
    return part;
  }

  /** The element at a known position: the same whenever it is asked for. */
  elementAt(list: Many, place: Term): Plain {
    const { terms } = this.#at;
    return this.once(`at ${list.id.text} ${place.text}`, () => {
      const present = terms.not(terms.atMost(this.length(list), place));
      return { kind: "option", present, value: this.choose(list, present, list.element) };
    });
  }

  /** Found once, with what is assumed for it, as long as that is not forgotten. */
  once(key: string, find: () => Plain): Plain {
    const before = this.#once.get(key);
    if (before !== undefined) return before;
    const found = find();
    this.#once = new Map(this.#once).set(key, found);
    return found;
  }
}

function added<T>(
  map: ReadonlyMap<string, readonly T[]>,
  { id }: Pick<Many, "id">,
  item: T,
): ReadonlyMap<string, readonly T[]> {
  return new Map(map).set(id.text, [...(map.get(id.text) ?? []), item]);
}

/**
 * Operators on lists of any length; undefined for what is not followed.
 * @param opaque what is known of it without looking at elements
 * @param functions give the same whenever they are asked
 */
export function manyOperator(
  lists: Lists,
  op: string,
  operands: readonly Plain[],
  [apply]: readonly Lambda[],
  opaque: () => Plain,
): Plain | undefined {
  const [list, second, third] = operands;
  if (list === undefined) return undefined;
  if (op === "++" && operands.some(({ kind }) => kind === "many"))
    return sourced(opaque(), { kind: "joined", parts: operands });
  if (list.kind !== "many") return undefined;
  const holds = apply && ((element: Plain) => termOf(apply(element)));
  switch (op) {
    case "length":
      return plain(lists.length(list));
    case "every":
    case "any":
      return holds && plain(lists.says(list, op, holds));
    case "find":
      return holds && lists.find(list, holds);
    case "contains":
      return second && plain(lists.contains(list, second));
    case "at": {
      const place = second && termOf(second);
      const isPlace = typeof place?.value === "bigint" && place.value >= 0n;
      return place && isPlace ? lists.elementAt(list, place) : undefined;
    }
    case "filter":
      return holds && sourced(opaque(), { kind: "part", of: list, holds });
    case "slice":
      return lists.slice(
        list,
        sourced(opaque(), { kind: "part", of: list }),
        [second, third].map((one) => one && termOf(one)),
      );
    case "reverse":
    case "unique":
      return sourced(opaque(), { kind: "part", of: list });
    case "map":
      return apply && sourced(opaque(), { kind: "each", of: list, make: apply });
    case "flatMap":
      return apply && sourced(opaque(), { kind: "all", of: list, make: apply });
    default:
      return undefined;
  }
}

function sourced(list: Plain, source: Source): Plain {
  return list.kind === "many" ? { ...list, source } : list;
}
