/** Methods of strings and numbers. */
import type { Node } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { applied, boolean, choose, num, op, text } from "../build.ts";
import { bool, int, isNumber, isText, listTy, optionTy, string, tyText } from "../ty.ts";
import { type DataVal, data, type Val } from "../value.ts";
import { newArray, newList } from "./access.ts";
import { computed, invoke } from "./callback.ts";
import { textOf } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { convert, present, reify } from "./data.ts";
import { collationOf, numberFormat, plainLocale } from "./locale.ts";
import { padded, toFixed } from "./number-text.ts";
import { limited, matchMethod } from "./regex.ts";

const patternMethods = new Set(["match", "matchAll", "search"]);

const known =
  "includes startsWith endsWith indexOf slice substring charAt at concat replace replaceAll split trim trimStart trimEnd toLowerCase toUpperCase localeCompare match matchAll search repeat padStart padEnd lastIndexOf toString";

export function stringMethod(
  low: Lowering,
  of: DataVal,
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  const [first, second] = args;
  const isRegex = first?.kind === "regex" || (first?.kind === "data" && first.type.kind === "regex");
  if (isRegex || patternMethods.has(name)) return matchMethod(low, of, name, args, node);
  const word = (val: Val | undefined): Expr => textArgument(low, val, name, node);
  switch (name) {
    case "includes":
      return only(
        low,
        args,
        2,
        name,
        node,
        data(op("contains", from(low, of, second, node), word(first)), bool),
      );
    case "startsWith":
      return only(low, args, 2, name, node, data(op(name, from(low, of, second, node), word(first)), bool));
    case "endsWith":
      return only(low, args, 1, name, node, data(op(name, of.expr, word(first)), bool));
    case "indexOf":
      return only(low, args, 2, name, node, data(indexFrom(low, of, word(first), second, node), int));
    case "slice":
      return data(sliced(low, of, args, node), string);
    case "substring":
      return data(substring(low, of, args, node), string);
    case "charAt": {
      const found = op("at", of.expr, first === undefined ? num(0n) : integer(low, first, node));
      return data(choose(op("isSome", found), op("value", found), text("")), string);
    }
    case "at":
      return data(
        op("at", of.expr, fromEnd(of.expr, first === undefined ? num(0n) : integer(low, first, node))),
        optionTy(string, "undefined"),
      );
    case "concat":
      return data(op("++", of.expr, ...args.map((arg) => textOf(low, arg, node))), string);
    case "replace":
    case "replaceAll":
      return data(replaced(low, of, name, word(first), second, node), string);
    case "split":
      return split(low, of, word(first), args, node);
    case "trim":
    case "trimStart":
    case "trimEnd":
    case "toLowerCase":
    case "toUpperCase":
      return data(op(name, of.expr), string);
    case "toLocaleLowerCase":
    case "toLocaleUpperCase":
      plainLocale(low, first, name, node);
      return data(op(name === "toLocaleLowerCase" ? "toLowerCase" : "toUpperCase", of.expr), string);
    case "substr":
      return data(substr(low, of, args, node), string);
    case "charCodeAt":
      return data(
        op("codeAt", of.expr, first === undefined ? num(0n) : integer(low, first, node)),
        optionTy(int, "NaN"),
      );
    case "codePointAt":
      return data(
        op("codePointAt", of.expr, first === undefined ? num(0n) : integer(low, first, node)),
        optionTy(int, "undefined"),
      );
    case "toString":
      return data(of.expr, of.type);
    case "repeat": {
      const times = first === undefined ? undefined : integer(low, first, node);
      if (times === undefined) break;
      if (
        times.kind === "number" &&
        typeof times.value === "bigint" &&
        times.value >= 0n &&
        times.value <= 100n
      )
        return data(repeated(of.expr, Number(times.value)), string);
      if (low.mode.kind === "formula") break;
      low.require(op("<=", num(0n), times), "the count of `.repeat` must not be negative", node);
      return data(op("repeatText", of.expr, times), string);
    }
    case "padStart":
    case "padEnd":
      return pad(low, of, name, args, node);
    case "lastIndexOf":
      return lastIndexOf(low, of, word(first), args, node);
    case "localeCompare":
      return localeCompare(low, of, word(first), args, node);
  }
  return low.refuse(
    node,
    "FC2309",
    `\`.${name}\` of a string is not part of the language in this form`,
    `there is ${known
      .split(" ")
      .map((one) => `\`${one}\``)
      .join(", ")}`,
  );
}

function pad(low: Lowering, of: DataVal, name: string, args: readonly Val[], node: Node): Val {
  const [to, filling] = args;
  const length = to === undefined ? undefined : integer(low, to, node);
  const fill = filling === undefined ? text(" ") : textArgument(low, filling, name, node);
  if (length === undefined) return low.refuse(node, "FC2314", `\`.${name}\` needs a length`);
  const count = length.kind === "number" ? Number(length.value) : -1;
  if (count < 0 || count > 1000 || fill.kind !== "string")
    return data(op(name, of.expr, length, fill), string);
  return data(fill.value === "" ? of.expr : padded(of.expr, count, fill.value, name === "padStart"), string);
}

