/** The strict inverse of `encodeValue`: whatever it does not write is a problem. Part of what must be trusted. */
import { type Result, Trail } from "../diagnostic.ts";
import { isJsonArray, isJsonObject, type Json, JsonNumber, type JsonObject } from "../json/json.ts";
import { quoted, quotedString } from "../json/quoted.ts";
import { entryOf, isInKeyOrder } from "../map-value.ts";
import { type Num, numText, parseNum } from "../number.ts";
import { fieldOf, json as jsonType, type RecordType, real, type Type } from "../type.ts";
import { jsonObject, list, none, record, some, type Value } from "../value.ts";
import { Conversion, type ConvertOptions } from "./conversion.ts";
import { isInOrder } from "./key-order.ts";
import { isInEnum, typeWords } from "./words.ts";

/** LIMIT: `json` comes from the reader, which has bounded everything but numbers, that are strings here. */
export function decodeValue(json: Json, type: Type, options: ConvertOptions = {}): Result<Value> {
  const conversion = new Conversion(options.limits);
  return conversion.result(decode(json, type, conversion, Trail.root));
}

/** Undefined if a problem was noted; an incomplete value is dropped in the end. */
function decode(json: Json, type: Type, conversion: Conversion, trail: Trail): Value | undefined {
  switch (type.kind) {
    case "bool":
      return typeof json === "boolean" ? json : wrong(json, "a boolean", conversion, trail);
    case "int":
    case "real":
      return decodeNumber(json, type, conversion, trail);
    case "string":
      return typeof json === "string" ? json : wrong(json, "a string", conversion, trail);
    case "enum":
      if (typeof json === "string" && isInEnum(json, type)) return json;
      return wrong(json, typeWords(type), conversion, trail);
    case "list":
      if (!isJsonArray(json)) return wrong(json, "an array", conversion, trail);
      return decodeItems(json, type.element, conversion, trail);
    case "map":
      if (!isJsonArray(json)) return wrong(json, "an array of keys with values", conversion, trail);
      return decodeMap(json, type.value, conversion, trail);
    case "option":
      return decodeOption(json, type.value, conversion, trail);
    case "record":
      if (!isJsonObject(json)) return wrong(json, "an object", conversion, trail);
      return decodeRecord(json, type, conversion, trail);
    case "json":
      return decodeJson(json, conversion, trail);
    case "never":
      return wrong(json, "no value", conversion, trail);
  }
}

function decodeNumber(json: Json, type: Type, conversion: Conversion, trail: Trail): Num | undefined {
  const wanted = `${typeWords(type)} in lowest terms, in a string`;
  if (typeof json !== "string") return wrong(json, wanted, conversion, trail);
  const bits = conversion.limits.numberBits;
  // LIMIT: a text with more characters than both halves have bits is not even looked at; signs come on top.
  const number = json.length > 2 * bits + 16 ? undefined : parseNum(json, bits);
  if (number === undefined && (json.length > 2 * bits || numberPattern.test(json))) {
    return conversion.fail("FC1406", trail, `number ${quoted(json)} needs more than ${bits} bits`);
  }
  const isCanonical = number !== undefined && numText(number) === json;
  if (!isCanonical || (type.kind === "int" && typeof number !== "bigint")) {
    return wrong(json, wanted, conversion, trail);
  }
  return conversion.fitsNumber(number, trail) ? number : undefined;
}

const numberPattern = /^-?(0|[1-9][0-9]*)(\/[1-9][0-9]*)?$/;

function decodeOption(json: Json, type: Type, conversion: Conversion, trail: Trail): Value | undefined {
  if (json === null) return none;
  if (!isJsonObject(json)) return wrong(json, '`null` or `{"some": …}`', conversion, trail);
  const inner = onlyField(json, "some", conversion, trail);
  if (inner === undefined) return undefined;
  const value = decode(inner, type, conversion, trail.at("some"));
  return value === undefined ? undefined : some(value);
}

function decodeRecord(json: JsonObject, type: RecordType, conversion: Conversion, trail: Trail): Value {
  for (const name of Object.keys(json)) {
    if (conversion.stopped) break;
    if (fieldOf(type, name) === undefined) failUnknown(name, conversion, trail);
  }
  const entries: [string, Value][] = [];
  for (const field of type.fields) {
    const part = json[field.name];
    if (part !== undefined) {
      const value = decode(part, field.type, conversion, trail.at(field.name));
      if (value !== undefined) entries.push([field.name, value]);
    } else if (field.optional !== true) failMissing(field.name, conversion, trail);
  }
  return record(entries);
}

