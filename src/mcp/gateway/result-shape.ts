/** Structured results: the shape that a module declares, and the projection of a result to it. */
import { isObject, type Json } from "./json.ts";
import { readSchema } from "./read-schema.ts";
import type { Shape } from "./shape.ts";
import { expressible } from "./surface.ts";

/** The shape that a structured result is projected to. */
export function resultShape(schema: Json): Shape {
  return expressible(readSchema(schema, "result").shape);
}

/**
 * Drops the fields that the shape does not name, and optional ones that are `null`.
 * SOUNDNESS: nothing else is changed. A value of another kind stays, and the run refuses it.
 */
export function projected(value: Json, shape: Shape): Json {
  switch (shape.kind) {
    case "list":
      return Array.isArray(value) ? value.map((one: Json) => projected(one, shape.item)) : value;
    case "map":
      if (!isObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, projected(one, shape.value)]),
      );
    case "record": {
      if (!isObject(value)) return value;
      const fields = shape.fields.flatMap(({ name, shape: of, optional }) => {
        const one = Object.hasOwn(value, name) ? value[name] : undefined;
        if (one === undefined || (optional && one === null && of.kind !== "json")) return [];
        return [[name, projected(one, of)] as const];
      });
      return Object.fromEntries(fields);
    }
    case "union": {
      const member = shape.members.find((one) => fits(value, one));
      return member === undefined ? value : projected(value, member);
    }
    default:
      return value;
  }
}

/** Tells whether a value can be of the shape, whatever other fields it has. */
function fits(value: Json, shape: Shape): boolean {
  switch (shape.kind) {
    case "json":
      return true;
    case "null":
      return value === null;
    case "string":
    case "boolean":
    case "number":
      return typeof value === shape.kind;
    case "integer":
      return Number.isInteger(value);
    case "enum":
      return typeof value === "string" && shape.values.includes(value);
    case "list":
      return Array.isArray(value) && value.every((one: Json) => fits(one, shape.item));
    case "map":
      return isObject(value) && Object.values(value).every((one) => fits(one, shape.value));
    case "union":
      return shape.members.some((one) => fits(value, one));
    case "record":
      return (
        isObject(value) &&
        shape.fields.every(({ name, shape: of, optional }) => {
          const one = Object.hasOwn(value, name) ? value[name] : undefined;
          return one === undefined || one === null
            ? optional || (one === null && fits(one, of))
            : fits(one, of);
        })
      );
  }
}
