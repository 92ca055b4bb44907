/** Fields and elements, and the making of local arrays and objects. */

import type { Node } from "oxc-parser";
import { closest, type Expr } from "../../ir/index.ts";
import { anyOf, choose, none, num, op, some, text } from "../build.ts";
import { exported } from "../read/exports.ts";
import {
  fieldTy,
  int,
  isNothing,
  isOptional,
  isText,
  joinTy,
  listTy,
  optionTy,
  real,
  string,
  type Ty,
  tyText,
} from "../ty.ts";
import { type DataVal, data, type RefVal, type Step, undefinedVal, type Val } from "../value.ts";
import { nameOf } from "./caught.ts";
import { memberOfClass } from "./class.ts";
import { textOf } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { asType, describe, mixed, present, reify, typedField, usePoison, withPlainWords } from "./data.ts";
import { dictGet, dictSet, keyText, mapOfVal, noteStored } from "./dict.ts";
import { refuseGenerator } from "./generator.ts";
import { isJson, isJsonVal, jsonElement, jsonMember } from "./json.ts";
import { formatOf } from "./locale.ts";
import { matchItems, matchMember } from "./match.ts";
import { mergeValues } from "./merge.ts";
import { withoutNaN } from "./not-a-number.ts";
import { numberConstant } from "./number-text.ts";
import { depthOf, inside, isMutable, letGo, rebuilt, share, sharedDepth, storeAt } from "./own.ts";
import { isPlacing } from "./placed.ts";
import { settledMember } from "./settled.ts";

type At = { readonly start: number; readonly end: number };

export function newArray(low: Lowering, items: readonly Val[]): RefVal {
  return { kind: "ref", shape: { kind: "array", slot: low.newSlot({ kind: "items", items }) } };
}

/** A local array that starts as a copy of a list. */
export function newList(low: Lowering, list: DataVal): RefVal {
  return { kind: "ref", shape: { kind: "array", slot: low.newSlot(list) } };
}

export function newObject(low: Lowering, fields: Iterable<readonly [string, Val]>): RefVal {
  const slots = new Map<string, number>();
  for (const [name, value] of fields) slots.set(name, low.newSlot(value));
  return { kind: "ref", shape: { kind: "object", fields: slots } };
}

/** `Array(3)`: three places that hold nothing yet. */
export const holes = "array of ";

/** Returns the length of a new array without set elements. */
export function holesIn(val: Val): number | undefined {
  return val.kind === "builtin" && val.name.startsWith(holes)
    ? Number(val.name.slice(holes.length))
    : undefined;
}

/** The elements, when the number of them is known. */
export function arrayItems(low: Lowering, val: Val): readonly Val[] | undefined {
  if (val.kind === "ref" && val.shape.kind === "array") {
    const held = low.read(val.shape.slot);
    if (held.kind === "items") return held.items;
    const own = held.kind === "data" ? ownList(low, val) : undefined;
    const items = held.kind === "data" ? literalItems(held) : undefined;
    // SOUNDNESS: an element that is taken out is the one in the array.
    if (own !== undefined && items !== undefined)
      return items.map((item, i) => inside(own, { kind: "index", at: num(BigInt(i)) }, item));
    return items ?? undefined;
  }
  const empty = holesIn(val);
  if (empty !== undefined) return Array.from({ length: empty }, () => undefinedVal);
  return val.kind === "data" ? literalItems(val) : undefined;
}

function literalItems(val: DataVal): readonly DataVal[] | undefined {
  const { expr, type } = val;
  if (type.kind === "record" && type.match) return matchItems(expr, type.match);
  if (type.kind === "record" && type.tuple)
    return type.fields.map((one) => data(typedField(expr, one.name, one.type), one.type));
  if (expr.kind !== "list" || type.kind !== "list" || type.as !== undefined) return undefined;
  return expr.items.map((item) => data(item, type.element));
}

