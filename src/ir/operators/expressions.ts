/**
 * Regular expressions with flags, as JavaScript's methods match them. The expression is written as `"/…/gi"`. The
 * solver knows only that equal operands give equal results. Part of what must be trusted.
 */
import { LimitReached, type Meter } from "../eval/meter.ts";
import { type Expression, type ExpressionResult, readExpression } from "../regular/expression.ts";
import { type Machine, machineOf } from "../regular/machine.ts";
import { allMatches, expanded, type Found, firstMatch, replacedWith, splitBy } from "../regular/matches.ts";
import { bool, int, listOf, optionOf, recordOf, string, type Type } from "../type.ts";
import { list, none, record, some, type Value } from "../value.ts";
import {
  asList,
  asString,
  call,
  type Operand,
  type Operator,
  opaque,
  strict,
  type TypePattern,
  type Written,
} from "./operator.ts";

/** A match: its index; the whole match, then its groups. */
const match: Type = recordOf([
  { name: "index", type: int },
  { name: "parts", type: listOf(optionOf(string)) },
]);

const written: Written = {
  operand: 1,
  problem: (text, limits) => {
    const { result } = reading(text, limits.patternSize);
    return result.ok ? undefined : result.problem;
  },
};

export const expressions: readonly Operator[] = [
  about({
    name: "hasMatch",
    meaning:
      'true when the regular expression, which must be a string literal such as `"/a+/i"`, is found in the string',
    more: [],
    result: bool,
    none: () => false,
    apply: ({ machine, text, charge }) => firstMatch(machine, text, charge) !== undefined,
  }),
  about({
    name: "firstMatch",
    meaning:
      "the first match: where it begins, and its parts: the whole of it, then what its groups hold, none for a group that holds nothing",
    more: [],
    result: optionOf(match),
    none: () => none,
    apply: ({ machine, text, charge }) => {
      const found = firstMatch(machine, text, charge);
      return found === undefined ? none : some(matchValue(found));
    },
  }),
  about({
    name: "allMatches",
    meaning: "all matches, one after the other, as `firstMatch` gives them",
    more: [],
    result: listOf(match),
    none: () => list([]),
    apply: ({ machine, text, charge, meter }) => {
      const found = allMatches(machine, text, charge);
      meter.list(found.length * (machine.groups + 2));
      return list(found.map(matchValue));
    },
  }),
  about({
    name: "replaceMatch",
    meaning:
      "the string with its first match, or with the flag `g` every match, replaced by the third operand, in which `$1`, `$<name>`, `$&`, `` $` ``, `$'` and `$$` have the meaning that JavaScript gives them",
    more: [string],
    result: string,
    none: ({ text }) => text,
    apply: (task, template) => {
      const { text, expression, meter } = task;
      const matches = matchesOf(task);
      return replacedWith(
        text,
        matches,
        (one) => checked(expanded(asString(template), text, one, expression.names), meter),
        (length) => meter.string(length),
      );
    },
  }),
  about({
    name: "replaceMatches",
    meaning:
      "the string with its first match, or with the flag `g` every match, replaced by the strings of the list in turn, taken literally; matches for which the list has no string stay",
    more: [listOf(string)],
    result: string,
    none: ({ text }) => text,
    apply: (task, by) => {
      const texts = asList(by).map(asString);
      return replacedWith(
        task.text,
        matchesOf(task),
        (_, i) => texts[i],
        (length) => task.meter.string(length),
      );
    },
  }),
  about({
    name: "splitByMatch",
    meaning:
      "the parts of the string between matches, and after each what the groups of the match hold, an empty string for one that holds nothing",
    more: [],
    result: listOf(string),
    none: ({ text }) => list([text]),
    apply: ({ machine, text, charge, meter }) => {
      const parts = splitBy(machine, text, charge);
      meter.list(parts.length);
      return list(parts);
    },
  }),
];

/** An operator at work. */
interface Task {
  readonly text: string;
  readonly expression: Expression;
  readonly machine: Machine;
  readonly meter: Meter;
  readonly charge: (units: number) => void;
}

interface About {
  readonly name: string;
  readonly meaning: string;
  readonly more: readonly TypePattern[];
  readonly result: TypePattern;
  /** For an expression that is none, which the checker refuses. */
  readonly none: (task: { readonly text: string }) => Value;
  readonly apply: (task: Task, third: Operand | undefined) => Value;
}

function about({ name, meaning, more, result, none: otherwise, apply }: About): Operator {
  return {
    name,
    meaning,
    syntax: call,
    signatures: [{ params: [string, string, ...more], result }],
    written,
    evaluate: strict(([a, b, c], { meter }) => {
      const [text, source] = [asString(a), asString(b)];
      meter.charge(1 + source.length);
      const { result: read, machine } = reading(source, meter.limits.patternSize);
      if (!read.ok && read.problem.code === "FC1410") throw new LimitReached("FC1410", read.problem.message);
      if (!read.ok || machine === undefined) return otherwise({ text });
      const charge = (units: number) => meter.charge(units / stepsOfUnit);
      return apply({ text, expression: read.expression, machine, meter, charge }, c);
    }),
    smt: opaque,
  };
}

/** LIMIT: steps of the machine that are one unit of work. */
const stepsOfUnit = 8;

function matchesOf({ expression, machine, text, charge }: Task): readonly Found[] {
  if (expression.flags.isGlobal) return allMatches(machine, text, charge);
  const first = firstMatch(machine, text, charge);
  return first === undefined ? [] : [first];
}

function checked(text: string, meter: Meter): string {
  meter.string(text.length);
  return text;
}

function matchValue({ index, parts }: Found): Value {
  return record([
    ["index", BigInt(index)],
    ["parts", list(parts.map((part) => (part === undefined ? none : some(part))))],
  ]);
}

interface Reading {
  readonly result: ExpressionResult;
  readonly machine: Machine | undefined;
}

const known = new Map<string, Reading>();
/** LIMIT: what is remembered is only what was used last. */
const maxKnown = 100;

function reading(text: string, most: number): Reading {
  const key = `${most} ${text}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const result = readExpression(text, most);
  const read = { result, machine: result.ok ? machineOf(result.expression) : undefined };
  if (known.size >= maxKnown) known.clear();
  known.set(key, read);
  return read;
}
