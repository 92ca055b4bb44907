/**
 * Operators of the table in words, for those that compute a value and read well; the others stay in text form.
 * Comparisons and tests are said in `relation.ts`, the words between statements in `clause.ts`.
 */
import { type Expr, isSubtype, string, type Type } from "../ir/index.ts";
import { isWord, joined, say, type Text } from "./text.ts";

/** Operands come in brackets where they need them. Undefined: these operands have no words. */
export type OperatorWords = (
  operands: readonly Text[],
  types: readonly (Type | undefined)[],
  exprs: readonly Expr[],
) => Text | undefined;

export const operatorWords: Readonly<Record<string, OperatorWords | undefined>> = {
  "+": (operands) => joined(operands, " plus "),
  "-": between(" minus "),
  "*": (operands) => joined(operands, " times "),
  "/": ([a, b], _, exprs) => {
    if (a === undefined || b === undefined) return undefined;
    const divisor = exprs[1];
    const never = divisor?.kind === "number" && divisor.value !== 0n;
    return say`${a} divided by ${b}${never ? "" : " (0 when the divisor is 0)"}`;
  },
  negate: after("minus "),
  abs: after("the absolute value of "),
  min: (operands) => say`the least of [${joined(operands, ", ")}]`,
  max: (operands) => say`the greatest of [${joined(operands, ", ")}]`,
  floor: before(" rounded down"),
  ceil: before(" rounded up"),
  round: before(" rounded to the nearest integer, halves up"),
  truncate: before(" without its fraction"),
  length: ([a], [type]) => {
    if (a === undefined || type === undefined) return undefined;
    return isSubtype(type, string) ? say`the length of ${a}` : say`the number of elements of ${a}`;
  },
  "++": (operands) => joined(operands, " followed by "),
  trim: before(" without white space at both ends"),
  trimStart: before(" without white space at its beginning"),
  trimEnd: before(" without white space at its end"),
  toLowerCase: before(" in lower case"),
  toUpperCase: before(" in upper case"),
  total: after("the total of "),
  textOf: before(" written as text"),
};

function between(words: string): OperatorWords {
  return ([a, b]) => (a === undefined || b === undefined ? undefined : say`${a}${words}${b}`);
}

function after(words: string): OperatorWords {
  return ([a]) => (a === undefined ? undefined : say`${words}${a}`);
}

/** The left operand must be clear: its last words would be taken for all of it. */
function before(words: string): OperatorWords {
  return ([a], _, [expr]) => {
    if (a === undefined || expr === undefined) return undefined;
    const bracketed = isWord(a) || expr.kind === "op" || expr.kind === "aggregate";
    return bracketed ? say`${a}${words}` : say`[${a}]${words}`;
  };
}
