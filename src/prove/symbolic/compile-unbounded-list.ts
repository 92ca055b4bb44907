/** Operators on lists of unknown length. Part of what must be trusted. */
import { type Expr, exprsIn, hasNoValue, type OpExpr, printExpr, type Type } from "../../ir/index.ts";
import {
  choose,
  chooseThis,
  elementType,
  type Fold,
  isIn,
  isInside,
  lengthOf,
  nameOfPlace,
  standing,
} from "../loops/unbounded-list.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import type { Scene } from "./compile.ts";
import { equalTerm, keyOf, merge } from "./shape.ts";
import { fresh, type OpaqueSymbolic, type Symbolic, scalar, sortOf } from "./symbolic-value.ts";
import { follow } from "./unsupported.ts";

type Apply = (...args: readonly Symbolic[]) => Symbolic;

/** Operators on such lists; undefined for what is not followed. `apply` must mean the same whenever it is called. */
export function compileUnknownList(
  expr: OpExpr,
  list: OpaqueSymbolic,
  [second, third]: readonly Symbolic[],
  apply: Apply | undefined,
  type: Type,
  scene: Scene,
): Symbolic | undefined {
  const { op } = expr;
  const { terms, lists } = scene;
  // What could hold only values of no type holds none.
  if (type.kind === "list" && hasNoValue(type.element)) return { kind: "list", items: [] };
  const holds = (value: Symbolic): Term => {
    const said = apply?.(value);
    if (said?.kind !== "scalar") throw new TypeError("a condition is a boolean");
    return said.term;
  };
  const unknown = () => terms.constant(terms.brief(`${op}(${keyOf(list)})#${scene.count()}`), "Bool");
  // A condition that looks into lists itself is asked of every element already, and of one more it would be too much.
  const asking = looksIntoLists(expr) ? { command: undefined } : {};
  switch (op) {
    case "length":
      return scalar(lengthOf(list, scene));
    case "every": {
      const every = unknown();
      const rule = (value: Symbolic, made: Term) => terms.implies(terms.and(made, every), holds(value));
      lists.everyElement(list, rule, scene.constrain, mostLookedAt);
      // What a tool ensures or a program computes of all elements is seldom denied; what is promised of them is.
      const one = scene.promises ? someWitness(list, terms.not(every), scene) : undefined;
      if (one !== undefined) scene.constrain(terms.implies(terms.not(every), terms.not(holds(one))));
      return scalar(every);
    }
    case "any":
      return scalar(exists(list, holds, { ...scene, ...asking, most: mostLookedAt }));
    case "contains": {
      if (second === undefined) return undefined;
      const contained = isIn(list, second, scene);
      const one = witness(list, contained, scene);
      if (one !== undefined) scene.constrain(terms.implies(contained, equalTerm(terms, one, second)));
      return scalar(contained);
    }
    case "at":
      return second?.kind === "scalar" ? elementAt(list, second.term, scene) : undefined;
    case "fold":
      if (type.kind === "list" && isSort(expr)) return arranged(op, list, type, scene);
      // Where a step never takes the element, elements may be of another type.
      if (second !== undefined && isSameType(elementType(list.type), type) && isSelection(expr))
        return selected(list, second, scene);
      return fold(expr, list, second, apply, type, scene);
    case "total":
      return fold(expr, list, second, apply, type, scene);
    case "find": {
      const found = exists(list, holds, { ...scene, ...asking });
      const value = choose(list, { name: `found ${scene.count()}`, made: found }, scene);
      scene.constrain(terms.implies(found, holds(value)));
      return { kind: "option", present: found, value };
    }
    case "filter": {
      if (type.kind !== "list") return undefined;
      const key = terms.brief(`filter(${keyOf(list)})#${scene.count()}`);
      const chosen: OpaqueSymbolic = {
        kind: "opaque",
        key,
        type,
        source: { kind: "part", of: list, holds },
      };
      scene.constrain(terms.apply("<=", lengthOf(chosen, scene), lengthOf(list, scene)));
      return chosen;
    }
    case "map": {
      if (type.kind !== "list" || apply === undefined) return undefined;
      const key = terms.brief(`map(${keyOf(list)})#${scene.count()}`);
      return { kind: "opaque", key, type, source: { kind: "map", of: list, apply } };
    }
    case "reverse":
      return arranged(op, list, type, scene);
    case "unique": {
      const key = terms.brief(`unique(${keyOf(list)})`);
      const part: OpaqueSymbolic = {
        kind: "opaque",
        key,
        type,
        source: { kind: "part", of: list, holds: all(terms) },
        distinct: "",
      };
      const [length, before] = [lengthOf(part, scene), lengthOf(list, scene)];
      const one = terms.int(1);
      scene.constrain(terms.apply("<=", length, before));
      scene.constrain(terms.implies(terms.apply("<=", one, before), terms.apply("<=", one, length)));
      return part;
    }
    case "flatMap": {
      if (type.kind !== "list" || apply === undefined) return undefined;
      const key = terms.brief(`flatMap(${keyOf(list)})#${scene.count()}`);
      return { kind: "opaque", key, type, source: { kind: "flat", of: list, apply } };
    }
    case "entries": {
      if (type.kind !== "list") return undefined;
      const key = terms.brief(`entries(${keyOf(list)})`);
      return { kind: "opaque", key, type, source: { kind: "entries", of: list } };
    }
    case "slice": {
      const key = terms.brief(`${op}(${keyOf(list)})#${scene.count()}`);
      const part: OpaqueSymbolic = {
        kind: "opaque",
        key,
        type,
        source: { kind: "part", of: list },
      };
      const [from, to] = [second, third].map((one) =>
        one?.kind === "scalar" && one.term.sort === "Int" ? one.term : undefined,
      );
      const length = lengthOf(list, scene);
      scene.constrain(
        from === undefined || to === undefined
          ? terms.apply("<=", lengthOf(part, scene), length)
          : terms.equal(lengthOf(part, scene), lengthOfSlice(from, to, length, terms)),
      );
      return part;
    }
    default:
      return undefined;
  }
}