/** The characters of a text, as a loop goes over them. */
export function charactersOf(of: Expr): DataVal {
  return data(op("characters", of), listTy(string));
}

/** The list behind an array, a set or a value of the run. */
export function listOf(
  low: Lowering,
  val: Val,
  node: At,
): (DataVal & { readonly type: { readonly kind: "list"; readonly element: Ty } }) | undefined {
  let list: DataVal | undefined;
  if (val.kind === "ref" && val.shape.kind !== "object") {
    const held = low.read(val.shape.slot);
    share(low, val.shape.slot, 1);
    list = reify(low, held.kind === "data" ? letGo(low, held, 1) : held, node);
  } else if (val.kind === "data") {
    const plain = letGo(low, val, 1);
    list = plain.kind === "data" ? plain : undefined;
  }
  if (list === undefined || list.type.kind !== "list") return undefined;
  return { kind: "data", expr: list.expr, type: listTy(list.type.element) };
}

/**
 * The list, for an operator over its elements. SOUNDNESS: nobody is told that the elements are held elsewhere too, so a
 * caller that keeps one of them must call `listOf`.
 */
export function viewOf(low: Lowering, val: Val, node: At): ReturnType<typeof listOf> {
  const held = val.kind === "ref" && val.shape.kind !== "object" ? low.read(val.shape.slot) : val;
  if (held.kind !== "data" || held.type.kind !== "list") return listOf(low, val, node);
  return { kind: "data", expr: held.expr, type: listTy(held.type.element) };
}

/** `of.name`, where it is a field. */
export function memberOf(low: Lowering, of: Val, name: string, node: At): Val {
  switch (of.kind) {
    case "poison":
      return usePoison(low, of, node);
    case "module":
      return exported(low, of.module, name, low.spot(node));
    case "ref":
      return memberOfRef(low, of, name, node);
    case "data":
      return memberOfData(low, of, name, node);
    case "promise":
      return low.refuse(
        node,
        "FC2311",
        "this is a promise, not yet its value",
        "write `(await …)` around the call",
      );
    case "class":
      return (
        memberOfClass(low, of, of, name, node) ??
        low.refuse(node, "FC2310", `the class \`${of.name}\` has no static \`${name}\``)
      );
    case "generator":
      return refuseGenerator(low, `.${name}`, node);
    case "error":
      if (name === "message") return data(textOf(low, of.message, node), string);
      if (name === "name") return data(nameOf(of), string);
      if (name === "stack" || name === "cause")
        return low.refuse(node, "FC2318", `\`${name}\` of an error is not known`, "use its `message`");
      return (
        of.fields?.get(name) ??
        low.refuse(node, "FC2318", `\`${name}\` of an error is not known`, "use `message` or `name`")
      );
    case "builtin":
      if (of.name === "Intl") return formatOf(low, name, node);
      return (
        numberConstant(of.name, name) ??
        low.refuse(node, "FC2310", `${describe(of)} has no field \`${name}\` here`)
      );
    default:
      return low.refuse(node, "FC2310", `${describe(of)} has no field \`${name}\``);
  }
}

function memberOfRef(low: Lowering, of: RefVal, name: string, node: At): Val {
  const { shape } = of;
  if (shape.kind === "object") {
    const slot = shape.fields.get(name);
    const own = slot === undefined && shape.of ? memberOfClass(low, shape.of, of, name, node) : undefined;
    if (own !== undefined) return own;
    // As in JavaScript, and as TypeScript refuses unless the field is declared.
    return slot === undefined ? unknownField(low, name, [...shape.fields.keys()], node) : low.read(slot);
  }
  if (shape.kind === "date") return unknownField(low, name, [], node);
  if (shape.kind === "dict") {
    const map = mapOfVal(low, of);
    return map === undefined
      ? usePoisonOf(low, low.read(shape.slot), node)
      : dictGet(low, map, text(name), node);
  }
  const counts = shape.kind === "array" ? "length" : "size";
  if (name !== counts) return unknownField(low, name, [counts], node);
  const held = low.read(shape.slot);
  const items = held.kind === "items" ? held.items : arrayItems(low, of);
  if (items !== undefined) return data(num(BigInt(items.length)), int);
  if (held.kind === "data") return data(op("length", held.expr), int);
  return data(op("length", reify(low, held, node).expr), int);
}

