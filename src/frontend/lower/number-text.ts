/** Numbers from texts and texts from numbers: exact, or refused. */
import type { Node } from "oxc-parser";
import { type Expr, parseNum } from "../../ir/index.ts";
import { and, boolean, choose, no, not, num, op, or, some, text, yes } from "../build.ts";
import {
  int,
  isMaybeInfinite,
  isMaybeNaN,
  isNothing,
  isNumber,
  isText,
  optionTy,
  real,
  string,
  tyText,
} from "../ty.ts";
import { type DataVal, data, infinite, nanVal, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { reify, unified } from "./data.ts";
import { timeIfDate } from "./date.ts";
import { concatenate } from "./expression.ts";
import { is } from "./json.ts";

/** A number as the exact value of its shortest decimal form; undefined for what is no number or is infinite. */
export function exactNumber(value: number): DataVal | undefined {
  const exact = Number.isFinite(value) ? parseNum(String(value).replace("e+", "e"), 4096) : undefined;
  return exact === undefined ? undefined : data(num(exact), typeof exact === "bigint" ? int : real);
}

/** Constants of `Number` and `Math`, by their full names. */
const constants: Readonly<Record<string, number>> = {
  "Number.EPSILON": Number.EPSILON,
  "Number.MAX_SAFE_INTEGER": Number.MAX_SAFE_INTEGER,
  "Number.MIN_SAFE_INTEGER": Number.MIN_SAFE_INTEGER,
  "Number.MAX_VALUE": Number.MAX_VALUE,
  "Number.MIN_VALUE": Number.MIN_VALUE,
  "Math.PI": Math.PI,
  "Math.E": Math.E,
  "Math.SQRT2": Math.SQRT2,
  "Math.LN2": Math.LN2,
  "Math.LN10": Math.LN10,
};

export function numberConstant(of: string, name: string): DataVal | undefined {
  const full = `${of}.${name}`;
  if (full === "Number.POSITIVE_INFINITY") return infinite("Infinity");
  if (full === "Number.NEGATIVE_INFINITY") return infinite("-Infinity");
  if (full === "Number.NaN") return nanVal;
  const value = constants[full];
  return value === undefined ? undefined : exactNumber(value);
}

type Reader = "Number" | "parseInt" | "parseFloat";

/** `Number(x)`, `parseInt(x)`, `parseFloat(x)`; `NaN` for a text that is no number. */
export function numberFrom(low: Lowering, name: Reader, of: Val, radix: Val | undefined, node: Node): Val {
  const from = name === "Number" ? timeIfDate(low, of, node) : of;
  return numberIn(low, name, reify(low, from, node), radix, node);
}

function numberIn(low: Lowering, name: Reader, from: DataVal, radix: Val | undefined, node: Node): DataVal {
  const { expr, type } = from;
  if (isMaybeNaN(type) && name !== "parseInt") return from;
  if (isMaybeInfinite(type) && name !== "parseInt") return from;
  if (type.kind === "option") {
    const absent = type.absent === "null" && name === "Number" ? data(num(0n), int) : nanVal;
    if (isNothing(type)) return absent;
    const whole = low.named(expr, "given", node);
    const held = numberIn(low, name, data(op("value", whole), type.value), radix, node);
    const both = unified(low, held, absent, node);
    if (both === undefined) return held;
    return data(choose(op("isSome", whole), both[0], both[1]), both[2]);
  }
  if (isNumber(type) && (name !== "parseInt" || type.kind === "int")) return from;
  if (isNumber(type))
    return low.refuse(node, "FC2108", "`parseInt` takes a text", "cut off a fraction with `Math.trunc(x)`");
  if (name === "Number" && type.kind === "bool") return data(choose(expr, num(1n), num(0n)), int);
  if (name === "Number" && type.kind === "bigint") return data(expr, int);
  if (type.kind === "json") return numberInJson(low, name, low.named(expr, "given", node), radix, node);
  if (!isText(type))
    return low.refuse(
      node,
      "FC2108",
      `\`${name}\` takes a text here and not \`${tyText(type)}\``,
      "convert it explicitly, or fix the types",
    );
  if (expr.kind === "string") return known(low, parsed(low, name, expr.value, radix, node), expr.value, node);
  if (name === "Number") return data(op("numberOf", expr), optionTy(real, "NaN"));
  if (name === "parseFloat") return data(op("floatOf", expr), optionTy(real, "NaN"));
  const base = radix === undefined ? num(0n) : num(BigInt(baseOf(low, radix, node)));
  return data(op("integerOf", expr, base), optionTy(int, "NaN"));
}

/** As JavaScript does it: of a list or an object by its text. */
function numberInJson(low: Lowering, name: Reader, expr: Expr, radix: Val | undefined, node: Node): DataVal {
  const byText = (of: Expr): DataVal => numberIn(low, name, data(of, string), radix, node);
  const whole = byText(op("jsonPlainText", expr));
  if (name === "parseInt") return whole;
  const own = op("value", op("jsonString", expr));
  const found = choose(is.string(expr), byText(own).expr, whole.expr);
  const orNumber = choose(is.number(expr), some(op("value", op("jsonNumber", expr))), found);
  if (name === "parseFloat") return data(orNumber, whole.type);
  const bit = choose(op("value", op("jsonBool", expr)), num(1n), num(0n));
  return data(
    choose(is.bool(expr), some(bit), choose(is.null(expr), some(num(0n)), orNumber)),
    optionTy(real, "NaN"),
  );
}

function known(low: Lowering, value: number, from: string, node: Node): DataVal {
  if (Number.isNaN(value)) return nanVal;
  return (
    exactNumber(value) ?? low.refuse(node, "FC2108", `\`${from}\` is not a finite number`, "fix the text")
  );
}

/** `Number.isNaN` and the like; numbers are exact, so none is infinite. */
export function numberTest(name: string, { expr, type }: DataVal): Expr {
  if (type.kind === "option") {
    if (isNothing(type)) return boolean(name === "isNaN" && type.absent === "NaN");
    const held = numberTest(name, data(op("value", expr), type.value));
    const asksForNaN = name === "isNaN" && type.absent === "NaN";
    return asksForNaN ? or(not(op("isSome", expr)), held) : and(op("isSome", expr), held);
  }
  // No JSON value is `NaN`.
  if (type.kind === "json" && name !== "isNaN")
    return and(is.number(expr), numberTest(name, data(op("value", op("jsonNumber", expr)), real)));
  if (!isNumber(type) || name === "isNaN") return no;
  if (name === "isFinite") return yes;
  const isWhole = type.kind === "int" ? yes : op("isInteger", expr);
  if (name === "isInteger") return isWhole;
  return and(isWhole, op("<=", op("abs", expr), num(BigInt(Number.MAX_SAFE_INTEGER))));
}

function parsed(low: Lowering, name: string, from: string, radix: Val | undefined, node: Node): number {
  if (name === "Number") return Number(from);
  if (name === "parseFloat") return Number.parseFloat(from);
  return Number.parseInt(from, radix === undefined ? anyBase : baseOf(low, radix, node));
}

/** The base that the text itself says, as without one. */
const anyBase = 0;

function baseOf(low: Lowering, radix: Val, node: Node): number {
  const { expr } = reify(low, radix, node);
  if (expr.kind === "number" && typeof expr.value === "bigint") return Number(expr.value);
  return low.refuse(node, "FC2314", "the base of `parseInt` must be known here", "write `10`");
}

/**
 * `x.toFixed(digits)`, of the exact value: where JavaScript starts from the nearest binary number (1.005 lies below
 * itself there), this starts from the number as it is written. Halves go away from zero in both.
 */
export function toFixed(low: Lowering, of: DataVal, digits: Val | undefined, node: Node): Val {
  return fixedText(low, of, digits === undefined ? num(0n) : reify(low, digits, node).expr, node);
}

function fixedText(low: Lowering, of: DataVal, expr: Expr, node: Node): DataVal {
  const chosen = expr.kind === "var" ? low.definitions.get(expr.name) : expr;
  const [condition, yesDigits, noDigits] = chosen?.kind === "op" && chosen.op === "if" ? chosen.args : [];
  if (condition !== undefined && yesDigits !== undefined && noDigits !== undefined) {
    const whole = data(low.named(of.expr, "number", node), of.type);
    const [a, b] = [fixedText(low, whole, yesDigits, node), fixedText(low, whole, noDigits, node)];
    return data(choose(condition, a.expr, b.expr), string);
  }
  if (expr.kind !== "number" || typeof expr.value !== "bigint" || expr.value < 0n || expr.value > 20n)
    return low.refuse(
      node,
      "FC2314",
      "`.toFixed` takes a constant number of digits from 0 to 20",
      "write the number of digits, or choose: `x.toFixed(isWhole ? 0 : 2)`",
    );
  const count = Number(expr.value);
  // JavaScript writes such numbers with an exponent and without the digits.
  const large = op("textOf", of.expr);
  const isLarge = op("<=", num(10n ** 21n), op("abs", of.expr));
  const scale = num(10n ** expr.value);
  const size = low.named(op("floor", op("+", op("*", op("abs", of.expr), scale), half)), "scaled", node);
  const sign = choose(op("<", of.expr, num(0n)), text("-"), text(""));
  if (count === 0) return data(choose(isLarge, large, concatenate([sign, op("textOf", size)])), string);
  const units = low.named(op("floor", op("/", size, scale)), "units", node);
  const rest = op("textOf", op("-", size, op("*", units, scale)));
  const fixed = concatenate([sign, op("textOf", units), text("."), padded(rest, count, "0", true)]);
  return data(choose(isLarge, large, fixed), string);
}

const half: Expr = op("/", num(1n), num(2n));

/** The text with filling before or after it, up to a length. */
export function padded(of: Expr, length: number, filling: string, before: boolean): Expr {
  const lack = op("-", num(BigInt(length)), op("length", of));
  const full = text(filling.repeat(Math.ceil(length / filling.length)));
  const fill = op("slice", full, num(0n), op("max", lack, num(0n)));
  return choose(op(">", lack, num(0n)), concatenate(before ? [fill, of] : [of, fill]), of);
}