/** Returns true if the condition goes through another list for each element. */
function looksIntoLists({ args: [, condition] }: OpExpr): boolean {
  return [...exprsIn(condition)].some(
    (one) => (one.kind === "lambda" && one !== condition) || (one.kind === "op" && one.op === "contains"),
  );
}

/**
 * Some element meets the condition.
 * SOUNDNESS: where one meets it there is one, and of lists that are made of others it is the same of those. For each
 * command that asks the same of a list it is the same unknown, if the conditions come to the same term of one element
 * that stands for any.
 */
function exists(
  list: Symbolic,
  holds: (value: Symbolic) => Term,
  scene: Scene & { readonly most?: number },
): Term {
  const { terms, lists, constrain, command } = scene;
  if (list.kind === "list")
    return terms.any(list.items.map(({ present, value }) => terms.and(present, holds(value))));
  if (list.kind !== "opaque") throw new TypeError(`a ${list.kind} has no elements`);
  const { source } = list;
  switch (source?.kind) {
    case "joined":
      return terms.any(source.parts.map((part) => exists(part, holds, scene)));
    case "choice":
      return terms.ite(source.condition, exists(source.yes, holds, scene), exists(source.no, holds, scene));
    case "map":
      return exists(source.of, (value) => holds(source.apply(value)), scene);
    default: {
      const asked = command === undefined ? `#${scene.count()}` : `t${holds(anyOf(list, scene)).id}`;
      const found = terms.constant(terms.brief(`some(${keyOf(list)};${asked})`), "Bool");
      const rule = (value: Symbolic, made: Term) => terms.implies(terms.and(made, holds(value)), found);
      lists.everyElement(list, rule, constrain, scene.most);
      const one = scene.most === undefined ? undefined : witness(list, found, scene);
      if (one !== undefined) constrain(terms.implies(found, holds(one)));
      return found;
    }
  }
}

