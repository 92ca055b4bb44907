/** JavaScript's coercions: to a boolean, to a string, and for `===`. */
import type { Expr } from "../../ir/index.ts";
import { and, boolean, choose, no, not, num, op, or, text, yes } from "../build.ts";
import {
  isMaybeInfinite,
  isMaybeNaN,
  isNothing,
  isNumber,
  isOuter,
  isText,
  isUnreal,
  never,
  sameTy,
  type Ty,
  tyText,
} from "../ty.ts";
import { type DataVal, data, type Val } from "../value.ts";
import { arrayItems } from "./access.ts";
import { joinText } from "./array.ts";
import { nameOf } from "./caught.ts";
import type { Lowering } from "./core.ts";
import { describe, reify } from "./data.ts";
import { is, isScalarJson, jsonEqual, jsonTruthy, scalarsEqual } from "./json.ts";
import { held, inside } from "./own.ts";
import { isStatus } from "./settled.ts";

type At = { readonly start: number; readonly end: number };

/** Lowers the truthiness of a value. */
export function truthy(low: Lowering, val: Val, node: At): Expr {
  if (val.kind === "perKeyNumber" || val.kind === "promise" || val.kind === "poison")
    return reify(low, val, node).expr;
  if (val.kind === "relation" || val.kind === "contract" || val.kind === "perKey" || val.kind === "state")
    return low.refuse(
      node,
      "FC2319",
      `${describe(val)} is not a condition`,
      "call one of its methods, such as `.some()`, or the contract itself",
    );
  if (val.kind !== "data" && val.kind !== "ref" && low.mode.kind === "formula")
    return low.refuse(node, "FC2319", `${describe(val)} is not a condition`, "call it, or compare a value");
  if (val.kind !== "data") return yes;
  return truthyData(low, val.expr, val.type, node);
}

/** A statement: true or false, and nothing that JavaScript only takes for one of them. */
export function statementOf(low: Lowering, val: Val, node: At, what: string): Expr {
  if (val.kind === "data" && val.type.kind === "bool") return val.expr;
  if (val.kind === "data" || val.kind === "ref")
    return low.refuse(
      node,
      "FC2105",
      `${what} must be \`boolean\` and is \`${tyText(reify(low, val, node).type)}\``,
      "compare it with something, such as `… > 0` or `… !== undefined`",
    );
  const expr = truthy(low, val, node);
  return expr.kind === "bool" ? low.refuse(node, "FC2319", `${describe(val)} states nothing`) : expr;
}

function truthyData(low: Lowering, expr: Expr, type: Ty, node: At): Expr {
  switch (type.kind) {
    case "bool":
      return expr;
    case "never":
      return no;
    case "int":
    case "real":
    case "bigint":
      return not(op("==", expr, num(0n)));
    case "string":
      return not(op("==", expr, text("")));
    case "enum":
      return type.values.includes("") ? not(op("==", expr, text(""))) : yes;
    case "list":
    case "map":
    case "record":
    case "date":
    case "regex":
    case "settled":
      return yes;
    case "option":
      if (isMaybeInfinite(type)) {
        if (isNothing(type)) return yes;
        return or(not(op("isSome", expr)), truthyData(low, op("value", expr), type.value, node));
      }
      if (isNothing(type)) return no;
      return and(op("isSome", expr), truthyData(low, op("value", expr), type.value, node));
    case "json":
      return jsonTruthy(expr);
  }
}

/** Returns the condition that the value is neither `null` nor `undefined`. */
export function isPresent(val: DataVal): Expr {
  if (val.type.kind === "json") return not(is.null(val.expr));
  if (val.type.kind !== "option" || isUnreal(val.type.absent)) return yes;
  if (isNothing(val.type)) return no;
  return and(op("isSome", val.expr), isPresent(data(op("value", val.expr), val.type.value)));
}

/** The value without `null` and `undefined`, where it is known to be neither. */
export function withoutAbsent(val: DataVal): DataVal {
  return val.type.kind === "option" && !isNothing(val.type) && !isUnreal(val.type.absent)
    ? withoutAbsent(inside(val, held, data(op("value", val.expr), val.type.value)))
    : val;
}

/** The value where JavaScript takes it for true: neither absent nor `NaN`. */
export function withoutFalse(val: DataVal): DataVal {
  const held = withoutAbsent(val);
  return isMaybeNaN(held.type) && !isNothing(held.type)
    ? data(op("value", held.expr), held.type.value)
    : held;
}

