/**
 * Invariant candidates about the elements of lists that a loop builds: a bound of each, and that no two are alike, as
 * where a program keeps totals by key. They are assumed of every element that is chosen, and shown of one that stands
 * for any. Only growth that is understood is shown: elements appended, changed in place, or removed.
 * Part of what must be trusted.
 */
import { isParallel, type LoopCommand, type Type } from "../../ir/index.ts";
import { bareEntries, entriesOf } from "../symbolic/compile-map.ts";
import { equalTerm } from "../symbolic/shape.ts";
import type { Progress } from "../symbolic/symbolic-state.ts";
import { type Distinct, type OpaqueSymbolic, type Symbolic, sortOf } from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { entryOf } from "./keyed-lists.ts";
import { speaksOfLengths, type TextPredicate } from "./text-predicates.ts";
import { choose, lengthOf } from "./unbounded-list.ts";
import { distinctPart } from "./visited.ts";

/** INVARIANT: it says the same of every list, wherever and whenever it is asked. */
export interface ElementGuess {
  readonly id: string;
  /** The place of the list among what the loop carries. */
  readonly place: number;
  readonly says:
    | { readonly kind: "each"; readonly holds: (element: Symbolic, progress: Progress) => Term }
    | { readonly kind: "apart"; readonly part: Distinct };
}

/** LIMIT: of guesses for one list, and of records in records that are looked into. */
const mostOfList = 24;
const deepest = 2;

/**
 * @param constants numbers that the program, its tools and its guarantees name
 * @param predicates conditions on texts that they name
 */
export function elementGuessesOf(
  { terms, checked }: Progress,
  command: LoopCommand,
  constants: readonly Term[],
  predicates: readonly TextPredicate[],
): readonly ElementGuess[] {
  // SOUNDNESS: iterations that run at the same time have not added their elements yet.
  if (isParallel(command)) return [];
  const named: NamedInDocument = { constants, predicates, hasLengths: speaksOfLengths(checked) };
  return command.carry.flatMap(({ name, type }, place) => {
    const element = elementIn(type);
    if (element === undefined) return [];
    // A map has a key once in any case.
    const parts = type.kind === "map" ? [] : apartParts(element);
    const apart = parts.map(
      (part): ElementGuess => ({
        id: `${name} has no two alike ${part}`,
        place,
        says: { kind: "apart", part },
      }),
    );
    const own = partsOf(element, deepest);
    const each = own.flatMap(({ name: part, read, type: of }) =>
      boundsOf(terms, of, named).map(
        ({ says, holds }): ElementGuess => ({
          id: `each of ${name}: ${part} ${says}`,
          place,
          says: {
            kind: "each",
            holds: (element, progress) => {
              const { present, value } = read(element, terms);
              return value === undefined ? terms.true : terms.implies(present, holds(value, progress));
            },
          },
        }),
      ),
    );
    const sameAsKey =
      type.kind === "map" || entryOf(element) !== undefined ? asKey(terms, name, place, own) : [];
    return [...apart, ...sameAsKey, ...each.slice(0, mostOfList)];
  });
}

/** The type of what a list holds, or of the entries of a map. */
function elementIn(type: Type): Type | undefined {
  if (type.kind === "list") return type.element;
  if (type.kind !== "map") return undefined;
  return {
    kind: "record",
    fields: [
      { name: "key", type: { kind: "string" } },
      { name: "value", type: type.value },
    ],
  };
}

/** Guesses that a text in what a map holds is its key, as where rows are kept by their names. */
function asKey(terms: Terms, name: string, place: number, parts: readonly Part[]): readonly ElementGuess[] {
  const key = parts.find((part) => part.name === keyPart);
  if (key === undefined) return [];
  return parts
    .filter((part) => part !== key && part.type.kind === "string")
    .map((part) => ({
      id: `each of ${name}: ${part.name} is the key`,
      place,
      says: {
        kind: "each",
        holds: (element) => {
          const [own, { present, value }] = [key.read(element, terms), part.read(element, terms)];
          if (own.value === undefined || value === undefined) return terms.true;
          return terms.implies(present, equalTerm(terms, own.value, value));
        },
      },
    }));
}

function apartParts(element: Type): readonly Distinct[] {
  if (sortOf(element) !== undefined) return element.kind === "bool" ? [] : [""];
  const key = element.kind === "record" ? element.fields.find(({ name }) => name === "key") : undefined;
  return key !== undefined && !key.optional && sortOf(key.type) !== undefined ? ["key"] : [];
}

interface Part {
  readonly name: string;
  readonly type: Type;
  /** The part, which is there if the condition holds. */
  readonly read: (
    element: Symbolic,
    terms: Terms,
  ) => { readonly present: Term; readonly value: Symbolic | undefined };
}

