/**
 * The types that the front end has, in one place: a shape that it cannot express becomes any JSON value, of which a
 * contract can say little. A new type of the front end is switched on here.
 */
import { json, type Shape, type ShapeField } from "./shape.ts";

/** The types of the front end beside scalars, texts, lists and records. */
export interface Surface {
  /** `string | number`, and unions of records. */
  readonly unions: boolean;
  /** `Record<string, T>`. */
  readonly maps: boolean;
}

export const surface: Surface = { unions: true, maps: true };

/** Returns the shape with everything replaced that the front end cannot express. */
export function expressible(shape: Shape, has: Surface = surface): Shape {
  switch (shape.kind) {
    case "list":
      return { ...shape, item: expressible(shape.item, has) };
    case "record":
      return { ...shape, fields: shape.fields.map((one) => expressibleField(one, has)) };
    case "map":
      return has.maps ? { ...shape, value: expressible(shape.value, has) } : json("map");
    case "union":
      return expressibleUnion(shape.members, has);
    case "null":
      return json("union"); // `null` alone says nothing, and no value of ours is only that
    case "string":
    case "enum":
    case "number":
    case "integer":
    case "boolean":
    case "json":
      return shape;
  }
}

/** An optional field that may also be `null` is one that may be absent: the two are not told apart. */
function expressibleField(field: ShapeField, has: Surface): ShapeField {
  const { shape, optional } = field;
  const inner = optional ? withoutNull(shape) : shape;
  return { ...field, shape: expressible(inner, has) };
}

/** Returns a shape without its `null`. */
export function withoutNull(shape: Shape): Shape {
  if (shape.kind !== "union") return shape;
  const members = shape.members.filter((one) => one.kind !== "null");
  const [first] = members;
  return members.length === 1 && first !== undefined ? first : { kind: "union", members };
}

/** Tells whether a shape is a union with `null`. */
export function isNullable(shape: Shape): boolean {
  return shape.kind === "union" && shape.members.some((one) => one.kind === "null");
}

function expressibleUnion(members: readonly Shape[], has: Surface): Shape {
  const others = members.filter((one) => one.kind !== "null").map((one) => expressible(one, has));
  const isOpen = others.some((one) => one.kind === "json");
  if (isOpen || (others.length > 1 && !has.unions)) return json("union");
  const hasNull = others.length < members.length;
  return { kind: "union", members: hasNull ? [...others, { kind: "null" }] : others };
}
