/** Objects whose keys are only known in the run: `Record<string, T>`. */
import type { Node } from "oxc-parser";
import { type Expr, inheritedNames } from "../../ir/index.ts";
import { choose, field, listExpr, none, num, op, recordExpr, same, some, text, variable } from "../build.ts";
import { bare } from "../syntax.ts";
import {
  bool,
  int,
  isNothing,
  isOptional,
  isText,
  joinTy,
  listTy,
  type MapTy,
  mapTy,
  never,
  optionTy,
  string,
  type Ty,
  tupleTy,
  tyText,
} from "../ty.ts";
import { type DataVal, data, type RefVal, undefinedVal, type Val } from "../value.ts";
import { newArray, newList } from "./access.ts";
import { textOf } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { asType, hinted, present, reify } from "./data.ts";
import {
  depthOf,
  inside,
  letGo,
  ownSlot,
  putBack,
  relink,
  share,
  sharedDepth,
  storeAt,
  withKey,
} from "./own.ts";

type At = { readonly start: number; readonly end: number };
type MapData = DataVal & { readonly type: MapTy };

export const emptyMap: Expr = { kind: "op", op: "mapOf", args: [{ kind: "list", items: [] }] };

export function newDict(low: Lowering, value: DataVal): RefVal {
  return { kind: "ref", shape: { kind: "dict", slot: ownSlot(low, low.newSlot(value)) } };
}

/** An object literal as the map that it was declared to be. */
export function asDict(low: Lowering, val: RefVal, type: MapTy): Val {
  if (val.shape.kind !== "object") return val;
  const node = { start: 0, end: 0 };
  if (holdsCode(low, val)) return val;
  const depth = sharedDepth(low, val);
  const parts: { readonly key: string; readonly value: DataVal }[] = [];
  for (const [key, slot] of val.shape.fields) {
    const value = reify(low, low.read(slot), node, true);
    if (!isNothing(value.type)) parts.push({ key, value });
  }
  let value: Ty = type.value;
  for (const part of parts) {
    if (isOptional(part.value.type)) return val;
    const joined: Ty | undefined = joinTy(value, part.value.type);
    if (joined === undefined) return val;
    value = joined;
  }
  const entries: Expr[] = [];
  for (const part of parts) {
    const expr = asType(low, part.value, value);
    if (expr === undefined) return val;
    entries.push(entryExpr(text(part.key), expr));
  }
  const dict = newDict(low, data({ kind: "op", op: "mapOf", args: [listExpr(entries)] }, mapTy(value)));
  if (dict.shape.kind === "dict") {
    share(low, dict.shape.slot, depth);
    // Someone else knows the object too, and would not see a change.
    if (low.shared.has(val)) low.freeze(dict.shape.slot);
  }
  return dict;
}

/** Returns true if a part of it is a function, which no value of the run can be. */
function holdsCode(low: Lowering, val: Val): boolean {
  switch (val.kind) {
    case "items":
      return val.items.some((item) => holdsCode(low, item));
    case "ref": {
      const slots = val.shape.kind === "object" ? [...val.shape.fields.values()] : [val.shape.slot];
      return slots.some((slot) => holdsCode(low, low.state.get(slot) ?? undefinedVal));
    }
    default:
      return ["function", "tool", "choice", "builtin", "class"].includes(val.kind);
  }
}

export function entryExpr(key: Expr, value: Expr): Expr {
  return recordExpr([
    { name: "key", value: key },
    { name: "value", value },
  ]);
}

/** The map behind a local object or a value of the run; undefined for what is none. */
export function mapOfVal(low: Lowering, of: Val): MapData | undefined {
  const val = of.kind === "ref" && of.shape.kind === "dict" ? slotValue(low, of.shape.slot) : of;
  if (val.kind !== "data" || val.type.kind !== "map") return undefined;
  return { ...val, type: val.type };
}

/** The value of the slot, with its place. */
function slotValue(low: Lowering, slot: number): Val {
  const val = low.read(slot);
  const seen = low.state.get(slot);
  if (val.kind !== "data" || seen === undefined) return val;
  return { ...val, place: { slot, path: [], seen } };
}

/** A key as JavaScript makes it a string. */
export function keyText(low: Lowering, key: Val, node: At): Expr {
  return low.named(textOf(low, key, node), "key", node);
}

/**
 * `of[key]`.
 * @param isSet the key is set afterwards, so that the map will have values
 */
