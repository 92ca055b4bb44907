/** Boolean operators, equality and choice. Part of what must be trusted. */

import {
  AnyOtherKey,
  type Between,
  bounds,
  Infinite,
  isPartly,
  type Partly,
  Unknown,
} from "../eval/partly.ts";
import { compare } from "../number.ts";
import { bool } from "../type.ts";
import { equal, type Value } from "../value.ts";
import {
  asBool,
  asValue,
  type Evaluator,
  type Operator,
  smt,
  smtTerm,
  strict,
  variable,
} from "./operator.ts";

const T = variable("T");

export const logic: readonly Operator[] = [
  {
    name: "and",
    meaning: "true when every operand is true",
    syntax: { kind: "infix", symbol: "and", precedence: 3, group: "chain" },
    signatures: [{ params: [bool, bool], variadic: true, result: bool }],
    evaluate: connective(false),
    smt: smt("and"),
    laws: { commutative: true, idempotent: true, identity: true, absorbing: false },
  },
  {
    name: "or",
    meaning: "true when some operand is true",
    syntax: { kind: "infix", symbol: "or", precedence: 2, group: "chain" },
    signatures: [{ params: [bool, bool], variadic: true, result: bool }],
    evaluate: connective(true),
    smt: smt("or"),
    laws: { commutative: true, idempotent: true, identity: false, absorbing: true },
  },
  {
    name: "not",
    meaning: "true when the operand is false",
    syntax: { kind: "prefix", symbol: "not", precedence: 4 },
    signatures: [{ params: [bool], result: bool }],
    evaluate: strict(([a]) => !asBool(a)),
    smt: smt("not"),
    laws: { involution: true },
  },
  {
    name: "implies",
    meaning: "false only when the first operand is true and the second is false",
    syntax: { kind: "infix", symbol: "implies", precedence: 1, group: "right" },
    signatures: [{ params: [bool, bool], result: bool }],
    evaluate: {
      kind: "lazy",
      apply: ([premise, conclusion]) => {
        const given = premise?.();
        if (given === false) return true;
        const then = conclusion?.() ?? null;
        return given === true || then === true ? then : undecided(given);
      },
    },
    smt: smt("=>"),
  },
  {
    name: "if",
    meaning: "the second operand when the first is true, otherwise the third",
    syntax: { kind: "if" },
    signatures: [{ params: [bool, T, T], result: T }],
    evaluate: {
      kind: "lazy",
      apply: ([condition, yes, no]) => {
        const chosen = condition?.();
        if (chosen === true) return yes?.() ?? null;
        if (chosen === false) return no?.() ?? null;
        const [a, b] = [yes?.() ?? null, no?.() ?? null];
        return !isPartly(a) && !isPartly(b) && equal(a, b) ? a : undecided(chosen);
      },
    },
    smt: smt("ite"),
  },
  {
    name: "==",
    meaning: "true when both operands are the same value",
    syntax: { kind: "infix", symbol: "==", precedence: 5, group: "none" },
    signatures: [{ params: [T, T], result: bool }],
    evaluate: strict(([a, b], { meter }) => equal(asValue(a), asValue(b), (units) => meter.charge(units))),
    partly: ([a, b]) => partlyEqual(a ?? null, b ?? null),
    smt: smt("="),
    laws: { commutative: true },
  },
  {
    name: "!=",
    meaning: "true when the operands are different values",
    syntax: { kind: "infix", symbol: "!=", precedence: 5, group: "none" },
    signatures: [{ params: [T, T], result: bool }],
    evaluate: strict(([a, b], { meter }) => !equal(asValue(a), asValue(b), (units) => meter.charge(units))),
    partly: ([a, b]) => {
      const same = partlyEqual(a ?? null, b ?? null);
      return typeof same === "boolean" ? !same : same;
    },
    smt: smtTerm(([a, b]) => `(not (= ${a} ${b}))`),
    laws: { commutative: true },
  },
];

/** `and` stops at the first false, `or` at the first true; an unknown operand matters only if none does. */
function connective(stop: boolean): Evaluator {
  return {
    kind: "lazy",
    apply: (operands) => {
      let open: Value | Partly | undefined;
      for (const operand of operands) {
        const value = operand();
        if (value === stop) return stop;
        if (value !== !stop) open ??= value;
      }
      return open === undefined ? !stop : undecided(open);
    },
  };
}

function undecided(x: Value | Partly | undefined): Unknown {
  return x instanceof Unknown ? x : new Unknown("a condition is not decided by what is known");
}

function partlyEqual(a: Value | Partly, b: Value | Partly): boolean | Unknown {
  if (a instanceof AnyOtherKey || b instanceof AnyOtherKey) return equalKey(a, b);
  if (a instanceof Infinite || b instanceof Infinite) {
    const other = bounds(a instanceof Infinite ? b : a);
    return other?.high === undefined ? new Unknown("a count is infinite") : false;
  }
  const [left, right] = [bounds(a), bounds(b)];
  if (left !== undefined && right !== undefined && disjoint(left, right)) return false;
  if (a instanceof Unknown) return a;
  return b instanceof Unknown ? b : new Unknown("a number is known only within bounds");
}

function equalKey(a: Value | Partly, b: Value | Partly): boolean | Unknown {
  if (a === b) return true;
  const [key, other] = a instanceof AnyOtherKey ? [a, b] : [b, a];
  if (!(key instanceof AnyOtherKey) || isPartly(other))
    return new Unknown("it depends on two unwritten keys at once");
  // SOUNDNESS: "different" is right for all keys but this one, which the caller then tries by itself.
  key.compared.push(other);
  return false;
}

function disjoint(a: Between, b: Between): boolean {
  return (
    (a.high !== undefined && b.low !== undefined && compare(a.high, b.low) < 0) ||
    (b.high !== undefined && a.low !== undefined && compare(b.high, a.low) < 0)
  );
}