function usePoisonOf(low: Lowering, val: Val, node: At): never {
  if (val.kind === "poison") return usePoison(low, val, node);
  return low.refuse(node, "FC2310", "this has no fields here");
}

function memberOfData(low: Lowering, of: DataVal, name: string, node: At): Val {
  if (isJson(of.type)) return jsonMember(low, of, name, node);
  const val =
    of.type.kind === "option"
      ? present(low, of, node, `\`${low.sourceOf(node)}\` is read from a value that`)
      : of;
  if (val !== of) return memberOfData(low, val, name, node);
  if (of.type.kind === "settled") return settledMember(low, of, of.type, name, node);
  if (of.type.kind === "record" && of.type.tuple) {
    if (name === "length") return data(num(BigInt(of.type.fields.length)), int);
    return unknownField(low, name, ["length"], node);
  }
  if (of.type.kind === "record" && of.type.match) {
    const found = matchMember(of.expr, of.type.match, name);
    return found ?? unknownField(low, name, ["index", "groups", "length"], node);
  }
  if (of.type.kind === "record") {
    const type = fieldTy(of.type, name);
    if (type !== undefined)
      return inside(of, { kind: "field", name }, data(typedField(of.expr, name, type), type));
    return unknownField(
      low,
      name,
      of.type.fields.map((one) => one.name),
      node,
    );
  }
  if (of.type.kind === "map") return dictGet(low, { ...of, type: of.type }, text(name), node);
  if (of.type.kind === "list" && of.type.as !== undefined) {
    if (name === "size") return data(op("length", of.expr), int);
    return unknownField(low, name, ["size"], node);
  }
  if (name === "length" && (of.type.kind === "list" || isText(of.type)))
    return data(op("length", of.expr), int);
  const hasLength = of.type.kind === "list" || isText(of.type);
  const help = hasLength ? "it has `length`, and methods that are called" : "look at its type";
  return low.refuse(node, "FC2310", `a \`${tyText(of.type)}\` has no field \`${name}\``, help);
}

function unknownField(low: Lowering, name: string, known: readonly string[], node: At): never {
  const near = closest(name, known);
  const help =
    near !== undefined
      ? `did you mean \`${near}\`?`
      : known.length > 0
        ? `it has ${known
            .slice(0, 8)
            .map((one) => `\`${one}\``)
            .join(", ")}`
        : undefined;
  return low.refuse(node, "FC2310", `there is no field \`${name}\` here`, help);
}

/** `of[i]` for a known position. */
export function elementAt(low: Lowering, of: Val, i: number, node: At): Val {
  const items = arrayItems(low, of);
  if (items !== undefined) return items[i] ?? undefinedVal;
  return indexed(low, of, num(BigInt(i)), node);
}

