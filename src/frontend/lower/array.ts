/** Methods of arrays: on known elements one by one, on lists of the run as operators or loops. */
import type { Node } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { applied, choose, field, num, op, recordExpr, text, variable } from "../build.ts";
import { bool, int, isNothing, isUnreal, joinTy, listTy, string, tupleTy } from "../ty.ts";
import { type DataVal, data, undefinedVal, type Val } from "../value.ts";
import {
  appended,
  arrayItems,
  asElement,
  concatenated,
  listOf,
  newArray,
  newList,
  setElement,
  viewOf,
} from "./access.ts";
import { mayBeNull } from "./alternatives.ts";
import { annotatedType, writtenType } from "./annotation.ts";
import { eachItem, overItems, overList } from "./array-callback.ts";
import { isNaNIn, textOf } from "./coerce.ts";
import { containsValue, copyOf } from "./collection.ts";
import type { Lowering } from "./core.ts";
import { asType, hinted, reify } from "./data.ts";
import { withFreshElements } from "./fresh.ts";
import { is } from "./json.ts";
import { forEachOwn } from "./linked-loop.ts";
import { changing } from "./mutation.ts";
import { holdsNaN } from "./not-a-number.ts";
import { placedElement } from "./placed.ts";
import { sorted } from "./sort.ts";
import { fromEnd, integer, sliced } from "./text-method.ts";
import { stable, unrollLive } from "./turns.ts";

export const known =
  "map filter forEach reduce some every find findIndex findLast findLastIndex includes indexOf lastIndexOf slice at concat join flatMap flat sort toSorted toSpliced with reverse toReversed push pop shift unshift splice entries keys reduceRight";

export function arrayMethod(low: Lowering, of: Val, name: string, args: readonly Val[], node: Node): Val {
  const changed = changing(low, of, name, args, node) ?? placedElement(low, of, name, args, node);
  if (changed !== undefined) return changed;
  const simple = reading(low, of, name, args, node);
  if (simple !== undefined) return simple;
  if (name === "reduceRight") return reducedRight(low, of, args, node);
  const callback = args[0];
  const start = name === "reduce" ? accumulator(low, args[1], callback, node) : args[1];
  if (callback === undefined || !callbacks.has(name)) {
    return low.refuse(
      node,
      "FC2309",
      `\`.${name}\` of a list is not part of the language in this form`,
      `there is ${known
        .split(" ")
        .map((one) => `\`${one}\``)
        .join(", ")}`,
    );
  }
  const items = arrayItems(low, of);
  if (name === "findLast" || name === "findLastIndex") return lastOf(low, of, name, callback, node);
  if (items !== undefined && name === "forEach" && of.kind === "ref") {
    unrollLive(low, of, node, (item, i) => eachItem(low, callback, item, i, node), items.length);
    return undefinedVal;
  }
  if (name === "forEach" && items === undefined && forEachOwn(low, of, callback, node)) return undefinedVal;
  const made = stable(low, of, node, () => overElements(low, of, items, name, callback, start, node));
  return name === "map" ? withFreshElements(low, made, callback, node) : made;
}

/** `reduce` over the elements in the opposite order; positions would be others. */
function reducedRight(low: Lowering, of: Val, args: readonly Val[], node: Node): Val {
  const [callback] = args;
  if (callback?.kind === "function" && callback.node.params.length > 2)
    return low.refuse(node, "FC2314", "the function of `.reduceRight` takes two arguments here");
  return arrayMethod(low, reading(low, of, "toReversed", [], node) ?? of, "reduce", args, node);
}

/** The first value of `reduce`, as what it is declared to be. */
function accumulator(
  low: Lowering,
  start: Val | undefined,
  callback: Val | undefined,
  node: Node,
): Val | undefined {
  if (start?.kind !== "ref") return start;
  const written = node.type === "CallExpression" ? node.typeArguments?.params[0] : undefined;
  const param = callback?.kind === "function" ? callback.node.params[0] : undefined;
  const pattern = param?.type === "Identifier" ? param : undefined;
  const type = (written && writtenType(low, written)) ?? (pattern && annotatedType(low, pattern));
  return hinted(low, start, type);
}

function overElements(
  low: Lowering,
  of: Val,
  items: readonly Val[] | undefined,
  name: string,
  callback: Val,
  start: Val | undefined,
  node: Node,
): Val {
  if (items !== undefined) return overItems(low, items, name, callback, start, node);
  const list = viewOf(low, of, node);
  if (list === undefined) return low.refuse(node, "FC2309", `\`.${name}\` needs a list`);
  if (list.type.element.kind === "never") return overItems(low, [], name, callback, start, node);
  return overList(low, list, name, callback, start, node, () => void listOf(low, of, node));
}

