/** `Object.groupBy`, `Map.groupBy` and `Object.assign`. */
import type { Node } from "oxc-parser";
import { listExpr, op } from "../build.ts";
import { listTy, mapTy, never } from "../ty.ts";
import { data, type RefVal, undefinedVal, type Val } from "../value.ts";
import { arrayItems, listOf, setMember } from "./access.ts";
import { invoke } from "./callback.ts";
import { mapMethod } from "./collection.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { emptyMap, joinedMaps, keyText, mapOfVal, newDict } from "./dict.ts";
import { dynamicLoop } from "./loop.ts";
import { spreadFields } from "./object.ts";
import { letGo, ownSlot, share, storeAt } from "./own.ts";

/** The elements by the key that the function gives for each. */
export function groupBy(low: Lowering, into: string, args: readonly Val[], node: Node): Val {
  const [of, callback] = args;
  const known = of === undefined ? undefined : arrayItems(low, of);
  const list =
    known === undefined
      ? of && listOf(low, of, node)
      : reify(low, { kind: "items", items: known }, node, true);
  if (list?.type.kind !== "list" || callback === undefined)
    return low.refuse(node, "FC2314", `\`${into}.groupBy\` takes a list and a function`);
  const { expr, type } = list;
  const { element } = type;
  const slot = low.newSlot(
    into === "Map" ? { kind: "items", items: [] } : data(emptyMap, mapTy(listTy(element))),
  );
  low.slotNames.set(slot, "groups");
  ownSlot(low, slot);
  const result: RefVal = { kind: "ref", shape: { kind: into === "Map" ? "map" : "dict", slot } };
  if (element.kind === "never") return result;
  dynamicLoop(low, { kind: "data", expr, type }, { item: "item", index: "index" }, node, (item, index) => {
    const key = invoke(low, callback, [item, index], node);
    const one = listExpr([reify(low, item, node).expr]);
    if (into === "Map") {
      const found = reify(low, mapMethod(low, result, slot, "get", [key], node), node);
      const before =
        found.type.kind === "option" && found.type.value.kind === "list" ? found.expr : undefined;
      const all = before === undefined ? one : op("++", op("orElse", before, listExpr([])), one);
      mapMethod(low, result, slot, "set", [key, data(all, listTy(element))], node);
      return;
    }
    const groups = mapOfVal(low, result);
    if (groups?.place === undefined) return;
    const word = keyText(low, key, node);
    const all = op("++", op("orElse", op("mapGet", groups.expr, word), listExpr([])), one);
    storeAt(low, groups.place, data(op("mapSet", groups.expr, word, all), groups.type), node);
  });
  // The lists are new, and what they hold is not.
  share(low, slot, 2);
  return result;
}

/** `Object.assign(target, …)`: sets the fields of the others, one after the other, and gives the target. */
export function assigned(low: Lowering, args: readonly Val[], node: Node): Val {
  const [target = undefinedVal, ...sources] = args;
  for (const source of sources) {
    const map = mapOfVal(low, target);
    if (map?.place !== undefined) {
      const more = mapOfVal(low, source) ?? mapOfVal(low, asMap(low, source, node));
      if (more === undefined) break;
      const joined = joinedMaps(low, map, reify(low, letGo(low, more, 1), node), node);
      storeAt(low, map.place, joined, node);
      share(low, map.place.slot, 1);
    } else
      for (const [name, value] of spreadFields(low, source, node)) setMember(low, target, name, value, node);
  }
  return target;
}

function asMap(low: Lowering, source: Val, node: Node): Val {
  const map = newDict(low, data(emptyMap, mapTy(never)));
  for (const [name, value] of spreadFields(low, source, node)) setMember(low, map, name, value, node);
  return map;
}