/** `of[position]`. */
export function indexed(low: Lowering, of: Val, position: Expr, node: At): Val {
  if (of.kind === "poison") return usePoison(low, of, node);
  const items = arrayItems(low, of);
  if (items !== undefined && position.kind === "number") {
    const { value } = position;
    return typeof value === "bigint" && value >= 0n && value < BigInt(items.length)
      ? (items[Number(value)] ?? undefinedVal)
      : undefinedVal;
  }
  if (items !== undefined && items.length === 0) return undefinedVal;
  const word = items && wordAt(low, items, position, node);
  if (word !== undefined) return word;
  if (isJsonVal(of)) return jsonElement(low, of, data(position, real), node);
  const source =
    of.kind === "data" && of.type.kind === "option" ? present(low, of, node, "what is indexed") : of;
  if (source !== of && arrayItems(low, source) !== undefined) return indexed(low, source, position, node);
  if (source.kind === "data" && isText(source.type))
    return data(op("at", source.expr, position), optionTy(string, "undefined"));
  const map = mapOfVal(low, source);
  if (map !== undefined) return dictGet(low, map, keyText(low, data(position, real), node), node);
  const list = listAt(low, source);
  const named = list === undefined ? fieldAt(low, source, position, node) : undefined;
  if (named !== undefined) return named;
  if (list === undefined)
    return low.refuse(node, "FC2310", "only a list or a string has elements by position");
  const found = data(op("at", list.expr, position), asElement(list.type.element));
  return inside(list, { kind: "index", at: position }, found);
}

/** `of[n]` where fields are named by numbers, as in `{ 1: "low", 2: "high" }`; `undefined` for any other number. */
function fieldAt(low: Lowering, of: Val, position: Expr, node: At): Val | undefined {
  const fields =
    of.kind === "ref" && of.shape.kind === "object" && of.shape.of === undefined
      ? [...of.shape.fields].map(([name, slot]) => [name, low.read(slot)] as const)
      : of.kind === "data" && of.type.kind === "record" && !of.type.tuple && !of.type.match
        ? of.type.fields.map(({ name, type }) => [name, data(typedField(of.expr, name, type), type)] as const)
        : [];
  // SOUNDNESS: `1.0` and `1` are one number, and so one name; a name that is no number is none of them.
  const numbered = fields.filter(([name]) => /^(0|[1-9]\d{0,14})$/.test(name));
  if (numbered.length === 0) return undefined;
  const at = low.named(position, "key", node);
  const [last, ...others] = numbered.toReversed();
  const isChanged = isPlacing(low, node) && numbered.every(([, value]) => value.kind === "ref");
  if (last !== undefined && (isChanged || numbered.every(([, value]) => value.kind === "function"))) {
    const isOne = anyOf(numbered.map(([name]) => op("==", at, num(BigInt(name)))));
    low.require(isOne, `\`${low.sourceOf(node)}\` may be \`undefined\``, node);
    return others.reduce<Val>(
      (rest, [name, value]) => mergeValues(low, op("==", at, num(BigInt(name))), value, rest, node, "found"),
      last[1],
    );
  }
  return numbered.reduceRight<Val>(
    (rest, [name, value]) => mergeValues(low, op("==", at, num(BigInt(name))), value, rest, node, "found"),
    undefinedVal,
  );
}

/** LIMIT: words that are written out one by one. */
const mostWords = 16;

/** One of a few words that are written out: a choice between them, which is still known to be one of them. */
function wordAt(low: Lowering, items: readonly Val[], position: Expr, node: At): DataVal | undefined {
  const [first] = items;
  if (first?.kind !== "data" || first.type.kind !== "enum" || items.length > mostWords) return undefined;
  const at = low.named(position, "position", node);
  let expr: Expr = none;
  for (const [i, item] of [...items.entries()].reverse()) {
    if (item.kind !== "data" || item.expr.kind !== "string" || item.type.kind !== "enum") return undefined;
    expr = choose(op("==", at, num(BigInt(i))), some(item.expr), expr);
  }
  return data(expr, asElement(first.type));
}

/** The list of the run, with its place if it has one. */
export function listAt(
  low: Lowering,
  val: Val,
): (DataVal & { readonly type: { readonly kind: "list"; readonly element: Ty } }) | undefined {
  if (val.kind === "data" && val.type.kind === "list")
    return val.type.as === undefined ? { ...val, type: val.type } : undefined;
  return ownList(low, val) ?? listOf(low, val, { start: 0, end: 0 });
}