function lastIndexOf(low: Lowering, of: DataVal, what: Expr, args: readonly Val[], node: Node): Val {
  if (args.length === 1 && of.expr.kind === "string" && what.kind === "string")
    return data(num(BigInt(of.expr.value.lastIndexOf(what.value))), int);
  if (args.length !== 1)
    return low.refuse(node, "FC2314", "`.lastIndexOf` takes one argument here", "slice the string first");
  if (what.kind !== "string" || what.value.length !== 1) return data(op("lastIndexOf", of.expr, what), int);
  // What follows the last one is the last part; parts do not overlap, because it is one character.
  const parts = low.named(op("split", of.expr, what), "parts", node);
  const last = op("value", op("at", parts, op("-", op("length", parts), num(1n))));
  const found = op("-", op("-", op("length", of.expr), op("length", last)), num(1n));
  return data(choose(op("contains", of.expr, what), found, num(-1n)), int);
}

function repeated(expr: Expr, times: number): Expr {
  if (times === 0) return text("");
  return times === 1
    ? expr
    : applied(
        "++",
        Array.from({ length: times }, () => expr),
      );
}

function only(low: Lowering, args: readonly Val[], most: number, name: string, node: Node, val: Val): Val {
  if (args.length > most)
    low.refuse(
      node,
      "FC2314",
      `\`.${name}\` takes ${most === 1 ? "one argument" : `${most} arguments`} here`,
      "slice the string first",
    );
  return val;
}

export function textArgument(low: Lowering, val: Val | undefined, name: string, node: Node): Expr {
  if (val === undefined) return low.refuse(node, "FC2314", `\`.${name}\` needs an argument`);
  if (val.kind === "function")
    return low.refuse(node, "FC2314", `\`.${name}\` takes a string here, not a function`);
  if (val.kind === "regex")
    return low.refuse(node, "FC2321", `\`.${name}\` takes a string, not a regular expression`);
  const found = present(low, reify(low, val, node), node, `the argument of \`.${name}\``);
  if (isText(found.type)) return found.expr;
  return low.refuse(node, "FC2108", `\`.${name}\` takes a string and not \`${tyText(found.type)}\``);
}

/** An integer, for a position; JavaScript would cut off a fraction, so a number that has one is refused. */
export function integer(low: Lowering, val: Val, node: Node): Expr {
  return convert(low, val, int, node, "a position").expr;
}

export function sliced(low: Lowering, of: DataVal, args: readonly Val[], node: Node): Expr {
  const [from, to] = args;
  const start = from === undefined || isAbsent(from) ? num(0n) : integer(low, from, node);
  const end = to === undefined || isAbsent(to) ? op("length", of.expr) : integer(low, to, node);
  return op("slice", of.expr, start, end);
}

function isAbsent(val: Val): boolean {
  return val.kind === "data" && val.expr.kind === "none";
}

/** Like `slice`, but negative positions are 0 and swapped ones are put in order. */
function substring(low: Lowering, of: DataVal, args: readonly Val[], node: Node): Expr {
  const [from, to] = args;
  const length = op("length", of.expr);
  const clamp = (at: Expr) => op("min", op("max", at, num(0n)), length);
  const a = clamp(from === undefined ? num(0n) : integer(low, from, node));
  const b = to === undefined || isAbsent(to) ? length : clamp(integer(low, to, node));
  return op("slice", of.expr, op("min", a, b), op("max", a, b));
}

export function fromEnd(of: Expr, position: Expr): Expr {
  if (position.kind === "number" && typeof position.value === "bigint")
    return position.value < 0n ? op("+", op("length", of), position) : position;
  return choose(op("<", position, num(0n)), op("+", op("length", of), position), position);
}

function replaced(
  low: Lowering,
  of: DataVal,
  name: "replace" | "replaceAll",
  from: Expr,
  by: Val | undefined,
  node: Node,
): Expr {
  if (by?.kind === "function" || by?.kind === "choice" || by?.kind === "builtin")
    return replacedBy(low, of, name, from, by, node);
  const to = textArgument(low, by, name, node);
  // `$&` and the like have a meaning in a replacement, and only a known text is known to be free of them.
  const isPlain = to.kind === "string" && !to.value.includes("$");
  if (name === "replace") return op(isPlain ? "replaceFirst" : "substituteFirst", of.expr, from, to);
  const isKnown = from.kind === "string" && from.value !== "";
  return op(isPlain && isKnown ? "replaceAll" : "substituteAll", of.expr, from, to);
}

