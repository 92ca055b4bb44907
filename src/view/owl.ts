/**
 * The part of OWL 2 that views are written in, as data: what there is to say, without a notation. The functions that make
 * class expressions leave out what says nothing, so that a view has no `⊓ ⊤` in it.
 */
import type { Literal } from "./literal.ts";
import type { Name } from "./names.ts";

export type ClassExpr =
  | { readonly kind: "thing" }
  | { readonly kind: "nothing" }
  | { readonly kind: "class"; readonly name: Name }
  | { readonly kind: "one"; readonly individual: Name }
  | { readonly kind: "not"; readonly of: ClassExpr }
  | { readonly kind: "and" | "or"; readonly parts: readonly ClassExpr[] }
  | { readonly kind: "some" | "only"; readonly role: Role; readonly of: ClassExpr }
  | {
      readonly kind: "atLeast" | "atMost" | "exactly";
      readonly number: bigint;
      readonly role: Role;
      readonly of: ClassExpr;
    }
  | { readonly kind: "dataSome" | "dataOnly"; readonly property: Name; readonly range: DataRange }
  /** Cardinality of a data property. */
  | { readonly kind: "dataAtMost" | "dataExactly"; readonly number: bigint; readonly property: Name };

export interface Role {
  readonly name: Name;
  readonly inverse: boolean;
}

export type DataRange =
  /** Every data value. */
  | { readonly kind: "literal" }
  | {
      readonly kind: "datatype";
      readonly datatype: "xsd:boolean" | "xsd:integer" | "owl:rational" | "xsd:string";
    }
  /** One or more. */
  | { readonly kind: "values"; readonly values: readonly Literal[] }
  /** The numbers that compare so with the bound. */
  | { readonly kind: "bound"; readonly facet: Facet; readonly bound: Literal }
  | { readonly kind: "other"; readonly than: DataRange };

export type Facet = "<" | "<=" | ">" | ">=";

export type Axiom =
  | { readonly kind: "subclass"; readonly sub: ClassExpr; readonly of: ClassExpr }
  | { readonly kind: "same"; readonly a: ClassExpr; readonly b: ClassExpr }
  /** Two or more. */
  | { readonly kind: "disjoint"; readonly classes: readonly ClassExpr[] }
  /** No two named individuals of the class have the same values of all of these. */
  | { readonly kind: "key"; readonly of: ClassExpr; readonly properties: readonly Name[] }
  | { readonly kind: "domain" | "range"; readonly role: Name; readonly of: ClassExpr };

export const thing: ClassExpr = { kind: "thing" };
export const nothing: ClassExpr = { kind: "nothing" };
export const classOf = (name: Name): ClassExpr => ({ kind: "class", name });
export const role = (name: Name): Role => ({ name, inverse: false });
export const inverse = (name: Name): Role => ({ name, inverse: true });
export const anyLiteral: DataRange = { kind: "literal" };

export const and = (...parts: readonly ClassExpr[]): ClassExpr => allOf(parts);
export const or = (...parts: readonly ClassExpr[]): ClassExpr => anyOf(parts);

/**
 * Returns the intersection of any number of classes. It takes a list, because a spread of so many arguments overflows
 * the stack.
 */
export function allOf(parts: readonly ClassExpr[]): ClassExpr {
  return several("and", parts, thing, nothing);
}

export function anyOf(parts: readonly ClassExpr[]): ClassExpr {
  return several("or", parts, nothing, thing);
}

function several(
  kind: "and" | "or",
  given: readonly ClassExpr[],
  empty: ClassExpr,
  decisive: ClassExpr,
): ClassExpr {
  const parts = new Map<string, ClassExpr>();
  for (const part of given.flatMap((one) => (one.kind === kind ? one.parts : [one]))) {
    if (part.kind === decisive.kind) return decisive;
    if (part.kind !== empty.kind) parts.set(keyOf(part), part);
  }
  const [only, ...others] = parts.values();
  if (only === undefined) return empty;
  return others.length === 0 ? only : { kind, parts: [only, ...others] };
}

export function some(role: Role, of: ClassExpr): ClassExpr {
  return of.kind === "nothing" ? nothing : { kind: "some", role, of };
}

export function only(role: Role, of: ClassExpr): ClassExpr {
  return of.kind === "thing" ? thing : { kind: "only", role, of };
}

export function atLeast(number: bigint, role: Role, of: ClassExpr): ClassExpr {
  if (number <= 0n) return thing;
  return number === 1n
    ? some(role, of)
    : of.kind === "nothing"
      ? nothing
      : { kind: "atLeast", number, role, of };
}

export function atMost(number: bigint, role: Role, of: ClassExpr): ClassExpr {
  if (number < 0n) return nothing;
  if (of.kind === "nothing") return thing;
  return number === 0n ? only(role, not(of)) : { kind: "atMost", number, role, of };
}

export function exactly(number: bigint, role: Role, of: ClassExpr): ClassExpr {
  if (number <= 0n || of.kind === "nothing") return and(atMost(number, role, of), atLeast(number, role, of));
  return { kind: "exactly", number, role, of };
}

/** Returns the complement in negation normal form. */
export function not(expr: ClassExpr): ClassExpr {
  switch (expr.kind) {
    case "thing":
      return nothing;
    case "nothing":
      return thing;
    case "not":
      return expr.of;
    case "and":
      return anyOf(expr.parts.map(not));
    case "or":
      return allOf(expr.parts.map(not));
    case "some":
      return only(expr.role, not(expr.of));
    case "only":
      return some(expr.role, not(expr.of));
    case "atLeast":
      return atMost(expr.number - 1n, expr.role, expr.of);
    case "atMost":
      return atLeast(expr.number + 1n, expr.role, expr.of);
    default:
      return { kind: "not", of: expr };
  }
}

export function keyOf(part: ClassExpr | Axiom): string {
  return JSON.stringify(part, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}
