/** Methods that change an array. Only arrays made here can be changed. */
import type { Node } from "oxc-parser";
import { num, op } from "../build.ts";
import { data, undefinedVal, type Val } from "../value.ts";
import { appended, asElement, concatenated, memberOf } from "./access.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";

const names = new Set(["push", "pop", "shift", "unshift", "reverse", "sort", "splice", "fill", "copyWithin"]);

export function changing(
  low: Lowering,
  of: Val,
  name: string,
  args: readonly Val[],
  node: Node,
): Val | undefined {
  if (!names.has(name)) return undefined;
  if (of.kind !== "ref" || of.shape.kind !== "array") {
    return low.refuse(
      node,
      "FC2312",
      `\`.${name}\` would change a list that comes from elsewhere`,
      "copy it first: `const mine = [...list]`",
    );
  }
  const { slot } = of.shape;
  const held = low.read(slot);
  switch (name) {
    case "push": {
      const [spread] = args;
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
      else low.write(slot, appended(low, held, args, node), node);
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
      if (held.kind === "items") low.write(slot, { kind: "items", items: [...held.items].reverse() }, node);
      else {
        const list = reify(low, held, node);
        low.write(slot, data(low.named(op("reverse", list.expr), "reversed", node), list.type), node);
      }
      return of;
    default:
      return low.refuse(
        node,
        "FC2309",
        `\`.${name}\` is not part of the language`,
        "build a new array with `filter`, `map`, `slice` or `push`",
      );
  }
}

function taken(low: Lowering, slot: number, held: Val, last: boolean, node: Node): Val {
  if (held.kind === "items") {
    const items = [...held.items];
    const found = last ? items.pop() : items.shift();
    low.write(slot, { kind: "items", items }, node);
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
  low.write(slot, data(low.named(rest, "rest", node), list.type), node);
  return data(found, asElement(list.type.element));
}
