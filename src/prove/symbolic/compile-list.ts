/** Operators on lists whose elements are known one by one. Part of what must be trusted. */

import { compare, isNum, type Type } from "../../ir/index.ts";
import type { Term } from "../terms/term.ts";
import { type Scene, termOf } from "./compile.ts";
import { checkLength, equalTerm, isWhole, merge } from "./shape.ts";
import { type ListSymbolic, type Symbolic, scalar } from "./symbolic-value.ts";

type Apply = (...args: readonly Symbolic[]) => Symbolic;

/** Undefined for what is not followed. */
export function compileList(
  op: string,
  operands: readonly Symbolic[],
  functions: readonly Apply[],
  type: Type,
  scene: Scene,
): Symbolic | undefined {
  const { terms } = scene;
  const [first, second] = operands;
  const [apply] = functions;
  if (op === "range" && first?.kind === "scalar") return range(first.term, scene);
  if (op === "++" && operands.every((operand) => operand.kind === "list")) {
    checkLength(operands.reduce((sum, operand) => sum + operand.items.length, 0));
    return { kind: "list", items: operands.flatMap((operand) => operand.items) };
  }
  if (first?.kind !== "list") return undefined;
  const { items } = first;
  const chosen = (present: Term, value: Symbolic) => terms.and(present, termOf(apply?.(value) ?? value));
  switch (op) {
    case "length":
      return scalar(
        terms.sum(
          items.map(({ present }) => terms.ite(present, terms.int(1), terms.int(0))),
          "Int",
        ),
      );
    case "contains":
      return (
        second &&
        scalar(
          terms.any(items.map(({ present, value }) => terms.and(present, equalTerm(terms, value, second)))),
        )
      );
    case "total": {
      const sort = type.kind === "int" ? "Int" : "Real";
      const zero = terms.literal(0n, sort);
      return scalar(
        terms.sum(
          items.map(({ present, value }) => terms.ite(present, asSort(termOf(value), sort, scene), zero)),
          sort,
        ),
      );
    }
    case "reverse":
      return { kind: "list", items: items.toReversed() };
    case "map":
      return (
        apply && {
          kind: "list",
          items: items.map(({ present, value }) => ({ present, value: apply(value) })),
        }
      );
    case "filter":
      return (
        apply && {
          kind: "list",
          items: items.map(({ present, value }) => ({ present: chosen(present, value), value })),
        }
      );
    case "every":
      return (
        apply &&
        scalar(terms.all(items.map(({ present, value }) => terms.implies(present, termOf(apply(value))))))
      );
    case "any":
      return apply && scalar(terms.any(items.map(({ present, value }) => chosen(present, value))));
    case "find":
      return (
        apply &&
        firstOf(
          items.map(({ present, value }) => ({ present: chosen(present, value), value })),
          scene,
        )
      );
    case "fold":
      return (
        second &&
        apply &&
        items.reduce<Symbolic>(
          (held, { present, value }) => merge(terms, present, apply(held, value), held),
          second,
        )
      );
    case "at":
      if (second === undefined) return undefined;
      return isWhole(terms, first)
        ? elementAt(first, termOf(second), scene)
        : firstOf(
            atPlaces(first, scene, (place) =>
              terms.equal(asReal(place, scene), asReal(termOf(second), scene)),
            ),
            scene,
          );
    case "indexOf":
      return second && isWhole(terms, first) ? indexOf(first, second, scene) : undefined;
    case "slice":
      return slice(first, operands, scene);
    case "unique":
      return items.length > mostUnique ? undefined : unique(first, scene);
    case "flatMap":
      return apply && flatMap(first, apply, scene);
    case "entries":
      return entries(first, scene);
    default:
      return undefined;
  }
}

/** LIMIT: what is unrolled must stay small; a longer one stays opaque. */
const maxRange = 10_000n;

function range(count: Term, { terms }: Scene): Symbolic | undefined {
  if (count.kind !== "literal" || typeof count.value !== "bigint" || count.value > maxRange) return undefined;
  const length = Math.max(0, Number(count.value));
  const items = Array.from({ length }, (_, i) => ({ present: terms.true, value: scalar(terms.int(i)) }));
  return { kind: "list", items };
}

/** The first element that is there. */
function firstOf(items: ListSymbolic["items"], { terms }: Scene): Symbolic {
  const present = terms.any(items.map((item) => item.present));
  const value = items.reduceRight<Symbolic | undefined>(
    (rest, item) => (rest === undefined ? item.value : merge(terms, item.present, item.value, rest)),
    undefined,
  );
  return { kind: "option", present, value };
}