/** The name of the key of a map's entry among its parts. */
const keyPart = "key.";

function partsOf(type: Type, depth: number): readonly Part[] {
  const whole: Part = { name: "", type, read: (value, { true: present }) => ({ present, value }) };
  if (depth === 0) return [whole];
  if (type.kind === "option")
    return [
      whole,
      ...partsOf(type.value, depth - 1).map((part) =>
        inside(part, "?", (value) => (value.kind === "option" ? value : undefined)),
      ),
    ];
  if (type.kind !== "record") return [whole];
  return type.fields.flatMap(({ name, type: of }) =>
    partsOf(of, depth - 1).map((part) =>
      inside(part, `${name}.`, (value) => (value.kind === "record" ? value.fields.get(name) : undefined)),
    ),
  );
}

/** A part of what is found in a value, if something is. */
function inside(
  part: Part,
  name: string,
  find: (value: Symbolic) => { readonly present: Term; readonly value: Symbolic | undefined } | undefined,
): Part {
  return {
    ...part,
    name: `${name}${part.name}`,
    read: (value, terms) => {
      const found = find(value);
      if (found?.value === undefined) return { present: terms.false, value: undefined };
      const read = part.read(found.value, terms);
      return { ...read, present: terms.and(found.present, read.present) };
    },
  };
}

interface Bound {
  readonly says: string;
  readonly holds: (value: Symbolic, progress: Progress) => Term;
}

/** Constants and text predicates of the document, from which candidates are made. */
interface NamedInDocument {
  readonly constants: readonly Term[];
  readonly predicates: readonly TextPredicate[];
  /** True if something is about the length of a text. */
  readonly hasLengths: boolean;
}

function boundsOf(
  terms: Terms,
  type: Type,
  { constants, predicates, hasLengths }: NamedInDocument,
): readonly Bound[] {
  if (type.kind === "string") {
    const textOf = (value: Symbolic) => (value.kind === "scalar" ? value.term : terms.literal("", "String"));
    const said = predicates.map(
      ({ id, holds }): Bound => ({ says: id, holds: (value) => holds(textOf(value)) }),
    );
    if (!hasLengths) return said;
    const short = constants.map(
      (constant): Bound => ({
        says: `no longer than ${constant.id}`,
        holds: (value) =>
          terms.apply("<=", terms.toReal(terms.apply("length", textOf(value))), terms.toReal(constant)),
      }),
    );
    return [...said, ...short];
  }
  if (type.kind === "int" || type.kind === "real")
    return constants.flatMap((constant): Bound[] => {
      const k = terms.toReal(constant);
      const number = (value: Symbolic) => (value.kind === "scalar" ? terms.toReal(value.term) : k);
      return [
        { says: `at least ${constant.id}`, holds: (value) => terms.apply("<=", k, number(value)) },
        { says: `at most ${constant.id}`, holds: (value) => terms.apply("<=", number(value), k) },
      ];
    });
  if (type.kind === "option")
    return [{ says: "is there", holds: (value) => (value.kind === "option" ? value.present : terms.true) }];
  if (type.kind === "list")
    return [
      {
        says: "has elements",
        holds: (value, { at }) => terms.apply("<=", terms.int(1), lengthOf(value, at.scene)),
      },
    ];
  return [];
}

/** Assumes the guesses of a list that the loop carries. SOUNDNESS: of elements that there are, if the loop is reached. */
export function assumeElements(
  progress: Progress,
  guesses: readonly ElementGuess[],
  place: number,
  list: OpaqueSymbolic,
  reached: Term,
): OpaqueSymbolic {
  const { terms } = progress;
  const { scene } = progress.at;
  const of = list.type.kind === "map" ? bareEntries(list, scene) : list;
  let known = list;
  for (const guess of guesses) {
    if (guess.place !== place) continue;
    const { says } = guess;
    if (says.kind === "apart") known = { ...known, distinct: says.part };
    else
      scene.lists.addRule(of, (value, made) =>
        terms.implies(terms.and(made, reached), says.holds(value, progress)),
      );
  }
  return known;
}

/** Puts up the guesses of the lists before the first iteration. */
export function showFirstElements(
  progress: Progress,
  guesses: readonly ElementGuess[],
  first: readonly Symbolic[],
  reached: Term,
): void {
  const { terms } = progress;
  const any = anyIn(progress);
  for (const { id, place, says } of guesses) {
    const list = elementsOf(progress, first[place]);
    const goal =
      list === undefined
        ? terms.false
        : says.kind === "apart"
          ? areApart(terms, list, says.part)
          : eachOf(progress, list, (value) => says.holds(value, progress), any);
    progress.show(id, terms.implies(reached, goal));
  }
}