/** A local array whose elements nobody else holds, as a list of the run: its elements can be changed where they are. */
function ownList(
  low: Lowering,
  val: Val,
): (DataVal & { readonly type: { readonly kind: "list"; readonly element: Ty } }) | undefined {
  if (val.kind !== "ref" || val.shape.kind !== "array" || val.shape.isTuple || low.mode.kind !== "program")
    return undefined;
  const { slot } = val.shape;
  const seen = low.state.get(slot);
  if (seen?.kind !== "data" || seen.type.kind !== "list" || !isMutable(seen.type.element)) return undefined;
  if ((low.sharedFrom.get(slot) ?? 1) <= 1 || low.frozen.has(slot)) return undefined;
  return { ...seen, type: seen.type, place: { slot, path: [], seen } };
}

/** Returns the type of `at` or `find`: the element or `undefined`. */
export function asElement(type: Ty): Ty {
  return optionTy(type, "undefined");
}

/** Sets a part of a value that can be changed where it is. */
function setPart(low: Lowering, of: DataVal, step: Step, value: Val, node: At, literal?: Node): void {
  const { place } = of;
  if (place === undefined) return;
  const depth = sharedDepth(low, value);
  const made = reify(low, value, node, true);
  storeAt(low, place, rebuilt(low, of, [step], made, node), node);
  noteStored(low, place.slot, value, depthOf(place.path) + 1 + depth, literal);
}

/** Changes a list of the run where it is, by what changes an array of the program. */
export function changedAt<T>(low: Lowering, of: DataVal, node: At, change: (list: Val) => T): T {
  const { place, hold: _, ...plain } = of;
  const list = newList(low, plain);
  const given = change(list);
  if (place === undefined || list.shape.kind !== "array") return given;
  storeAt(low, place, reify(low, low.read(list.shape.slot), node), node);
  // SOUNDNESS: what was put in may be held by its giver.
  share(low, place.slot, depthOf(place.path) + 1);
  return given;
}

/**
 * Sets a field of a local object.
 * @param literal the literal that the value was written as, which nobody has a name for
 */
export function setMember(low: Lowering, of: Val, name: string, value: Val, node: At, literal?: Node): void {
  if (of.kind === "poison") usePoison(low, of, node);
  const map = mapOfVal(low, of);
  if (map !== undefined) {
    dictSet(low, map, text(name), value, node, false, literal);
    return;
  }
  const solid = of.kind === "data" ? present(low, of, node, "what is changed") : of;
  if (solid.kind === "data" && solid.place !== undefined && solid.type.kind === "record") {
    setPart(low, solid, { kind: "field", name }, value, node, literal);
    return;
  }
  if (of.kind !== "ref" || of.shape.kind !== "object") {
    low.refuse(
      node,
      "FC2312",
      `\`${name}\` cannot be set, because this object comes from elsewhere`,
      "build a new object: `{ ...object, field: value }`",
    );
  }
  const slot = of.shape.fields.get(name);
  if (slot === undefined)
    low.refuse(
      node,
      "FC2312",
      `the object was made without the field \`${name}\``,
      `give \`${name}\` a first value where the object is made, or use a \`Map\``,
    );
  low.write(slot, value, node);
}

/** Sets an element of a local array. */
export function setElement(low: Lowering, of: Val, position: Expr, value: Val, node: At): void {
  const map = mapOfVal(low, of);
  if (map !== undefined) {
    dictSet(low, map, keyText(low, data(position, real), node), value, node);
    return;
  }
  const solid = of.kind === "data" ? present(low, of, node, "what is changed") : of;
  if (solid.kind === "data" && solid.place !== undefined && solid.type.kind === "list") {
    changedAt(low, solid, node, (list) => setElement(low, list, position, value, node));
    return;
  }
  if (of.kind !== "ref" || of.shape.kind !== "array") {
    low.refuse(
      node,
      "FC2312",
      "an element of this list cannot be set, because it comes from elsewhere",
      "copy it first: `const mine = [...list]`",
    );
  }
  const { slot } = of.shape;
  const items = arrayItems(low, of);
  if (items === undefined || position.kind !== "number" || typeof position.value !== "bigint") {
    low.write(slot, replaced(low, of, position, value, node), node);
    return;
  }
  const i = Number(position.value);
  if (i < 0 || i > items.length)
    low.refuse(node, "FC2312", "this would leave a gap in the array", "use `push`");
  const changed = [...items];
  changed[i] = value;
  low.write(slot, { kind: "items", items: changed }, node);
}