export function dictGet(low: Lowering, of: MapData, key: Expr, node: At, isSet = false): Val {
  if (of.type.value.kind === "never") return undefinedVal;
  if (key.kind === "string" && inheritedNames.has(key.value)) return refuseInherited(low, key.value, node);
  // Nothing in a document says which values a map without any would have.
  const made = of.expr.kind === "var" ? (low.definitions.get(of.expr.name) ?? of.expr) : of.expr;
  if (!isSet && same(made, emptyMap)) return undefinedVal;
  const { value } = of.type;
  const found = getExpr(low, of.expr, key);
  const step = { kind: "key", key } as const;
  if (isKeyOf(low, key, of.expr)) return inside(of, step, data(op("value", found), value));
  return inside(of, step, data(found, optionTy(value, "undefined")));
}

export function refuseInherited(low: Lowering, name: string, node: At): never {
  return low.refuse(
    node,
    "FC2320",
    `every object has \`${name}\`, whatever keys were set`,
    "use another key, or `Object.hasOwn`",
  );
}

/** LIMIT: how many changes are looked through. */
const mostChanges = 16;

/** Looks up a key of the map, through the known changes. */
function getExpr(low: Lowering, map: Expr, key: Expr, fuel = mostChanges): Expr {
  const made = map.kind === "var" ? low.definitions.get(map.name) : map;
  if (fuel > 0 && made?.kind === "op") {
    const [first, second, third] = made.args;
    if (made.op === "mapSet" && second !== undefined && third !== undefined && same(second, key))
      return some(third);
    if (made.op === "if" && first !== undefined && second !== undefined && third !== undefined) {
      const [yes, no] = [getExpr(low, second, key, fuel - 1), getExpr(low, third, key, fuel - 1)];
      if (yes.kind !== "op" || no.kind !== "op" || yes.op !== "mapGet" || no.op !== "mapGet")
        return choose(first, yes, no);
    }
  }
  return op("mapGet", map, key);
}

/** Notes that the name stands for a key of the map that the list was made of. */
export function noteKeys(low: Lowering, list: Expr, name: string): void {
  const map = keysOf(low, list);
  if (map !== undefined) low.keysOf.set(name, map);
}

/** The operators that give elements of a list and no others. */
const choosing: ReadonlySet<string> = new Set(["filter", "slice", "reverse", "unique", "sort", "sortBy"]);

function keysOf(low: Lowering, list: Expr, fuel = mostChanges): Expr | undefined {
  const made = list.kind === "var" ? low.definitions.get(list.name) : list;
  if (made?.kind !== "op" || fuel <= 0) return undefined;
  if (made.op === "mapKeys") return made.args[0];
  const [first] = made.args;
  return first !== undefined && choosing.has(made.op) ? keysOf(low, first, fuel - 1) : undefined;
}

function isKeyOf(low: Lowering, key: Expr, map: Expr): boolean {
  const known = key.kind === "var" ? low.keysOf.get(key.name) : undefined;
  return known !== undefined && same(known, map);
}

/** Sets a key of a map that can be changed where it is. */
export function dictSet(
  low: Lowering,
  of: MapData,
  key: Expr,
  given: Val,
  node: At,
  isOwn = false,
  literal?: Node,
): void {
  const { place } = of;
  if (place === undefined)
    low.refuse(
      node,
      "FC2312",
      "a key cannot be set, because this object comes from elsewhere",
      "build a new object: `{ ...object, [key]: value }`",
    );
  // SOUNDNESS: to assign `__proto__` sets the prototype; a literal with a computed key has a key of that name.
  if (key.kind === "string" && key.value === "__proto__" && !isOwn) refuseInherited(low, key.value, node);
  const value = hinted(low, given, of.type.value);
  const back = putBack(low, value, place.slot, [...place.path, { kind: "key", key }]);
  const depth = back === undefined ? sharedDepth(low, value) : Number.POSITIVE_INFINITY;
  const made =
    back === undefined || value.kind !== "data"
      ? reify(low, value, node, true)
      : data(value.expr, value.type);
  if (isNothing(made.type) && isOptional(made.type))
    low.refuse(node, "FC2312", "a key cannot be set to `undefined` here", "use `delete object[key]`");
  const solid = isOptional(made.type) ? present(low, made, node, "what the key is set to") : made;
  storeAt(low, place, withKey(low, of, key, solid, node), node);
  noteStored(low, place.slot, value, depthOf(place.path) + 1 + depth, literal);
  const now = low.state.get(place.slot);
  if (now !== undefined) back?.(now);
  relink(low, value, solid, place.slot, [...place.path, { kind: "key", key }]);
}

