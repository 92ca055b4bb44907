/**
 * From what a JavaScript function returned, or a JSON text held, to the exact value of a type. Nothing is
 * converted silently: what is not, as it stands, a value of the type is a problem, with its path.
 * Never throws. Part of what must be trusted.
 */
import { type Result, Trail } from "../diagnostic.ts";
import { quoted, quotedList, quotedString } from "../json/quoted.ts";
import { mapOfPairs } from "../map-value.ts";
import {
  type EnumType,
  fieldOf,
  json,
  type ListType,
  type MapType,
  type OptionType,
  type RecordType,
  type Type,
} from "../type.ts";
import { jsonObject, list, none, record, some, type Value } from "../value.ts";
import { Conversion, type ConvertOptions } from "./conversion.ts";
import { look, readFields, readItems } from "./inspect.ts";
import { failLook, mismatch } from "./mismatch.ts";
import { intFromJs, realFromJs } from "./number-from-js.ts";
import { isInEnum } from "./words.ts";

export type { ConvertOptions } from "./conversion.ts";

export function fromJs(input: unknown, type: Type, options: ConvertOptions = {}): Result<Value> {
  const context = { conversion: new Conversion(options.limits), ancestors: new Set<object>() };
  return context.conversion.result(convert(input, type, context, Trail.root));
}

interface Context {
  readonly conversion: Conversion;
  /** The objects around what is being converted: meeting one again is a cycle, and their number the depth. */
  readonly ancestors: Set<object>;
}

/**
 * Undefined if a problem was noted. After a problem in one part the others are still looked at, so that all
 * can be told at once; the incomplete value is dropped in the end.
 */
function convert(input: unknown, type: Type, context: Context, trail: Trail): Value | undefined {
  const { conversion } = context;
  if (!conversion.countNode(trail)) return undefined;
  switch (type.kind) {
    case "bool":
      return typeof input === "boolean" ? input : mismatch(input, type, conversion, trail);
    case "int":
      return intFromJs(input, type, conversion, trail);
    case "real":
      return realFromJs(input, type, conversion, trail);
    case "string":
      if (typeof input !== "string") return mismatch(input, type, conversion, trail);
      return conversion.fitsString(input, trail) ? input : undefined;
    case "enum":
      return convertEnum(input, type, conversion, trail);
    case "list":
      return convertList(input, type, context, trail);
    case "record":
      return convertRecord(input, type, context, trail);
    case "map":
      return convertMap(input, type, context, trail);
    case "option":
      return convertOption(input, type, context, trail);
    case "json":
      return convertJson(input, context, trail);
    case "never":
      return mismatch(input, type, conversion, trail);
  }
}

function convertEnum(
  input: unknown,
  type: EnumType,
  conversion: Conversion,
  trail: Trail,
): string | undefined {
  if (typeof input !== "string") return mismatch(input, type, conversion, trail);
  if (isInEnum(input, type)) return input;
  const message = `${quotedString(input)} is not one of ${quotedList(type.values, quotedString, 5)}`;
  return conversion.fail("FC1608", trail, message);
}

function convertOption(input: unknown, type: OptionType, context: Context, trail: Trail): Value | undefined {
  if (type.value.kind === "option") {
    const message = "an option of an option is indistinguishable from an option in JavaScript";
    return context.conversion.fail("FC1608", trail, message);
  }
  if (input === null || input === undefined) return none;
  const value = convert(input, type.value, context, trail);
  return value === undefined ? undefined : some(value);
}

function convertList(input: unknown, type: ListType, context: Context, trail: Trail): Value | undefined {
  const seen = look(input);
  if (seen.kind !== "list") return failLook(seen, type, context.conversion, trail);
  return convertItems(seen.object, type.element, context, trail);
}

