/** Methods that change an array. Only arrays made here can be changed. */
import type { Node } from "oxc-parser";
import { num, op } from "../build.ts";
import { bare } from "../syntax.ts";
import { type DataVal, data, undefinedVal, type Val } from "../value.ts";
import {
  appended,
  arrayItems,
  asElement,
  changedAt,
  concatenated,
  listOf,
  memberOf,
  newArray,
  newList,
} from "./access.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { noteStored } from "./dict.ts";
import { sharedDepth } from "./own.ts";
import { sorted } from "./sort.ts";
import { fromEnd, integer } from "./text-method.ts";

const names = new Set(["push", "pop", "shift", "unshift", "reverse", "sort", "splice", "fill", "copyWithin"]);

/** Returns true for methods that change the array they are called on. */
export function isChanging(name: string): boolean {
  return names.has(name);
}

export function changing(
  low: Lowering,
  of: Val,
  name: string,
  args: readonly Val[],
  node: Node,
): Val | undefined {
  if (!names.has(name)) return undefined;
  if (of.kind === "data" && (of.place !== undefined || of.hold === "own") && of.type.kind === "list")
    return changedData(low, of, name, args, node);
  if (of.kind !== "ref" || of.shape.kind !== "array") {
    return low.refuse(
      node,
      "FC2312",
      `\`.${name}\` would change a list that comes from elsewhere`,
      "change a copy, `const mine = [...list]`; one that came from a `Map` is put back with `set`",
    );
  }
  const { slot } = of.shape;
  const held = low.read(slot);
  switch (name) {
    case "push": {
      const [spread] = args;
      const note = notedParts(low, slot, args, node);
      // A list of unknown length that is spread comes as one marked argument.
      if (spread?.kind === "items")
        low.write(
          slot,
          concatenated(
            low,
            reify(low, held, node, true),
            reify(low, spread.items[0] ?? undefinedVal, node),
            node,
          ),
          node,
        );
      else {
        low.write(slot, appended(low, held, args, node), node, false, true);
        note();
      }
      return memberOf(low, of, "length", node);
    }
    case "unshift":
      if (held.kind !== "items")
        low.write(
          slot,
          concatenated(
            low,
            reify(low, { kind: "items", items: args }, node, true),
            reify(low, held, node),
            node,
          ),
          node,
        );
      else low.write(slot, { kind: "items", items: [...args, ...held.items] }, node);
      return memberOf(low, of, "length", node);
    case "pop":
    case "shift":
      return taken(low, slot, held, name === "pop", node);
    case "reverse":
      if (held.kind === "items")
        low.write(slot, { kind: "items", items: [...held.items].reverse() }, node, false, true);
      else {
        const list = reify(low, held, node);
        const reversed = data(low.named(op("reverse", list.expr), "reversed", node), list.type);
        low.write(slot, reversed, node, false, true);
      }
      return of;
    case "sort":
      // The same elements in another order.
      low.write(slot, sorted(low, held, args[0], node), node, false, true);
      return of;
    case "fill": {
      const items = arrayItems(low, of);
      const [value] = args;
      if (items === undefined || value === undefined || args.length !== 1) break;
      low.write(slot, { kind: "items", items: items.map(() => value) }, node);
      return of;
    }
    case "splice":
      return spliced(low, of, slot, args, node);
  }
  return low.refuse(
    node,
    "FC2309",
    `\`.${name}\` is not part of the language in this form`,
    "build a new array with `filter`, `map`, `slice` or `push`",
  );
}

/**
 * Notes who else holds what is put into an array. Asked for before that is done, which makes values of what is put in.
 */
function notedParts(low: Lowering, slot: number, args: readonly Val[], node: Node): () => void {
  if (!low.ownArrays.has(slot)) return () => {};
  const written =
    node.type === "CallExpression" && node.arguments.length === args.length ? node.arguments : [];
  const depths = args.map((arg) => sharedDepth(low, arg));
  return () => {
    args.forEach((arg, i) => {
      const one = written[i];
      const literal = one === undefined || one.type === "SpreadElement" ? undefined : bare(one);
      noteStored(low, slot, arg, 1 + (depths[i] ?? 0), literal);
    });
  };
}

/** Mutates a list of the run in place. */
function changedData(low: Lowering, of: DataVal, name: string, args: readonly Val[], node: Node): Val {
  let after: Val = of;
  const given = changedAt(low, of, node, (list) => {
    const found = changing(low, list, name, args, node) ?? undefinedVal;
    if (found !== list) return found;
    after = list.kind === "ref" && list.shape.kind === "array" ? low.read(list.shape.slot) : of;
    return undefined;
  });
  if (given !== undefined) return given;
  // `sort` and `reverse` give the list itself, as it is now in its place.
  const { place } = of;
  const now = reify(low, after, node);
  const seen = place && low.state.get(place.slot);
  return place === undefined || seen === undefined ? now : { ...now, place: { ...place, seen } };
}

/** `splice(start, count, …items)`: takes elements out, puts others in, and gives those taken out. */
function spliced(low: Lowering, of: Val, slot: number, args: readonly Val[], node: Node): Val {
  const [start, count, ...more] = args;
  if (start === undefined || args.some((arg) => arg.kind === "items"))
    return low.refuse(node, "FC2314", "`.splice` needs a position and takes no list of unknown length");
  const from = integer(low, start, node);
  const number = count === undefined ? undefined : integer(low, count, node);
  const items = arrayItems(low, of);
  if (items !== undefined && from.kind === "number" && (number === undefined || number.kind === "number")) {
    const left = [...items];
    const taken = left.splice(
      Number(from.value),
      number?.kind === "number" ? Number(number.value) : left.length,
      ...more,
    );
    low.write(slot, { kind: "items", items: left }, node);
    return newArray(low, taken);
  }
  const list = listOf(low, of, node);
  if (list === undefined) return low.refuse(node, "FC2309", "`.splice` needs a list");
  const all = low.named(list.expr, "list", node);
  const length = op("length", all);
  const first = low.named(op("min", op("max", fromEnd(all, from), num(0n)), length), "first", node);
  const end =
    number === undefined ? length : low.named(op("+", first, op("max", number, num(0n))), "end", node);
  const [before, after] = [op("slice", all, num(0n), first), op("slice", all, end, length)];
  const middle = reify(low, { kind: "items", items: more }, node, true);
  const opened = concatenated(low, data(before, list.type), middle, node);
  const whole = concatenated(low, opened, data(after, list.type), node);
  low.write(slot, data(low.named(whole.expr, "list", node), whole.type), node);
  return newList(low, data(low.named(op("slice", all, first, end), "taken", node), list.type));
}

function taken(low: Lowering, slot: number, held: Val, last: boolean, node: Node): Val {
  if (held.kind === "items") {
    const items = [...held.items];
    const found = last ? items.pop() : items.shift();
    low.write(slot, { kind: "items", items }, node, false, true);
    return found ?? undefinedVal;
  }
  const list = reify(low, held, node);
  if (list.type.kind !== "list") return undefinedVal;
  const length = op("length", list.expr);
  const position = last ? op("-", length, num(1n)) : num(0n);
  const rest = last
    ? op("slice", list.expr, num(0n), op("max", position, num(0n)))
    : op("slice", list.expr, num(1n), length);
  const found = low.named(op("at", list.expr, position), "taken", node);
  low.write(slot, data(low.named(rest, "rest", node), list.type), node, false, true);
  return data(found, asElement(list.type.element));
}