/** Puts up the guesses of the lists after an iteration. */
export function showElements(
  progress: Progress,
  guesses: readonly ElementGuess[],
  carried: readonly Symbolic[],
  next: readonly Symbolic[],
  reached: Term,
): void {
  const { terms } = progress;
  const any = anyIn(progress);
  for (const { id, place, says } of guesses) {
    const [self, grown] = [carried[place], next[place]];
    const growth = self?.kind === "opaque" && grown ? growthOf(progress, self, grown, terms.true) : undefined;
    if (self?.kind !== "opaque" || growth === undefined) {
      progress.show(id, terms.false);
      continue;
    }
    const { made, value } = any(self.type.kind === "map" ? bareEntries(self, progress.at.scene) : self);
    const goal =
      says.kind === "apart"
        ? staysApart(terms, growth, says.part, made, value)
        : terms.all([
            ...growth.appended.map(({ when, list }) =>
              terms.implies(
                when,
                eachOf(progress, list, (one) => says.holds(one, progress), any),
              ),
            ),
            ...growth.changed.map(({ when, apply }) =>
              terms.implies(terms.and(when, made), says.holds(apply(value), progress)),
            ),
          ]);
    progress.show(id, terms.implies(reached, goal));
  }
}

/** The list, or the entries of the map. */
function elementsOf({ at }: Progress, value: Symbolic | undefined): Symbolic | undefined {
  return value?.kind === "opaque" && value.type.kind === "map" ? entriesOf(value, at.scene) : value;
}

interface AnyElement {
  readonly made: Term;
  readonly value: Symbolic;
}

/**
 * One element of a list that stands for any, the same for all guesses.
 * SOUNDNESS: whichever it is, the goal must hold, so it holds of all. Of what made the list nothing is looked at.
 */
function anyIn(progress: Progress): (list: OpaqueSymbolic) => AnyElement {
  const known = new Map<string, AnyElement>();
  return (list) => {
    const before = known.get(list.key);
    if (before !== undefined) return before;
    const number = progress.number();
    const made = progress.terms.constant(`element@${number}?`, "Bool");
    const { source: _, ...bare } = list;
    const of = list.source?.kind === "collected" ? bare : list;
    const found = { made, value: choose(of, { name: `element ${number}`, made }, progress.at.scene) };
    known.set(list.key, found);
    return found;
  };
}

function eachOf(
  { terms }: Progress,
  list: Symbolic,
  holds: (value: Symbolic) => Term,
  any: (list: OpaqueSymbolic) => AnyElement,
): Term {
  if (list.kind === "list")
    return terms.all(list.items.map(({ present, value }) => terms.implies(present, holds(value))));
  if (list.kind !== "opaque") return terms.false;
  const { made, value } = any(list);
  return terms.implies(made, holds(value));
}

function partIn(element: Symbolic, part: Distinct): Symbolic | undefined {
  if (part === "") return element;
  return element.kind === "record" ? element.fields.get(part)?.value : undefined;
}

function areApart(terms: Terms, list: Symbolic, part: Distinct): Term {
  if (list.kind === "opaque") return terms.bool(distinctPart(list) === part);
  if (list.kind !== "list") return terms.false;
  return terms.all(
    list.items.flatMap((a, i) =>
      list.items
        .slice(0, i)
        .map((b) => terms.not(terms.and(a.present, b.present, alike(terms, a.value, b.value, part)))),
    ),
  );
}

function alike(terms: Terms, a: Symbolic, b: Symbolic, part: Distinct): Term {
  const [x, y] = [partIn(a, part), partIn(b, part)];
  return x === undefined || y === undefined ? terms.true : equalTerm(terms, x, y);
}

/** Changes of a list by one iteration, each with the condition under which it is made. */
interface Growth {
  readonly appended: readonly { readonly when: Term; readonly list: Symbolic }[];
  readonly changed: readonly { readonly when: Term; readonly apply: (value: Symbolic) => Symbolic }[];
}

const nothing: Growth = { appended: [], changed: [] };