/** A function instead of a text: what it gives is taken literally. */
function replacedBy(
  low: Lowering,
  of: DataVal,
  name: "replace" | "replaceAll",
  from: Expr,
  by: Val,
  node: Node,
): Expr {
  const isAll = name === "replaceAll";
  if (isAll && (from.kind !== "string" || from.value === ""))
    return low.refuse(
      node,
      "FC2309",
      "what `.replaceAll` looks for must be a constant that is not empty where a function replaces it",
      "use a regular expression: `/…/g`",
    );
  const place = data(op("indexOf", of.expr, from), int);
  // Of all places only the first is known here.
  const given = isAll ? [data(from, string)] : [data(from, string), place, data(of.expr, string)];
  const found = computed(low, () => data(textOf(low, invoke(low, by, given, node), node), string), true);
  if (found === undefined)
    return low.refuse(
      node,
      "FC2309",
      `the function of \`.${name}\` does more than compute a text`,
      "compute the text before, and make calls and changes outside of it",
    );
  const to = found.wrap(found.value.expr);
  return op(isAll ? "replaceAll" : "replaceFirst", of.expr, from, to);
}

/** The text from a position on, as the second argument of `includes` and `startsWith` says. */
function from(low: Lowering, of: DataVal, position: Val | undefined, node: Node): Expr {
  return position === undefined || isAbsent(position)
    ? of.expr
    : op("slice", of.expr, op("max", integer(low, position, node), num(0n)), op("length", of.expr));
}

function indexFrom(low: Lowering, of: DataVal, what: Expr, position: Val | undefined, node: Node): Expr {
  if (position === undefined || isAbsent(position)) return op("indexOf", of.expr, what);
  const length = op("length", of.expr);
  const start = low.named(op("min", op("max", integer(low, position, node), num(0n)), length), "start", node);
  const found = low.named(op("indexOf", op("slice", of.expr, start, length), what), "found", node);
  return choose(op("<", found, num(0n)), num(-1n), op("+", found, start));
}

/** A position, negative from the end, and a length. */
function substr(low: Lowering, of: DataVal, args: readonly Val[], node: Node): Expr {
  const [first, second] = args;
  const length = op("length", of.expr);
  const start = low.named(
    op("max", fromEnd(of.expr, first === undefined ? num(0n) : integer(low, first, node)), num(0n)),
    "start",
    node,
  );
  if (second === undefined || isAbsent(second)) return op("slice", of.expr, start, length);
  const count = op("max", integer(low, second, node), num(0n));
  return op("slice", of.expr, start, op("+", start, count));
}

/** Compares two texts in collation order: -1, 0 or 1. */
function localeCompare(low: Lowering, of: DataVal, other: Expr, args: readonly Val[], node: Node): Val {
  plainLocale(low, args[1], "localeCompare", node);
  const { isNumeric, levels } = collationOf(low, args[2], node);
  const keyOf = (expr: Expr) => op("sortKey", expr, boolean(isNumeric), num(BigInt(levels)));
  const [a, b] = [low.named(keyOf(of.expr), "key", node), low.named(keyOf(other), "key", node)];
  return data(choose(op("<", a, b), num(-1n), choose(op(">", a, b), num(1n), num(0n))), int);
}

function split(low: Lowering, of: DataVal, by: Expr, args: readonly Val[], node: Node): Val {
  const [, limit] = args;
  if (limit !== undefined)
    return newList(low, data(limited(low, op("split", of.expr, by), limit, node), listTy(string)));
  if (of.expr.kind === "string" && by.kind === "string")
    return newArray(
      low,
      of.expr.value.split(by.value).map((part) => data(text(part), string)),
    );
  return newList(low, data(op("split", of.expr, by), listTy(string)));
}

export function numberMethod(
  low: Lowering,
  of: DataVal,
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  if (name === "toString" && args.length === 0) return data(textOf(low, of, node), string);
  if (name === "toFixed" && isNumber(of.type)) return toFixed(low, of, args[0], node);
  if (name === "toLocaleString" && isNumber(of.type)) {
    plainLocale(low, args[0], name, node);
    return data(numberFormat(low, args[1], node)(of.expr), string);
  }
  return low.refuse(
    node,
    "FC2309",
    `\`.${name}\` of a \`${tyText(of.type)}\` is not part of the language`,
    "use a template literal or `Math`",
  );
}