function decodeJson(json: Json, conversion: Conversion, trail: Trail): Value | undefined {
  if (json === null || typeof json === "boolean" || typeof json === "string") return json;
  if (isJsonArray(json)) return decodeItems(json, jsonType, conversion, trail);
  if (!isJsonObject(json)) return wrong(json, 'a number as `{"$": "…"}`', conversion, trail);
  if (!Object.hasOwn(json, "$")) return decodeFields(json, conversion, trail);
  const inner = onlyField(json, "$", conversion, trail);
  if (inner === undefined) return undefined;
  const at = trail.at("$");
  if (isJsonArray(inner)) return decodeEntries(inner, conversion, at);
  if (!isJsonObject(inner)) return decodeNumber(inner, real, conversion, at);
  // An object without a key `$` is written as it is.
  return Object.hasOwn(inner, "$") ? decodeFields(inner, conversion, at) : failMissing("$", conversion, at);
}

/** The fields of an object whose keys are not in the order of their names. */
function decodeEntries(pairs: readonly Json[], conversion: Conversion, trail: Trail): Value | undefined {
  const entries: [string, Value][] = [];
  for (const [i, pair] of pairs.entries()) {
    if (conversion.stopped) break;
    const [name, part] = isJsonArray(pair) && pair.length === 2 ? pair : [];
    if (typeof name !== "string" || part === undefined)
      return wrong(pair, "a name and a value", conversion, trail.at(i));
    const value = decode(part, jsonType, conversion, trail.at(i).at(1));
    if (value !== undefined) entries.push([name, value]);
  }
  const made = jsonObject(entries);
  const keys = Object.keys(made.fields);
  const isWritten = keys.length === entries.length && keys.every((key, i) => key === entries[i]?.[0]);
  return isWritten && !isInOrder(keys)
    ? made
    : wrong(
        pairs,
        "fields in the order of their object, which is not that of their names",
        conversion,
        trail,
      );
}

function decodeItems(items: readonly Json[], element: Type, conversion: Conversion, trail: Trail): Value {
  const values: Value[] = [];
  for (const [i, item] of items.entries()) {
    if (conversion.stopped) break;
    const value = decode(item, element, conversion, trail.at(i));
    if (value !== undefined) values.push(value);
  }
  return list(values);
}

function decodeMap(
  items: readonly Json[],
  type: Type,
  conversion: Conversion,
  trail: Trail,
): Value | undefined {
  const values: Value[] = [];
  for (const [i, item] of items.entries()) {
    if (conversion.stopped) break;
    const at = trail.at(i);
    const [key, part] = isJsonArray(item) && item.length === 2 ? item : [];
    if (typeof key !== "string" || part === undefined) {
      wrong(item, "a key with its value, in an array", conversion, at);
      continue;
    }
    const value = decode(part, type, conversion, at.at(1));
    if (value !== undefined) values.push(entryOf(key, value));
  }
  if (isInKeyOrder(values)) return list(values);
  return conversion.fail("FC1608", trail, "the keys are not in the order in which JavaScript lists them");
}

function decodeFields(json: JsonObject, conversion: Conversion, trail: Trail): Value {
  const entries: [string, Value][] = [];
  for (const [name, part] of Object.entries(json).toSorted(byName)) {
    if (conversion.stopped) break;
    const value = decode(part, jsonType, conversion, trail.at(name));
    if (value !== undefined) entries.push([name, value]);
  }
  return jsonObject(entries);
}

function byName([a]: readonly [string, Json], [b]: readonly [string, Json]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The value of the one field that the object may have. */
function onlyField(json: JsonObject, name: string, conversion: Conversion, trail: Trail): Json | undefined {
  const other = Object.keys(json).find((key) => key !== name);
  if (other !== undefined) return failUnknown(other, conversion, trail);
  return Object.hasOwn(json, name) ? json[name] : failMissing(name, conversion, trail);
}

function failUnknown(name: string, conversion: Conversion, trail: Trail): undefined {
  return conversion.fail("FC1609", trail.at(name), `unknown field ${quoted(name)}`);
}

function failMissing(name: string, conversion: Conversion, trail: Trail): undefined {
  return conversion.fail("FC1610", trail.at(name), `field ${quoted(name)} is missing`);
}

function wrong(json: Json, wanted: string, conversion: Conversion, trail: Trail): undefined {
  return conversion.fail("FC1608", trail, `expected ${wanted}, found ${jsonWords(json)}`);
}

function jsonWords(json: Json): string {
  if (typeof json === "string") return quotedString(json);
  if (json === null || typeof json === "boolean") return `\`${json}\``;
  if (JsonNumber.is(json)) return quoted(json.text);
  return isJsonArray(json) ? "an array" : "an object";
}