/** An element that stands for any of its type. Nothing is said of it: it tells conditions apart. */
function anyOf({ type }: OpaqueSymbolic, { terms }: Scene): Symbolic {
  const element = elementType(type);
  return fresh(terms, terms.brief(`any(${JSON.stringify(element)})`), element, () => undefined);
}

/**
 * The element that makes it true that there is one.
 * SOUNDNESS: nothing is said of it unless there is one. Of lists that a loop adds to none is looked for but in what is
 * promised of all elements: an iteration has to be walked for it.
 */
function witness(list: OpaqueSymbolic, made: Term, scene: Scene): Symbolic | undefined {
  return isGiven(list) ? choose(list, { name: `one ${scene.count()}`, made }, scene) : undefined;
}

/** The same of any list. Where the iteration that would have added it is not followed, there is none, and less is known. */
function someWitness(list: OpaqueSymbolic, made: Term, scene: Scene): Symbolic | undefined {
  const found = follow(() => choose(list, { name: `one ${scene.count()}`, made }, scene));
  return found.ok ? found.value : undefined;
}

/** Returns true for a tool result or an input, or a list mapped from one. */
function isGiven(list: Symbolic): boolean {
  if (list.kind !== "opaque") return list.kind === "list";
  const { source } = list;
  switch (source?.kind) {
    case undefined:
    case "range":
      return true;
    case "part":
    case "map":
    case "entries":
      return isGiven(source.of);
    case "joined":
      return source.parts.every(isGiven);
    case "choice":
      return isGiven(source.yes) && isGiven(source.no);
    case "flat":
    case "collected":
    case "previous":
      return false;
  }
}

/** Returns the length of a slice. SOUNDNESS: exact, as the operator defines it. */
function lengthOfSlice(from: Term, to: Term, length: Term, terms: Terms): Term {
  const zero = terms.int(0);
  const above = (low: Term, term: Term) => terms.ite(terms.apply("<", term, low), low, term);
  const within = (place: Term): Term => {
    if (place === zero || place === length) return place;
    const fromEnd = above(zero, terms.apply("+", length, place));
    const fromStart = terms.ite(terms.apply("<", length, place), length, place);
    return terms.ite(terms.apply("<", place, zero), fromEnd, fromStart);
  };
  return above(zero, terms.apply("-", within(to), within(from)));
}

/** Some number; loops over the list know how it comes about. */
function fold(
  expr: OpExpr,
  list: OpaqueSymbolic,
  start: Symbolic | undefined,
  apply: Apply | undefined,
  type: Type,
  scene: Scene,
): Symbolic | undefined {
  const { op } = expr;
  const { terms, lists, command } = scene;
  const sort = sortOf(type);
  if (sort !== "Int" && sort !== "Real") return undefined;
  const asSort = (value: Symbolic | undefined): Term | undefined => {
    if (value?.kind !== "scalar") return undefined;
    return sort === "Real" ? terms.toReal(value.term) : value.term;
  };
  const first = op === "total" ? terms.literal(0n, sort) : asSort(start);
  if (first === undefined) return undefined;
  const result = terms.constant(terms.brief(`${op}(${keyOf(list)})#${scene.count()}`), sort);
  const next: Fold["next"] = (held, element) => {
    const value = asSort(op === "total" ? element : apply?.(scalar(held), element));
    if (value === undefined) throw new TypeError("a number is made from numbers");
    return op === "total" ? terms.apply("+", held, value) : value;
  };
  if (command === undefined) return scalar(result);
  lists.addFold(list, { site: { expr, command }, start: first, next, result });
  for (const bound of scene.bounds) boundedBy(list, { start: first, next, result }, bound, scene);
  return scalar(result);
}

/**
 * Bounds of a fold: a number that it does not start beyond and that no step leads beyond, and the same for each element.
 * SOUNDNESS: where the result is beyond the bound, some step was the first to lead beyond it. That step has an element of
 * the list and a number that is within the bound, and those are chosen.
 */
