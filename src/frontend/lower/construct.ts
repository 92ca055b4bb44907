/** `new`, for the few things that can be made with it. */
import type { NewExpression } from "oxc-parser";
import { op, text } from "../build.ts";
import type { Scope } from "../scope.ts";
import { string } from "../ty.ts";
import { data, type Val } from "../value.ts";
import { arrayItems, listOf } from "./access.ts";
import { arrayOf } from "./builtin.ts";
import { args } from "./chain.ts";
import { newInstance } from "./class.ts";
import { addedToSet, mapFromEntries, mapFromList } from "./collection.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { constructDate } from "./date.ts";
import { expression } from "./expression.ts";
import { spreadable } from "./generator.ts";
import { regexOf } from "./regex.ts";
import { newPromise } from "./timer.ts";

const errors = new Set(["Error", "TypeError", "RangeError", "SyntaxError"]);

export function construct(low: Lowering, scope: Scope, node: NewExpression): Val {
  const callee = expression(low, scope, node.callee);
  if (callee.kind === "poison") return reify(low, callee, node);
  if (callee.kind === "builtin" && callee.name === "Promise") return newPromise(low, scope, node);
  const given = args(low, scope, node.arguments, node);
  const [first] = given;
  if (callee.kind === "class") return newInstance(low, callee, given, node);
  if (callee.kind === "builtin") {
    if (errors.has(callee.name))
      return { kind: "error", name: callee.name, message: first ?? data(text(""), string) };
    if (callee.name === "Intl.NumberFormat") return { ...callee, format: given };
    if (callee.name === "RegExp") return regexOf(low, given, node);
    if (callee.name === "Date") return constructDate(low, given, node);
    const source = first && spreadable(low, first, node);
    if (callee.name === "Set") return newSet(low, source, node);
    if (callee.name === "Map") {
      const entries = source === undefined ? [] : arrayItems(low, source);
      if (entries !== undefined) return mapFromEntries(low, entries, node);
      const list = source && listOf(low, source, node);
      if (list !== undefined) return mapFromList(low, list, node);
      return low.refuse(node, "FC2304", "a `Map` starts from pairs of keys and values", "write `new Map()`");
    }
    if (callee.name === "Array") return arrayOf(low, given, node);
  }
  return low.refuse(
    node,
    "FC2304",
    "`new` makes only `Set`, `Map`, `Date`, `RegExp` and errors",
    "use plain objects and arrays",
  );
}

function newSet(low: Lowering, from: Val | undefined, node: NewExpression): Val {
  const items = from === undefined ? [] : arrayItems(low, from);
  if (items !== undefined) {
    const slot = low.newSlot({ kind: "items", items: [] });
    for (const item of items) low.state.set(slot, addedToSet(low, low.read(slot), item, node));
    return { kind: "ref", shape: { kind: "set", slot } };
  }
  const list = from && listOf(low, from, node);
  if (list === undefined) return low.refuse(node, "FC2315", "a `Set` starts from a list");
  if (["record", "json"].includes(list.type.element.kind) || list.type.element.kind === "list")
    return low.refuse(
      node,
      "FC2106",
      "a `Set` of objects tells only whether they are the same object",
      "use a field of them, such as an id",
    );
  return { kind: "ref", shape: { kind: "set", slot: low.newSlot(data(op("unique", list.expr), list.type)) } };
}
