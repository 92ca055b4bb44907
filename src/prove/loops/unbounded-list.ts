/**
 * Lists of unknown length, such as those that tools return. Nothing is said of all of their
 * elements at once: one is chosen, and stands for any of them.
 * SOUNDNESS: a choice is a name for some element, whichever it may be, with the condition that one was chosen at all.
 * What is said of it is true of every element, and is said only where one was chosen, so that there is always a choice
 * of which it is all true. Part of what must be trusted.
 */
import type { Expr, Type } from "../../ir/index.ts";
import type { Scene } from "../symbolic/compile.ts";
import { equalTerm, keyOf, merge } from "../symbolic/shape.ts";
import {
  fresh,
  type OpaqueSymbolic,
  type Source,
  type Symbolic,
  scalar,
  sortOf,
} from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";

export interface Choice {
  readonly name: string;
  /** The condition that a chosen element exists. */
  readonly made: Term;
}

export interface Chosen {
  readonly made: Term;
  readonly value: Symbolic;
}

/** The expression that makes a fold, and the command that it is evaluated for. */
export interface FoldSite {
  readonly expr: Expr;
  readonly command: string;
}

/** A number that is made by going through a list: first `start`, and with each element `next`. */
export interface Fold {
  readonly site: FoldSite;
  readonly start: Term;
  readonly next: (held: Term, element: Symbolic) => Term;
  /** After the last element. */
  readonly result: Term;
}

export type AllFolds = ReadonlyMap<string, readonly Fold[]>;

/** True of every element of a list: `made` says whether the element is there. */
type Rule = (value: Symbolic, made: Term) => Term;

/** LIMIT: rules whose conditions choose elements, to which the rules apply again. */
const deepestRules = 2;

/** Facts about elements of lists, by list key. Allocated lazily, because most programs have none. */
export class Lists {
  /** Facts about every element. */
  #rules: Map<string, Rule[]> | undefined;
  /** Nesting depth of rule applications. */
  #depth = 0;
  #chosen: Map<string, Chosen[]> | undefined;
  /** The elements that were chosen, in order. */
  readonly #order: Chosen[][] = [];
  #found: Map<string, Term> | undefined;
  #values: Map<string, Symbolic> | undefined;
  #folds: Map<string, readonly Fold[]> | undefined;

  addRule({ key }: OpaqueSymbolic, rule: Rule): void {
    this.#rules ??= new Map();
    const known = this.#rules.get(key);
    if (known === undefined) this.#rules.set(key, [rule]);
    else known.push(rule);
  }

  /** A rule for those that were chosen already as well. */
  everyElement(list: OpaqueSymbolic, rule: Rule, constrain: (term: Term) => void, most?: number): void {
    // A rule that chooses elements itself is not applied to those.
    const chosen = [...this.chosen(list)];
    // Conditions in conditions multiply: only the outermost look back.
    const from = most === undefined ? 0 : this.#depth > 0 ? chosen.length : Math.max(0, chosen.length - most);
    for (const one of chosen.slice(from)) this.#apply(rule, one, constrain);
    this.addRule(list, rule);
  }

