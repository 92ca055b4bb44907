/** `Set` and `Map`: lists of what they hold, in the order in which it was added. */
import type { Argument, ArrayExpressionElement, Node } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { anyOf, choose, field, listExpr, not, op, variable } from "../build.ts";
import { bare } from "../syntax.ts";
import {
  bool,
  isNothing,
  isOptional,
  joinTy,
  type ListTy,
  listLike,
  listTy,
  optionTy,
  type Ty,
  tupleTy,
  undefinedTy,
} from "../ty.ts";
import { type DataVal, data, type RefVal, undefinedVal, type Val } from "../value.ts";
import { appended, elementAt, newArray, newList } from "./access.ts";
import { arrayMethod } from "./array.ts";
import { invoke } from "./callback.ts";
import { sameValue } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { asType, present, reify, tuple, withPlainWords } from "./data.ts";
import { noteStored } from "./dict.ts";
import { dynamicLoop } from "./loop.ts";
import { mergeValues } from "./merge.ts";
import {
  depthOf,
  inside,
  isMutable,
  looked,
  ownSlot,
  putBack,
  relink,
  share,
  sharedDepth,
  storeAt,
} from "./own.ts";
import { stable } from "./turns.ts";

/** Lowers `includes`: some element equals the value. */
export function containsValue(low: Lowering, held: Val, value: Val, node: Node): Expr {
  if (held.kind === "items") {
    const known = held.items.map((item) => sameValue(low, item, value, node));
    if (known.every((one) => one.kind === "bool") || held.items.length === 0) return anyOf(known);
  }
  const list = reify(low, looked(held), node);
  const item = reify(low, looked(value), node);
  if (list.type.kind !== "list") return low.refuse(node, "FC2315", "this is not a list");
  const element = list.type.element;
  if (element.kind === "record" || element.kind === "list" || element.kind === "regex")
    return low.refuse(
      node,
      "FC2106",
      "this tells only whether they are the same object",
      "look for a field of them with `some`",
    );
  if (element.kind === "never") return { kind: "bool", value: false };
  const type = joinTy(element, item.type);
  const [whole, one] = type === undefined ? [] : [asType(low, list, listTy(type)), asType(low, item, type)];
  if (whole === undefined || one === undefined) {
    return low.refuse(
      node,
      "FC2106",
      "this looks for a value of another type than the list has",
      "look for a value of the same type",
    );
  }
  return op("contains", whole, one);
}

export function addedToSet(low: Lowering, held: Val, value: Val, node: Node): Val {
  const there = containsValue(low, held, value, node);
  if (there.kind === "bool") return there.value ? held : appended(low, held, [value], node);
  const list = reify(low, held, node);
  const longer = reify(low, appended(low, list, [value], node), node);
  return mergeValues(low, there, list, longer, node, "set");
}

/** A `Map` of the pairs that a list of the run holds: of equal keys, the last value at the place of the first. */
export function mapFromList(low: Lowering, list: DataVal & { type: { kind: "list" } }, node: Node): Val {
  const slot = low.newSlot({ kind: "items", items: [] });
  const map: RefVal = { kind: "ref", shape: { kind: "map", slot } };
  dynamicLoop(low, list, { item: "entry" }, node, (item) => {
    const pair = [0, 1].map((i) => {
      const part = elementAt(low, item, i, node);
      return part.kind === "data" ? present(low, part, node, "what a `Map` starts from") : part;
    });
    mapMethod(low, map, slot, "set", pair, node);
  });
  return map;
}

