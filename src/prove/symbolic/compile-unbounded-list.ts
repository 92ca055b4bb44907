/** Operators on lists of which nobody knows how long they are. Part of what must be trusted. */
import type { OpExpr, Type } from "../../ir/index.ts";
import { choose, type Fold, isIn, lengthOf } from "../loops/unbounded-list.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import type { Scene } from "./compile.ts";
import { equalTerm, keyOf } from "./shape.ts";
import { type OpaqueSymbolic, type Symbolic, scalar, sortOf } from "./symbolic-value.ts";

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
  const holds = (value: Symbolic): Term => {
    const said = apply?.(value);
    if (said?.kind !== "scalar") throw new TypeError("a condition is a boolean");
    return said.term;
  };
  const unknown = () => terms.constant(terms.brief(`${op}(${keyOf(list)})#${scene.count()}`), "Bool");
  switch (op) {
    case "length":
      return scalar(lengthOf(list, scene));
    case "every": {
      const every = unknown();
      lists.addRule(list, (value, made) => terms.implies(terms.and(made, every), holds(value)));
      return scalar(every);
    }
    case "any": {
      const any = unknown();
      lists.addRule(list, (value, made) => terms.implies(terms.and(made, holds(value)), any));
      const one = witness(list, any, scene);
      if (one !== undefined) scene.constrain(terms.implies(any, holds(one)));
      return scalar(any);
    }
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
    case "total":
      return fold(expr, list, second, apply, type, scene);
    case "find": {
      const found = unknown();
      const value = choose(list, { name: `found ${scene.count()}`, made: found }, scene);
      scene.constrain(terms.implies(found, holds(value)));
      // SOUNDNESS: where one meets the condition, one is found.
      const rule = (element: Symbolic, made: Term) => terms.implies(terms.and(made, holds(element)), found);
      lists.everyElement(list, rule, scene.constrain);
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
    case "slice":
    case "reverse": {
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
        op === "reverse" || from === undefined || to === undefined
          ? terms.apply("<=", lengthOf(part, scene), length)
          : terms.equal(lengthOf(part, scene), lengthOfSlice(from, to, length, terms)),
      );
      return part;
    }
    default:
      return undefined;
  }
}

/**
 * The element that makes it true that there is one.
 * SOUNDNESS: nothing is said of it unless there is one. Of lists that a loop adds to none is looked for: an iteration
 * would have to be walked for it.
 */
function witness(list: OpaqueSymbolic, made: Term, scene: Scene): Symbolic | undefined {
  return isGiven(list) ? choose(list, { name: `one ${scene.count()}`, made }, scene) : undefined;
}

/** Returns true for a tool result or an input, or a list mapped from one. */
function isGiven(list: Symbolic): boolean {
  if (list.kind !== "opaque") return false;
  const { source } = list;
  return source === undefined || ((source.kind === "part" || source.kind === "map") && isGiven(source.of));
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
  if (command !== undefined) lists.addFold(list, { site: { expr, command }, start: first, next, result });
  return scalar(result);
}

/**
 * The element at a position that is known, if the list is so long.
 * SOUNDNESS: the same whenever it is asked for. Only an element of a list that was made from no other has the name of
 * its position, by which a counterexample finds it.
 */
function elementAt(list: OpaqueSymbolic, position: Term, scene: Scene): Symbolic | undefined {
  const { terms, lists } = scene;
  if (position.kind !== "literal" || typeof position.value !== "bigint" || position.value < 0n)
    return undefined;
  const place = position.value;
  return lists.onceValue(`${list.key} at ${place}`, () => {
    const present = terms.apply("<", terms.int(place), lengthOf(list, scene));
    const name = list.source === undefined ? String(place) : `at ${scene.count()}`;
    return { kind: "option", present, value: choose(list, { name, made: present }, scene) };
  });
}
