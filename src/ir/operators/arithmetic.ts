/** Exact arithmetic and comparison. Every operator is total: division by zero is zero. Part of what must be trusted. */

import { Between, between, bounds, Infinite, type Partly, Unknown } from "../eval/partly.ts";
import { add, compare, divide, floor, multiply, type Num, negate, ratio, subtract } from "../number.ts";
import { bool, int, real, string, type Type } from "../type.ts";
import type { Value } from "../value.ts";
import {
  asNum,
  asString,
  call,
  type Evaluator,
  type Operator,
  opaque,
  type Signature,
  smt,
  smtTerm,
  strict,
} from "./operator.ts";

const binary: readonly Signature[] = [
  { params: [int, int], result: int },
  { params: [real, real], result: real },
];
const unary: readonly Signature[] = [
  { params: [int], result: int },
  { params: [real], result: real },
];
const variadic: readonly Signature[] = binary.map((signature) => ({ ...signature, variadic: true }));
/** All arithmetic goes through the meter, since numbers can be long. */
const numeric = (apply: (a: Num, b: Num) => Num | boolean): Evaluator =>
  strict(([a, b], { meter }) => {
    const operands = b === undefined ? [asNum(a)] : [asNum(a), asNum(b)];
    return meter.compute(operands, () => apply(asNum(a), b === undefined ? 0n : asNum(b)));
  });
const folding = (apply: (a: Num, b: Num) => Num): Evaluator =>
  strict((operands, { meter }) =>
    operands.map(asNum).reduce((a, b) => meter.compute([a, b], () => apply(a, b))),
  );
const rounding: readonly Signature[] = [{ params: [real], result: int }];

export const arithmetic: readonly Operator[] = [
  {
    name: "+",
    meaning: "the sum",
    syntax: { kind: "infix", symbol: "+", precedence: 7, group: "chain" },
    signatures: variadic,
    evaluate: folding(add),
    partly: (operands) =>
      operands.some((x) => x instanceof Infinite) ? infiniteSum(operands) : onBounds(operands, addBounds),
    smt: smt("+"),
    laws: { commutative: true, identity: 0n },
  },
  {
    name: "-",
    meaning: "the difference",
    syntax: { kind: "infix", symbol: "-", precedence: 7, group: "left" },
    signatures: binary,
    evaluate: numeric(subtract),
    partly: (operands) => onBounds(operands, (a, b) => addBounds(a, negateBounds(b))),
    smt: smt("-"),
  },
  {
    name: "negate",
    meaning: "the number with the other sign",
    syntax: { kind: "prefix", symbol: "-", precedence: 9 },
    signatures: unary,
    evaluate: numeric(negate),
    partly: ([a]) => onBounds([a ?? null, 0n], negateBounds),
    smt: smt("-"),
    laws: { involution: true },
  },
  {
    name: "*",
    meaning: "the product",
    syntax: { kind: "infix", symbol: "*", precedence: 8, group: "chain" },
    signatures: variadic,
    evaluate: folding(multiply),
    smt: smt("*"),
    laws: { commutative: true, identity: 1n, absorbing: 0n },
  },
  {
    name: "/",
    meaning: "the exact quotient; zero when the divisor is zero",
    syntax: { kind: "infix", symbol: "/", precedence: 8, group: "left" },
    signatures: [{ params: [real, real], result: real }],
    evaluate: numeric((a, b) => (b === 0n ? 0n : divide(a, b))),
    isDefined: ([, b]) => b !== 0n,
    smt: smtTerm(([a, b]) => `(ite (= ${b} 0.0) 0.0 (/ ${a} ${b}))`),
  },
  {
    name: "remainder",
    meaning:
      "what is left of the first after division by the second, with the sign of the first; zero when the divisor is zero",
    syntax: call,
    signatures: binary,
    evaluate: numeric((a, b) => (b === 0n ? 0n : subtract(a, multiply(b, truncate(divide(a, b)))))),
    isDefined: ([, b]) => b !== 0n,
    smt: opaque,
  },
  ...ordering(),
  extreme("min", "the least operand", -1),
  extreme("max", "the greatest operand", 1),
  {
    name: "abs",
    meaning: "the number without its sign",
    syntax: call,
    signatures: unary,
    evaluate: numeric((a) => (compare(a, 0n) < 0 ? negate(a) : a)),
    smt: smtTerm(([a], [type]) => `(ite (>= ${a} ${zero(type)}) ${a} (- ${a}))`),
  },
  {
    name: "floor",
    meaning: "the greatest integer that is not above the number",
    syntax: call,
    signatures: rounding,
    evaluate: numeric(floor),
    smt: smt("to_int"),
  },
  {
    name: "ceil",
    meaning: "the least integer that is not below the number",
    syntax: call,
    signatures: rounding,
    evaluate: numeric((a) => -floor(negate(a))),
    smt: smtTerm(([a]) => `(- (to_int (- ${a})))`),
  },
  {
    name: "round",
    meaning: "the nearest integer; halves go up, as in JavaScript",
    syntax: call,
    signatures: rounding,
    evaluate: numeric((a) => floor(add(a, ratio(1n, 2n)))),
    smt: smtTerm(([a]) => `(to_int (+ ${a} 0.5))`),
  },
  {
    name: "truncate",
    meaning: "the number without its fraction",
    syntax: call,
    signatures: rounding,
    evaluate: numeric(truncate),
    smt: smtTerm(([a]) => `(ite (>= ${a} 0.0) (to_int ${a}) (- (to_int (- ${a}))))`),
  },
  {
    name: "isInteger",
    meaning: "true when the number has no fraction",
    syntax: call,
    signatures: [{ params: [real], result: bool }],
    evaluate: strict(([a]) => typeof asNum(a) === "bigint"),
    smt: smt("is_int"),
  },
];