/** Returns JavaScript's string form of the value in a template or beside `+`. */
export function textOf(low: Lowering, val: Val, node: At): Expr {
  if (val.kind === "error") {
    const [name, message] = [nameOf(val), textOf(low, val.message, node)];
    return choose(op("==", message, text("")), name, op("++", name, text(": "), message));
  }
  const { expr, type } = reify(low, val, node);
  const isArray = type.kind === "list" ? type.as === undefined : type.kind === "record" && type.tuple;
  if (isArray) return joinText(low, arrayItems(low, data(expr, type)), data(expr, type), undefined, node);
  switch (type.kind) {
    case "string":
    case "enum":
      return expr;
    case "int":
    case "real":
    case "bigint":
      return op("textOf", expr);
    case "bool":
      return choose(expr, text("true"), text("false"));
    case "json":
      return op("jsonPlainText", expr);
    case "option": {
      const absent = text(type.absent);
      if (isNothing(type)) return absent;
      return choose(op("isSome", expr), textOf(low, data(op("value", expr), type.value), node), absent);
    }
    default:
      return low.refuse(
        node,
        "FC2108",
        `\`${tyText(type)}\` has no useful text`,
        "name the field that is meant, or use `.join(…)`",
      );
  }
}

/** A value that is only looked at. */
function seen(low: Lowering, val: Val, node: At): DataVal {
  return val.kind === "data" ? val : reify(low, val, node);
}

/** `==`: with `null` or `undefined` whether the value is absent, and of two values of one type the same as `===`. */
export function looseEqual(low: Lowering, left: Val, right: Val, node: At): Expr {
  const [a, b] = [reify(low, left, node), reify(low, right, node)];
  if (isNothing(a.type) || isNothing(b.type)) {
    const other = isNothing(a.type) ? b : a;
    if (isNothing(other.type)) return yes;
    if (other.type.kind !== "json" && isPlainlyAbsent(other.type)) return not(isPresent(other));
  }
  const isSame =
    (isText(a.type) && isText(b.type)) ||
    (isNumber(a.type) && isNumber(b.type)) ||
    (a.type.kind === b.type.kind && (a.type.kind === "bool" || a.type.kind === "bigint"));
  if (isSame) return equalData(low, a, b, node);
  return low.refuse(
    node,
    "FC2303",
    "`==` and `!=` may convert what they compare, unless it is of one type or `null`",
    "write `===` or `!==`",
  );
}

/** Returns true if absence can only be `null` or `undefined`: NaN, for example, is not equal to `null`. */
function isPlainlyAbsent(type: Ty): boolean {
  if (type.kind !== "option") return true;
  return ["null", "undefined"].includes(type.absent) && isPlainlyAbsent(type.value);
}

/** `===`. */
export function strictEqual(low: Lowering, left: Val, right: Val, node: At): Expr {
  const [a, b] = [seen(low, left, node), seen(low, right, node)];
  return equalData(low, a, b, node);
}

/** Equality of elements of a `Set`, keys of a `Map` and `includes`: `===`, and `NaN` equals itself. */
export function sameValue(low: Lowering, left: Val, right: Val, node: At): Expr {
  const [a, b] = [seen(low, left, node), seen(low, right, node)];
  return or(equalData(low, a, b, node), and(isNaNIn(a.expr, a.type), isNaNIn(b.expr, b.type)));
}

/** Returns the condition under which the value itself is `NaN`. */
export function isNaNIn(expr: Expr, type: Ty): Expr {
  if (type.kind !== "option") return no;
  if (isMaybeNaN(type)) return isNothing(type) ? yes : not(op("isSome", expr));
  if (isNothing(type) || type.value.kind !== "option") return no;
  return and(op("isSome", expr), isNaNIn(op("value", expr), type.value));
}

