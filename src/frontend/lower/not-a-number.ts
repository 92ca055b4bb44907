/**
 * Numbers that may be `NaN`: options without a value where they are. Arithmetic passes `NaN` on, comparisons with it are
 * false, and where it would reach a tool, it is an obligation that it is none.
 */
import type { Expr } from "../../ir/index.ts";
import {
  and,
  choose,
  field,
  no,
  none,
  not,
  op,
  or,
  recordExpr,
  same,
  some,
  variable,
  yes,
} from "../build.ts";
import { bool, isMaybeNaN, isNothing, isOptional, isUnreal, listLike, optionTy, type Ty } from "../ty.ts";
import { type DataVal, data, nanVal, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { present } from "./data.ts";
import { timeIfDate } from "./date.ts";
import { number } from "./expression.ts";

type At = { readonly start: number; readonly end: number };

/** As many as there are operands. */
type Numbers = readonly [DataVal, DataVal, ...DataVal[]];

interface Sure {
  readonly numbers: readonly DataVal[];
  /** Under which all of them are numbers. */
  readonly condition: Expr;
}

/** Computes with numbers; `NaN` if an operand is. */
export function overNumbers(
  low: Lowering,
  operands: readonly Val[],
  node: At,
  compute: (numbers: Numbers) => DataVal,
  nodes: readonly At[] = [],
): DataVal {
  const { numbers, condition } = sureNumbers(low, operands, node, nodes);
  if (condition.kind === "bool" && !condition.value) return nanVal;
  const found = low.implies(condition, () => compute(asNumbers(numbers)));
  if (condition.kind === "bool") return found;
  if (isMaybeNaN(found.type)) return data(choose(condition, found.expr, none), found.type);
  return data(choose(condition, some(found.expr), none), optionTy(found.type, "NaN"));
}

/** Compares numbers; false if an operand is `NaN`. */
export function holdsOfNumbers(
  low: Lowering,
  operands: readonly Val[],
  node: At,
  say: (numbers: Numbers) => Expr,
): DataVal {
  const { numbers, condition } = sureNumbers(low, operands, node, []);
  if (condition.kind === "bool" && !condition.value) return data(no, bool);
  return data(and(condition, say(asNumbers(numbers))), bool);
}

function asNumbers(numbers: readonly DataVal[]): Numbers {
  const [first = nanVal, second = nanVal, ...others] = numbers;
  return [first, second, ...others];
}

function sureNumbers(low: Lowering, operands: readonly Val[], node: At, nodes: readonly At[]): Sure {
  const conditions: Expr[] = [];
  const numbers = operands.map((given, i) => {
    const at = nodes[i] ?? node;
    const operand = timeIfDate(low, given, at);
    if (operand.kind !== "data") return number(low, operand, at);
    const held = undefinedAside(low, operand, at);
    if (!isMaybeNaN(held.type)) return number(low, held, at);
    if (isNothing(held.type)) {
      conditions.push(no);
      return held;
    }
    const whole = low.named(held.expr, "number", at);
    const isNumber = op("isSome", whole);
    const inner = data(op("value", whole), held.type.value);
    const value = low.implies(isNumber, () => number(low, inner, at));
    if (low.isKnownPresent(whole, same)) return value;
    conditions.push(isNumber);
    return value;
  });
  return { numbers, condition: assumed(low, and(...conditions)) };
}

/** Requires the operand not to be `undefined` or `null`. */
function undefinedAside(low: Lowering, operand: DataVal, node: At): DataVal {
  if (operand.type.kind !== "option" || isMaybeNaN(operand.type)) return operand;
  if (operand.type.value.kind !== "option") return operand;
  return undefinedAside(low, present(low, operand, node, `\`${low.sourceOf(node)}\``), node);
}

/** Nothing is left to say of what is taken for granted. */
function assumed(low: Lowering, condition: Expr): Expr {
  if (low.assumed === undefined || condition.kind === "bool") return condition;
  low.assumed.push(or(not(low.path), condition));
  return yes;
}

/** Returns true if a part of the type may be `NaN` or infinite. */
export function holdsNaN(type: Ty): boolean {
  switch (type.kind) {
    case "option":
      return isUnreal(type.absent) || holdsNaN(type.value);
    case "list":
      return holdsNaN(type.element);
    case "map":
      return holdsNaN(type.value);
    case "record":
      return type.fields.some((one) => holdsNaN(one.type));
    default:
      return false;
  }
}

/** The value without `NaN`, which it must not hold; undefined if it cannot hold it. */
export function withoutNaN(low: Lowering, val: DataVal, node: At, what: string): DataVal | undefined {
  if (!holdsNaN(val.type) || isNothing(val.type) || holdsNaN(freedTy(val.type))) return undefined;
  const expr = low.named(val.expr, "value", node);
  const why = `${what} may be \`${unrealIn(val.type)}\``;
  if (low.mode.kind === "formula")
    low.refuse(node, "FC2109", why, "check it first, such as `!Number.isNaN(x) && …`");
  const holds = isFree(low, expr, val.type);
  if (!low.isKnownPresent(expr, same) || !isMaybeNaN(val.type) || holdsNaN(val.type.value))
    low.require(holds, why, node);
  return data(freed(low, expr, val.type), freedTy(val.type));
}

/** The first number of these that a part of it may be. */
function unrealIn(type: Ty): string {
  switch (type.kind) {
    case "option":
      return isUnreal(type.absent) ? type.absent : unrealIn(type.value);
    case "list":
      return unrealIn(type.element);
    case "map":
      return unrealIn(type.value);
    case "record":
      return unrealIn(type.fields.find((one) => holdsNaN(one.type))?.type ?? bool);
    default:
      return "NaN";
  }
}

/** Returns the condition that the value contains no `NaN`, and no infinite number. */
function isFree(low: Lowering, expr: Expr, type: Ty): Expr {
  if (!holdsNaN(type)) return yes;
  switch (type.kind) {
    case "option":
      if (isUnreal(type.absent)) return and(op("isSome", expr), isFree(low, op("value", expr), type.value));
      return or(not(op("isSome", expr)), isFree(low, op("value", expr), type.value));
    case "list": {
      const name = low.names.fresh("item");
      const body = isFree(low, variable(name), type.element);
      return op("every", expr, { kind: "lambda", params: [{ name }], body });
    }
    case "record":
      return and(...type.fields.map((one) => isFree(low, field(expr, one.name), one.type)));
    default:
      return yes;
  }
}

function freed(low: Lowering, expr: Expr, type: Ty): Expr {
  if (!holdsNaN(type)) return expr;
  switch (type.kind) {
    case "option":
      if (isUnreal(type.absent)) return freed(low, op("value", expr), type.value);
      return choose(op("isSome", expr), some(freed(low, op("value", expr), type.value)), none);
    case "list": {
      const name = low.names.fresh("item");
      const body = freed(low, variable(name), type.element);
      return op("map", expr, { kind: "lambda", params: [{ name }], body });
    }
    case "record":
      return recordExpr(
        type.fields.map(({ name, type: part }) => {
          const value = freed(low, field(expr, name), part);
          return isOptional(part) ? { name, value, optional: true } : { name, value };
        }),
      );
    default:
      return expr;
  }
}

function freedTy(type: Ty): Ty {
  switch (type.kind) {
    case "option":
      return isUnreal(type.absent) ? freedTy(type.value) : optionTy(freedTy(type.value), type.absent);
    case "list":
      return listLike(type, freedTy(type.element));
    case "record":
      return {
        ...type,
        fields: type.fields.map((one) => ({ name: one.name, type: freedTy(one.type) })),
      };
    default:
      return type;
  }
}