/** The list with one element replaced, or one more at its end; anything else would leave a gap. */
function replaced(low: Lowering, of: Val, position: Expr, value: Val, node: At): Val {
  const list = listOf(low, of, node);
  if (list === undefined) return low.refuse(node, "FC2312", "only a list has elements that can be set");
  const all = low.named(list.expr, "list", node);
  const length = op("length", all);
  const inside = op("and", op("<=", num(0n), position), op("<=", position, length));
  low.require(op("and", op("isInteger", position), inside), "this would leave a gap in the array", node);
  const at = low.named(op("truncate", position), "position", node);
  const before = data(op("slice", all, num(0n), at), list.type);
  const after = data(op("slice", all, op("+", at, num(1n)), length), list.type);
  const { element } = list.type;
  // `xs[i] = xs[j]`: an element is there, unless the position is outside.
  const mayLack = value.kind === "data" && isOptional(value.type) && !isNothing(value.type);
  const isSolid = element.kind !== "option" && element.kind !== "never" && element.kind !== "json";
  const given = mayLack && isSolid ? present(low, value, node, "the element that is set") : value;
  const more = reify(low, { kind: "items", items: [given] }, node, true);
  const whole = concatenated(low, concatenated(low, before, more, node), after, node);
  return data(low.named(whole.expr, "list", node), whole.type);
}

export function appended(low: Lowering, held: Val, values: readonly Val[], node: At): Val {
  if (held.kind === "items") {
    if (held.items.length + values.length > low.limits.unrolled)
      low.refuse(node, "FC2501", "this array is too long", "keep long lists in a tool");
    return { kind: "items", items: [...held.items, ...values] };
  }
  const list = reify(low, held, node);
  const more = reify(low, { kind: "items", items: values }, node, true);
  return concatenated(low, list, more, node);
}

export function concatenated(low: Lowering, first: DataVal, second: DataVal, node: At): DataVal {
  const isEmpty = [first, second].some(({ expr }) => expr.kind === "list" && expr.items.length === 0);
  const [a, b] = isEmpty ? [first, second] : [withPlainWords(first), withPlainWords(second)];
  const type = joinTy(a.type, b.type) ?? mixedList(a.type, b.type);
  // Beside values of other kinds a number must be one, since JSON has no `NaN`.
  const [x1, y1] = type === undefined ? [a, b].map((one) => withoutNaN(low, one, node, "an element")) : [];
  if (x1 !== undefined || y1 !== undefined) return concatenated(low, x1 ?? a, y1 ?? b, node);
  if (type === undefined || a.type.kind !== "list")
    return low.refuse(
      node,
      "FC2107",
      `a list cannot hold \`${tyText(a.type)}\` and \`${tyText(b.type)}\``,
      "keep values of one type in one list",
    );
  const [x, y] = [asType(low, a, type) ?? a.expr, asType(low, b, type) ?? b.expr];
  if (x.kind === "list" && x.items.length === 0) return data(y, type);
  if (y.kind === "list" && y.items.length === 0) return data(x, type);
  if (x.kind === "list" && y.kind === "list")
    return data({ kind: "list", items: [...x.items, ...y.items] }, type);
  return data(op("++", x, y), type);
}

function mixedList(a: Ty, b: Ty): Ty | undefined {
  const element = a.kind === "list" && b.kind === "list" ? mixed(a.element, b.element) : undefined;
  return element && listTy(element);
}
