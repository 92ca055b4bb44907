/**
 * Terms: what is known of a scalar value before the run. They are built only by a `Terms` factory, which shares
 * equal ones, checks sorts and simplifies as it builds, so that what can be decided without a solver is decided by
 * construction. Constant folding uses the operators' own evaluators: the proof's arithmetic is the run's.
 * Part of what must be trusted.
 */
import { bool, int, isNum, type Ratio, real, string, type Type, type Value } from "../../ir/index.ts";

export type Sort = "Bool" | "Int" | "Real" | "String";
export type Scalar = boolean | bigint | Ratio | string;

export type Term = LiteralTerm | ConstantTerm | ApplyTerm;

export interface LiteralTerm {
  readonly kind: "literal";
  readonly id: number;
  readonly sort: Sort;
  readonly value: Scalar;
}

/** A value that is not known before the run: an input, a part of a tool's answer, what an opaque operator gives. */
export interface ConstantTerm {
  readonly kind: "constant";
  readonly id: number;
  readonly sort: Sort;
  readonly name: string;
}

/** An operator of the table, or `toReal`, applied. Opaque ones are functions of which nothing else is known. */
export interface ApplyTerm {
  readonly kind: "apply";
  readonly id: number;
  readonly sort: Sort;
  readonly op: string;
  readonly args: readonly Term[];
}

/** Before the name of a function of which nothing is known. */
export const unknownPrefix = "unknown@";

export const typeOfSort: Readonly<Record<Sort, Type>> = { Bool: bool, Int: int, Real: real, String: string };

/** The sort of a kind of type; undefined for what is no scalar. A value of an enum is a string. */
export function sortOfKind(kind: string): Sort | undefined {
  switch (kind) {
    case "bool":
      return "Bool";
    case "int":
      return "Int";
    case "real":
      return "Real";
    case "string":
    case "enum":
      return "String";
    default:
      return undefined;
  }
}

export function isOfSort(value: Value, sort: Sort): value is Scalar {
  switch (sort) {
    case "Bool":
      return typeof value === "boolean";
    case "Int":
      return typeof value === "bigint";
    case "Real":
      return isNum(value);
    case "String":
      return typeof value === "string";
  }
}
