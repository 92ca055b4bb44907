/** More of what JavaScript's methods of strings do; the solver knows only that equal operands give equal results. Part of what must be trusted. */
import { collationKey } from "../collation.ts";
import { numText } from "../number.ts";
import { expanded, type Found, replacedWith } from "../regular/matches.ts";
import { bool, int, listOf, optionOf, string, type Type } from "../type.ts";
import { list, none, some, type Value } from "../value.ts";
import {
  asBool,
  asNum,
  asString,
  call,
  type Operand,
  type Operator,
  type OperatorContext,
  opaque,
  strict,
} from "./operator.ts";

export const textParts: readonly Operator[] = [
  opaqueText(
    "substituteFirst",
    "the first string with the first occurrence of the second replaced by the third. In that `$&`, `` $` ``, `$'` and `$$` mean what they mean in JavaScript",
    [string, string, string],
    string,
    ([a, b, c], context) => substituted(asString(a), asString(b), asString(c), false, context),
  ),
  opaqueText(
    "substituteAll",
    "the first string with every occurrence of the second replaced by the third, as `substituteFirst` does; an empty string occurs between all code units",
    [string, string, string],
    string,
    ([a, b, c], context) => substituted(asString(a), asString(b), asString(c), true, context),
  ),
  opaqueText(
    "lastIndexOf",
    "the last position of the second string in the first, or -1",
    [string, string],
    int,
    ([a, b], { meter }) => {
      meter.search(asString(a), asString(b));
      return BigInt(asString(a).lastIndexOf(asString(b)));
    },
  ),
  opaqueText(
    "repeatText",
    "the string so many times, one after the other; an empty string for a negative count",
    [string, int],
    string,
    ([a, b], { meter }) => {
      const [text, count] = [asString(a), clamped(b)];
      meter.string(text.length * Math.max(0, count));
      return count <= 0 || text === "" ? "" : text.repeat(count);
    },
  ),
  padding("padStart", "before it"),
  padding("padEnd", "after it"),
  opaqueText(
    "codeAt",
    "the code unit at a position from 0, as a number; none outside",
    [string, int],
    optionOf(int),
    ([a, b]) => code(asString(a).charCodeAt(clamped(b)), asString(a), clamped(b)),
  ),
  opaqueText(
    "codePointAt",
    "the code point that begins at a position from 0; none outside",
    [string, int],
    optionOf(int),
    ([a, b]) => code(asString(a).codePointAt(clamped(b)), asString(a), clamped(b)),
  ),
  opaqueText(
    "textOfCode",
    "the string of one code unit with this number, of which the lowest 16 bits count",
    [int],
    string,
    ([a]) => String.fromCharCode(Number(BigInt.asUintN(16, BigInt(numText(asNum(a)))))),
  ),
  opaqueText(
    "characters",
    "the characters of the string: its code points, each as a string",
    [string],
    listOf(string),
    ([a], { meter }) => {
      const found = [...asString(a)];
      meter.list(found.length);
      return list(found);
    },
  ),
  opaqueText(
    "sortKey",
    "a string that compares with `<` as the first does for a reader: by its letters, then by their marks, then by their case; the second operand counts digits that stand together as one number, the third is how many of the three count",
    [string, bool, int],
    string,
    ([a, b, c], { meter }) => {
      const text = asString(a);
      meter.string(4 * text.length);
      const levels = clamped(c);
      return collationKey(text, {
        isNumeric: asBool(b),
        levels: levels <= 1 ? 1 : levels === 2 ? 2 : 3,
      });
    },
  ),
];

function opaqueText(
  name: string,
  meaning: string,
  params: readonly Type[],
  result: Type,
  apply: (operands: readonly Operand[], context: OperatorContext) => Value,
): Operator {
  const evaluate = strict((operands, context) => {
    for (const operand of operands)
      if (typeof operand === "string") context.meter.charge(1 + (operand.length >> 6));
    return apply(operands, context);
  });
  return { name, meaning, syntax: call, signatures: [{ params, result }], evaluate, smt: opaque };
}

function padding(name: "padStart" | "padEnd", where: string): Operator {
  return opaqueText(
    name,
    `the string with the third repeated ${where} up to a length; as it is where that is no longer, or the third is empty`,
    [string, int, string],
    string,
    ([a, b, c], { meter }) => {
      const [text, length, filling] = [asString(a), clamped(b), asString(c)];
      if (length <= text.length || filling === "") return text;
      meter.string(length);
      return name === "padStart" ? text.padStart(length, filling) : text.padEnd(length, filling);
    },
  );
}

/** LIMIT: far outside is as good as just outside; every length that is allowed is within. */
const farOutside = 1_000_000_000_000n;

function clamped(operand: Operand | undefined): number {
  const value = asNum(operand);
  if (typeof value !== "bigint") return 0;
  return Number(value > farOutside ? farOutside : value < -farOutside ? -farOutside : value);
}

function code(found: number | undefined, text: string, at: number): Value {
  return found === undefined || at < 0 || at >= text.length ? none : some(BigInt(found));
}

function substituted(
  text: string,
  from: string,
  template: string,
  isAll: boolean,
  { meter }: OperatorContext,
): string {
  meter.search(text, from);
  const found: Found[] = [];
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + Math.max(1, from.length))) {
    found.push({ index: at, end: at + from.length, parts: [from] });
    meter.charge(1);
    if (!isAll || (from === "" && at === text.length)) break;
  }
  return replacedWith(
    text,
    found,
    (one) => expanded(template, text, one, []),
    (length) => meter.string(length),
  );
}
