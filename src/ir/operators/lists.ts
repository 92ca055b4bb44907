/**
 * Lists, and what strings share with them (length, positions, slices, concatenation).
 * Part of what must be trusted.
 */
import { add, floor, type Num } from "../number.ts";
import { bool, int, listOf, real, string, type Type } from "../type.ts";
import { equal, list, none, record, some, type Value, valueKey } from "../value.ts";
import {
  asBool,
  asFunction,
  asList,
  asNum,
  asString,
  asValue,
  call,
  functionPattern,
  listPattern,
  type Operator,
  opaque,
  optionPattern,
  smtTerm,
  strict,
  variable,
} from "./operator.ts";

const T = variable("T");
const U = variable("U");
const items = listPattern(T);
const predicate = functionPattern([T], bool);

/** LIMIT: a key is text that is built, so each part of it costs more than a look. */
const keyCost = 8;

export const lists: readonly Operator[] = [
  {
    name: "++",
    meaning: "the strings, or the lists, one after the other",
    syntax: { kind: "infix", symbol: "++", precedence: 6, group: "chain" },
    signatures: [
      { params: [string, string], variadic: true, result: string },
      { params: [items, items], variadic: true, result: items },
    ],
    evaluate: strict((operands, { meter }) => {
      if (typeof operands[0] === "string") {
        const parts = operands.map(asString);
        meter.string(parts.reduce((sum, part) => sum + part.length, 0));
        return parts.join("");
      }
      const parts = operands.map(asList);
      meter.list(parts.reduce((sum, part) => sum + part.length, 0));
      return list(parts.flat(1));
    }),
    smt: onStrings((operands) => `(str.++ ${operands.join(" ")})`),
  },
  {
    name: "length",
    meaning: "the number of code units of a string, or of elements of a list",
    syntax: call,
    signatures: [
      { params: [string], result: int },
      { params: [items], result: int },
    ],
    evaluate: strict(([a]) => BigInt(typeof a === "string" ? a.length : asList(a).length)),
    smt: onStrings(([a]) => `(str.len ${a})`),
  },
  {
    name: "at",
    meaning:
      "the code unit or element at a position from 0; none outside, and at a position that is no integer",
    syntax: call,
    signatures: [
      { params: [string, real], result: optionPattern(string) },
      { params: [items, real], result: optionPattern(T) },
    ],
    evaluate: strict(([a, b]) => {
      const position = asNum(b);
      const source = typeof a === "string" ? a : asList(a);
      if (typeof position !== "bigint" || position < 0n || position >= source.length) return none;
      const found = source[Number(position)];
      return found === undefined ? none : some(found);
    }),
    smt: opaque,
  },
  {
    name: "contains",
    meaning: "true when the string has the second as a part, or the list has it as an element",
    syntax: call,
    signatures: [
      { params: [string, string], result: bool },
      { params: [items, T], result: bool },
    ],
    evaluate: strict(([a, b], { meter }) => {
      if (typeof a === "string") {
        meter.search(a, asString(b));
        return a.includes(asString(b));
      }
      return asList(a).some((item) => equal(item, asValue(b), (units) => meter.charge(units)));
    }),
    smt: onStrings(([a, b]) => `(str.contains ${a} ${b})`),
  },
  {
    name: "indexOf",
    meaning: "the first position of the second operand in the first, or -1",
    syntax: call,
    signatures: [
      { params: [string, string], result: int },
      { params: [items, T], result: int },
    ],
    evaluate: strict(([a, b], { meter }) => {
      if (typeof a === "string") {
        meter.search(a, asString(b));
        return BigInt(a.indexOf(asString(b)));
      }
      return BigInt(asList(a).findIndex((item) => equal(item, asValue(b), (units) => meter.charge(units))));
    }),
    smt: onStrings(([a, b]) => `(str.indexof ${a} ${b} 0)`),
  },
  {
    name: "slice",
    meaning:
      "the part from one position up to, not including, another; negative positions count from the end, as in JavaScript",
    syntax: call,
    signatures: [
      { params: [string, int, int], result: string },
      { params: [items, int, int], result: items },
    ],
    evaluate: strict(([a, b, c], { meter }) => {
      const source = typeof a === "string" ? a : asList(a);
      const [from, to] = [position(asNum(b), source.length), position(asNum(c), source.length)];
      const length = Math.max(0, to - from);
      if (typeof source === "string") meter.string(length);
      else meter.list(length);
      return typeof source === "string" ? source.slice(from, to) : list(source.slice(from, to));
    }),
    smt: onStrings(([a, b, c]) => {
      const from = smtPosition(b ?? "", a ?? "");
      return `(str.substr ${a} ${from} (- ${smtPosition(c ?? "", a ?? "")} ${from}))`;
    }),
  },
  {
    name: "reverse",
    meaning: "the elements in the opposite order",
    syntax: call,
    signatures: [{ params: [items], result: items }],
    evaluate: strict(([a], { meter }) => {
      meter.list(asList(a).length);
      return list([...asList(a)].reverse());
    }),
    smt: opaque,
  },
  {
    name: "range",
    meaning: "the integers from 0 up to, not including, the operand",
    syntax: call,
    signatures: [{ params: [int], result: listOf(int) }],
    evaluate: strict(([a], { meter }) => {
      const count = Math.max(0, Number(asNum(a)));
      meter.list(count);
      return list(Array.from({ length: count }, (_, i) => BigInt(i)));
    }),
    smt: opaque,
  },
  {
    name: "total",
    meaning: "the sum of the elements; zero for none",
    syntax: call,
    signatures: [
      { params: [listOf(int)], result: int },
      { params: [listOf(real)], result: real },
    ],
    evaluate: strict(([a], { meter }) => {
      meter.charge(asList(a).length);
      return asList(a)
        .map(asNum)
        .reduce<Num>((sum, x) => meter.compute([sum, x], () => add(sum, x)), 0n);
    }),
    smt: opaque,
  },
  {
    name: "unique",
    meaning: "the elements without those that equal an earlier one",
    syntax: call,
    signatures: [{ params: [items], result: items }],
    evaluate: strict(([a], { meter }) => {
      const seen = new Map<string, Value>();
      for (const item of asList(a)) {
        const key = valueKey(item, (units) => meter.charge(keyCost * units));
        if (!seen.has(key)) seen.set(key, item);
      }
      return list([...seen.values()]);
    }),
    smt: opaque,
  },
  {
    name: "entries",
    meaning: "each element with its position, as records of `index` and `value`",
    syntax: call,
    signatures: [
      {
        params: [items],
        result: listPattern({
          kind: "recordOf",
          fields: [
            ["index", int],
            ["value", T],
          ],
        }),
      },
    ],
    evaluate: strict(([a], { meter }) => {
      meter.list(2 * asList(a).length);
      return list(
        asList(a).map((value, i) =>
          record([
            ["index", BigInt(i)],
            ["value", value],
          ]),
        ),
      );
    }),
    smt: opaque,
  },
  {
    name: "map",
    meaning: "what the function gives for each element",
    syntax: call,
    signatures: [{ params: [items, functionPattern([T], U)], result: listPattern(U) }],
    evaluate: strict(([a, f], { meter }) => {
      meter.list(asList(a).length);
      return list(asList(a).map((item) => asFunction(f)(item)));
    }),
    smt: opaque,
  },
  {
    name: "flatMap",
    meaning: "the lists that the function gives for each element, one after the other",
    syntax: call,
    signatures: [{ params: [items, functionPattern([T], listPattern(U))], result: listPattern(U) }],
    evaluate: strict(([a, f], { meter }) => {
      const found: Value[] = [];
      for (const item of asList(a)) {
        const part = asList(asFunction(f)(item));
        meter.charge(part.length);
        for (const value of part) found.push(value);
        meter.lengthOf(found);
      }
      return list(found);
    }),
    smt: opaque,
  },
  {
    name: "filter",
    meaning: "the elements for which the function gives true",
    syntax: call,
    signatures: [{ params: [items, predicate], result: items }],
    evaluate: strict(([a, f], { meter }) => {
      meter.list(asList(a).length);
      return list(asList(a).filter((item) => asBool(asFunction(f)(item))));
    }),
    smt: opaque,
  },
  {
    name: "every",
    meaning: "true when the function gives true for all elements",
    syntax: call,
    signatures: [{ params: [items, predicate], result: bool }],
    evaluate: strict(([a, f]) => asList(a).every((item) => asBool(asFunction(f)(item)))),
    smt: opaque,
  },
  {
    name: "any",
    meaning: "true when the function gives true for some element",
    syntax: call,
    signatures: [{ params: [items, predicate], result: bool }],
    evaluate: strict(([a, f]) => asList(a).some((item) => asBool(asFunction(f)(item)))),
    smt: opaque,
  },
  {
    name: "find",
    meaning: "the first element for which the function gives true, or none",
    syntax: call,
    signatures: [{ params: [items, predicate], result: optionPattern(T) }],
    evaluate: strict(([a, f]) => {
      const found = asList(a).find((item) => asBool(asFunction(f)(item)));
      return found === undefined ? none : some(found);
    }),
    smt: opaque,
  },
  {
    name: "findIndex",
    meaning: "the position of the first element for which the function gives true, or -1",
    syntax: call,
    signatures: [{ params: [items, predicate], result: int }],
    evaluate: strict(([a, f]) => BigInt(asList(a).findIndex((item) => asBool(asFunction(f)(item))))),
    smt: opaque,
  },
  {
    name: "fold",
    meaning:
      "the second operand, replaced for each element in turn by what the function gives for it and the element",
    syntax: call,
    signatures: [
      {
        params: [items, U, { kind: "function", params: [U, T], result: U, annotated: [0] }],
        result: U,
      },
    ],
    evaluate: strict(([a, start, f]) =>
      asList(a).reduce((held, item) => asFunction(f)(held, item), asValue(start)),
    ),
    smt: opaque,
  },
];

/** A position as `slice` takes it: negative from the end, held within the list. */
function position(x: Num, length: number): number {
  const n = floor(x);
  if (n < 0n) return n < -BigInt(length) ? 0 : length + Number(n);
  return n > BigInt(length) ? length : Number(n);
}

function smtPosition(x: string, text: string): string {
  const length = `(str.len ${text})`;
  return `(ite (< ${x} 0) (ite (< (+ ${length} ${x}) 0) 0 (+ ${length} ${x})) (ite (> ${x} ${length}) ${length} ${x}))`;
}

function onStrings(print: (operands: readonly string[]) => string) {
  const isText = (type: Type | undefined) => type?.kind === "string" || type?.kind === "enum";
  return smtTerm((operands, types) => (isText(types[0]) ? print(operands) : undefined));
}
