/** A document as JSON, by the table in `shape.ts`. Part of what must be trusted. */
import type { Document, Expr } from "../document.ts";
import { isRatio, numText } from "../number.ts";
import type { PlainJson } from "./canonical.ts";
import { type Form, formsOf, type Slot, type Sort } from "./shape.ts";

export function documentToJson(document: Document): PlainJson {
  return encode("document", document);
}

export function exprToJson(expr: Expr): PlainJson {
  return encode("expr", expr);
}

function encode(sort: Sort, node: object): PlainJson {
  const forms = formsOf(sort);
  if ("form" in forms) return encodeFields(forms.form, node, {});
  const kind: unknown = Reflect.get(node, "kind");
  const form = typeof kind === "string" ? forms.kinds.get(kind) : undefined;
  if (typeof kind !== "string" || form === undefined)
    throw new TypeError(`no ${sort} of kind ${String(kind)}`);
  return encodeFields(form, node, { kind });
}

function encodeFields(form: Form, node: object, json: Record<string, PlainJson>): PlainJson {
  for (const [name, slot] of form.fields) {
    const value: unknown = Reflect.get(node, name);
    if (value === undefined) {
      if (slot.optional) continue;
      throw new TypeError(`the field \`${name}\` is missing`);
    }
    const encoded = encodeSlot(slot, value);
    if (encoded !== undefined) json[name] = encoded;
  }
  // A field that the table does not know would be lost from the hash, so it must not be there.
  for (const name in node) {
    if (name !== "kind" && !form.byName.has(name)) throw new TypeError(`unknown field \`${name}\``);
  }
  return json;
}

function encodeSlot(slot: Slot, value: unknown): PlainJson | undefined {
  switch (slot.kind) {
    case "version":
    case "count":
      if (typeof value === "number") return value;
      break;
    case "text":
      if (typeof value === "string") return value;
      break;
    case "word":
      if (typeof value === "string" && slot.words.includes(value)) return value;
      break;
    case "boolean":
      if (typeof value === "boolean") return value;
      break;
    case "flag":
      if (value === true) return true;
      break;
    case "number":
      if (typeof value === "bigint" || isRatio(value)) return numText(value);
      break;
    case "texts":
      if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(asText);
      break;
    case "node":
      if (typeof value === "object" && value !== null) return encode(slot.sort, value);
      break;
    case "nodes":
      if (Array.isArray(value))
        return value.length === 0 ? undefined : value.map((item) => encode(slot.sort, item));
      break;
    case "keptTexts":
      if (Array.isArray(value)) return value.map(asText);
      break;
    case "keptNodes":
      if (Array.isArray(value)) return value.map((item) => encode(slot.sort, item));
      break;
    case "nodeLists":
      if (Array.isArray(value) && value.every(Array.isArray))
        return value.map((list) => list.map((item) => encode(slot.sort, item)));
  }
  throw new TypeError(`a ${slot.kind} was expected`);
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError("a text was expected");
}
