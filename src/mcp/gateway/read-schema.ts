/**
 * JSON Schema (2020-12, and what older drafts call the same) to shapes.
 * SOUNDNESS: of arguments a shape may be narrower or wider than the schema; the server looks at them again. A shape of results
 * says no more than the kind of value, and the run verifies that of every result; conditions are not assumed.
 */
import { isObject, type Json, type JsonObject } from "./json.ts";
import {
  type Bound,
  intersectionOf,
  json,
  type Shape,
  type ShapeField,
  unionOf,
  withBounds,
} from "./shape.ts";

export interface ReadSchema {
  readonly shape: Shape;
  /** Keywords that no shape says, which the server alone verifies. */
  readonly ignored: readonly string[];
}

/** LIMIT: of parts of one schema, with its references written out. */
const mostParts = 20_000;

/** @param of arguments with a default may be omitted; a result has them */
export function readSchema(schema: Json, of: "arguments" | "result"): ReadSchema {
  const reader = new SchemaReader(schema, of === "arguments");
  const shape = reader.read(schema, []);
  return { shape, ignored: [...reader.ignored] };
}

/** Keywords without a meaning for the data, or whose meaning is read below. */
const known = new Set([
  ..."$schema $id $anchor $comment $defs definitions $ref $dynamicAnchor title description examples default".split(
    " ",
  ),
  ..."deprecated readOnly writeOnly type properties required additionalProperties unevaluatedProperties".split(
    " ",
  ),
  ..."items prefixItems enum const allOf anyOf oneOf minimum maximum exclusiveMinimum exclusiveMaximum".split(
    " ",
  ),
  ..."multipleOf minLength maxLength pattern format minItems maxItems nullable".split(" "),
]);

class SchemaReader {
  readonly #root: Json;
  readonly #hasDefaults: boolean;
  readonly ignored = new Set<string>();
  #parts = 0;

  constructor(root: Json, hasDefaults: boolean) {
    this.#root = root;
    this.#hasDefaults = hasDefaults;
  }

  /** @param open the references under way; one that is met again is a cycle */
  read(schema: Json, open: readonly string[]): Shape {
    if (++this.#parts > mostParts) return json("schema");
    if (!isObject(schema)) return json(schema === true ? "anything" : "schema");
    for (const name of Object.keys(schema))
      if (!known.has(name) && !name.startsWith("x-")) this.ignored.add(name);
    const parts = [this.#ofKind(schema, open)];
    if (typeof schema.$ref === "string") parts.push(this.#reference(schema.$ref, open));
    for (const one of listOf(schema.allOf)) parts.push(this.read(one, open));
    for (const name of ["anyOf", "oneOf"]) {
      const members = listOf(schema[name]);
      if (members.length > 0) parts.push(unionOf(members.map((one) => this.read(one, open))));
    }
    const shape = parts.reduce(intersectionOf);
    return schema.nullable === true ? unionOf([shape, { kind: "null" }]) : shape;
  }

  #ofKind(schema: JsonObject, open: readonly string[]): Shape {
    if (schema.const !== undefined) return literals([schema.const]);
    if (Array.isArray(schema.enum)) return literals(schema.enum);
    const { type } = schema;
    if (typeof type === "string") return this.#ofType(type, schema, open);
    if (Array.isArray(type))
      return unionOf(
        type.map((one: Json) => (typeof one === "string" ? this.#ofType(one, schema, open) : json("schema"))),
      );
    if (isObject(schema.properties)) return this.#object(schema, open);
    if (schema.items !== undefined) return this.#list(schema, open);
    return json("anything");
  }

  #ofType(type: string, schema: JsonObject, open: readonly string[]): Shape {
    switch (type) {
      case "string":
        return withBounds({ kind: "string" }, textBounds(schema));
      case "integer":
      case "number":
        return withBounds({ kind: type }, numberBounds(schema));
      case "boolean":
      case "null":
        return { kind: type };
      case "array":
        return this.#list(schema, open);
      case "object":
        return this.#object(schema, open);
      default:
        return json("schema");
    }
  }

  #list(schema: JsonObject, open: readonly string[]): Shape {
    const { items, prefixItems } = schema;
    const first = Array.isArray(items) ? items : listOf(prefixItems);
    if (first.length > 0) this.ignored.add("prefixItems");
    const members = first.map((one) => this.read(one, open));
    const rest =
      Array.isArray(items) || items === undefined
        ? first.length > 0
          ? []
          : [json("anything")]
        : [this.read(items, open)];
    const bounds = lengthBounds(schema.minItems, schema.maxItems);
    return withBounds({ kind: "list", item: unionOf([...members, ...rest]) }, bounds);
  }

  #object(schema: JsonObject, open: readonly string[]): Shape {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required = new Set(listOf(schema.required));
    const fields = Object.entries(properties).map(
      ([name, one]): ShapeField => ({
        name,
        shape: this.read(one, open),
        optional: !required.has(name) || (this.#hasDefaults && isObject(one) && one.default !== undefined),
        description: isObject(one) && typeof one.description === "string" ? one.description : "",
      }),
    );
    const more = schema.additionalProperties ?? schema.unevaluatedProperties;
    if (fields.length > 0 || more === false) return { kind: "record", fields };
    const value = more === undefined ? json("anything") : this.read(more, open);
    return { kind: "map", value: value.kind === "json" && value.why === "anything" ? json("values") : value };
  }

  #reference(ref: string, open: readonly string[]): Shape {
    if (open.includes(ref)) return json("cycle");
    const target = ref.startsWith("#") ? this.#at(ref.slice(1)) : undefined;
    return target === undefined ? json("schema") : this.read(target, [...open, ref]);
  }

  /** Follows a JSON pointer. */
  #at(pointer: string): Json | undefined {
    let found: Json | undefined = this.#root;
    for (const part of pointer === "" ? [] : pointer.slice(1).split("/")) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
      found = isObject(found) ? found[name] : found[Number(name)];
    }
    return found;
  }
}

