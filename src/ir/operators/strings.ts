/**
 * Strings are sequences of UTF-16 code units, as in JavaScript; positions count code units.
 * Those without an SMT-LIB form are opaque: computed exactly in a run, unknown to the solver.
 * Part of what must be trusted.
 */
import { decimalText, type Num, numText, parseNum } from "../number.ts";
import { bool, listOf, real, string } from "../type.ts";
import { list } from "../value.ts";
import {
  asList,
  asNum,
  asString,
  call,
  type Operator,
  opaque,
  type Signature,
  smt,
  smtTerm,
  strict,
} from "./operator.ts";

const unary: readonly Signature[] = [{ params: [string], result: string }];
const test: readonly Signature[] = [{ params: [string, string], result: bool }];
const replace: readonly Signature[] = [{ params: [string, string, string], result: string }];

export const strings: readonly Operator[] = [
  {
    name: "startsWith",
    meaning: "true when the first string begins with the second",
    syntax: call,
    signatures: test,
    evaluate: strict(([a, b], { meter }) => {
      meter.charge(1 + (asString(b).length >> 6));
      return asString(a).startsWith(asString(b));
    }),
    smt: smtTerm(([a, b]) => `(str.prefixof ${b} ${a})`),
  },
  {
    name: "endsWith",
    meaning: "true when the first string ends with the second",
    syntax: call,
    signatures: test,
    evaluate: strict(([a, b], { meter }) => {
      meter.charge(1 + (asString(b).length >> 6));
      return asString(a).endsWith(asString(b));
    }),
    smt: smtTerm(([a, b]) => `(str.suffixof ${b} ${a})`),
  },
  {
    name: "replaceFirst",
    meaning:
      "the first string with the first occurrence of the second replaced by the third, taken literally",
    syntax: call,
    signatures: replace,
    evaluate: strict(([a, b, c], { meter }) => {
      const [text, from, to] = [asString(a), asString(b), asString(c)];
      meter.search(text, from);
      const replaced = text.replace(from, () => to);
      meter.string(replaced.length);
      return replaced;
    }),
    smt: smt("str.replace"),
  },
  {
    name: "replaceAll",
    meaning:
      "the first string with every occurrence of the second replaced by the third, taken literally; unchanged when the second is empty",
    syntax: call,
    signatures: replace,
    evaluate: strict(([a, b, c], { meter }) => {
      const [text, from, to] = [asString(a), asString(b), asString(c)];
      if (from === "") return text;
      meter.search(text, from);
      const parts = text.split(from);
      meter.string(text.length + (parts.length - 1) * (to.length - from.length));
      return parts.join(to);
    }),
    smt: smt("str.replace_all"),
  },
  {
    name: "split",
    meaning:
      "the parts of the first string between occurrences of the second; its code units when the second is empty",
    syntax: call,
    signatures: [{ params: [string, string], result: listOf(string) }],
    evaluate: strict(([a, b], { meter }) => {
      meter.search(asString(a), asString(b));
      const parts = asString(a).split(asString(b));
      meter.list(parts.length);
      return list(parts);
    }),
    smt: opaque,
  },
  {
    name: "joinText",
    meaning: "the strings of the list one after the other, with the second operand between them",
    syntax: call,
    signatures: [{ params: [listOf(string), string], result: string }],
    evaluate: strict(([a, b], { meter }) => {
      const [parts, between] = [asList(a).map(asString), asString(b)];
      meter.list(parts.length);
      const separators = Math.max(0, parts.length - 1) * between.length;
      meter.string(parts.reduce((sum, part) => sum + part.length, separators));
      return parts.join(between);
    }),
    smt: opaque,
  },
  rewriting("trim", "the string without white space at both ends", (text) => text.trim()),
  rewriting("trimStart", "the string without white space at its beginning", (text) => text.trimStart()),
  rewriting("trimEnd", "the string without white space at its end", (text) => text.trimEnd()),
  rewriting(
    "toLowerCase",
    "the string in lower case, by the Unicode tables of the Node that runs, for no particular language",
    (text) => text.toLowerCase(),
  ),
  rewriting(
    "toUpperCase",
    "the string in upper case, by the Unicode tables of the Node that runs, for no particular language",
    (text) => text.toUpperCase(),
  ),
  {
    name: "textOf",
    meaning:
      "the number as JavaScript writes it, or as a fraction `7/3` where no JavaScript number equals it",
    syntax: call,
    signatures: [{ params: [real], result: string }],
    evaluate: strict(([a], { meter }) => {
      meter.compute([asNum(a)], () => true);
      return textOfNumber(asNum(a));
    }),
    smt: opaque,
  },
];

/** LIMIT: a change of case makes a string at most three times as long. */
function rewriting(name: string, meaning: string, apply: (text: string) => string): Operator {
  return {
    name,
    meaning,
    syntax: call,
    signatures: unary,
    evaluate: strict(([a], { meter }) => {
      meter.charge(1 + (asString(a).length >> 6));
      const text = apply(asString(a));
      meter.string(text.length);
      return text;
    }),
    smt: opaque,
  };
}

/** A number as JavaScript writes it, or as a fraction. */
export function textOfNumber(x: Num): string {
  if (typeof x === "bigint" && x >= -maxSafe && x <= maxSafe) return x.toString();
  const decimal = decimalText(x);
  if (decimal !== undefined && decimal.length < 400) {
    const written = String(Number(decimal));
    const readBack = parseNum(written.replace("e+", "e"), 4096);
    if (readBack !== undefined && numText(readBack) === numText(x)) return written;
  }
  return numText(x);
}

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);