function ordering(): Operator[] {
  const orders: readonly [string, string, string, (order: number) => boolean][] = [
    ["<", "below", "str.<", (order) => order < 0],
    ["<=", "below or equal to", "str.<=", (order) => order <= 0],
    [">", "above", "str.<", (order) => order > 0],
    [">=", "above or equal to", "str.<=", (order) => order >= 0],
  ];
  return orders.map(([symbol, words, onStrings, holds]) => ({
    name: symbol,
    meaning: `true when the first is ${words} the second; strings compare by their UTF-16 code units`,
    syntax: { kind: "infix", symbol, precedence: 5, group: "none" },
    signatures: [
      { params: [real, real], result: bool },
      { params: [string, string], result: bool },
    ],
    evaluate: strict(([a, b], { meter }) => {
      if (typeof a !== "string") {
        const [x, y] = [asNum(a), asNum(b)];
        return meter.compute([x, y], () => holds(compare(x, y)));
      }
      const other = asString(b);
      meter.charge(1 + (Math.min(a.length, other.length) >> 6));
      return holds(a < other ? -1 : a > other ? 1 : 0);
    }),
    partly: ([a, b]) => partlyOrdered(a ?? null, b ?? null, holds),
    smt: smtTerm(([a, b], [type]) => {
      if (type?.kind !== "string" && type?.kind !== "enum") return `(${symbol} ${a} ${b})`;
      return symbol.startsWith("<") ? `(${onStrings} ${a} ${b})` : `(${onStrings} ${b} ${a})`;
    }),
  }));
}

function extreme(name: "min" | "max", meaning: string, sign: 1 | -1): Operator {
  const pick = (a: Num, b: Num) => (compare(a, b) === sign ? a : b);
  const pickBound = (a: Num | undefined, b: Num | undefined, infinite: 1 | -1) =>
    a === undefined
      ? infinite === sign
        ? a
        : b
      : b === undefined
        ? infinite === sign
          ? b
          : a
        : pick(a, b);
  return {
    name,
    meaning,
    syntax: call,
    signatures: variadic,
    evaluate: folding(pick),
    partly: (operands) =>
      onBounds(operands, (a, b) => new Between(pickBound(a.low, b.low, -1), pickBound(a.high, b.high, 1))),
    smt: smtTerm((operands) =>
      operands.reduce((a, b) => `(ite (${sign === 1 ? ">=" : "<="} ${a} ${b}) ${a} ${b})`),
    ),
    laws: { commutative: true, idempotent: true },
  };
}

export function truncate(x: Num): bigint {
  return compare(x, 0n) < 0 ? -floor(negate(x)) : floor(x);
}

function zero(type: Type | undefined): string {
  return type?.kind === "int" ? "0" : "0.0";
}

// ── numbers of which only bounds are known ───────────────────────────────────────────────────────────────

function onBounds(
  operands: readonly (Value | Partly)[],
  combine: (a: Between, b: Between) => Between,
): Value | Partly {
  const known: Between[] = [];
  for (const operand of operands) {
    const range = bounds(operand);
    if (range === undefined) return operand instanceof Unknown ? operand : new Unknown("a count is infinite");
    known.push(range);
  }
  const range = known.reduce(combine);
  return between(range.low, range.high);
}

function addBounds(a: Between, b: Between): Between {
  return new Between(
    a.low === undefined || b.low === undefined ? undefined : add(a.low, b.low),
    a.high === undefined || b.high === undefined ? undefined : add(a.high, b.high),
  );
}

function negateBounds(a: Between): Between {
  return new Between(
    a.high === undefined ? undefined : negate(a.high),
    a.low === undefined ? undefined : negate(a.low),
  );
}

function infiniteSum(operands: readonly (Value | Partly)[]): Partly {
  const rest = operands.filter((x) => !(x instanceof Infinite)).map(bounds);
  return rest.every((x) => x?.low !== undefined) ? new Infinite() : new Unknown("a count is infinite");
}

function partlyOrdered(
  a: Value | Partly,
  b: Value | Partly,
  holds: (order: number) => boolean,
): boolean | Unknown {
  if (a instanceof Unknown) return a;
  if (b instanceof Unknown) return b;
  const [left, right] = [a instanceof Infinite ? a : bounds(a), b instanceof Infinite ? b : bounds(b)];
  const open = new Unknown("a number is known only within bounds");
  if (left === undefined || right === undefined)
    return new Unknown("the order of an unwritten key is not known");
  if (left instanceof Infinite)
    return right instanceof Infinite || right.high === undefined ? open : holds(1);
  if (right instanceof Infinite) return left.high === undefined ? open : holds(-1);
  // `holds` changes at most once from below to above, so the two extremes decide all between them.
  const least = left.low === undefined || right.high === undefined ? -1 : compare(left.low, right.high);
  const most = left.high === undefined || right.low === undefined ? 1 : compare(left.high, right.low);
  return holds(least) === holds(most) ? holds(least) : open;
}