/**
 * Tells the slot that it now holds what may be known by other names.
 * @param literal the literal that the value was written as, which nobody has a name for
 */
export function noteStored(low: Lowering, slot: number, value: Val, sharedAt: number, literal?: Node): void {
  if (Number.isFinite(sharedAt)) share(low, slot, sharedAt);
  if (value.kind !== "ref") return;
  const slots = low.stored.get(slot) ?? new Set();
  const add = (one: number): void => {
    if (slots.has(one)) return;
    slots.add(one);
    // SOUNDNESS: what it was chosen from lives on when the choice has no name any more.
    for (const origin of low.originsOf(one)) add(origin);
  };
  for (const one of allSlots(low, value, literal)) add(one);
  low.stored.set(slot, slots);
}

function allSlots(low: Lowering, val: Val, literal?: Node): number[] {
  const isWritten =
    literal?.type === "ArrayExpression" ||
    literal?.type === "ObjectExpression" ||
    // A constructor of a class may have given its object to others.
    (literal?.type === "NewExpression" && val.kind === "ref" && val.shape.kind !== "object");
  if (val.kind === "items") {
    const parts = literal?.type === "ArrayExpression" ? literal.elements : [];
    const isPlain = parts.every((part) => part !== null && part.type !== "SpreadElement");
    return val.items.flatMap((item, i) => allSlots(low, item, (isPlain ? parts[i] : undefined) ?? undefined));
  }
  if (val.kind !== "ref") return [];
  if (val.shape.kind === "object") {
    // What stands in its fields may have names of its own.
    const inside = [...val.shape.fields].flatMap(([name, slot]) => [
      ...(isWritten ? [] : [slot]),
      ...allSlots(low, low.state.get(slot) ?? undefinedVal, literal && writtenField(literal, name)),
    ]);
    return inside;
  }
  const { slot } = val.shape;
  const deeper = allSlots(low, low.state.get(slot) ?? undefinedVal, literal);
  return isWritten ? deeper : [slot, ...deeper];
}

/** The literal that an object literal has as its field; undefined where a later part may have set it too. */
function writtenField(literal: Node, name: string): Node | undefined {
  if (literal.type !== "ObjectExpression") return undefined;
  const isPlain = literal.properties.every((one) => one.type === "Property" && !one.computed);
  const found = literal.properties.filter(
    (one) => one.type === "Property" && one.key.type === "Identifier" && one.key.name === name,
  );
  const [only] = found;
  return isPlain && found.length === 1 && only?.type === "Property" ? bare(only.value) : undefined;
}

export function dictDelete(low: Lowering, of: MapData, key: Expr, node: At): void {
  const { place } = of;
  if (place === undefined)
    low.refuse(
      node,
      "FC2312",
      "a key cannot be deleted, because this object comes from elsewhere",
      "copy it first: `const mine = { ...object }`",
    );
  low.deletions++;
  storeAt(low, place, data(op("mapDelete", of.expr, key), of.type), node);
}

/** `Object.keys`, `values` and `entries` of a map. */
export function dictParts(low: Lowering, of: MapData, name: string, node: At): Val {
  const { type } = of;
  if (type.value.kind === "never") return newArray(low, []);
  // Keys are texts, which nobody can change.
  if (name === "keys") return newList(low, data(op("mapKeys", of.expr), listTy(string)));
  const plain = letGo(low, of, 1);
  const { expr } = reify(low, plain, node);
  if (name === "values") return newList(low, data(op("mapValues", expr), listTy(type.value)));
  return newList(low, data(op("mapEntries", expr), listTy(tupleTy([string, type.value]))));
}

/** `key in object`: JavaScript looks at what it inherits too. */
export function dictHas(low: Lowering, of: MapData, key: Expr, isOwn: boolean, node: At): Val {
  if (of.type.value.kind === "never") return data({ kind: "bool", value: false }, bool);
  if (isOwn) return data(op("mapHas", of.expr, key), bool);
  const found = dictGet(low, of, key, node);
  if (found.kind !== "data" || !isOptional(found.type)) return data({ kind: "bool", value: true }, bool);
  return data(op("isSome", found.expr), bool);
}

