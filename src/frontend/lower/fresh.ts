/** Lists of new arrays or objects: `Array.from({ length: 24 }, () => [])`, whose elements nobody else holds. */
import type { Node } from "oxc-parser";
import { bare } from "../syntax.ts";
import { type RefVal, undefinedVal, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { isMutable, ownSlot, partsOf } from "./own.ts";

/** Notes that the elements can be changed where they are, if each turn of the function made a new one. */
export function withFreshElements(low: Lowering, made: Val, callback: Val | undefined, node: Node): Val {
  if (made.kind !== "ref" || made.shape.kind !== "array" || low.mode.kind !== "program") return made;
  const literal = callback?.kind === "function" ? literalIn(callback.node.body) : undefined;
  if (literal === undefined) return made;
  const { slot } = made.shape;
  const held = low.state.get(slot);
  if (!isNew(literal) && !(held !== undefined && holdsScalars(low, held))) return made;
  if (held?.kind === "items" && held.items.length > 0) low.state.set(slot, reify(low, held, node));
  if (low.state.get(slot)?.kind === "data") ownSlot(low, slot);
  return made;
}

/** Returns true if the elements hold nothing that could be changed. */
function holdsScalars(low: Lowering, held: Val): boolean {
  if (held.kind === "data")
    return (
      held.type.kind === "list" && !partsOf(held.type.element).some(isMutable) && isMutable(held.type.element)
    );
  return (
    held.kind === "items" &&
    held.items.length > 0 &&
    held.items.every(
      (item) =>
        item.kind === "ref" &&
        (item.shape.kind === "object" || item.shape.kind === "array") &&
        scalarsIn(low, item),
    )
  );
}

function scalarsIn(low: Lowering, { shape }: RefVal): boolean {
  if (shape.kind === "object" && shape.of !== undefined) return false;
  const slots = shape.kind === "object" ? [...shape.fields.values()] : [shape.slot];
  const held = slots.map((slot): Val => low.state.get(slot) ?? undefinedVal);
  const values = held.flatMap((one): readonly Val[] => (one.kind === "items" ? one.items : [one]));
  return values.every((value) => value.kind === "data" && !isMutable(value.type));
}

/** The array or object literal that an arrow function makes. */
function literalIn(body: Node | null): Node | undefined {
  if (body === null || body.type === "BlockStatement") return undefined;
  // SAFETY: a body that is no block is the expression of an arrow function.
  const made = bare(body as Parameters<typeof bare>[0]);
  const isLiteral = made.type === "ArrayExpression" || made.type === "ObjectExpression";
  return isLiteral || isFilled(made) ? made : undefined;
}

function isNew(node: Node): boolean {
  switch (node.type) {
    case "Literal":
      return true;
    case "UnaryExpression":
      return node.argument.type === "Literal";
    case "ArrayExpression":
      return node.elements.every((one) => one !== null && isNew(one));
    case "ObjectExpression":
      return node.properties.every((one) => one.type === "Property" && !one.computed && isNew(one.value));
    case "CallExpression":
      return isFilled(node);
    default:
      return false;
  }
}

/** `Array(n).fill(0)` and `new Array(n).fill(0)`. */
function isFilled(node: Node): boolean {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
  const { object, property } = node.callee;
  const isFill = property.type === "Identifier" && property.name === "fill" && !node.callee.computed;
  const isArray = object.type === "NewExpression" || object.type === "CallExpression";
  const [value] = node.arguments;
  return (
    isFill &&
    isArray &&
    object.callee.type === "Identifier" &&
    object.callee.name === "Array" &&
    value?.type === "Literal"
  );
}
