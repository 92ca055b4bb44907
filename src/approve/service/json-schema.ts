/** Shapes as JSON Schema, for the description of the service. */
import type { Shape } from "../shape.ts";

export type Schema = { readonly [key: string]: unknown };

export function schemaOf(shape: Shape): Schema {
  switch (shape.kind) {
    case "named":
      return { $ref: `#/components/schemas/${shape.name}` };
    case "nullable":
      return nullableSchema(schemaOf(shape.shape), shape.shape);
    case "object":
      return objectSchema(shape.fields);
    case "list":
      return {
        type: "array",
        ...(shape.most !== undefined && { maxItems: shape.most }),
        items: schemaOf(shape.items),
      };
    case "words":
      return { type: "string", enum: shape.words };
    case "text":
      return {
        type: "string",
        ...(shape.maxLength !== undefined && { maxLength: shape.maxLength }),
        ...(shape.pattern !== undefined && { pattern: shape.pattern.source }),
      };
    case "flag":
      return { type: "boolean" };
    case "count":
      return { type: "integer", minimum: 0 };
    case "whole":
      return { type: "integer" };
    case "number":
      return { type: "number", ...(shape.description !== undefined && { description: shape.description }) };
    case "data":
      return { type: "object", additionalProperties: true };
  }
}

/** Every field is named and no other is there. */
function objectSchema(fields: Extract<Shape, { kind: "object" }>["fields"]): Schema {
  const entries = Object.entries(fields);
  const properties = entries.map(([name, field]) => [
    name,
    schemaOf(field.kind === "optional" ? field.shape : field),
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: entries.filter(([, field]) => field.kind !== "optional").map(([name]) => name),
    additionalProperties: false,
  };
}

function nullableSchema(schema: Schema, { kind }: Shape): Schema {
  const isPlain = kind === "text" || kind === "whole";
  return isPlain ? { ...schema, type: [schema.type, "null"] } : { anyOf: [schema, { type: "null" }] };
}
