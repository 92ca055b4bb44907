/** JavaScript's built-ins: `Math`, `Promise.all`, conversions, and reflection on objects. */
import type { Node } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { choose, none, num, op, some, text, variable } from "../build.ts";
import {
  bool,
  int,
  isMaybeInfinite,
  isMaybeNaN,
  isNumber,
  isOptional,
  isText,
  listTy,
  mapTy,
  never,
  optionTy,
  real,
  string,
  type Ty,
  toIr,
  undefinedTy,
} from "../ty.ts";
import { type DataVal, data, promiseLater, promiseOf, undefinedVal, type Val } from "../value.ts";
import { arrayItems, holes, holesIn, listOf, newArray, newList, newObject } from "./access.ts";
import { note } from "./answer.ts";
import { arithmetic } from "./arithmetic.ts";
import { arrayMethod } from "./array.ts";
import { plainFields } from "./class.ts";
import { textOf, truthy } from "./coerce.ts";
import { copyOf } from "./collection.ts";
import { hasField } from "./computed-field.ts";
import type { Lowering } from "./core.ts";
import { convert, present, reify, usePoison } from "./data.ts";
import { dateFunction } from "./date.ts";
import { dictHas, dictOfPairs, dictParts, emptyMap, keyText, mapOfVal, newDict } from "./dict.ts";
import { awaited, concatenate } from "./expression.ts";
import { withFreshElements } from "./fresh.ts";
import { spreadable } from "./generator.ts";
import { assigned, groupBy } from "./group.ts";
import { furthest, mayBeInfinite, solidNumber } from "./infinite.ts";
import { isJsonVal, jsonHasOwn, jsonParts } from "./json.ts";
import { isListIn, parseJson, stringify } from "./json-builtin.ts";
import { overNumbers } from "./not-a-number.ts";
import { numberFrom, numberTest } from "./number-text.ts";
import { spreadFields } from "./object.ts";
import { isMutable } from "./own.ts";
import { pausing, randomReading, timersPause } from "./reading.ts";
import { regexOf } from "./regex.ts";
import { fulfilled } from "./settled.ts";
import { tasksOf, waitForAll } from "./tasks.ts";
import { integer } from "./text-method.ts";

export function builtinMethod(
  low: Lowering,
  of: string,
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  const full = `${of}.${name}`;
  const [first, second] = args;
  if (of === "console") return note(low, name, args, node);
  if (of.startsWith(holes)) return holesMethod(low, of, name, args, node);
  switch (full) {
    case "Math.min":
    case "Math.max":
      return extreme(low, name, args, node);
    case "Math.abs":
      return overNumbers(low, [one(low, full, args, node)], node, ([x]) => data(op("abs", x.expr), x.type));
    case "Math.floor":
    case "Math.ceil":
    case "Math.round":
    case "Math.trunc":
      return overNumbers(low, [one(low, full, args, node)], node, ([x]) =>
        x.type.kind === "int" ? x : data(op(name === "trunc" ? "truncate" : name, x.expr), int),
      );
    case "Math.sqrt":
      return overNumbers(low, [one(low, full, args, node)], node, ([x]) => {
        const of = low.named(x.expr, "of", node);
        const isRoot = op("<=", num(0n), of);
        return data(choose(isRoot, some(op("squareRoot", of)), none), optionTy(real, "NaN"));
      });
    case "Math.sign":
      return overNumbers(low, [one(low, full, args, node)], node, ([{ expr }]) =>
        data(choose(op(">", expr, num(0n)), num(1n), choose(op("<", expr, num(0n)), num(-1n), num(0n))), int),
      );
    case "String.fromCharCode":
      return data(
        concatenate(args.map((arg) => op("textOfCode", convert(low, arg, int, node, "a code").expr))),
        string,
      );
    case "Date.now":
    case "Date.parse":
    case "Date.UTC": {
      const found = dateFunction(low, name, args, node);
      if (found === undefined) break;
      return found;
    }
    case "Math.random":
      return randomReading(low, node);
    case "Promise.all":
    case "Promise.allSettled":
      return allOf(low, one(low, full, args, node), name === "allSettled", node);
    case "Promise.resolve":
      if (first?.kind === "promise") return first;
      return promiseOf(first ?? undefinedVal);
    case "Number.parseInt":
    case "Number.parseFloat":
      return callBuiltin(low, name, args, node);
    case "Number.isInteger":
    case "Number.isSafeInteger":
    case "Number.isFinite":
    case "Number.isNaN":
      return data(numberTest(name, reify(low, one(low, full, args, node), node)), bool);
    case "Array.isArray": {
      const x = one(low, full, args, node);
      if (x.kind === "data") return data(isListIn(x), bool);
      return data({ kind: "bool", value: x.kind === "ref" && x.shape.kind === "array" }, bool);
    }
    case "Array.from":
      return arrayFrom(low, first, second, node);
    case "Array.of":
      return newArray(low, args);
    case "Object.keys":
    case "Object.values":
    case "Object.entries":
      return objectParts(low, name, one(low, full, args, node), node);
    case "Object.groupBy":
    case "Map.groupBy":
      return groupBy(low, of, args, node);
    case "Object.assign":
      if (first?.kind === "ref" && (first.shape.kind === "dict" || low.shared.has(first)))
        return assigned(low, args, node);
      return spreadAll(low, args, node);
    case "Object.hasOwn":
      if (first !== undefined && second !== undefined) return hasOwn(low, first, second, node);
      break;
    case "JSON.parse":
      return parseJson(low, one(low, full, args, node), node);
    case "JSON.stringify":
      return stringify(low, args, node);
    case "Object.fromEntries":
      return fromEntries(low, one(low, full, args, node), node);
    case "Math.pow":
      if (first === undefined || second === undefined) break;
      return arithmetic(low, "**", first, second, node, node, node);
    case "Object.freeze": {
      const frozen = one(low, full, args, node);
      const shape = frozen.kind === "ref" ? frozen.shape : undefined;
      const slots = shape === undefined ? [] : shape.kind === "object" ? shape.fields.values() : [shape.slot];
      for (const slot of slots) low.freeze(slot);
      return frozen;
    }
  }
  return low.refuse(
    node,
    "FC2309",
    `\`${full}\` is not part of the language in this form`,
    of === "Math"
      ? "there is `min`, `max`, `abs`, `floor`, `ceil`, `round`, `trunc`, `sign`, `sqrt`, `random` and `pow`"
      : of === "Promise"
        ? "`await` one call after the other, each in a `try` of its own if it may fail"
        : undefined,
  );
}

