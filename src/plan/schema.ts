/** The published JSON Schema of plans, made from the table that the reader follows. */
import type { PlainJson } from "../ir/index.ts";
import { type Form, forms, type Slot } from "./fields.ts";

export function planSchema(): PlainJson {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:foreclaim:plan:1",
    title: "Plan, version 1",
    description:
      "An action proposal: actions with the state they use. Unknown fields are taken, with a warning.",
    ...formSchema(forms.plan),
    $defs: {
      action: formSchema(forms.action),
      precondition: formSchema(forms.precondition),
      compensation: { oneOf: [formSchema(forms.toolCompensation), formSchema(forms.actionRef)] },
    },
  };
}

function formSchema({ fields, required }: Form): Record<string, PlainJson> {
  const properties = Object.fromEntries([...fields].map(([name, slot]) => [name, slotSchema(slot)]));
  return { type: "object", properties, required };
}

function slotSchema(slot: Slot): PlainJson {
  switch (slot.kind) {
    case "text":
      return { type: slot.nullable ? ["string", "null"] : "string" };
    case "names":
      return { type: "array", items: { type: "string" } };
    case "word":
      return { enum: slot.words };
    case "boolean":
      return { type: "boolean" };
    case "count":
      return { type: slot.nullable ? ["integer", "null"] : "integer", minimum: 0, maximum: slot.most };
    case "object":
      return { type: "object" };
    case "json":
      return {};
    case "list":
      return { type: "array", items: { $ref: `#/$defs/${slot.of}` } };
    case "form": {
      const schema = { $ref: `#/$defs/${slot.of}` };
      return slot.nullable ? { oneOf: [schema, { type: "null" }] } : schema;
    }
  }
}