export function setMethod(
  low: Lowering,
  of: RefVal,
  slot: number,
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  const held = low.read(slot);
  const [value = undefinedVal] = args;
  switch (name) {
    case "has":
      return data(containsValue(low, held, value, node), bool);
    case "add":
      low.write(slot, addedToSet(low, held, value, node), node);
      return of;
    case "values":
    case "keys":
      return copyOf(low, held, node);
    case "forEach":
      if (value.kind === "function" && value.node.params.length > 1)
        low.refuse(
          node,
          "FC2314",
          "the function of `.forEach` of a `Set` is given the value twice, and no position",
          "take one parameter",
        );
      return stable(low, of, node, () => arrayMethod(low, copyOf(low, held, node), name, args, node));
    case "clear":
      low.write(slot, { kind: "items", items: [] }, node);
      return undefinedVal;
    case "delete": {
      const there = containsValue(low, held, value, node);
      const list = reify(low, held, node);
      const name1 = low.names.fresh("item");
      if (list.type.kind !== "list") break;
      const differs = not(sameValue(low, data(variable(name1), list.type.element), value, node));
      const left = op("filter", list.expr, { kind: "lambda", params: [{ name: name1 }], body: differs });
      if (list.type.element.kind !== "never")
        low.write(slot, data(low.named(left, "set", node), list.type), node);
      return data(there, bool);
    }
  }
  return low.refuse(
    node,
    "FC2309",
    `a \`Set\` has no method \`${name}\` here`,
    "it has `has`, `add`, `delete`, `clear`, `size`, `forEach` and can be looped over",
  );
}

export function copyOf(low: Lowering, held: Val, node: Node): Val {
  return held.kind === "items" ? newArray(low, held.items) : newList(low, reify(low, held, node));
}

// ── maps: lists of `{ key, value }` ──────────────────────────────────────────────────────────────────────

export function mapFromEntries(low: Lowering, entries: readonly Val[], node: Node): Val {
  const slot = low.newSlot({ kind: "items", items: [] });
  const map: RefVal = { kind: "ref", shape: { kind: "map", slot } };
  const literal = node.type === "NewExpression" ? literalOf(node.arguments[0]) : undefined;
  const written = literal?.type === "ArrayExpression" ? literal.elements : [];
  entries.forEach((entry, i) => {
    const pair = [elementAt(low, entry, 0, node), elementAt(low, entry, 1, node)];
    const one = written.length === entries.length ? literalOf(written[i]) : undefined;
    const value = one?.type === "ArrayExpression" ? literalOf(one.elements[1]) : undefined;
    mapMethod(low, map, slot, "set", pair, node, value);
  });
  return map;
}

/** The literal that stands there, or the making of something new. */
function literalOf(node: Argument | ArrayExpressionElement | undefined): Node | undefined {
  if (!node || node.type === "SpreadElement") return undefined;
  const inner = bare(node);
  const isNew = ["ArrayExpression", "ObjectExpression", "NewExpression"].includes(inner.type);
  return isNew ? inner : undefined;
}

function entryList(
  low: Lowering,
  slot: number,
  node: Node,
): { list: DataVal; key: Ty; value: Ty } | undefined {
  const list = reify(low, low.read(slot), node);
  if (list.type.kind !== "list" || list.type.element.kind !== "record") return undefined;
  const part = (name: string): Ty => {
    const found =
      list.type.kind === "list" && list.type.element.kind === "record"
        ? list.type.element.fields.find((one) => one.name === name)
        : undefined;
    return found?.type ?? undefinedTy;
  };
  return { list, key: part("key"), value: part("value") };
}

function hasKey(low: Lowering, key: Val, keyType: Ty, node: Node): Expr {
  const name = low.names.fresh("entry");
  const body = sameValue(low, data(field(variable(name), "key"), keyType), key, node);
  return { kind: "lambda", params: [{ name }], body };
}