function one(low: Lowering, name: string, args: readonly Val[], node: Node): Val {
  const [first] = args;
  if (first === undefined || args.length > 1 || first.kind === "items")
    return low.refuse(node, "FC2314", `\`${name}\` takes one argument here`);
  return first;
}

function extreme(low: Lowering, name: "min" | "max" | string, args: readonly Val[], node: Node): Val {
  const [first] = args;
  if (first === undefined)
    return low.refuse(
      node,
      "FC2314",
      `\`Math.${name}\` of nothing is infinite`,
      "give it at least one number",
    );
  if (first.kind === "items")
    return extremeOf(low, name, reify(low, first.items[0] ?? undefinedVal, node), node);
  const given = args.map((arg) => (arg.kind === "data" && mayBeInfinite(arg.type) ? arg : undefined));
  if (given.some((arg) => arg !== undefined))
    return args.map((arg) => solidNumber(low, arg, node)).reduce((a, b) => furthest(low, name, a, b, node));
  return overNumbers(low, args, node, (numbers) =>
    extremeOfNumbers(low, name, numbers.slice(0, args.length), node),
  );
}

function extremeOfNumbers(low: Lowering, name: string, numbers: readonly DataVal[], node: Node): DataVal {
  if (numbers.some((x) => x.type.kind === "bigint"))
    return low.refuse(node, "FC2108", "`Math` takes no `bigint`", "use `number`");
  const type: Ty = numbers.every((x) => x.type.kind === "int") ? int : real;
  const [only] = numbers;
  if (numbers.length === 1 && only !== undefined) return only;
  return data(op(name, ...numbers.map((x) => x.expr)), type);
}