function convertRecord(input: unknown, type: RecordType, context: Context, trail: Trail): Value | undefined {
  const { conversion } = context;
  const seen = look(input);
  if (seen.kind !== "object") return failLook(seen, type, conversion, trail);
  return inside(seen.object, context, trail, () => {
    const given = readFields(seen.object, conversion, trail);
    if (given === undefined) return undefined;
    for (const name of given.keys()) {
      if (conversion.stopped) break;
      if (fieldOf(type, name) === undefined) failUnknownField(name, type, conversion, trail);
    }
    const entries: [string, Value][] = [];
    for (const { name, type: fieldType, optional } of type.fields) {
      if (conversion.stopped) break;
      const input = given.get(name);
      const at = trail.at(name);
      if (optional && input === undefined) continue;
      if (!given.has(name)) {
        conversion.fail("FC1610", at, `field ${quoted(name)} is missing`);
      } else if (optional && input === null && !takesNull(fieldType)) {
        conversion.fail("FC1608", at, `optional field ${quoted(name)} is \`null\``, "omit the field");
      } else {
        const value = convert(input, fieldType, context, at);
        if (value !== undefined) entries.push([name, value]);
      }
    }
    return record(entries);
  });
}

function convertMap(input: unknown, type: MapType, context: Context, trail: Trail): Value | undefined {
  const { conversion } = context;
  const seen = look(input);
  if (seen.kind !== "object") return failLook(seen, type, conversion, trail);
  return inside(seen.object, context, trail, () => {
    const given = readFields(seen.object, conversion, trail);
    if (given === undefined || !conversion.fitsLength(given.size, trail)) return undefined;
    const entries: [string, Value][] = [];
    for (const [name, input] of given) {
      if (conversion.stopped) break;
      const at = trail.at(name);
      if (!conversion.fitsString(name, at)) break;
      const value = convert(input, type.value, context, at);
      if (value !== undefined) entries.push([name, value]);
    }
    return mapOfPairs(entries);
  });
}

function convertJson(input: unknown, context: Context, trail: Trail): Value | undefined {
  const { conversion } = context;
  const seen = look(input);
  switch (seen.kind) {
    case "list":
      return convertItems(seen.object, json, context, trail);
    case "object":
      return convertJsonObject(seen.object, context, trail);
    case "scalar":
      if (input === null || typeof input === "boolean") return input;
      if (typeof input === "string") return conversion.fitsString(input, trail) ? input : undefined;
      if (typeof input === "bigint") return conversion.fail("FC1605", trail, "JSON data has no `bigint`");
      return realFromJs(input, json, conversion, trail);
    case "foreign":
    case "not data":
      return failLook(seen, json, conversion, trail);
  }
}

function convertJsonObject(object: object, context: Context, trail: Trail): Value | undefined {
  return inside(object, context, trail, () => {
    const entries: [string, Value][] = [];
    for (const [name, input] of readFields(object, context.conversion, trail) ?? []) {
      if (context.conversion.stopped) break;
      const value = convert(input, json, context, trail.at(name));
      if (value !== undefined) entries.push([name, value]);
    }
    return jsonObject(entries);
  });
}

function convertItems(object: object, element: Type, context: Context, trail: Trail): Value | undefined {
  return inside(object, context, trail, () => {
    const values: Value[] = [];
    for (const [i, input] of (readItems(object, context.conversion, trail) ?? []).entries()) {
      if (context.conversion.stopped) break;
      const value = convert(input, element, context, trail.at(i));
      if (value !== undefined) values.push(value);
    }
    return list(values);
  });
}

/** LIMIT: a cycle would never end; fresh objects that proxies make up at every look end at the depth. */
function inside(
  object: object,
  { conversion, ancestors }: Context,
  trail: Trail,
  convertParts: () => Value | undefined,
): Value | undefined {
  if (ancestors.has(object)) return conversion.fail("FC1606", trail, "the value contains itself");
  if (!conversion.fitsDepth(ancestors.size + 1, trail)) return undefined;
  ancestors.add(object);
  const value = convertParts();
  ancestors.delete(object);
  return value;
}

function takesNull(type: Type): boolean {
  return type.kind === "option" || type.kind === "json";
}

function failUnknownField(name: string, type: RecordType, conversion: Conversion, trail: Trail): undefined {
  const known = quotedList(
    type.fields.map((field) => field.name),
    quoted,
    10,
  );
  const help = known === "" ? "the object has no fields" : `the fields are ${known}`;
  return conversion.fail("FC1609", trail.at(name), `unknown field ${quoted(name)}`, help);
}