export function mapMethod(
  low: Lowering,
  of: RefVal,
  slot: number,
  name: string,
  args: readonly Val[],
  node: Node,
  literal = node.type === "CallExpression" ? literalOf(node.arguments[1]) : undefined,
): Val {
  const [key = undefinedVal, value = undefinedVal] = args;
  const entries = entryList(low, slot, node);
  switch (name) {
    case "has":
      return data(
        entries === undefined
          ? { kind: "bool", value: false }
          : op("any", entries.list.expr, hasKey(low, key, entries.key, node)),
        bool,
      );
    case "get": {
      if (entries === undefined) return undefinedVal;
      const found = low.named(
        op("find", entries.list.expr, hasKey(low, key, entries.key, node)),
        "found",
        node,
      );
      const value = field(op("value", found), "value");
      if (entries.value.kind === "option" && entries.value.absent === "undefined")
        return data(choose(op("isSome", found), value, { kind: "none" }), entries.value);
      return atEntry(
        low,
        slot,
        key,
        data(
          choose(op("isSome", found), op("some", value), { kind: "none" }),
          optionTy(entries.value, "undefined"),
        ),
        node,
      );
    }
    case "set":
      setEntry(low, slot, key, value, entries, node, literal);
      return of;
    case "entries":
      share(low, slot, 1);
      return entries === undefined ? newArray(low, []) : newList(low, entries.list);
    case "forEach":
      share(low, slot, 1);
      if (entries !== undefined) stable(low, of, node, () => forEachEntry(low, entries.list, key, node));
      return undefinedVal;
    case "clear":
      low.write(slot, { kind: "items", items: [] }, node);
      return undefinedVal;
    case "delete": {
      if (entries === undefined) return data({ kind: "bool", value: false }, bool);
      const there = low.named(op("any", entries.list.expr, hasKey(low, key, entries.key, node)), "had", node);
      const item = low.names.fresh("entry");
      const body = not(sameValue(low, data(field(variable(item), "key"), entries.key), key, node));
      const left = op("filter", entries.list.expr, { kind: "lambda", params: [{ name: item }], body });
      low.write(slot, data(low.named(left, "map", node), entries.list.type), node);
      return data(there, bool);
    }
    case "keys":
    case "values": {
      // Keys are texts, numbers or booleans, which nobody can change.
      if (name === "values") share(low, slot, 1);
      if (entries === undefined) return newArray(low, []);
      const part = name === "keys" ? "key" : "value";
      const item = low.names.fresh("entry");
      const lambda: Expr = { kind: "lambda", params: [{ name: item }], body: field(variable(item), part) };
      return newList(
        low,
        data(op("map", entries.list.expr, lambda), listTy(part === "key" ? entries.key : entries.value)),
      );
    }
  }
  return low.refuse(
    node,
    "FC2309",
    `a \`Map\` has no method \`${name}\` here`,
    "it has `get`, `set`, `has`, `delete`, `clear`, `keys`, `values`, `entries`, `forEach`, `size` and can be looped over",
  );
}

const changesSet = new Set(["add", "set", "delete", "clear"]);

/** A method of a `Set` or a `Map` that another value holds: what changes it is put back there. */
export function collectionMethod(
  low: Lowering,
  of: DataVal & { readonly type: ListTy },
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  const { as = "set", element } = of.type;
  const { place, hold: _, ...plain } = of;
  const slot = low.newSlot({ ...plain, type: listTy(element) });
  const ref: RefVal = { kind: "ref", shape: { kind: as, slot } };
  if (place === undefined && changesSet.has(name))
    return low.refuse(
      node,
      "FC2312",
      `\`.${name}\` would change a \`${as === "set" ? "Set" : "Map"}\` that comes from elsewhere`,
      "change a copy, and put it back with `set`",
    );
  const given =
    as === "set" ? setMethod(low, ref, slot, name, args, node) : mapMethod(low, ref, slot, name, args, node);
  if (place === undefined) return given;
  if (!changesSet.has(name)) {
    const [key] = args;
    const isEntry = as === "map" && name === "get" && key !== undefined && given.kind === "data";
    if (!isEntry) {
      if (isMutable(element)) share(low, place.slot, depthOf(place.path) + 1);
      return given;
    }
    const { place: __, hold: ___, ...found } = given;
    return inside(of, { kind: "entry", key: reify(low, key, node).expr }, found);
  }
  const now = reify(low, low.read(slot), node);
  const type: Ty = now.type.kind === "list" ? listLike(of.type, now.type.element) : of.type;
  storeAt(low, place, data(now.expr, type), node);
  // SOUNDNESS: another name may hold the value that was put in.
  if (name === "set") share(low, place.slot, depthOf(place.path) + 1);
  const seen = low.state.get(place.slot);
  if (given !== ref || seen === undefined) return given === ref ? undefinedVal : given;
  return { ...data(now.expr, type), place: { ...place, seen } };
}