/** The same from the front, on the elements in the opposite order. */
function lastOf(low: Lowering, of: Val, name: "findLast" | "findLastIndex", callback: Val, node: Node): Val {
  if (callback.kind === "function" && callback.node.params.length > 1)
    return low.refuse(node, "FC2314", `the function of \`.${name}\` takes one argument here`);
  const backward = reading(low, of, "toReversed", [], node) ?? of;
  if (name === "findLast") return arrayMethod(low, backward, "find", [callback], node);
  const found = reify(low, arrayMethod(low, backward, "findIndex", [callback], node), node);
  const list = listOf(low, of, node) ?? low.refuse(node, "FC2309", `\`.${name}\` needs a list`);
  return data(fromBehind(low, list.expr, found.expr, node), int);
}

const callbacks = new Set([
  "map",
  "filter",
  "forEach",
  "reduce",
  "some",
  "every",
  "find",
  "findIndex",
  "findLast",
  "findLastIndex",
  "flatMap",
]);

/** Those that take no function and change nothing. */
function reading(low: Lowering, of: Val, name: string, args: readonly Val[], node: Node): Val | undefined {
  const [first] = args;
  const held = (): Val => (of.kind === "ref" && of.shape.kind === "array" ? low.read(of.shape.slot) : of);
  const items = arrayItems(low, of);
  const list = () => listOf(low, of, node) ?? low.refuse(node, "FC2309", `\`.${name}\` needs a list`);
  switch (name) {
    case "includes":
      if (args.length === 2) return from(low, list(), name, args, node);
      return first === undefined || args.length > 1
        ? undefined
        : data(containsValue(low, held(), first, node), bool);
    case "indexOf": {
      if (args.length === 2) return from(low, list(), name, args, node);
      if (first === undefined || args.length > 1) return undefined;
      containsValue(low, held(), first, node); // the same questions of type
      const whole = list();
      const type = joinTy(whole.type.element, reify(low, first, node).type) ?? whole.type.element;
      const [all, one] = [asType(low, whole, listTy(type)), asType(low, reify(low, first, node), type)];
      if (all === undefined || one === undefined) return undefined;
      if (!holdsNaN(type)) return data(op("indexOf", all, one), int);
      // `indexOf` compares with `===`, of which `NaN` never is true.
      const sought = low.named(one, "sought", node);
      return data(choose(isNaNIn(sought, type), num(-1n), op("indexOf", all, sought)), int);
    }
    case "slice": {
      const bounds = args.map((arg) =>
        arg.kind === "data" && arg.expr.kind === "none" ? undefined : integer(low, arg, node),
      );
      if (items !== undefined && bounds.every((one) => one === undefined || one.kind === "number")) {
        const [from, to] = bounds.map((one) => (one?.kind === "number" ? Number(one.value) : undefined));
        return newArray(low, items.slice(from, to));
      }
      const whole = list();
      return newList(low, data(sliced(low, whole, args, node), whole.type));
    }
    case "at": {
      const at = first === undefined ? num(0n) : integer(low, first, node);
      if (items !== undefined && at.kind === "number") return items.at(Number(at.value)) ?? undefinedVal;
      const whole = list();
      return data(op("at", whole.expr, fromEnd(whole.expr, at)), asElement(whole.type.element));
    }
    case "concat":
      return args.reduce<Val>((sofar, arg) => joined(low, sofar, arg, node), copyOf(low, held(), node));
    case "join":
      return data(joinText(low, items, of, first, node), string);
    case "toReversed":
      return items === undefined
        ? newList(low, data(op("reverse", list().expr), list().type))
        : newArray(low, [...items].reverse());
    case "toSorted": {
      const order = sorted(low, held(), first, node);
      return order.kind === "items" ? newArray(low, order.items) : newList(low, reify(low, order, node));
    }
    case "lastIndexOf": {
      if (first === undefined || args.length > 1) return undefined;
      const backward = newList(low, data(op("reverse", list().expr), list().type));
      const found = reading(low, backward, "indexOf", args, node);
      return found && data(fromBehind(low, list().expr, reify(low, found, node).expr, node), int);
    }
    case "toSpliced": {
      const copy = copyOf(low, held(), node);
      changing(low, copy, "splice", args, node);
      return copy;
    }
    case "with":
      return withElement(low, of, args, node);
    case "flat":
      return args.length > 0 ? undefined : flattened(low, items, list, node);
    case "entries":
    case "keys":
    case "values":
      if (name === "values") return copyOf(low, held(), node);
      if (items === undefined) return positions(low, list(), name);
      return newArray(
        low,
        items.map((item, i) => {
          const index = data(num(BigInt(i)), int);
          return name === "keys" ? index : newArray(low, [index, item]);
        }),
      );
    default:
      return undefined;
  }
}

