/**
 * Keys that a loop has visited: the elements of its list, or their fields, that can be keys of cells. SOUNDNESS:
 * before an iteration it is an uninterpreted function of the key; after the last one every element is visited. Part
 * of what must be trusted.
 */

import type { Type } from "../../ir/index.ts";
import { NotFollowed } from "../symbolic/call-events.ts";
import type { Scene } from "../symbolic/compile.ts";
import {
  type Distinct,
  escaped,
  type OpaqueSymbolic,
  type Symbolic,
  scalar,
  sortOf,
} from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import type { CellMoment, KeySet } from "./cell-candidates.ts";
import { elementType, isIn } from "./unbounded-list.ts";

interface Part {
  /** Empty for the element itself. */
  readonly name: string;
  readonly sort: Term["sort"];
}

/** Returns the parts of an element that can be keys, always in the same order. */
function partsOf(element: Type): readonly Part[] {
  const sort = sortOf(element);
  if (sort !== undefined) return sort === "Bool" ? [] : [{ name: "", sort }];
  if (element.kind !== "record") return [];
  return element.fields.flatMap(({ name, type, optional }) => {
    const part = sortOf(type);
    return part === undefined || part === "Bool" || optional ? [] : [{ name, sort: part }];
  });
}

function partOf(element: Symbolic, name: string): Term | undefined {
  const part = name === "" || element.kind !== "record" ? element : element.fields.get(name)?.value;
  return part?.kind === "scalar" ? part.term : undefined;
}

export function visitedSoFar(terms: Terms, list: OpaqueSymbolic, number: number): readonly Visited[] {
  return partsOf(elementType(list.type)).map((part) => ({
    ...part,
    has: (key) => terms.unknown(nameOf(part, number), [key], "Bool"),
  }));
}

interface Visited extends KeySet {
  readonly name: string;
}

function nameOf({ name }: Part, number: number): string {
  return `visited@${escaped(name)}@${number}`;
}

/** With this element too. */
export function visitedNow(
  terms: Terms,
  before: readonly Visited[],
  element: Symbolic,
  present: Term = terms.true,
): readonly Visited[] {
  return before.map((set) => {
    const part = partOf(element, set.name);
    // An element may be known as a whole alone, such as one of two: nothing is claimed of it then.
    if (part === undefined) throw new NotFollowed("an element whose parts are not known", []);
    return {
      ...set,
      has: (key) => terms.or(set.has(key), terms.and(present, terms.equal(part, key))),
    };
  });
}

/** After the last iteration. */
export function visitedAll(
  scene: Scene,
  list: OpaqueSymbolic,
  guard: Term,
  number: number,
): CellMoment["sets"] {
  const { terms, lists, constrain } = scene;
  return partsOf(elementType(list.type)).map((part) => {
    if (part.name === "") return { ...part, has: (key: Term) => isIn(list, scalar(key), scene) };
    const has = (key: Term) => terms.unknown(nameOf(part, number), [key], "Bool");
    const rule = (element: Symbolic, made: Term): Term => {
      const key = partOf(element, part.name);
      return key === undefined ? terms.true : terms.implies(terms.and(guard, made), has(key));
    };
    lists.everyElement(list, rule, constrain);
    return { ...part, has };
  });
}

/** The part by which all elements of a list differ. */
export interface Apart {
  readonly sort: Term["sort"];
  /** @param element of the list that tells them apart, which may have been made into this one */
  readonly of: (element: Symbolic) => Term | undefined;
  /** The position of the element that has it. */
  readonly place: (key: Term) => Term;
}

/**
 * SOUNDNESS: a part of a list whose elements are apart, in any order, is such a list. Where they are, there is one function
 * from what tells them apart to their positions.
 */
export function apartIn(list: OpaqueSymbolic, terms: Terms): Apart | undefined {
  const root = rootOf(list);
  const part = distinctPart(root);
  const sort = partsOf(elementType(root.type)).find(({ name }) => name === part)?.sort;
  if (part === undefined || sort === undefined) return undefined;
  return {
    sort,
    of: (element) => partOf(element, part),
    place: (key) => terms.unknown(terms.brief(`place(${list.key})`), [key], "Int"),
  };
}

/** The list that was made into this one, element by element, if it is known how its elements differ. */
export function rootOf(list: OpaqueSymbolic): OpaqueSymbolic {
  let root = list;
  while (distinctPart(root) === undefined && root.source?.kind === "map" && root.source.of.kind === "opaque")
    root = root.source.of;
  return root;
}

/** Returns the part by which no two elements of the list are alike. */
export function distinctPart({ distinct, source }: OpaqueSymbolic): Distinct | undefined {
  if (distinct !== undefined) return distinct;
  return source?.kind === "part" && source.of.kind === "opaque" ? distinctPart(source.of) : undefined;
}

/** Before the first iteration. */
export function noneOf(terms: Terms, element: Type): readonly Visited[] {
  return partsOf(element).map((part) => ({ ...part, has: () => terms.false }));
}