function elementAt({ items }: ListSymbolic, position: Term, { terms }: Scene): Symbolic {
  const at = (i: number) => terms.equal(position, terms.int(i));
  if (position.kind === "literal") {
    const item =
      typeof position.value === "bigint" && position.value >= 0n ? items[Number(position.value)] : undefined;
    return { kind: "option", present: terms.bool(item !== undefined), value: item?.value };
  }
  const value = items.reduceRight<Symbolic | undefined>(
    (rest, item, i) => (rest === undefined ? item.value : merge(terms, at(i), item.value, rest)),
    undefined,
  );
  return { kind: "option", present: terms.any(items.map((_, i) => at(i))), value };
}

function indexOf({ items }: ListSymbolic, wanted: Symbolic, { terms }: Scene): Symbolic {
  const index = items.reduceRight<Term>(
    (rest, { value }, i) => terms.ite(equalTerm(terms, value, wanted), terms.int(i), rest),
    terms.int(-1),
  );
  return scalar(index);
}

function slice(of: ListSymbolic, [, from, to]: readonly Symbolic[], scene: Scene): Symbolic | undefined {
  const { terms } = scene;
  if (from === undefined || to === undefined) return undefined;
  const [start, end] = [termOf(from), termOf(to)];
  if (start.kind !== "literal" || end.kind !== "literal" || !isNum(start.value) || !isNum(end.value))
    return undefined;
  if (!isWhole(terms, of)) {
    if (compare(start.value, 0n) < 0 || compare(end.value, 0n) < 0) return undefined;
    const inside = (place: Term) => terms.and(terms.apply("<=", start, place), terms.apply("<", place, end));
    return { kind: "list", items: atPlaces(of, scene, inside) };
  }
  const bounded = (value: unknown) =>
    typeof value === "bigint" ? Number(BigInt.asIntN(48, clamp(value))) : 0;
  return { kind: "list", items: of.items.slice(bounded(start.value), bounded(end.value)) };
}

/** Far beyond any list, and safe as a number. */
function clamp(value: bigint): bigint {
  const most = 1n << 40n;
  return value > most ? most : value < -most ? -most : value;
}

/** The elements whose places among those that are there meet the condition. */
function atPlaces(of: ListSymbolic, scene: Scene, holds: (place: Term) => Term): ListSymbolic["items"] {
  const places = placesOf(of, scene);
  return of.items.map(({ present, value }, i) => {
    const place = places[i] ?? scene.terms.int(i);
    return { present: scene.terms.and(present, holds(place)), value };
  });
}

/** Returns the number of present elements before each one. */
function placesOf({ items }: ListSymbolic, { terms }: Scene): readonly Term[] {
  const places: Term[] = [];
  let place: Term = terms.int(0);
  for (const { present } of items) {
    places.push(place);
    place = terms.apply("+", place, terms.ite(present, terms.int(1), terms.int(0)));
  }
  return places;
}

/** LIMIT: every two elements are compared. */
const mostUnique = 150;

/** Those that equal none before them. */
function unique({ items }: ListSymbolic, { terms }: Scene): Symbolic {
  const isNew = (value: Symbolic, i: number) =>
    items.slice(0, i).map((one) => terms.not(terms.and(one.present, equalTerm(terms, one.value, value))));
  return {
    kind: "list",
    items: items.map(({ present, value }, i) => ({
      present: terms.all([present, ...isNew(value, i)]),
      value,
    })),
  };
}

function flatMap({ items }: ListSymbolic, apply: Apply, { terms }: Scene): Symbolic | undefined {
  const found: { readonly present: Term; readonly value: Symbolic }[] = [];
  for (const { present, value } of items) {
    const part = apply(value);
    if (part.kind !== "list") return undefined;
    for (const one of part.items) found.push({ present: terms.and(present, one.present), value: one.value });
    checkLength(found.length);
  }
  return { kind: "list", items: found };
}

function entries(of: ListSymbolic, scene: Scene): Symbolic {
  const { terms } = scene;
  const { items } = of;
  const places = placesOf(of, scene);
  const entry = (value: Symbolic, i: number): Symbolic => ({
    kind: "record",
    fields: new Map([
      ["index", { present: terms.true, value: scalar(places[i] ?? terms.int(i)) }],
      ["value", { present: terms.true, value }],
    ]),
  });
  return { kind: "list", items: items.map(({ present, value }, i) => ({ present, value: entry(value, i) })) };
}

function asReal(term: Term, { terms }: Scene): Term {
  return terms.toReal(term);
}

function asSort(term: Term, sort: "Int" | "Real", { terms }: Scene): Term {
  return sort === "Real" ? terms.toReal(term) : term;
}