/** `Math.max(...list)`: of an empty list it would be infinite. */
function extremeOf(low: Lowering, name: string, list: DataVal, node: Node): Val {
  if (list.type.kind === "list" && isMaybeNaN(list.type.element)) {
    const all = low.named(list.expr, "numbers", node);
    const item = low.names.fresh("item");
    const each = (body: Expr): Expr => ({ kind: "lambda", params: [{ name: item }], body });
    const values = op("map", all, each(op("value", variable(item))));
    const found = reify(low, extremeOf(low, name, data(values, listTy(list.type.element.value)), node), node);
    const isFree = op("every", all, each(op("isSome", variable(item))));
    return data(choose(isFree, some(found.expr), none), optionTy(found.type, "NaN"));
  }
  if (list.type.kind === "list" && isMaybeInfinite(list.type.element)) {
    const { absent, value } = list.type.element;
    const all = low.named(list.expr, "numbers", node);
    const item = low.names.fresh("item");
    const each = (body: Expr): Expr => ({ kind: "lambda", params: [{ name: item }], body });
    const isReal = each(op("isSome", variable(item)));
    const finite = low.named(
      op("map", op("filter", all, isReal), each(op("value", variable(item)))),
      "finite",
      node,
    );
    // The smallest of numbers and `Infinity` is a number if there is one, and their greatest is `Infinity`.
    const isLost = (absent === "Infinity") === (name === "min");
    const counts = isLost ? op(">", op("length", finite), num(0n)) : op("every", all, isReal);
    const found = low.implies(counts, () =>
      reify(low, extremeOf(low, name, data(finite, listTy(value)), node), node),
    );
    return data(choose(counts, some(found.expr), none), optionTy(found.type, absent));
  }
  if (list.type.kind !== "list" || !isNumber(list.type.element))
    return low.refuse(node, "FC2108", `\`Math.${name}\` takes numbers`);
  const { element } = list.type;
  if (low.mode.kind === "formula")
    return low.refuse(node, "FC2215", `\`Math.${name}\` of a list has no formula`);
  const whole = low.named(list.expr, "numbers", node);
  low.require(op(">", op("length", whole), num(0n)), `\`Math.${name}\` of an empty list is infinite`, node);
  const [held, item] = [low.names.fresh("held"), low.names.fresh("item")];
  const body = op(name, variable(held), variable(item));
  const start = op("value", op("at", whole, num(0n)));
  return data(
    op("fold", whole, start, {
      kind: "lambda",
      params: [{ name: held, type: toIr(element) }, { name: item }],
      body,
    }),
    element,
  );
}

/** Waits for all of them. Their values are those that their tasks gave. */
function allOf(low: Lowering, list: Val, isSettled: boolean, node: Node): Val {
  const items = list.kind === "promise" && list.many ? [list] : arrayItems(low, list);
  if (items === undefined) {
    const held = list.kind === "ref" && list.shape.kind === "array" ? low.read(list.shape.slot) : list;
    if (held.kind === "poison") return usePoison(low, held, node);
    if (!isSettled && (list.kind === "ref" || (list.kind === "data" && list.type.kind === "list")))
      return promiseOf(list);
    return low.refuse(
      node,
      "FC2315",
      `\`Promise.${isSettled ? "allSettled" : "all"}\` takes an array`,
      "write `Promise.all([…])` or `Promise.all(list.map(…))`",
    );
  }
  for (const item of items) mayBeAwaited(low, item, isSettled, node);
  const tasks = tasksOf(...items);
  if (list.kind === "promise") return { kind: "promise", of: list.of, ...tasks };
  if (items.some((item) => item.kind === "promise" && item.many))
    return low.refuse(node, "FC2311", "the promises in a list of this list are not awaited", waitForAll);
  const values = () =>
    items.map((item) => {
      const value = awaited(item);
      return isSettled && !(item.kind === "promise" && item.isSettled) ? fulfilled(low, value, node) : value;
    });
  return { ...promiseLater(() => newArray(low, values())), ...tasks };
}

/** SOUNDNESS: the calls of a task catch their failures, or not, depending on who awaits it. */
function mayBeAwaited(low: Lowering, item: Val, isSettled: boolean, node: Node): void {
  if (item.kind !== "promise" || (item.isSettled ?? false) === isSettled) return;
  if (isSettled && item.tasks === undefined && !item.many) return;
  low.refuse(
    node,
    "FC2311",
    isSettled
      ? "`Promise.allSettled` takes calls that are made in it"
      : "this waits for what is made for `Promise.allSettled`",
    "write the calls, or `async` functions that make them, inside `Promise.allSettled([…])` or `Promise.allSettled(list.map(…))`",
  );
}

export function arrayOf(low: Lowering, args: readonly Val[], node: Node): Val {
  const [first] = args;
  if (args.length !== 1 || first?.kind !== "data" || !isNumber(first.type)) return newArray(low, args);
  const { expr } = first;
  if (expr.kind !== "number" && low.mode.kind === "program" && args.length === 1) {
    const length = low.named(expr, "length", node);
    const isLength = op("and", op("isInteger", length), op("<=", num(0n), length));
    low.require(isLength, "the length of an array must be a whole number from 0 on", node);
    return { kind: "builtin", name: "Array", length: low.named(op("truncate", length), "length", node) };
  }
  if (expr.kind !== "number" || typeof expr.value !== "bigint" || expr.value < 0n)
    return low.refuse(
      node,
      "FC2304",
      "the length of a new array must be known here",
      "start with `[]` and `push`",
    );
  if (expr.value > BigInt(low.limits.unrolled)) return low.refuse(node, "FC2501", "this array is too long");
  return expr.value === 0n ? newArray(low, []) : { kind: "builtin", name: `${holes}${expr.value}` };
}