/** `includes(x, from)` and `indexOf(x, from)`: in what comes from that position on. */
function from(low: Lowering, list: DataVal, name: string, args: readonly Val[], node: Node): Val | undefined {
  const [value, position] = args;
  if (value === undefined || position === undefined) return undefined;
  const whole = low.named(list.expr, "list", node);
  const start = low.named(op("max", fromEnd(whole, integer(low, position, node)), num(0n)), "position", node);
  const rest = newList(
    low,
    data(op("slice", whole, start, op("max", op("length", whole), start)), list.type),
  );
  const found = reading(low, rest, name, [value], node);
  if (found?.kind !== "data" || name === "includes") return found;
  const at = low.named(found.expr, "position", node);
  return data(choose(op("<", at, num(0n)), num(-1n), op("+", at, start)), int);
}

/** `keys()` and `entries()` of a list of the run. */
function positions(low: Lowering, list: DataVal, name: string): Val {
  if (name === "keys") return newList(low, data(op("range", op("length", list.expr)), listTy(int)));
  const element = list.type.kind === "list" ? list.type.element : list.type;
  const item = low.names.fresh("entry");
  const body = recordExpr([
    { name: "key", value: field(variable(item), "index") },
    { name: "value", value: field(variable(item), "value") },
  ]);
  const pairs = op("map", op("entries", list.expr), { kind: "lambda", params: [{ name: item }], body });
  return newList(low, data(pairs, listTy(tupleTy([int, element]))));
}

/** `list.with(i, value)`: JavaScript throws where there is no such position, so there must be one. */
function withElement(low: Lowering, of: Val, args: readonly Val[], node: Node): Val | undefined {
  const [position, value] = args;
  const list = listOf(low, of, node);
  if (list === undefined || position === undefined || value === undefined || args.length > 2)
    return undefined;
  const whole = low.named(list.expr, "list", node);
  const at = low.named(fromEnd(whole, integer(low, position, node)), "position", node);
  const isThere = op("and", op("<=", num(0n), at), op("<", at, op("length", whole)));
  low.require(isThere, "`.with` needs a position that the list has", node);
  const copy = newList(low, data(whole, list.type));
  setElement(low, copy, at, value, node);
  return copy;
}

