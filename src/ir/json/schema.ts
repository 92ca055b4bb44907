/** The published JSON Schema of the JSON form, made from the same table that the decoder follows. */
import type { PlainJson } from "./canonical.ts";
import { type Form, formsOf, type Slot, type Sort, sorts } from "./shape.ts";

export function jsonSchema(): PlainJson {
  const definitions: Record<string, PlainJson> = {};
  for (const sort of sorts) {
    if (sort !== "document") definitions[sort] = sortSchema(sort);
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:foreclaim:effect-ir:1",
    title: "Effect IR, version 1",
    description: "The JSON form of an Effect IR document. Numbers are strings, because they are exact.",
    ...objectSchema(documentForm(), {
      sourceMap: {
        description: "Where the parts came from; not part of the document's hash.",
        type: "object",
        properties: {
          files: { type: "array", items: { type: "string" } },
          places: {
            description: "From JSON pointers to [file, first line, first column, last line, last column].",
            type: "object",
            additionalProperties: {
              type: "array",
              items: { type: "integer", minimum: 0 },
              minItems: 5,
              maxItems: 5,
            },
          },
        },
        required: ["files", "places"],
        additionalProperties: false,
      },
    }),
    $defs: definitions,
  };
}

function documentForm(): Form {
  const forms = formsOf("document");
  if ("form" in forms) return forms.form;
  throw new TypeError("a document has one form");
}

function sortSchema(sort: Sort): PlainJson {
  const forms = formsOf(sort);
  if ("form" in forms) return objectSchema(forms.form, {});
  return { oneOf: [...forms.kinds].map(([kind, form]) => objectSchema(form, { kind: { const: kind } })) };
}

function objectSchema(form: Form, more: Record<string, PlainJson>): Record<string, PlainJson> {
  const properties: Record<string, PlainJson> = { ...more };
  const required = Object.hasOwn(more, "kind") ? ["kind"] : [];
  for (const [name, slot] of form.fields) {
    properties[name] = slotSchema(slot);
    if (!slot.optional && slot.kind !== "nodes" && slot.kind !== "texts") required.push(name);
  }
  return { type: "object", properties, required, additionalProperties: false };
}

function slotSchema(slot: Slot): PlainJson {
  switch (slot.kind) {
    case "version":
      return { const: 1 };
    case "text":
      return { type: "string" };
    case "texts":
    case "keptTexts":
      return { type: "array", items: { type: "string" } };
    case "boolean":
      return { type: "boolean" };
    case "flag":
      return { const: true };
    case "word":
      return { enum: slot.words };
    case "count":
      return { type: "integer", minimum: 0 };
    case "number":
      return { type: "string", pattern: "^-?(0|[1-9][0-9]*)(\\.[0-9]+|/[1-9][0-9]*)?$" };
    case "node":
      return { $ref: `#/$defs/${slot.sort}` };
    case "nodes":
    case "keptNodes":
      return arrayOf(slot.sort);
    case "nodeLists":
      return { type: "array", items: arrayOf(slot.sort) };
  }
}

function arrayOf(sort: Sort): PlainJson {
  return { type: "array", items: { $ref: `#/$defs/${sort}` } };
}
