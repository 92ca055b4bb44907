/** Reads types and lists of fields. Part of what must be trusted. */
import type { Field, Type } from "../type.ts";
import { type Part, part } from "./node-spans.ts";
import type { Reader } from "./reader.ts";

const typeHelp =
  'the types are `bool`, `int`, `real`, `string`, `json`, `enum{"a", "b"}`, `list<T>`, `map<T>`, `option<T>` and `record{f: T}`';

export function readType(reader: Reader): Type {
  const { start } = reader.token;
  const type = reader.mayDescend() ? readKind(reader) : undefined;
  if (type !== undefined) return reader.add(type, start);
  reader.failExpected("a type", typeHelp);
  return { kind: "json" };
}

function readKind(reader: Reader): Type | undefined {
  const { kind, text } = reader.token;
  if (kind !== "word") return undefined;
  switch (text) {
    case "bool":
    case "int":
    case "real":
    case "string":
    case "json":
      reader.take();
      return { kind: text };
    case "enum":
      reader.take();
      return { kind: "enum", values: readEnumValues(reader) };
    case "list":
      reader.take();
      return { kind: "list", element: readTypeArgument(reader, "the element type of `list`") };
    case "map":
      reader.take();
      return { kind: "map", value: readTypeArgument(reader, "the value type of `map`") };
    case "option":
      reader.take();
      return { kind: "option", value: readTypeArgument(reader, "the value type of `option`") };
    case "record":
      reader.take();
      return { kind: "record", fields: readRecordFields(reader) };
    default:
      return undefined;
  }
}

function readTypeArgument(reader: Reader, what: string): Type {
  reader.expect("<", `before ${what}`);
  const type = reader.inside(readType);
  reader.expectAngle(`after ${what}`);
  return type;
}

function readEnumValues(reader: Reader): readonly string[] {
  const { start } = reader.token;
  const values: string[] = [];
  const parts: Part[] = [];
  reader.expect("{", "before the values of `enum`");
  while (!reader.lost && !reader.at("}")) {
    const value = reader.string("a value of `enum`");
    if (value === undefined) break;
    parts.push(part(values.length, value));
    values.push(value.text);
    if (!reader.skip(",")) break;
  }
  reader.expect("}", "to close the values of `enum`");
  return reader.mark(values, start, parts);
}

function readRecordFields(reader: Reader): readonly Field[] {
  reader.expect("{", "before the fields of `record`");
  const fields = reader.inside((inner) => readFields(inner, "}", "a field"));
  reader.expect("}", "to close the fields of `record`");
  return fields;
}

/** Fields up to the closing sign, which is left. */
export function readFields(reader: Reader, close: string, what: string): readonly Field[] {
  const fields: Field[] = [];
  while (!reader.lost && !reader.at(close)) {
    fields.push(readField(reader, what));
    if (!reader.skip(",")) break;
  }
  return fields;
}

function readField(reader: Reader, what: string): Field {
  const { start } = reader.token;
  const name = reader.fieldName(what)?.text ?? "";
  const named = part("name", { start, end: reader.end });
  const mark = reader.token;
  const optional = reader.skip("?");
  reader.expect(":", `after the name of ${what}`, `write ${what} as \`name: type\``);
  const type = readType(reader);
  if (!optional) return reader.add({ name, type }, start, named);
  return reader.add({ name, type, optional }, start, [named, part("optional", mark)]);
}