function listOf(json: Json | undefined): readonly Json[] {
  return Array.isArray(json) ? json : [];
}

function literals(values: readonly Json[]): Shape {
  const texts = values.filter((one) => typeof one === "string");
  const numbers = values.filter((one) => typeof one === "number");
  const truths = values.filter((one) => typeof one === "boolean");
  if (
    texts.length + numbers.length + truths.length + values.filter((one) => one === null).length <
    values.length
  )
    return json("schema");
  const parts: Shape[] = [];
  if (texts.length > 0) parts.push({ kind: "enum", values: [...new Set(texts)] });
  if (numbers.length > 0)
    parts.push({
      kind: numbers.every(Number.isSafeInteger) ? "integer" : "number",
      bounds: [{ kind: "among", values: numbers }],
    });
  if (truths.length > 0)
    parts.push(
      withBounds({ kind: "boolean" }, truths.length === 1 ? [{ kind: "among", values: truths }] : []),
    );
  if (values.includes(null)) parts.push({ kind: "null" });
  return unionOf(parts);
}

function numberBounds(schema: JsonObject): readonly Bound[] {
  const bounds: Bound[] = [];
  const add = (kind: "least" | "most" | "above" | "below" | "multiple", value: Json | undefined): void => {
    // The largest exact integers bound every number that a call can carry.
    if (typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER)
      bounds.push({ kind, number: value });
  };
  add("least", schema.minimum);
  add("most", schema.maximum);
  add("above", schema.exclusiveMinimum);
  add("below", schema.exclusiveMaximum);
  if (typeof schema.multipleOf === "number" && schema.multipleOf > 0) add("multiple", schema.multipleOf);
  if (schema.format === "int32")
    bounds.push({ kind: "least", number: -(2 ** 31) }, { kind: "most", number: 2 ** 31 - 1 });
  return bounds;
}

/** JSON Schema counts characters and we count code units, so a longest text is never longer than the server allows. */
function textBounds(schema: JsonObject): readonly Bound[] {
  const bounds = [...lengthBounds(schema.minLength, schema.maxLength)];
  if (typeof schema.pattern === "string") bounds.push({ kind: "pattern", source: schema.pattern });
  const format = typeof schema.format === "string" ? formats.get(schema.format) : undefined;
  if (format !== undefined) bounds.push({ kind: "pattern", source: format });
  return bounds;
}

function lengthBounds(least: Json | undefined, most: Json | undefined): readonly Bound[] {
  return [
    ...(isLength(least) && least > 0 ? [{ kind: "shortest" as const, length: least }] : []),
    ...(isLength(most) ? [{ kind: "longest" as const, length: most }] : []),
  ];
}

function isLength(json: Json | undefined): json is number {
  return typeof json === "number" && Number.isSafeInteger(json) && json >= 0;
}

const hex = "[0-9a-fA-F]";

/** Each is implied by the format, and says less than it: the server verifies the rest. */
const formats: ReadonlyMap<string, string> = new Map([
  ["uri", "^[a-zA-Z][a-zA-Z0-9+.\\-]*:"],
  ["url", "^[a-zA-Z][a-zA-Z0-9+.\\-]*:"],
  ["uuid", `^${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}$`],
  ["email", "[^@]@[^@]"],
  ["date", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"],
  ["date-time", "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}"],
  ["time", "^[0-9]{2}:[0-9]{2}"],
  ["ipv4", "^[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}$"],
  ["hostname", "^[a-zA-Z0-9.\\-]+$"],
]);