function boundedBy(
  list: OpaqueSymbolic,
  { start, next, result }: Pick<Fold, "start" | "next" | "result">,
  bound: Term,
  scene: Scene,
): void {
  const { terms } = scene;
  const limit = terms.toReal(bound);
  const zero = terms.literal(0n, "Real");
  const length = terms.toReal(lengthOf(list, scene));
  const isBeyond = (number: Term, steps: Term, isAbove: boolean) => {
    const reached = terms.apply("+", limit, steps);
    const real = terms.toReal(number);
    return isAbove ? terms.apply("<", reached, real) : terms.apply("<", real, reached);
  };
  const say = (isAbove: boolean, isEach: boolean): void => {
    // Each element may add as much as the bound, from no more than nothing.
    const steps = (count: Term) =>
      isEach ? terms.apply("*", limit, terms.apply("-", count, terms.literal(1n, "Real"))) : zero;
    const number = scene.count();
    const made = terms.and(
      isBeyond(result, steps(length), isAbove),
      terms.not(isBeyond(start, steps(zero), isAbove)),
    );
    if (made === terms.false) return;
    const held = terms.constant(`before crossing@${number}`, start.sort);
    const place = terms.constant(`crossing@${number}`, "Int");
    const element = choose(list, { name: `crossing ${number}`, made }, scene);
    const [before, after] = [terms.toReal(place), terms.toReal(terms.apply("+", place, terms.int(1)))];
    const crossing = terms.and(
      terms.not(isBeyond(held, steps(before), isAbove)),
      isBeyond(next(held, element), steps(after), isAbove),
    );
    scene.constrain(terms.implies(made, crossing));
  };
  say(true, false);
  say(false, false);
  if (bound.kind !== "literal" || bound.value === 0n) return;
  say(true, true);
}

/**
 * One of the elements, or what the fold starts with.
 * SOUNDNESS: a fold whose every step gives what it has or the element gives one of these. Which one it is stays open.
 */
function selected(list: OpaqueSymbolic, start: Symbolic, scene: Scene): Symbolic {
  const { terms } = scene;
  const number = scene.count();
  const made = terms.constant(`selected@${number}`, "Bool");
  return merge(terms, made, choose(list, { name: `selected ${number}`, made }, scene), start);
}

function isSameType(a: Type, b: Type): boolean {
  return sortOf(a) === undefined && JSON.stringify(a) === JSON.stringify(b);
}

/** Recognizes a fold that keeps what it has, or takes the element: `(best, item) => if … then item else best`. */
function isSelection({ args }: OpExpr): boolean {
  const [, , step] = args;
  if (step?.kind !== "lambda") return false;
  const names = step.params.slice(0, 2).map(({ name }) => name);
  const selects = (expr: Expr | undefined): boolean => {
    if (expr?.kind === "var") return names.includes(expr.name);
    if (expr?.kind === "let") return !names.includes(expr.name) && selects(expr.body);
    if (expr?.kind !== "op" || expr.op !== "if") return false;
    return selects(expr.args[1]) && selects(expr.args[2]);
  };
  return selects(step.body);
}

/** LIMIT: of elements chosen before that a condition on all elements is looked at for. */
const mostLookedAt = 6;

function all(terms: Terms): (value: Symbolic) => Term {
  return () => terms.true;
}

/** The same elements in another order. */
function arranged(op: string, list: OpaqueSymbolic, type: Type, scene: Scene): OpaqueSymbolic {
  const { terms } = scene;
  const key = terms.brief(`${op}(${keyOf(list)})#${scene.count()}`);
  const made: OpaqueSymbolic = {
    kind: "opaque",
    key,
    type,
    source: { kind: "part", of: list, holds: all(terms) },
  };
  scene.constrain(terms.equal(lengthOf(made, scene), lengthOf(list, scene)));
  return made;
}