function holesMethod(low: Lowering, of: string, name: string, args: readonly Val[], node: Node): Val {
  const count = holesIn({ kind: "builtin", name: of }) ?? 0;
  const [first] = args;
  if (name === "fill" && args.length === 1 && first !== undefined)
    return newArray(
      low,
      Array.from({ length: count }, () => first),
    );
  if (name === "keys" && args.length === 0)
    return newArray(
      low,
      Array.from({ length: count }, (_, i) => data(num(BigInt(i)), int)),
    );
  return low.refuse(
    node,
    "FC2309",
    `\`.${name}\` of an array without elements does nothing useful`,
    "write `Array.from({ length: n }, (_, i) => …)`",
  );
}

/** `Object.assign({}, a, b)`: the target is new, so it is `{ ...a, ...b }`. */
function spreadAll(low: Lowering, args: readonly Val[], node: Node): Val {
  const [target] = args;
  if (target?.kind !== "ref" || target.shape.kind !== "object" || target.shape.fields.size > 0)
    return low.refuse(
      node,
      "FC2309",
      "`Object.assign` changes its first argument, which comes from elsewhere",
      "write `{ ...first, ...second }`",
    );
  const map = args.slice(1).some((one) => mapOfVal(low, one) !== undefined);
  if (map) return assigned(low, [newDict(low, data(emptyMap, mapTy(never))), ...args.slice(1)], node);
  const fields = new Map<string, Val>();
  for (const source of args.slice(1))
    for (const [name, value] of spreadFields(low, source, node)) {
      if (fields.has(name) && value.kind === "data" && isOptional(value.type))
        return low.refuse(
          node,
          "FC2301",
          "a field that may be absent is set over another one",
          "write the field out with `??`",
        );
      fields.set(name, value);
    }
  return newObject(low, fields);
}

/** Lowers `Object.hasOwn`. */
function hasOwn(low: Lowering, of: Val, key: Val, node: Node): Val {
  if (isJsonVal(of)) return jsonHasOwn(low, of, key, node);
  const map = mapOfVal(low, of);
  if (map !== undefined) return dictHas(low, map, keyText(low, key, node), true, node);
  return hasField(low, of, reify(low, key, node), node, true);
}

/** Names and values that are known become an object, and all others a map. */
function fromEntries(low: Lowering, of: Val, node: Node): Val {
  const known = arrayItems(low, of);
  const isKnown = known?.every((entry) => {
    const [key] = arrayItems(low, entry) ?? [];
    return key?.kind === "data" && key.expr.kind === "string";
  });
  const isMap = of.kind === "ref" && of.shape.kind === "map";
  if (isMap || !isKnown) {
    const list =
      known === undefined ? listOf(low, of, node) : reify(low, { kind: "items", items: known }, node, true);
    if (list !== undefined) return dictOfPairs(low, list, node);
  }
  const fields = new Map<string, Val>();
  for (const entry of arrayItems(low, of) ?? [undefinedVal]) {
    const pair = arrayItems(low, entry);
    const [key, value] = pair ?? [];
    if (
      key?.kind !== "data" ||
      key.expr.kind !== "string" ||
      value === undefined ||
      key.expr.value === "__proto__"
    )
      return low.refuse(
        node,
        "FC2320",
        "the names of the fields must be known here",
        "keep the pairs in a `Map`: `new Map(entries)`",
      );
    fields.set(key.expr.value, value);
  }
  return newObject(low, fields);
}

export function callBuiltin(low: Lowering, name: string, args: readonly Val[], node: Node): Val {
  const [first, second] = args;
  if (name === "RegExp") return regexOf(low, args, node);
  if (name === timersPause) return pausing(low, first ?? data(num(0n), int), node);
  if (name === "Array") return arrayOf(low, args, node);
  if (first !== undefined && first.kind !== "items") {
    if (name === "String") return data(textOf(low, first, node), string);
    if (name === "Boolean") return data(truthy(low, first, node), bool);
    if (name === "Number" || name === "parseInt" || name === "parseFloat")
      return numberFrom(low, name, first, second, node);
    // These convert first.
    if (name === "isNaN" || name === "isFinite") {
      const value = reify(low, numberFrom(low, "Number", first, undefined, node), node);
      return data(numberTest(name, value), bool);
    }
    if (name === "structuredClone") return cloned(low, reify(low, first, node));
  }
  if (name.endsWith("Error")) return { kind: "error", name, message: first ?? data(text(""), string) };
  return low.refuse(node, "FC2308", `\`${name}\` cannot be called here`);
}

