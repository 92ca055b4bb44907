/** The type of a tool's result as JSON Schema, for tools that have others make the result. The run verifies it in any case. */
import type { Type } from "../ir/index.ts";

export type ResultSchema = { readonly [key: string]: unknown };

export function resultSchema(type: Type): ResultSchema {
  switch (type.kind) {
    case "bool":
      return { type: "boolean" };
    case "int":
      return { type: "integer" };
    case "real":
      return { type: "number" };
    case "string":
      return { type: "string" };
    case "enum":
      return { type: "string", enum: type.values };
    case "json":
      return {};
    case "never":
      return { not: {} };
    case "list":
      return { type: "array", items: resultSchema(type.element) };
    case "map":
      return { type: "object", additionalProperties: resultSchema(type.value) };
    case "option":
      return { anyOf: [resultSchema(type.value), { type: "null" }] };
    case "record":
      return {
        type: "object",
        properties: Object.fromEntries(type.fields.map((field) => [field.name, resultSchema(field.type)])),
        required: type.fields.filter(({ optional }) => optional !== true).map(({ name }) => name),
        additionalProperties: false,
      };
  }
}
