/**
 * Comparisons and tests of one value as a range of data values: what is said is that the value is in it. Everything that
 * computes, looks inside of strings or compares two values is beyond description logic, and has no range.
 */
import type { Expr, OpExpr } from "../../ir/document.ts";
import { compare, type Num } from "../../ir/number.ts";
import { equal, isList, isNum, isOption, type Value } from "../../ir/value.ts";
import { literalOf, numberLiteral } from "./literal.ts";
import { anyLiteral, type ClassExpr, type DataRange, type Facet, not, nothing, or } from "./owl.ts";
import { elementsOf, isScalar, leafRead, propertyOf, type Read, type Reading, readOf } from "./values.ts";

export interface Atom {
  /** Whether it is about the row that is spoken of, or about the run. */
  readonly of: "row" | "run";
  readonly said: ClassExpr;
}

/** What the expression says, if it is a test of one value against constants. */
export function atomOf(expr: Expr, reading: Reading): Atom | undefined {
  if (expr.kind !== "op") return tested(expr, reading, isTrue);
  const [a, b] = expr.args;
  if (a === undefined) return undefined;
  switch (expr.op) {
    case "value":
    case "orElse":
      return tested(expr, reading, isTrue);
    case "isSome":
      return tested(a, reading, present);
    case "isInteger":
      return tested(a, reading, integer);
    case "contains":
      return b && contained(a, b, reading);
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return b && compared(expr, a, b, reading);
    default:
      return undefined;
  }
}

/** A test: the data values for which it holds, and whether it holds of a given value. */
interface Test {
  /** Undefined for none at all. */
  readonly range: DataRange | undefined;
  readonly holds: (value: Value) => boolean;
}

const isTrue = among([true]);
const present: Test = { range: anyLiteral, holds: (value) => isOption(value) && value.kind === "some" };
const integer: Test = {
  range: { kind: "datatype", datatype: "xsd:integer" },
  holds: (value) => typeof value === "bigint",
};

/** One of the values. Those that are no data values, as none is, are not in the range. */
function among(values: readonly Value[]): Test {
  const inner = values.map((value) => (isOption(value) && value.kind === "some" ? value.value : value));
  const literals = inner.flatMap((value) => literalOf(value) ?? []);
  return {
    range: literals.length === 0 ? undefined : { kind: "values", values: literals },
    holds: (value) => values.some((one) => equal(one, value)),
  };
}

function tested(expr: Expr, reading: Reading, test: Test): Atom | undefined {
  const read = readOf(expr, reading);
  const leaf = read && leafRead(expr, read, reading);
  if (read === undefined || leaf === undefined) return undefined;
  const { of } = read;
  // A row that is a string itself has it as its value, an input as that of its name.
  const property = propertyOf(read.root, read.steps);
  const has = (range: DataRange): ClassExpr => ({ kind: "dataSome", property, range });
  const inRange = test.range === undefined ? nothing : has(test.range);
  const absent = absentValue(read, leaf.isOption);
  if (absent === undefined || !test.holds(absent)) return { of, said: inRange };
  return { of, said: or(inRange, not(has(anyLiteral))) };
}

/** What it is where there is no value of the property; undefined if there always is one. */
function absentValue(read: Read, option: boolean): Value | undefined {
  return option ? { kind: "none" } : read.instead;
}

function compared({ op }: OpExpr, a: Expr, b: Expr, reading: Reading): Atom | undefined {
  const right = reading.constant(b);
  if (right !== undefined) return against(a, op, right, reading);
  const left = reading.constant(a);
  return left === undefined ? undefined : against(b, turned[op] ?? op, left, reading);
}

const turned: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

function against(expr: Expr, op: string, constant: Value, reading: Reading): Atom | undefined {
  const type = reading.types.get(expr);
  if (op === "==" || op === "!=") {
    // An option of a list or of an option would be taken for another one.
    const inner = isOption(constant) && constant.kind === "some" ? constant.value : constant;
    const isNone = isOption(constant) && constant.kind === "none";
    if (!isNone && literalOf(inner) === undefined) return undefined;
    const found = tested(expr, reading, among([constant]));
    return op === "==" ? found : found && { of: found.of, said: not(found.said) };
  }
  const isNumber = type?.kind === "int" || type?.kind === "real";
  return isNumber && isNum(constant) && isFacet(op)
    ? tested(expr, reading, bounded(op, constant))
    : undefined;
}

function isFacet(op: string): op is Facet {
  return op in holdsOf;
}

function bounded(facet: Facet, bound: Num): Test {
  const holds = (value: Value) => isNum(value) && holdsOf[facet](compare(value, bound));
  return { range: { kind: "bound", facet, bound: numberLiteral(bound) }, holds };
}

const holdsOf: Readonly<Record<Facet, (sign: number) => boolean>> = {
  "<": (sign) => sign < 0,
  "<=": (sign) => sign <= 0,
  ">": (sign) => sign > 0,
  ">=": (sign) => sign >= 0,
};

function contained(list: Expr, element: Expr, reading: Reading): Atom | undefined {
  const values = reading.constant(list);
  if (values !== undefined) {
    if (!isList(values)) return undefined;
    return tested(element, reading, among(values));
  }
  const value = reading.constant(element);
  const read = readOf(list, reading);
  const type = reading.types.get(list);
  if (value === undefined || read === undefined || type?.kind !== "list" || !isScalar(type.element))
    return undefined;
  const literal = literalOf(value);
  // Where there is no list, there is the empty one instead.
  const isEmpty = read.instead === undefined || (isList(read.instead) && read.instead.length === 0);
  if (literal === undefined || !isEmpty) return undefined;
  const property = elementsOf(read.root, read.steps);
  return { of: read.of, said: { kind: "dataSome", property, range: { kind: "values", values: [literal] } } };
}
