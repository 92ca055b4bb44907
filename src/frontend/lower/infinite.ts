/**
 * Numbers that may be infinite: options without a value where they are, inside those that may be `NaN`. They can be
 * compared, chosen between and told apart; that one is finite is an obligation wherever it is computed with.
 */
import type { Expr } from "../../ir/index.ts";
import { and, choose, no, none, not, op, or, some } from "../build.ts";
import { isMaybeInfinite, isMaybeNaN, isNothing, optionTy, type Ty } from "../ty.ts";
import { type DataVal, data, infinite, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { present, reify, unified } from "./data.ts";
import { timeIfDate } from "./date.ts";
import { number } from "./expression.ts";

type At = { readonly start: number; readonly end: number };

/** A number taken apart: of the four, exactly one holds. */
interface Parts {
  readonly isNaN: Expr;
  readonly isPlus: Expr;
  readonly isMinus: Expr;
  /** The number, where it is none of these. */
  readonly finite: Expr;
}

/** Returns whether it may be infinite, or `NaN` as well. */
export function mayBeInfinite(type: Ty): boolean {
  return isMaybeInfinite(type) || (isMaybeNaN(type) && mayBeInfinite(type.value));
}

function partsOf(expr: Expr, type: Ty): Parts {
  if (type.kind !== "option") return { isNaN: no, isPlus: no, isMinus: no, finite: expr };
  const inside = partsOf(op("value", expr), type.value);
  const isThere = isNothing(type) ? no : op("isSome", expr);
  const here = { ...inside };
  const guarded = {
    ...here,
    isNaN: and(isThere, inside.isNaN),
    isPlus: and(isThere, inside.isPlus),
    isMinus: and(isThere, inside.isMinus),
  };
  const isAbsent = not(isThere);
  if (type.absent === "NaN") return { ...guarded, isNaN: or(isAbsent, guarded.isNaN) };
  if (type.absent === "Infinity") return { ...guarded, isPlus: or(isAbsent, guarded.isPlus) };
  return { ...guarded, isMinus: or(isAbsent, guarded.isMinus) };
}

/** A comparison by order: false if one of them is `NaN`. */
export function inOrder(
  low: Lowering,
  sign: "<" | "<=" | ">" | ">=",
  left: DataVal,
  right: DataVal,
  node: At,
): Expr {
  if (sign === ">") return inOrder(low, "<", right, left, node);
  if (sign === ">=") return inOrder(low, "<=", right, left, node);
  const [a, b] = [left, right].map((one) => {
    const solid = solidNumber(low, one, node);
    return partsOf(solid.expr.kind === "none" ? none : low.named(solid.expr, "number", node), solid.type);
  });
  if (a === undefined || b === undefined) return no;
  const areNumbers = and(not(a.isNaN), not(b.isNaN));
  const areFinite = and(not(a.isPlus), not(a.isMinus), not(b.isPlus), not(b.isMinus));
  const compared =
    isNothing(left.type) || isNothing(right.type) ? no : and(areFinite, op(sign, a.finite, b.finite));
  const byKind =
    sign === "<="
      ? or(a.isMinus, b.isPlus)
      : or(and(a.isMinus, not(b.isMinus)), and(b.isPlus, not(a.isPlus)));
  return and(areNumbers, or(byKind, compared));
}

/** A number that may be infinite or `NaN`, and nothing else. */
export function solidNumber(low: Lowering, val: Val, node: At): DataVal {
  const given = reify(low, timeIfDate(low, val, node), node);
  if (isMaybeNaN(given.type) || isMaybeInfinite(given.type)) return given;
  if (given.type.kind === "option" && !isNothing(given.type))
    return solidNumber(low, present(low, given, node, `\`${low.sourceOf(node)}\``), node);
  return number(low, given, node);
}

/** `Math.min` or `Math.max` of two. */
export function furthest(low: Lowering, name: string, a: DataVal, b: DataVal, node: At): DataVal {
  const isFirst = inOrder(low, name === "min" ? "<=" : ">=", a, b, node);
  const isEither = or(partsOf(a.expr, a.type).isNaN, partsOf(b.expr, b.type).isNaN);
  if (isEither.kind === "bool" && isFirst.kind === "bool") return isFirst.value ? a : b;
  const both = unified(low, a, b, node);
  if (both === undefined) return low.refuse(node, "FC2108", `\`Math.${name}\` takes numbers`);
  const [x, y, type] = both;
  const chosen = data(choose(isFirst, x, y), type);
  if (isEither.kind === "bool") return chosen;
  return isMaybeNaN(type)
    ? data(choose(isEither, none, chosen.expr), type)
    : data(choose(isEither, none, some(chosen.expr)), optionTy(type, "NaN"));
}

/** `-x`, where it may be infinite. */
export function opposite(low: Lowering, val: DataVal, node: At): DataVal {
  if (!isMaybeInfinite(val.type)) {
    const { expr, type } = number(low, val, node);
    return data(op("negate", expr), type);
  }
  const absent = val.type.absent === "Infinity" ? "-Infinity" : "Infinity";
  if (isNothing(val.type)) return infinite(absent);
  const whole = low.named(val.expr, "number", node);
  const inside = opposite(low, data(op("value", whole), val.type.value), node);
  return data(choose(op("isSome", whole), some(inside.expr), none), optionTy(inside.type, absent));
}
