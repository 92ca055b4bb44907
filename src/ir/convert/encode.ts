/**
 * Exact values of a type as JSON, for traces: every value survives, also what no JavaScript number equals.
 *   bool, string, enum    as they are          int, real    "5", "7/3"
 *   list                  array                record       object, without absent fields
 *   map                   array of [key, value], since objects forget the order of keys when they are sorted
 *   option                null or {"some": …}
 *   json                  as it is, but a number is {"$": "7/3"}, an object with a key `$` is {"$": {…}}, and one whose
 *                         keys are not in the order of their names is {"$": [["b", …], ["a", …]]}
 * INVARIANT: a value has one encoding, and `decodeValue` takes no other. Part of what must be trusted.
 */
import type { PlainJson } from "../json/canonical.ts";
import { keyOfEntry, valueOfEntry } from "../map-value.ts";
import { numText } from "../number.ts";
import { json, type RecordType, type Type } from "../type.ts";
import { type Charge, isList, isNum, isOption, isRecord, type RecordValue, type Value } from "../value.ts";
import { isInOrder } from "./key-order.ts";
import { isInEnum, notOfType } from "./words.ts";

export { decodeValue } from "./decode.ts";

/**
 * The value must be of the type: another is a fault of ours, and throws. Charges for what it writes: values
 * share their parts, JSON does not.
 */
export function encodeValue(value: Value, type: Type, charge: Charge = () => {}): PlainJson {
  charge(typeof value === "string" ? 1 + (value.length >> 6) : 1);
  switch (type.kind) {
    case "bool":
      return typeof value === "boolean" ? value : notOfType(type);
    case "int":
      return typeof value === "bigint" ? numText(value) : notOfType(type);
    case "real":
      return isNum(value) ? numText(value) : notOfType(type);
    case "string":
      return typeof value === "string" ? value : notOfType(type);
    case "enum":
      return typeof value === "string" && isInEnum(value, type) ? value : notOfType(type);
    case "list":
      return isList(value) ? value.map((item) => encodeValue(item, type.element, charge)) : notOfType(type);
    case "map":
      if (!isList(value)) return notOfType(type);
      return value.map((entry) => [keyOfEntry(entry), encodeValue(valueOfEntry(entry), type.value, charge)]);
    case "option":
      if (!isOption(value)) return notOfType(type);
      return value.kind === "none" ? null : object([["some", encodeValue(value.value, type.value, charge)]]);
    case "record":
      return isRecord(value) ? encodeRecord(value, type, charge) : notOfType(type);
    case "json":
      return encodeJson(value, charge);
    case "never":
      return notOfType(type);
  }
}

function encodeRecord(value: RecordValue, type: RecordType, charge: Charge): PlainJson {
  const entries: [string, PlainJson][] = [];
  for (const field of type.fields) {
    const part = value.fields[field.name];
    if (part !== undefined) entries.push([field.name, encodeValue(part, field.type, charge)]);
    else if (field.optional !== true) return notOfType(type);
  }
  return entries.length === Object.keys(value.fields).length ? object(entries) : notOfType(type);
}

function encodeJson(value: Value, charge: Charge): PlainJson {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (isNum(value)) return object([["$", numText(value)]]);
  if (isList(value)) return value.map((item) => encodeValue(item, json, charge));
  if (!isRecord(value)) return notOfType(json);
  const entries = Object.entries(value.fields).map(
    ([name, part]) => [name, encodeValue(part, json, charge)] as const,
  );
  if (!isInOrder(Object.keys(value.fields))) return object([["$", entries.map((entry) => [...entry])]]);
  const encoded = object(entries);
  return Object.hasOwn(value.fields, "$") ? object([["$", encoded]]) : encoded;
}

/** Has no prototype, so `__proto__` is a key like any other. */
function object(entries: readonly (readonly [string, PlainJson])[]): PlainJson {
  const made: Record<string, PlainJson> = Object.create(null);
  for (const [key, value] of entries) made[key] = value;
  return made;
}