/** A position counted from behind as one from the front; -1 stays what it is. */
export function fromBehind(low: Lowering, list: Expr, position: Expr, node: Node): Expr {
  const at = low.named(position, "position", node);
  return choose(op("<", at, num(0n)), num(-1n), op("-", op("-", op("length", list), num(1n)), at));
}

function flattened(
  low: Lowering,
  items: readonly Val[] | undefined,
  list: () => DataVal,
  node: Node,
): Val | undefined {
  if (items !== undefined)
    return items.reduce<Val>((sofar, item) => joined(low, sofar, item, node), newArray(low, []));
  const { expr, type } = list();
  if (type.kind !== "list" || type.element.kind !== "list" || type.element.as !== undefined) return undefined;
  const name = low.names.fresh("item");
  const lambda: Expr = { kind: "lambda", params: [{ name }], body: variable(name) };
  return newList(low, data(op("flatMap", expr, lambda), type.element));
}

/** Returns true for a `Set` or a `Map`, which JavaScript puts into an array as it is. */
export function isCollection(val: Val): boolean {
  if (val.kind === "ref") return val.shape.kind === "set" || val.shape.kind === "map";
  return val.kind === "data" && val.type.kind === "list" && val.type.as !== undefined;
}

export function refuseFlattened(low: Lowering, node: Node): never {
  return low.refuse(
    node,
    "FC2105",
    "a `Set` or a `Map` is not taken apart here, as it is in no array",
    "spread it: `[...set]`",
  );
}

export function joined(low: Lowering, sofar: Val, more: Val, node: Node): Val {
  const held = sofar.kind === "ref" && sofar.shape.kind === "array" ? low.read(sofar.shape.slot) : sofar;
  const items = arrayItems(low, more);
  if (isCollection(more)) return refuseFlattened(low, node);
  if (items !== undefined) {
    const longer = appended(low, held, items, node);
    return longer.kind === "items" ? newArray(low, longer.items) : newList(low, reify(low, longer, node));
  }
  const list = listOf(low, more, node);
  if (list !== undefined) return newList(low, concatenated(low, reify(low, held, node, true), list, node));
  const longer = appended(low, held, [more], node);
  return longer.kind === "items" ? newArray(low, longer.items) : newList(low, reify(low, longer, node));
}

/** Absent elements are empty in a joined text, as in JavaScript. */
export function joinText(
  low: Lowering,
  items: readonly Val[] | undefined,
  of: Val,
  by: Val | undefined,
  node: { readonly start: number; readonly end: number },
): Expr {
  const separator = by === undefined ? text(",") : textOf(low, by, node);
  // `null` and `undefined` are written as nothing in a list, also the `null` of a JSON value.
  const word = (val: Val): Expr => {
    const { expr, type } = reify(low, val, node);
    if (type.kind === "json" && mayBeNull(type))
      return choose(is.null(expr), text(""), textOf(low, data(expr, type), node));
    if (type.kind !== "option" || isUnreal(type.absent)) return textOf(low, data(expr, type), node);
    if (isNothing(type)) return text("");
    return choose(op("isSome", expr), word(data(op("value", expr), type.value)), text(""));
  };
  if (items !== undefined) {
    const parts = items.flatMap((item, i) => (i === 0 ? [word(item)] : [separator, word(item)]));
    const [only] = parts;
    return only === undefined ? text("") : parts.length === 1 ? only : applied("++", parts);
  }
  const list = listOf(low, of, node);
  if (list === undefined) return low.refuse(node, "FC2309", "`.join` needs a list");
  if (list.type.element.kind === "never") return text("");
  const name = low.names.fresh("item");
  const body = word(data(variable(name), list.type.element));
  const words =
    body.kind === "var" ? list.expr : op("map", list.expr, { kind: "lambda", params: [{ name }], body });
  return op("joinText", words, separator);
}