/** Undefined where it is not understood. */
function growthOf(progress: Progress, self: OpaqueSymbolic, grown: Symbolic, when: Term): Growth | undefined {
  // The earlier elements are gone.
  if (grown.kind === "list") return { ...nothing, appended: [{ when, list: grown }] };
  if (grown.kind !== "opaque") return undefined;
  if (grown.key === self.key) return nothing;
  if (grown.type.kind === "map") return mapGrowthOf(progress, self, grown, when);
  const { source } = grown;
  switch (source?.kind) {
    case "joined": {
      const [head, ...tail] = source.parts;
      const before = head?.kind === "opaque" ? growthOf(progress, self, head, when) : undefined;
      return before && { ...before, appended: [...before.appended, ...tail.map((list) => ({ when, list }))] };
    }
    case "choice":
      return eitherGrowth(progress, self, source, when);
    case "part":
      return growthOf(progress, self, source.of, when);
    case "map":
      return mappedGrowth(progress, growthOf(progress, self, source.of, when), source.apply, when);
    default:
      return undefined;
  }
}

/** The same of a list of which each element is changed, also those that were appended. */
function mappedGrowth(
  { terms }: Progress,
  before: Growth | undefined,
  apply: (value: Symbolic) => Symbolic,
  when: Term,
): Growth | undefined {
  if (before === undefined) return undefined;
  const appended: { readonly when: Term; readonly list: Symbolic }[] = [];
  for (const { when: then, list } of before.appended) {
    if (list.kind !== "list") return undefined;
    const items = list.items.map(({ present, value }) => ({ present, value: apply(value) }));
    appended.push({ when: then, list: { kind: "list", items } });
  }
  const after = before.changed.map((one) => ({
    ...one,
    apply: (value: Symbolic) => apply(one.apply(value)),
  }));
  const unchanged = terms.and(when, ...before.changed.map((one) => terms.not(one.when)));
  return { appended, changed: [...after, { when: unchanged, apply }] };
}

function eitherGrowth(
  progress: Progress,
  self: OpaqueSymbolic,
  { condition, yes, no }: { readonly condition: Term; readonly yes: Symbolic; readonly no: Symbolic },
  when: Term,
): Growth | undefined {
  const { terms } = progress;
  const some = growthOf(progress, self, yes, terms.and(when, condition));
  const others = growthOf(progress, self, no, terms.and(when, terms.not(condition)));
  return (
    some &&
    others && {
      appended: [...some.appended, ...others.appended],
      changed: [...some.changed, ...others.changed],
    }
  );
}

/** SOUNDNESS: an entry of the map was there before, or was set: the others are as they were. */
function mapGrowthOf(
  progress: Progress,
  self: OpaqueSymbolic,
  grown: OpaqueSymbolic,
  when: Term,
): Growth | undefined {
  const { write, choice, entries } = grown;
  if (choice !== undefined) return eitherGrowth(progress, self, choice, when);
  if (entries !== undefined) return { ...nothing, appended: [{ when, list: entries }] };
  if (write === undefined) return undefined;
  const before = growthOf(progress, self, write.of, when);
  if (before === undefined || write.value === undefined) return before;
  const present = progress.terms.true;
  const value: Symbolic = {
    kind: "record",
    fields: new Map([
      ["key", { present, value: write.key }],
      ["value", { present, value: write.value }],
    ]),
  };
  const left = before.appended.map(({ when: then, list }) => ({
    when: then,
    list: withoutKey(progress.terms, list, write.key),
  }));
  return { ...before, appended: [...left, { when, list: { kind: "list", items: [{ present, value }] } }] };
}

/** The entries but for that of a key, which is set again. */
function withoutKey(terms: Terms, list: Symbolic, key: Symbolic): Symbolic {
  if (list.kind !== "list") return list;
  const items = list.items.map(({ present, value }) => {
    const own = partIn(value, "key");
    return { present: own ? terms.and(present, terms.not(equalTerm(terms, own, key))) : present, value };
  });
  return { kind: "list", items };
}

/**
 * SOUNDNESS: of one element appended at a time, and of changes that leave what tells elements apart. Elements that are
 * removed make no two alike.
 */
function staysApart(
  terms: Terms,
  { appended, changed }: Growth,
  part: Distinct,
  made: Term,
  any: Symbolic,
): Term {
  const goals: Term[] = [];
  appended.forEach(({ when, list }, i) => {
    const [item, ...more] = list.kind === "list" ? list.items : [];
    if (list.kind !== "list" || more.length > 0) goals.push(terms.not(when));
    if (item === undefined) return;
    const there = terms.and(when, item.present);
    goals.push(terms.not(terms.and(there, made, alike(terms, any, item.value, part))));
    // Nothing else is appended with it.
    for (const other of appended.slice(0, i)) goals.push(terms.not(terms.and(there, other.when)));
  });
  for (const { when, apply } of changed) {
    const same = alike(terms, apply(any), any, part);
    goals.push(terms.implies(terms.and(when, made), partIn(any, part) === undefined ? terms.false : same));
  }
  return terms.all(goals);
}