/** The map of a list of pairs. */
export function dictOfPairs(low: Lowering, given: DataVal, node: At): Val {
  const list = pairedUp(low, given, node);
  const element = list.type.kind === "list" ? list.type.element : never;
  if (element.kind === "never") return newDict(low, data(emptyMap, mapTy(never)));
  const [key, value] = element.kind === "record" && element.tuple ? element.fields : [];
  if (key === undefined || value === undefined || isOptional(value.type))
    return low.refuse(
      node,
      "FC2320",
      `an object is made of pairs of keys and values, and this is a list of \`${tyText(element)}\``,
      "give pairs: `list.map((x) => [x.id, x.name])`",
    );
  const pairs = isText(key.type) ? list.expr : withTextKeys(low, list.expr, key.type, node);
  const dict = newDict(low, data(low.named(op("mapOf", pairs), "object", node), mapTy(value.type)));
  if (dict.shape.kind === "dict") share(low, dict.shape.slot, 1);
  return dict;
}

/** The pairs with their keys as JavaScript makes them texts. */
function withTextKeys(low: Lowering, list: Expr, type: Ty, node: At): Expr {
  const name = low.names.fresh("pair");
  const key = textOf(low, data(field(variable(name), "key"), type), node);
  const body = entryExpr(key, field(variable(name), "value"));
  return op("map", list, { kind: "lambda", params: [{ name }], body });
}

/** Lists of two elements of one type as the pairs that they are. */
function pairedUp(low: Lowering, list: DataVal, node: At): DataVal {
  const element = list.type.kind === "list" ? list.type.element : never;
  if (element.kind !== "list" || element.element.kind === "never") return list;
  const type = listTy(tupleTy([element.element, element.element]));
  const made = list.expr.kind === "var" ? (low.definitions.get(list.expr.name) ?? list.expr) : list.expr;
  const written = writtenPairs(made);
  if (written !== undefined) return data(written, type);
  const whole = low.named(list.expr, "pairs", node);
  const name = low.names.fresh("pair");
  const isPair = op("==", op("length", variable(name)), num(2n));
  low.require(
    op("every", whole, { kind: "lambda", params: [{ name }], body: isPair }),
    "each of these must be a pair of a key and a value",
    node,
  );
  const [key, value] = [0n, 1n].map((i) => op("value", op("at", variable(name), num(i))));
  const body = entryExpr(key ?? none, value ?? none);
  return data(op("map", whole, { kind: "lambda", params: [{ name }], body }), type);
}

/** `list.map((x) => [a, b])`, with what the function gives as a pair. */
function writtenPairs(expr: Expr): Expr | undefined {
  if (expr.kind === "list") {
    const items = expr.items.map(writtenPair);
    return items.every((item) => item !== undefined) ? listExpr(items) : undefined;
  }
  const [list, lambda] = expr.kind === "op" && expr.op === "map" ? expr.args : [];
  if (list === undefined || lambda?.kind !== "lambda") return undefined;
  const body = writtenPair(lambda.body);
  return body && op("map", list, { ...lambda, body });
}

function writtenPair(expr: Expr): Expr | undefined {
  if (expr.kind === "let") {
    const body = writtenPair(expr.body);
    return body && { ...expr, body };
  }
  const [key, value] = expr.kind === "list" && expr.items.length === 2 ? expr.items : [];
  return key && value && entryExpr(key, value);
}

export function dictSize(of: MapData): DataVal {
  return data(op("mapSize", of.expr), int);
}

/** Methods that every object has. */
export function dictMethod(low: Lowering, of: MapData, name: string, args: readonly Val[], node: Node): Val {
  const [key] = args;
  if (name === "hasOwnProperty" && key !== undefined && args.length === 1)
    return dictHas(low, of, keyText(low, key, node), true, node);
  return low.refuse(
    node,
    "FC2309",
    `an object has no method \`${name}\` here`,
    "use `Object.keys`, `Object.values`, `Object.entries` or `key in object`",
  );
}

/** One map over another, as a spread does it. */
export function joinedMaps(low: Lowering, a: DataVal, b: DataVal, node: At): MapData {
  const type = joinTy(a.type, b.type);
  if (type?.kind !== "map")
    return low.refuse(
      node,
      "FC2107",
      `an object cannot hold values of \`${tyText(a.type)}\` and \`${tyText(b.type)}\``,
      "keep values of one type in one object",
    );
  const [x, y] = [asType(low, a, type), asType(low, b, type)];
  if (x === undefined || y === undefined)
    return low.refuse(node, "FC2107", "these objects do not fit together");
  return { kind: "data", expr: x === emptyMap ? y : op("mapJoin", x, y), type };
}