/** The value of a key, which knows where it was taken from. */
function atEntry(low: Lowering, slot: number, key: Val, found: DataVal, node: Node): DataVal {
  const seen = low.state.get(slot);
  if (seen?.kind !== "data" || low.mode.kind !== "program") return found;
  const step = { kind: "entry", key: reify(low, key, node).expr } as const;
  return inside({ ...seen, place: { slot, path: [], seen } }, step, found);
}

/** The function is given the value first, then the key. */
function forEachEntry(low: Lowering, list: DataVal, callback: Val, node: Node): void {
  const { expr, type } = list;
  if (type.kind !== "list") return;
  dynamicLoop(low, { kind: "data", expr, type }, { item: "entry" }, node, (item) => {
    const pair = [elementAt(low, item, 1, node), elementAt(low, item, 0, node)];
    if (invoke(low, callback, pair, node).kind === "promise")
      low.refuse(node, "FC2311", "`.forEach` does not wait for its calls", "use `for … of` with `await`");
  });
}

function setEntry(
  low: Lowering,
  slot: number,
  key: Val,
  value: Val,
  entries: ReturnType<typeof entryList>,
  node: Node,
  literal: Node | undefined,
): void {
  const word = reify(low, key, node, true);
  const k = isOptional(word.type) && !isNothing(word.type) ? present(low, word, node, "the key") : word;
  const back = putBack(low, value, slot, [{ kind: "entry", key: k.expr }]);
  const depth = back === undefined ? sharedDepth(low, value) : Number.POSITIVE_INFINITY;
  const given =
    back === undefined || value.kind !== "data"
      ? reify(low, value, node, true)
      : data(value.expr, value.type);
  if (isNothing(given.type) && isOptional(given.type))
    low.refuse(node, "FC2109", "`undefined` cannot be kept in a `Map`", "omit the key, or use `null`");
  const v = withPlainWords(
    isOptional(given.type) ? present(low, given, node, "what is kept in a `Map`") : given,
  );
  const done = () => {
    if (low.state.get(slot)?.kind === "data" && !low.sharedFrom.has(slot)) ownSlot(low, slot);
    noteStored(low, slot, value, 1 + depth, literal);
    const now = low.state.get(slot);
    if (now !== undefined) back?.(now);
    relink(low, value, v, slot, [{ kind: "entry", key: k.expr }]);
  };
  if (k.type.kind === "record" || k.type.kind === "list")
    low.refuse(
      node,
      "FC2106",
      "the key of a `Map` must be a string, a number or a boolean here",
      "use an id as the key",
    );
  const type = tupleTy([
    entries === undefined ? k.type : (joinTy(entries.key, k.type) ?? k.type),
    entries === undefined ? v.type : (joinTy(entries.value, v.type) ?? v.type),
  ]);
  const converted = asType(low, tuple([k, v]), type);
  if (converted === undefined)
    low.refuse(node, "FC2107", "a `Map` must hold values of one type", "use two maps");
  if (entries === undefined) {
    low.write(slot, data(listExpr([converted]), listTy(type)), node);
    done();
    return;
  }
  const old = asType(low, entries.list, listTy(type));
  if (old === undefined) low.refuse(node, "FC2107", "a `Map` must hold values of one type", "use two maps");
  const list = low.named(old, "map", node);
  const item = low.names.fresh("entry");
  const same = sameValue(low, data(field(variable(item), "key"), type.fields[0]?.type ?? k.type), k, node);
  const replaced = op("map", list, {
    kind: "lambda",
    params: [{ name: item }],
    body: choose(same, converted, variable(item)),
  });
  const there = op("any", list, hasKey(low, k, type.fields[0]?.type ?? k.type, node));
  low.write(
    slot,
    data(
      low.named(choose(there, replaced, op("++", list, listExpr([converted]))), "map", node),
      listTy(type),
    ),
    node,
  );
  done();
}
