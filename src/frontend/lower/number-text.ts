/** Numbers from texts and texts from numbers: exact, or refused. */
import type { Node } from "oxc-parser";
import { type Expr, parseNum } from "../../ir/index.ts";
import { choose, num, op, text } from "../build.ts";
import { int, isNumber, isText, real, string } from "../ty.ts";
import { type DataVal, data, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { present, reify } from "./data.ts";
import { concatenate } from "./expression.ts";

/** A number as the exact value of its shortest decimal form; undefined for what is no number or is infinite. */
export function exactNumber(value: number): DataVal | undefined {
  const exact = Number.isFinite(value) ? parseNum(String(value).replace("e+", "e"), 4096) : undefined;
  return exact === undefined ? undefined : data(num(exact), typeof exact === "bigint" ? int : real);
}

/** `Number(x)`, `parseInt(x)`, `parseFloat(x)`: of texts only those that are known. */
export function numberFrom(
  low: Lowering,
  name: "Number" | "parseInt" | "parseFloat",
  of: Val,
  radix: Val | undefined,
  node: Node,
): Val {
  const whole = reify(low, of, node);
  const from = present(low, whole, node, `what \`${name}\` is given`);
  if (isNumber(from.type) && (name !== "parseInt" || from.type.kind === "int")) return from;
  if (isNumber(from.type))
    return low.refuse(node, "FC2108", "`parseInt` takes a text", "cut off a fraction with `Math.trunc(x)`");
  if (name === "Number" && from.type.kind === "bool") return data(choose(from.expr, num(1n), num(0n)), int);
  if (!isText(from.type) || from.expr.kind !== "string")
    return low.refuse(
      node,
      "FC2308",
      `\`${name}\` of a text that is only known in the run cannot be modelled`,
      "take the number as an input, or let a tool return it as a `number`",
    );
  const found = exactNumber(parsed(low, name, from.expr.value, radix, node));
  return found ?? low.refuse(node, "FC2108", `\`${from.expr.value}\` is not a number`, "mend the text");
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
  const { expr } = digits === undefined ? { expr: num(0n) } : reify(low, digits, node);
  if (expr.kind !== "number" || typeof expr.value !== "bigint" || expr.value < 0n || expr.value > 20n)
    return low.refuse(node, "FC2314", "`.toFixed` takes a constant number of digits from 0 to 20");
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