/**
 * A copy that nobody else holds a part of. SOUNDNESS: only of what a call gave, since an object that the program put into a list
 * twice is one object in the copy too.
 */
function cloned(low: Lowering, value: DataVal): DataVal {
  const { expr, type } = value;
  const isGiven = expr.kind === "var" && low.bound.get(expr.name)?.kind === "call";
  return isGiven && isMutable(type) ? { kind: "data", expr: { ...expr }, type, hold: "own" } : value;
}

function arrayFrom(low: Lowering, from: Val | undefined, map: Val | undefined, node: Node): Val {
  if (from === undefined) return low.refuse(node, "FC2314", "`Array.from` needs an argument");
  const list = fromSource(low, from, node);
  return map === undefined
    ? list
    : withFreshElements(low, arrayMethod(low, list, "map", [map], node), map, node);
}

function fromSource(low: Lowering, source: Val, node: Node): Val {
  const from = spreadable(low, source, node);
  if (from.kind === "ref" && from.shape.kind === "object") {
    const slot = from.shape.fields.get("length");
    const length = slot === undefined ? undefined : reify(low, low.read(slot), node).expr;
    if (
      from.shape.fields.size === 1 &&
      length?.kind === "number" &&
      typeof length.value === "bigint" &&
      length.value >= 0n
    ) {
      const count = Number(length.value);
      if (count > low.limits.unrolled) return low.refuse(node, "FC2501", "this array is too long");
      return newArray(
        low,
        Array.from({ length: count }, () => undefinedVal),
      );
    }
  }
  const lengthSlot =
    from.kind === "ref" && from.shape.kind === "object" && from.shape.fields.size === 1
      ? from.shape.fields.get("length")
      : undefined;
  if (lengthSlot !== undefined) {
    const count = integer(low, low.read(lengthSlot), node);
    const name = low.names.fresh("i");
    const lambda = { kind: "lambda", params: [{ name }], body: none } as const;
    return newList(low, data(op("map", op("range", count), lambda), listTy(undefinedTy)));
  }
  const items = arrayItems(low, from);
  if (items !== undefined) return newArray(low, items);
  if (from.kind === "ref" && from.shape.kind === "set") return copyOf(low, low.read(from.shape.slot), node);
  if (from.kind === "data" && isText(from.type))
    return newList(low, data(op("characters", from.expr), listTy(string)));
  const list = listOf(low, from, node);
  return list === undefined
    ? low.refuse(node, "FC2315", "`Array.from` takes a list here")
    : newList(low, list);
}

function objectParts(low: Lowering, name: string, of: Val, node: Node): Val {
  if (isJsonVal(of)) return jsonParts(low, name, of, node);
  const fields: (readonly [string, Val])[] = [];
  if (of.kind === "ref" && of.shape.kind === "object") {
    if (of.shape.unordered)
      low.refuse(
        node,
        "FC2309",
        "the fields of this object are in different orders on different paths",
        "write them in one order everywhere",
      );
    for (const [key, slot] of plainFields(low, of.shape, node)) fields.push([key, low.read(slot)]);
  } else {
    const map = mapOfVal(
      low,
      of.kind === "data" ? present(low, of, node, `what \`Object.${name}\` takes`) : of,
    );
    if (map !== undefined) return dictParts(low, map, name, node);
    const record = reify(low, of, node);
    if (record.type.kind !== "record" || record.type.tuple)
      return low.refuse(node, "FC2315", `\`Object.${name}\` takes an object`);
    return low.refuse(
      node,
      "FC2309",
      `\`Object.${name}\` takes an object that was made in this program`,
      "name the fields that are meant",
    );
  }
  const unsure = fields.find(([, value]) => value.kind === "data" && isOptional(value.type));
  if (unsure !== undefined)
    return low.refuse(
      node,
      "FC2309",
      `whether the object has the field \`${unsure[0]}\` is not known here`,
      "name the fields that are meant",
    );
  // JavaScript lists names that are numbers first.
  if (fields.some(([key]) => /^\d+$/.test(key)))
    return low.refuse(
      node,
      "FC2309",
      "the order of fields whose names are numbers is not that in which they were written",
    );
  const key = (word: string): Val => data(text(word), string);
  if (name === "keys")
    return newArray(
      low,
      fields.map(([word]) => key(word)),
    );
  if (name === "values")
    return newArray(
      low,
      fields.map(([, value]) => value),
    );
  return newArray(
    low,
    fields.map(([word, value]) => newArray(low, [key(word), value])),
  );
}