  /** Constrains an element by all rules of its list. */
  applyRules({ key }: OpaqueSymbolic, chosen: Chosen, constrain: (term: Term) => void): void {
    // Rules that a rule adds are for elements that are chosen later.
    for (const rule of [...(this.#rules?.get(key) ?? [])]) this.#apply(rule, chosen, constrain);
  }

  /** SOUNDNESS: rules are assumptions, so one that is too deep to be applied is omitted. */
  #apply(rule: Rule, { value, made }: Chosen, constrain: (term: Term) => void): void {
    if (this.#depth >= deepestRules) return;
    this.#depth++;
    try {
      constrain(rule(value, made));
    } finally {
      this.#depth--;
    }
  }

  addChosen({ key }: OpaqueSymbolic, chosen: Chosen): void {
    this.#chosen ??= new Map();
    const known = this.#chosen.get(key) ?? [];
    if (known.length === 0) this.#chosen.set(key, known);
    known.push(chosen);
    this.#order.push(known);
  }

  /**
   * Does the work, and forgets what was chosen for it: every choice within a quantifier would be tried by the next one
   * there, which makes choices of its own, and each look would double their number.
   */
  within<T>(work: () => T): T {
    const before = this.#order.length;
    try {
      return work();
    } finally {
      while (this.#order.length > before) this.#order.pop()?.pop();
    }
  }

  /** Memoizes a fact about a list: lists share parts. */
  once(name: string, find: () => Term): Term {
    const known = this.#found?.get(name);
    if (known !== undefined) return known;
    const found = find();
    this.#found ??= new Map();
    this.#found.set(name, found);
    return found;
  }

  onceValue(name: string, find: () => Symbolic): Symbolic {
    const known = this.#values?.get(name);
    if (known !== undefined) return known;
    const found = find();
    this.#values ??= new Map();
    this.#values.set(name, found);
    return found;
  }

  /** A number that is found by going through the list once. */
  addFold(list: OpaqueSymbolic, fold: Fold): void {
    const { source } = list;
    this.#folds ??= new Map();
    this.#folds.set(list.key, [...this.folds(list), fold]);
    // What is found by going through a list that was made element by element is found by going through the other.
    if (source?.kind === "map" && source.of.kind === "opaque") {
      const next: Fold["next"] = (held, element) => fold.next(held, source.apply(element));
      this.addFold(source.of, { ...fold, next });
    }
  }

  folds({ key }: OpaqueSymbolic): readonly Fold[] {
    return this.#folds?.get(key) ?? [];
  }

  /** All folds so far, for `backToFolds`. */
  get allFolds(): AllFolds {
    return new Map(this.#folds);
  }

  /** Forgets the folds that were found since: they belong to iterations that the walk has left. */
  backToFolds(before: AllFolds): void {
    this.#folds = new Map(before);
  }

  /** Every element that was chosen so far. */
  chosen({ key }: OpaqueSymbolic): readonly Chosen[] {
    return this.#chosen?.get(key) ?? [];
  }
}

/** Some number from 0, for a list of which nothing else is known. */
export function lengthOf(list: Symbolic, scene: Scene): Term {
  const { terms, constrain, lists } = scene;
  if (list.kind === "list")
    return terms.sum(
      list.items.map(({ present }) => terms.ite(present, terms.int(1), terms.int(0))),
      "Int",
    );
  if (list.kind !== "opaque") throw new TypeError(`a ${list.kind} has no length`);
  const { source } = list;
  switch (source?.kind) {
    case "map":
    case "entries":
      return lengthOf(source.of, scene);
    case "range":
      return terms.ite(terms.apply("<", source.count, terms.int(0)), terms.int(0), source.count);
    case "joined":
      return lists.once(`length ${list.key}`, () =>
        terms.sum(
          source.parts.map((part) => lengthOf(part, scene)),
          "Int",
        ),
      );
    case "choice":
      return lists.once(`length ${list.key}`, () =>
        terms.ite(source.condition, lengthOf(source.yes, scene), lengthOf(source.no, scene)),
      );
    default: {
      const length = terms.constant(`length@${list.key}`, "Int");
      constrain(terms.apply("<=", terms.int(0), length));
      return length;
    }
  }
}

/**
 * Returns membership of the value in the list. SOUNDNESS: for an unknown list it is an uninterpreted function of the
 * value, so equal values agree.
 */
export function isIn(list: Symbolic, value: Symbolic, scene: Scene): Term {
  const { terms, lists } = scene;
  if (list.kind === "list")
    return terms.any(list.items.map((item) => terms.and(item.present, equalTerm(terms, item.value, value))));
  if (list.kind !== "opaque") throw new TypeError(`a ${list.kind} has no elements`);
  return lists.once(`${list.key} has ${keyOf(value)}`, () => {
    const { source } = list;
    if (source?.kind === "joined") return terms.any(source.parts.map((part) => isIn(part, value, scene)));
    if (source?.kind === "choice")
      return terms.ite(source.condition, isIn(source.yes, value, scene), isIn(source.no, value, scene));
    const name = terms.brief(`contains(${keyOf(list)})`);
    const sort = sortOf(elementType(list.type));
    const contained =
      value.kind === "scalar" && sort !== undefined
        ? terms.unknown(name, [sort === "Real" ? terms.toReal(value.term) : value.term], "Bool")
        : terms.constant(`${name}#${scene.count()}`, "Bool");
    lists.everyElement(
      list,
      (element, made) => terms.implies(terms.and(made, equalTerm(terms, element, value)), contained),
      scene.constrain,
    );
    return contained;
  });
}

/** LIMIT: of lists made of lists that are looked into for an element; beyond, it is any value of its type. */
const deepest = 8;

/** Any element of the list. */
export function choose(list: OpaqueSymbolic, choice: Choice, scene: Scene, depth = 0): Symbolic {
  const { terms, constrain, lists } = scene;
  terms.effort.spend(1);
  terms.effort.check();
  const under = (term: Term) => constrain(terms.implies(choice.made, term));
  const type = elementType(list.type);
  const value =
    (depth < deepest ? elementOf(list.source, type, choice, scene, depth + 1) : undefined) ??
    fresh(terms, terms.brief(`${list.key}#${choice.name}`), type, under);
  const chosen = { made: choice.made, value };
  lists.applyRules(list, chosen, constrain);
  lists.addChosen(list, chosen);
  return value;
}

/** An element that is known to be in the list, if it was chosen. */
export function chooseThis(list: OpaqueSymbolic, chosen: Chosen, scene: Scene): Symbolic {
  scene.lists.applyRules(list, chosen, scene.constrain);
  return chosen.value;
}

/**
 * The elements of the list that were chosen so far, from it or from what it was made of.
 * SOUNDNESS: each of them is in the list if its condition holds.
 */
export function chosenFrom(list: Symbolic, scene: Scene): readonly Chosen[] {
  const { terms, lists } = scene;
  if (list.kind === "list") return list.items.map(({ present, value }) => ({ made: present, value }));
  if (list.kind !== "opaque") return [];
  const found = new Map<Term, Chosen>();
  const add = (chosen: readonly Chosen[], condition: (value: Symbolic) => Term) => {
    for (const { made, value } of chosen) {
      const both = terms.and(made, condition(value));
      if (!found.has(both)) found.set(both, { made: both, value });
    }
  };
  const yes = () => terms.true;
  const { source } = list;
  const from = (of: Symbolic) => chosenFrom(of, scene);
  switch (source?.kind) {
    // Which elements other parts keep is unknown.
    case "part":
      if (source.holds !== undefined) add(from(source.of), source.holds);
      break;
    case "map":
      add(
        from(source.of).map(({ made, value }) => ({ made, value: source.apply(value) })),
        yes,
      );
      break;
    case "flat":
      for (const { made, value } of from(source.of)) add(from(source.apply(value)), () => made);
      break;
    case "joined":
      for (const part of source.parts) add(from(part), yes);
      break;
    case "choice":
      add(from(source.yes), () => source.condition);
      add(from(source.no), () => terms.not(source.condition));
      break;
    case "entries":
    case "range":
    case "collected":
    case "previous":
    case undefined:
      break;
  }
  add(lists.chosen(list), yes);
  return [...found.values()];
}

function elementOf(
  source: Source | undefined,
  type: Type,
  choice: Choice,
  scene: Scene,
  depth: number,
): Symbolic | undefined {
  const { terms, constrain } = scene;
  const { made, name } = choice;
  const from = (list: Symbolic, where: Choice, element = type) =>
    elementIn(list, element, where, scene, depth);
  switch (source?.kind) {
    case undefined:
      return undefined;
    case "part": {
      const value = from(source.of, choice);
      if (source.holds !== undefined) constrain(terms.implies(made, source.holds(value)));
      return value;
    }
    case "map":
      return source.of.kind === "opaque"
        ? source.apply(from(source.of, choice, elementType(source.of.type)))
        : undefined;
    case "flat": {
      if (source.of.kind !== "opaque") return undefined;
      return from(source.apply(from(source.of, choice, elementType(source.of.type))), choice);
    }
    case "entries": {
      if (source.of.kind !== "opaque") return undefined;
      const index = terms.constant(`entry@${scene.count()}`, "Int");
      constrain(
        terms.implies(
          made,
          terms.and(
            terms.apply("<=", terms.int(0), index),
            terms.apply("<", index, lengthOf(source.of, scene)),
          ),
        ),
      );
      const value = from(source.of, choice, elementType(source.of.type));
      standsAt(source.of, index, value, scene);
      const fields = new Map([
        ["index", { present: terms.true, value: scalar(index) }],
        ["value", { present: terms.true, value }],
      ]);
      return { kind: "record", fields };
    }
    case "range": {
      const value = terms.constant(`count@${scene.count()}`, "Int");
      const inside = terms.and(terms.apply("<=", terms.int(0), value), terms.apply("<", value, source.count));
      constrain(terms.implies(made, inside));
      return scalar(value);
    }
    case "choice": {
      const { condition, yes, no } = source;
      const other = terms.not(condition);
      return merge(
        terms,
        condition,
        from(yes, { name, made: terms.and(made, condition) }),
        from(no, { name, made: terms.and(made, other) }),
      );
    }
    case "previous": {
      const next = source.next();
      if (next === undefined) return undefined;
      const { isFirst } = source;
      return merge(
        terms,
        isFirst,
        from(source.first, { name, made: terms.and(made, isFirst) }),
        from(next, { name, made: terms.and(made, terms.not(isFirst)) }),
      );
    }
    case "collected": {
      const added = terms.constant(`added@${scene.count()}`, "Bool");
      const element = source.element(terms.and(made, added));
      if (element === undefined) return undefined;
      const first = from(source.first, { name, made: terms.and(made, terms.not(added)) });
      return merge(terms, added, element, first);
    }
    case "joined": {
      const place = terms.constant(`part@${scene.count()}`, "Int");
      const here = source.parts.map((_, i) => terms.equal(place, terms.int(i)));
      constrain(terms.implies(made, terms.any(here)));
      const values = source.parts.map((part, i) =>
        from(part, { name, made: terms.and(made, here[i] ?? terms.false) }),
      );
      return oneOf(terms, here, values);
    }
  }
}

function elementIn(list: Symbolic, type: Type, choice: Choice, scene: Scene, depth: number): Symbolic {
  const { terms, constrain } = scene;
  if (list.kind === "opaque") return choose(list, choice, scene, depth);
  if (list.kind !== "list") throw new TypeError(`a ${list.kind} has no elements`);
  const place = terms.constant(`item@${scene.count()}`, "Int");
  const here = list.items.map((_, i) => terms.equal(place, terms.int(i)));
  // Where the list has no such element, none was chosen.
  const there = list.items.map(({ present }, i) => terms.and(present, here[i] ?? terms.false));
  constrain(terms.implies(choice.made, terms.any(there)));
  const values = list.items.map(({ value }) => value);
  return oneOf(terms, here, values) ?? fresh(terms, `none@${scene.count()}`, type, () => undefined);
}

/** The value whose condition holds, the last if no other does. */
function oneOf(terms: Terms, conditions: readonly Term[], values: readonly Symbolic[]): Symbolic | undefined {
  return values.reduceRight<Symbolic | undefined>(
    (rest, value, i) =>
      rest === undefined ? value : merge(terms, conditions[i] ?? terms.false, value, rest),
    undefined,
  );
}

export function elementType(type: Type): Type {
  if (type.kind !== "list") throw new TypeError(`a ${type.kind} has no elements`);
  return type.element;
}

/** One list after the other, where one of them is not known. */
export function joined(terms: Terms, parts: readonly Symbolic[], type: Type): OpaqueSymbolic {
  const key = terms.brief(`++(${parts.map(keyOf).join(";")})`);
  return { kind: "opaque", key, type, source: { kind: "joined", parts } };
}

/** Returns the condition that the list has an element at the position. */
export function isInside(list: OpaqueSymbolic, position: Term, scene: Scene): Term {
  const { terms } = scene;
  return terms.and(
    terms.apply("<=", terms.int(0), position),
    terms.apply("<", position, lengthOf(list, scene)),
  );
}

/** The element that stands at a position of a list of which that is known; nothing is said of positions outside. */
export function standing(list: OpaqueSymbolic, position: Term): Symbolic | undefined {
  const { source } = list;
  if (source?.kind === "range") return scalar(position);
  if (source?.kind !== "map" || source.of.kind !== "opaque") return undefined;
  const found = standing(source.of, position);
  return found && source.apply(found);
}

/** The name of what stands at a position, for `onceValue`. */
export function nameOfPlace({ key }: OpaqueSymbolic, position: Term): string {
  return `${key} at ${position.kind === "literal" ? String(position.value) : `#${position.id}`}`;
}

/** SOUNDNESS: of an element that stands at that position, if it was chosen; where it was not, it is any value. */
export function standsAt(list: OpaqueSymbolic, position: Term, value: Symbolic, scene: Scene): void {
  scene.lists.onceValue(nameOfPlace(list, position), () => ({
    kind: "option",
    present: isInside(list, position, scene),
    value,
  }));
}