function equalData(low: Lowering, a: DataVal, b: DataVal, node: At): Expr {
  if (a.type.kind === "json" && b.type.kind === "json" && (isScalarJson(a.type) || isScalarJson(b.type)))
    return scalarsEqual(low, a.expr, b.expr, node);
  const json =
    a.type.kind === "json" ? jsonEqual(a.expr, b) : b.type.kind === "json" ? jsonEqual(b.expr, a) : undefined;
  if (json !== undefined) return json;
  if (a.type.kind === "option" || b.type.kind === "option") return equalOption(low, a, b, node);
  if (a.type.kind === "regex" || b.type.kind === "regex")
    return low.refuse(
      node,
      "FC2106",
      "this compares regular expressions, which tells only whether they are the same object",
      "compare a field beside them",
    );
  const word = chosenWord(a.expr, b.expr) ?? chosenWord(b.expr, a.expr);
  if (word !== undefined) return word;
  const comparable =
    (isNumber(a.type) && isNumber(b.type)) ||
    (isText(a.type) && isText(b.type)) ||
    (a.type.kind === b.type.kind && (a.type.kind === "bool" || a.type.kind === "bigint"));
  if (!comparable) {
    const kinds = `\`${tyText(a.type)}\` with \`${tyText(b.type)}\``;
    if (
      ["list", "map", "record", "json", "date", "regex"].includes(a.type.kind) &&
      low.mode.kind !== "formula"
    )
      low.refuse(
        node,
        "FC2106",
        `this compares ${kinds}, which tells only whether they are the same object`,
        "compare a field of them",
      );
    if (!sameTy(a.type, b.type))
      low.refuse(
        node,
        "FC2106",
        `this compares ${kinds}, which is never equal`,
        "compare values of one type",
      );
  }
  const status = isStatus(a, b);
  if (status !== undefined) return status;
  const stray = enumMisfit(a, b) ?? enumMisfit(b, a);
  if (stray !== undefined)
    low.refuse(
      node,
      "FC2106",
      `\`${stray}\` is not one of the values that this can have`,
      "use one of the declared values",
    );
  if (a.type.kind === "bool" && b.expr.kind === "bool") return b.expr.value ? a.expr : not(a.expr);
  if (a.type.kind === "bool" && a.expr.kind === "bool") return a.expr.value ? b.expr : not(b.expr);
  return op("==", a.expr, b.expr);
}

/** A choice between known words equals a word where one of them does that is chosen. */
function chosenWord(choice: Expr, word: Expr): Expr | undefined {
  if (word.kind !== "string") return undefined;
  if (choice.kind === "string") return boolean(choice.value === word.value);
  const [condition, a, b] = choice.kind === "op" && choice.op === "if" ? choice.args : [];
  const [first, second] = [a && chosenWord(a, word), b && chosenWord(b, word)];
  return condition && first && second && choose(condition, first, second);
}

function enumMisfit(a: DataVal, b: DataVal): string | undefined {
  return a.expr.kind === "string" && b.type.kind === "enum" && !b.type.values.includes(a.expr.value)
    ? a.expr.value
    : undefined;
}

function equalOption(low: Lowering, a: DataVal, b: DataVal, node: At): Expr {
  if (a.type.kind === "option" && b.type.kind === "option") {
    if (a.type.absent !== b.type.absent) {
      if (isNothing(a.type) && isNothing(b.type)) return no;
      // Equal only if what they hold is; `null` never equals `undefined`.
      const [outer, inner] = isOuter(a.type.absent, b.type.absent) ? [a, b] : [b, a];
      if (isNothing(outer.type)) return no;
      const held = outer.type.kind === "option" ? outer.type.value : never;
      return and(op("isSome", outer.expr), equalData(low, data(op("value", outer.expr), held), inner, node));
    }
    // `NaN` equals nothing, not even itself.
    const mayBeNaN = a.type.absent === "NaN";
    if (mayBeNaN && (isNothing(a.type) || isNothing(b.type))) return no;
    if (isNothing(a.type)) return not(op("isSome", b.expr));
    if (isNothing(b.type)) return not(op("isSome", a.expr));
    const both = and(op("isSome", a.expr), op("isSome", b.expr));
    const inside = equalData(
      low,
      data(op("value", a.expr), a.type.value),
      data(op("value", b.expr), b.type.value),
      node,
    );
    if (mayBeNaN) return and(both, inside);
    return op("or", and(both, inside), and(not(op("isSome", a.expr)), not(op("isSome", b.expr))));
  }
  const [option, plain] = a.type.kind === "option" ? [a, b] : [b, a];
  if (option.type.kind !== "option" || isNothing(option.type)) return boolean(false);
  const held = data(op("value", option.expr), option.type.value);
  return and(op("isSome", option.expr), equalData(low, held, plain, node));
}
