/**
 * Comparisons and tests of one value as a range of data values: what is said is that the value is in it. Everything that
 * computes, looks inside of strings or compares two values is beyond description logic, and has no range.
 */
import { compare, type Expr, equal, isList, isNum, isOption, type Num, type Value } from "../ir/index.ts";
import { literalOf, numberLiteral } from "./literal.ts";
import type { Name } from "./names.ts";
import { anyLiteral, type ClassExpr, type DataRange, type Facet, not, nothing, or } from "./owl.ts";
import {
  elementsOf,
  givenOf,
  isScalar,
  leafRead,
  propertyOf,
  type Read,
  type Reading,
  readOf,
} from "./values.ts";

export interface Atom {
  /** Subject of the atom: the current row, or the run. */
  readonly of: "row" | "run";
  readonly said: ClassExpr;
}

/** Translates a comparison of one value with constants; undefined for other expressions. */
export function atomOf(expr: Expr, reading: Reading): Atom | undefined {
  const [list, second] = expr.kind === "op" ? expr.args : [];
  if (expr.kind === "op" && list !== undefined && second !== undefined) {
    if (expr.op === "every" || expr.op === "any") return ofElements(expr.op, list, second, reading);
    if (expr.op === "contains" && reading.constant(list) === undefined) return held(list, second, reading);
  }
  if (expr.kind === "op" && expr.op === "isSome" && list !== undefined) {
    const given = isGiven(list, reading);
    if (given !== undefined) return given;
  }
  const found = testIn(expr, reading);
  const atom = found && tested(found.of, reading, found.test);
  return atom && found.isSo ? atom : atom && { of: atom.of, said: not(atom.said) };
}

/** The value that is tested, by which test, and whether it must be so or not. */
interface Tested {
  readonly of: Expr;
  readonly test: Test;
  readonly isSo: boolean;
}

function testIn(expr: Expr, reading: Reading): Tested | undefined {
  const so = (of: Expr, test: Test | undefined): Tested | undefined => test && { of, test, isSo: true };
  if (expr.kind !== "op") return so(expr, isTrue);
  const [a, b] = expr.args;
  if (a === undefined) return undefined;
  switch (expr.op) {
    case "value":
    case "orElse":
      return so(expr, isTrue);
    case "not": {
      const inner = testIn(a, reading);
      return inner && { ...inner, isSo: !inner.isSo };
    }
    case "isSome":
      return so(a, present);
    case "isInteger":
      return so(a, integer);
    case "contains": {
      const values = reading.constant(a);
      return b && values !== undefined && isList(values) ? so(b, among(values)) : undefined;
    }
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return b && compared(expr.op, a, b, reading);
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

/** Returns the value of an absent property; undefined if the property is always present. */
function absentValue(read: Read, option: boolean): Value | undefined {
  return option ? { kind: "none" } : read.instead;
}

function compared(op: string, a: Expr, b: Expr, reading: Reading): Tested | undefined {
  const right = reading.constant(b);
  if (right !== undefined) return against(a, op, right, reading);
  const left = reading.constant(a);
  return left === undefined ? undefined : against(b, turned[op] ?? op, left, reading);
}

const turned: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

function against(of: Expr, op: string, constant: Value, reading: Reading): Tested | undefined {
  if (op === "==" || op === "!=") {
    // A list, a record or an option of an option is no data value.
    const isNone = isOption(constant) && constant.kind === "none";
    const inner = isOption(constant) && constant.kind === "some" ? constant.value : constant;
    const isData = isNone || literalOf(inner) !== undefined;
    return isData ? { of, test: among([constant]), isSo: op === "==" } : undefined;
  }
  const kind = reading.types.get(of)?.kind;
  const isNumber = kind === "int" || kind === "real";
  return isNumber && isNum(constant) && isFacet(op)
    ? { of, test: bounded(op, constant), isSo: true }
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

// ── lists, and what is there or not ──────────────────────────────────────────────────────────────────────

/** The property of the elements of a list that is read; where there is no list, it has none. */
function elementsIn(
  list: Expr,
  reading: Reading,
): { readonly of: "row" | "run"; readonly property: Name } | undefined {
  const read = readOf(list, reading);
  const type = reading.types.get(list);
  if (read === undefined || type?.kind !== "list" || !isScalar(type.element)) return undefined;
  const isEmpty = read.instead === undefined || (isList(read.instead) && read.instead.length === 0);
  return isEmpty ? { of: read.of, property: elementsOf(read.root, read.steps) } : undefined;
}

/** The list has the element. */
function held(list: Expr, element: Expr, reading: Reading): Atom | undefined {
  const value = reading.constant(element);
  const literal = value === undefined ? undefined : literalOf(value);
  const elements = elementsIn(list, reading);
  if (literal === undefined || elements === undefined) return undefined;
  const { of, property } = elements;
  return { of, said: { kind: "dataSome", property, range: { kind: "values", values: [literal] } } };
}

/** Every element, or any, passes a test. */
function ofElements(op: "every" | "any", list: Expr, test: Expr, reading: Reading): Atom | undefined {
  const elements = elementsIn(list, reading);
  const [param, ...more] = test.kind === "lambda" ? test.params : [];
  if (elements === undefined || test.kind !== "lambda" || param === undefined || more.length > 0)
    return undefined;
  const found = testIn(test.body, reading);
  if (found?.of.kind !== "var" || found.of.name !== param.name) return undefined;
  const inRange: DataRange = found.test.range ?? { kind: "other", than: anyLiteral };
  const range: DataRange = found.isSo ? inRange : { kind: "other", than: inRange };
  const { of, property } = elements;
  return { of, said: { kind: op === "every" ? "dataOnly" : "dataSome", property, range } };
}

/** An optional list, record or JSON value is there. */
function isGiven(option: Expr, reading: Reading): Atom | undefined {
  const type = reading.types.get(option);
  if (type?.kind !== "option" || isScalar(type.value) || type.value.kind === "option") return undefined;
  const read = readOf(option, reading);
  const isPlain = read?.instead === undefined || (isOption(read.instead) && read.instead.kind === "none");
  if (read === undefined || !isPlain) return undefined;
  const property = givenOf(read.root, read.steps);
  return { of: read.of, said: { kind: "dataSome", property, range: trueOnly } };
}

const trueOnly: DataRange = { kind: "values", values: [{ datatype: "xsd:boolean", text: "true" }] };
