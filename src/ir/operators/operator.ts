/**
 * The type of an operator: one entry of one table defines everything about it, so that the checker, the evaluator,
 * the text form, the documentation and the prover cannot drift apart. Adding an operator is adding an entry. Part of
 * what must be trusted.
 */
import type { Code } from "../diagnostic.ts";
import type { Expr } from "../document.ts";
import type { Meter } from "../eval/meter.ts";
import type { Partly } from "../eval/partly.ts";
import type { Limits } from "../limits.ts";
import type { Num } from "../number.ts";
import type { Type } from "../type.ts";
import { isList, isNum, isOption, type OptionValue, type Value } from "../value.ts";

export interface Operator {
  readonly name: string;
  /** Meaning in one sentence; total, so it covers every operand. */
  readonly meaning: string;
  readonly syntax: Syntax;
  /** Tried in order; the first that fits gives the type of the result. */
  readonly signatures: readonly Signature[];
  readonly evaluate: Evaluator;
  /** False for operands that it has no value for but a default; without it there are none. */
  readonly isDefined?: (operands: readonly Operand[]) => boolean;
  /** The type of the result where operands that are written out tell it; undefined if they do not. */
  readonly resultOf?: (operands: readonly Expr[]) => Type | undefined;
  /** An operand that must be written out as a string, so that it is looked at before anything runs. */
  readonly written?: Written;
  /** Result for partially known operands; without it the result is then unknown. */
  readonly partly?: (operands: readonly (Value | Partly)[]) => Value | Partly;
  /** Its SMT-LIB form, or that the solver knows only that equal operands give equal results. */
  readonly smt: SmtForm;
  /** Laws that a simplifier may use; each is tested against the evaluator. */
  readonly laws?: Laws;
}

export type Syntax =
  | { readonly kind: "call" }
  | { readonly kind: "prefix"; readonly symbol: string; readonly precedence: number }
  | {
      readonly kind: "infix";
      readonly symbol: string;
      readonly precedence: number;
      /** `chain`: `a + b + c` is one operator with three operands. */
      readonly group: "chain" | "left" | "right" | "none";
    }
  | { readonly kind: "if" };

export interface Signature {
  readonly params: readonly TypePattern[];
  /** The last parameter may be repeated. */
  readonly variadic?: true;
  readonly result: TypePattern;
}

export interface Written {
  readonly operand: number;
  /** Returns the defect of a pattern, if any. */
  readonly problem: (
    text: string,
    limits: Limits,
  ) => { readonly code: Code; readonly message: string; readonly help?: string } | undefined;
}

/** A type with variables, and functions. A variable stands for the join of all that it is matched with. */
export type TypePattern =
  | Type
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "listOf"; readonly element: TypePattern }
  | { readonly kind: "optionOf"; readonly value: TypePattern }
  | { readonly kind: "mapOf"; readonly value: TypePattern }
  | { readonly kind: "recordOf"; readonly fields: readonly (readonly [string, TypePattern])[] }
  | {
      readonly kind: "function";
      readonly params: readonly TypePattern[];
      readonly result: TypePattern;
      /** Positions of parameters whose type must be written, because nothing else tells it. */
      readonly annotated?: readonly number[];
    };

export type Evaluator =
  | {
      readonly kind: "strict";
      readonly apply: (operands: readonly Operand[], context: OperatorContext) => Value;
    }
  /** Decides itself which operands to look at, and what unknown ones mean. */
  | {
      readonly kind: "lazy";
      readonly apply: (operands: readonly (() => Value | Partly)[]) => Value | Partly;
    };

/** An evaluated operand: a value, or a function for a lambda. */
export type Operand = Value | ((...values: readonly Value[]) => Value);

export interface OperatorContext {
  /** To be told of work before it is done. */
  readonly meter: Meter;
  /** The static type of the result. */
  readonly type: Type;
  /** The static type of the operand in that place, which is no function; absent where no operand holds a map. */
  readonly operandType?: (place: number) => Type;
}

export type SmtForm =
  | { readonly kind: "opaque" }
  /** Undefined for operands that have no form of their own. */
  | { readonly kind: "term"; readonly print: SmtPrinter };

export type SmtPrinter = (
  operands: readonly string[],
  types: readonly Type[],
  context: SmtContext,
) => string | undefined;

export interface SmtContext {
  /** The values of the operands that are known, in their places. */
  readonly literals: readonly (Value | undefined)[];
  /** The operator on these operands, with nothing known but that equal operands give equal results. */
  readonly opaque: () => string;
}

export interface Laws {
  readonly commutative?: true;
  readonly idempotent?: true;
  readonly involution?: true;
  /** An operand that may be omitted. */
  readonly identity?: Value;
  /** An operand that decides the result. */
  readonly absorbing?: Value;
}

export const call: Syntax = { kind: "call" };
export const opaque: SmtForm = { kind: "opaque" };

/** `(name operand…)`. */
export function smt(name: string): SmtForm {
  return { kind: "term", print: (operands) => `(${name} ${operands.join(" ")})` };
}

export function smtTerm(print: SmtPrinter): SmtForm {
  return { kind: "term", print };
}

export const variable = (name: string): TypePattern => ({ kind: "variable", name });
export const listPattern = (element: TypePattern): TypePattern => ({ kind: "listOf", element });
export const optionPattern = (value: TypePattern): TypePattern => ({ kind: "optionOf", value });
export const mapPattern = (value: TypePattern): TypePattern => ({ kind: "mapOf", value });
export const functionPattern = (params: readonly TypePattern[], result: TypePattern): TypePattern => ({
  kind: "function",
  params,
  result,
});

export function strict(apply: (operands: readonly Operand[], context: OperatorContext) => Value): Evaluator {
  return { kind: "strict", apply };
}

// The checker has made sure of these; a failure is a fault of ours, never of a document.

export function asBool(operand: Operand | undefined): boolean {
  if (typeof operand === "boolean") return operand;
  throw fault("a boolean", operand);
}

export function asNum(operand: Operand | undefined): Num {
  if (isValue(operand) && isNum(operand)) return operand;
  throw fault("a number", operand);
}

export function asString(operand: Operand | undefined): string {
  if (typeof operand === "string") return operand;
  throw fault("a string", operand);
}

export function asList(operand: Operand | undefined): readonly Value[] {
  if (isValue(operand) && isList(operand)) return operand;
  throw fault("a list", operand);
}

export function asOption(operand: Operand | undefined): OptionValue {
  if (isValue(operand) && isOption(operand)) return operand;
  throw fault("an option", operand);
}

export function asValue(operand: Operand | undefined): Value {
  if (isValue(operand)) return operand;
  throw fault("a value", operand);
}

export function asFunction(operand: Operand | undefined): (...values: readonly Value[]) => Value {
  if (typeof operand === "function") return operand;
  throw fault("a function", operand);
}

function isValue(operand: Operand | undefined): operand is Value {
  return operand !== undefined && typeof operand !== "function";
}

function fault(expected: string, operand: Operand | undefined): Error {
  return new TypeError(`an operator expected ${expected} and got ${typeof operand}`);
}