/**
 * Recognizes insertion sort as a fold: each element goes somewhere among those before it, and none is dropped:
 * `(sorted, item) => filter(sorted, p) ++ [item] ++ filter(sorted, not p)`, from an empty list.
 */
function isSort({ args }: OpExpr): boolean {
  const [, start, insert] = args;
  if (start?.kind !== "list" || start.items.length > 0 || insert?.kind !== "lambda") return false;
  const [sorted, item] = insert.params;
  const [before, own, after, ...more] = joinedParts(insert.body);
  if (more.length > 0 || own?.kind !== "list" || own.items.length !== 1) return false;
  const [only] = own.items;
  if (only?.kind !== "var" || only.name !== item?.name) return false;
  const [p, q] = [before, after].map((part) => conditionOf(part, sorted?.name));
  return p !== undefined && q !== undefined && p.text === q.text && p.denied !== q.denied;
}

function joinedParts(expr: Expr): readonly Expr[] {
  return expr.kind === "op" && expr.op === "++" ? expr.args.flatMap(joinedParts) : [expr];
}

/** The condition by which the named list is filtered, and whether it is denied. */
function conditionOf(
  expr: Expr | undefined,
  list: string | undefined,
): { readonly text: string; readonly denied: boolean } | undefined {
  if (expr?.kind !== "op" || expr.op !== "filter") return undefined;
  const [of, condition] = expr.args;
  if (of?.kind !== "var" || of.name !== list || condition?.kind !== "lambda") return undefined;
  const [param, ...others] = condition.params;
  if (param === undefined || others.length > 0) return undefined;
  const said = [param.name];
  let body = condition.body;
  for (; body.kind === "let"; body = body.body) said.push(body.name, printExpr(body.value));
  const denied = body.kind === "op" && body.op === "not";
  const [inner] = body.kind === "op" && denied ? body.args : [body];
  return inner && { text: JSON.stringify([...said, printExpr(inner)]), denied };
}

/** The same of any list; of known elements, only where it is known which of them are there. */
function itemAt(list: Symbolic, position: Term, scene: Scene): Symbolic | undefined {
  const { terms } = scene;
  if (list.kind === "opaque") return elementAt(list, position, scene);
  if (list.kind !== "list" || position.kind !== "literal" || typeof position.value !== "bigint")
    return undefined;
  if (list.items.some(({ present }) => present !== terms.true)) return undefined;
  const item = list.items[Number(position.value)];
  return { kind: "option", present: terms.bool(item !== undefined), value: item?.value };
}

/**
 * The element at a position, if the list is so long.
 * SOUNDNESS: the same whenever it is asked for. Only an element of a list that was made from no other has the name of
 * its position, by which a counterexample finds it.
 */
function elementAt(list: OpaqueSymbolic, position: Term, scene: Scene): Symbolic | undefined {
  const { lists } = scene;
  if (position.sort !== "Int") return undefined;
  const place = position.kind === "literal" ? position.value : undefined;
  if (typeof place === "bigint" && place < 0n) return undefined;
  return lists.onceValue(nameOfPlace(list, position), () => {
    const { source } = list;
    const present = isInside(list, position, scene);
    const standsThere = standing(list, position);
    if (standsThere !== undefined)
      return {
        kind: "option",
        present,
        value: chooseThis(list, { made: present, value: standsThere }, scene),
      };
    if (source?.kind === "map" && source.of.kind === "opaque") {
      const found = elementAt(source.of, position, scene);
      if (found?.kind === "option" && found.value !== undefined)
        return { kind: "option", present, value: source.apply(found.value) };
    }
    if (source?.kind === "choice") {
      const [yes, no] = [source.yes, source.no].map((one) => itemAt(one, position, scene));
      if (yes !== undefined && no !== undefined) return merge(scene.terms, source.condition, yes, no);
    }
    const name = source === undefined && place !== undefined ? String(place) : `at ${scene.count()}`;
    return { kind: "option", present, value: choose(list, { name, made: present }, scene) };
  });
}
