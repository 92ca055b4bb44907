/** Arithmetic and comparison. */
import type { Node } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { num, op, same, variable } from "../build.ts";
import {
  bigint,
  bool,
  int,
  isMaybeNaN,
  isNumber,
  isText,
  isUnreal,
  real,
  string,
  type Ty,
  tyText,
} from "../ty.ts";
import { type DataVal, data, type PerKeyNumberVal, undefinedVal, type Val } from "../value.ts";
import { castAs } from "./alternatives.ts";
import { textOf } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { present, reify } from "./data.ts";
import { isDate, timeIfDate } from "./date.ts";
import { concatenate, number } from "./expression.ts";
import { inOrder, mayBeInfinite } from "./infinite.ts";
import { isJson } from "./json.ts";
import { holdsOfNumbers, overNumbers } from "./not-a-number.ts";
import { perKeyFormula } from "./relation.ts";

export type ArithmeticSign = "+" | "-" | "*" | "/" | "%" | "**";

export function arithmetic(
  low: Lowering,
  sign: ArithmeticSign,
  left: Val,
  right: Val,
  node: Node,
  leftNode: Node,
  rightNode: Node,
): Val {
  if (sign === "+" && (isString(left) || isString(right))) {
    return data(concatenate([textOf(low, left, leftNode), textOf(low, right, rightNode)]), string);
  }
  if (sign === "+" && (isDate(left) || isDate(right)))
    return low.refuse(node, "FC2108", "`+` makes a text of a date", "add to its `.getTime()`");
  return overNumbers(low, [left, right], node, ([a, b]) => ofNumbers(low, sign, a, b, node, rightNode), [
    leftNode,
    rightNode,
  ]);
}

function ofNumbers(
  low: Lowering,
  sign: ArithmeticSign,
  a: DataVal,
  b: DataVal,
  node: Node,
  rightNode: Node,
): DataVal {
  if ((a.type.kind === "bigint") !== (b.type.kind === "bigint"))
    low.refuse(node, "FC2108", "a `bigint` and a `number` cannot be mixed", "use one of them throughout");
  const type: Ty =
    a.type.kind === "bigint" ? bigint : a.type.kind === "int" && b.type.kind === "int" ? int : real;
  switch (sign) {
    case "+":
    case "-":
    case "*":
      return data(plain(sign, a.expr, b.expr), type);
    case "/":
      nonZero(low, b.expr, rightNode);
      if (type.kind === "bigint") return data(op("truncate", op("/", a.expr, b.expr)), bigint);
      return quotient(a.expr, b.expr);
    case "%":
      nonZero(low, b.expr, rightNode);
      return data(op("remainder", a.expr, b.expr), type);
    case "**":
      return power(low, a, b, rightNode);
  }
}

function quotient(a: Expr, b: Expr): DataVal {
  const expr = op("/", a, b);
  return data(expr, expr.kind === "number" && typeof expr.value === "bigint" ? int : real);
}

function isString(val: Val): boolean {
  return val.kind === "data" && (isText(val.type) || (val.type.kind === "option" && isText(val.type.value)));
}

/** `a + b + c` is one sum with three operands. */
function plain(sign: "+" | "-" | "*", a: Expr, b: Expr): Expr {
  if (b.kind === "number" && b.value === (sign === "*" ? 1n : 0n)) return a;
  if (a.kind === "number" && a.value === (sign === "*" ? 1n : 0n) && sign !== "-") return b;
  if (sign !== "-" && a.kind === "op" && a.op === sign) return { kind: "op", op: sign, args: [...a.args, b] };
  return op(sign, a, b);
}

function nonZero(low: Lowering, divisor: Expr, node: Node): void {
  if (divisor.kind === "number" && divisor.value !== 0n) return;
  const why = `\`${low.sourceOf(node)}\` must not be zero`;
  if (low.mode.kind === "formula" || divisor.kind === "number")
    low.refuse(
      node,
      "FC2214",
      `this divides by \`${low.sourceOf(node)}\`, which may be zero`,
      "compare products instead of quotients: `a <= b * c`",
    );
  low.require(op("!=", divisor, num(0n)), why, node);
}

function power(low: Lowering, a: DataVal, b: DataVal, node: Node): DataVal {
  const exponent = b.expr.kind === "number" ? b.expr.value : undefined;
  if (typeof exponent !== "bigint" || exponent < 0n || exponent > 16n)
    return low.refuse(node, "FC2317", "`**` takes a constant exponent from 0 to 16", "multiply instead");
  let result: Expr = num(1n);
  for (let i = 0n; i < exponent; i++) result = plain("*", result, a.expr);
  return data(result, a.type);
}

type Order = "<" | "<=" | ">" | ">=";

/** A comparison by order; `==` and `!=` only where one side is a number for each key. */
export function compare(
  low: Lowering,
  sign: Order | "==" | "!=",
  left: Val,
  right: Val,
  node: Node,
): Val | undefined {
  if (left.kind === "perKeyNumber")
    return forEachKey(low, left, right, node, (n, x) => comparison(sign, n, x));
  if (right.kind === "perKeyNumber")
    return forEachKey(low, right, left, node, (n, x) => comparison(sign, x, n));
  if (sign === "==" || sign === "!=") return undefined;
  const words = `an operand of \`${sign}\``;
  const [p, q] = [left, right].map((side) => reify(low, timeIfDate(low, side, node), node));
  const [first, second] = alike(low, p ?? undefinedVal, q ?? undefinedVal, node);
  const sure = (one: DataVal): DataVal =>
    one.type.kind !== "option" || isUnreal(one.type.absent) ? one : sure(present(low, one, node, words));
  const [a, b] = [sure(first), sure(second)];
  if (mayBeInfinite(a.type) || mayBeInfinite(b.type)) return data(inOrder(low, sign, a, b, node), bool);
  if (isMaybeNaN(a.type) || isMaybeNaN(b.type))
    return holdsOfNumbers(low, [a, b], node, ([x, y]) => comparison(sign, x.expr, y.expr));
  const fits = (isNumeric(a.type) && isNumeric(b.type)) || (isText(a.type) && isText(b.type));
  if (!fits)
    return low.refuse(
      node,
      "FC2108",
      `\`${sign}\` compares numbers or strings, not \`${tyText(a.type)}\` with \`${tyText(b.type)}\``,
    );
  return data(comparison(sign, a.expr, b.expr), bool);
}

/** A JSON value is compared as what stands on the other side. */
function alike(low: Lowering, a: DataVal, b: DataVal, node: Node): readonly [DataVal, DataVal] {
  const like = (one: DataVal, other: DataVal): DataVal =>
    isJson(one.type) ? castAs(low, one, isString(other) ? "text" : "number", node) : one;
  const first = like(a, b);
  return [first, like(b, first)];
}

function comparison(sign: Order | "==" | "!=", a: Expr, b: Expr): Expr {
  if (same(a, b) && a.kind === "var")
    return { kind: "bool", value: sign === "<=" || sign === ">=" || sign === "==" };
  return op(sign, a, b);
}

function isNumeric(type: Ty): boolean {
  return isNumber(type) || type.kind === "bigint";
}

function forEachKey(
  low: Lowering,
  of: PerKeyNumberVal,
  other: Val,
  node: Node,
  body: (n: Expr, x: Expr) => Expr,
): Val {
  const bound = number(low, other, node);
  const name = low.names.fresh("n");
  return data(perKeyFormula(low, of, name, body(variable(name), bound.expr), node), bool);
}
