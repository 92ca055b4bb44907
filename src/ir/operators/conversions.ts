/** Numbers from texts and texts for readers, as JavaScript has them. Part of what must be trusted. */
import { nearestJs, numOfJs } from "../convert/js-number.ts";
import { LimitReached, type Meter } from "../eval/meter.ts";
import { quoted } from "../json/quoted.ts";
import { compare, floor, multiply, type Num, negate, parseNum } from "../number.ts";
import { int, optionOf, real, string } from "../type.ts";
import { none, some, type Value } from "../value.ts";
import { asNum, asString, call, type Operator, opaque, strict } from "./operator.ts";

export const conversions: readonly Operator[] = [
  {
    name: "numberOf",
    meaning:
      "the number that the whole string stands for, as `Number` reads it; none for one that stands for none. The run stops at an infinite one",
    syntax: call,
    signatures: [{ params: [string], result: optionOf(real) }],
    evaluate: strict(([a], { meter }) => exact(asString(a), Number, meter)),
    smt: opaque,
  },
  {
    name: "floatOf",
    meaning:
      "the number that the string begins with, as `parseFloat` reads it; none where there is none. The run stops at an infinite one",
    syntax: call,
    signatures: [{ params: [string], result: optionOf(real) }],
    evaluate: strict(([a], { meter }) => exact(asString(a), Number.parseFloat, meter)),
    smt: opaque,
  },
  {
    name: "integerOf",
    meaning:
      "the integer that the string begins with, as `parseInt` reads it with the second operand as its base. Base 0 is the one that the string says. None where there is none. The run stops at an infinite one",
    syntax: call,
    signatures: [{ params: [string, int], result: optionOf(int) }],
    evaluate: strict(([a, b], { meter }) => {
      const base = Number(BigInt.asIntN(32, floor(asNum(b))));
      return exact(asString(a), (text) => Number.parseInt(text, base), meter);
    }),
    smt: opaque,
  },
  {
    name: "squareRoot",
    meaning:
      "the square root as `Math.sqrt` gives it, that is, of the nearest number of JavaScript and rounded to one; 0 of a number below 0. The run stops at an infinite one",
    syntax: call,
    signatures: [{ params: [real], result: real }],
    evaluate: strict(([a], { meter }) => {
      const x = asNum(a);
      if (compare(x, 0n) <= 0) return 0n;
      meter.compute([x], () => true);
      const root = Math.sqrt(nearestJs(x));
      if (!Number.isFinite(root)) throw new LimitReached("FC1525", "the square root is infinite");
      return numOfJs(root);
    }),
    smt: opaque,
  },
  {
    name: "groupedText",
    meaning:
      "the number with commas between thousands. Digits after the point: at least the second operand, at most the third; halves round away from zero",
    syntax: call,
    signatures: [{ params: [real, int, int], result: string }],
    evaluate: strict(([a, b, c], { meter }) => {
      const [x, least, most] = [asNum(a), places(asNum(b)), places(asNum(c))];
      meter.compute([x], () => true);
      return grouped(x, least, Math.max(least, most));
    }),
    smt: opaque,
  },
];

/** A number enters as the exact value of its shortest decimal form, as one that is written in a program does. */
function exact(text: string, read: (text: string) => number, meter: Meter): Value {
  meter.charge(1 + (text.length >> 4));
  const found = read(text);
  if (Number.isNaN(found)) return none;
  const value = Number.isFinite(found) ? parseNum(String(found), 4096) : undefined;
  if (value === undefined)
    throw new LimitReached("FC1525", `the text ${quoted(text.slice(0, 40))} is an infinite number`);
  return some(value);
}

/** LIMIT: of digits after the point, as every `Intl.NumberFormat` has it. */
const mostPlaces = 20;

function places(x: Num): number {
  const n = floor(x);
  return n < 0n ? 0 : n > BigInt(mostPlaces) ? mostPlaces : Number(n);
}

function grouped(x: Num, least: number, most: number): string {
  const isBelow = (typeof x === "bigint" ? x : x.num) < 0n;
  const scaled = roundedHalfUp(multiply(isBelow ? negate(x) : x, 10n ** BigInt(most)));
  const digits = scaled.toString().padStart(most + 1, "0");
  const units = digits.slice(0, digits.length - most);
  const fraction = digits
    .slice(digits.length - most)
    .replace(/0+$/, "")
    .padEnd(least, "0");
  const thousands = units.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${isBelow ? "-" : ""}${thousands}${fraction === "" ? "" : `.${fraction}`}`;
}

function roundedHalfUp(x: Num): bigint {
  if (typeof x === "bigint") return x;
  return (2n * x.num + x.den) / (2n * x.den);
}
