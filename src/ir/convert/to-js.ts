/**
 * From an exact value to what a JavaScript function receives. The inverse of `fromJs`: what it would not give
 * back exactly is refused. Objects and arrays are fresh each time, so that a function may change its
 * arguments without touching our values. Part of what must be trusted.
 */
import { type Result, Trail } from "../diagnostic.ts";
import { quoted } from "../json/quoted.ts";
import { keyOfEntry, valueOfEntry } from "../map-value.ts";
import { type Num, numText } from "../number.ts";
import { json, type OptionType, type RecordType, type Type } from "../type.ts";
import { isList, isNum, isOption, isRecord, type Value } from "../value.ts";
import { Conversion, type ConvertOptions } from "./conversion.ts";
import { jsOfNum } from "./js-number.ts";
import { isInEnum, notOfType } from "./words.ts";

export interface ToJsOptions extends ConvertOptions {
  /** Representation of integers: a number, which must be exact, or always a bigint. */
  readonly integers?: "number" | "bigint";
}

/** The value must be of the type: another is a fault of ours, and throws. */
export function toJs(value: Value, type: Type, options: ToJsOptions = {}): Result<unknown> {
  const conversion = new Conversion(options.limits);
  const context = { conversion, integers: options.integers ?? "number" };
  return conversion.result(convert(value, type, context, 1, Trail.root));
}

interface Context {
  readonly conversion: Conversion;
  readonly integers: "number" | "bigint";
}

/** Undefined if a problem was noted. */
function convert(value: Value, type: Type, context: Context, depth: number, trail: Trail): unknown {
  const { conversion } = context;
  // LIMIT: values share their parts, what JavaScript receives does not, so it can be much bigger.
  if (!conversion.countNode(trail)) return undefined;
  switch (type.kind) {
    case "bool":
      return typeof value === "boolean" ? value : notOfType(type);
    case "int":
      return typeof value === "bigint" ? convertInt(value, context, trail) : notOfType(type);
    case "real":
      return isNum(value) ? convertReal(value, conversion, trail) : notOfType(type);
    case "string":
      return typeof value === "string" ? convertString(value, conversion, trail) : notOfType(type);
    case "enum":
      return typeof value === "string" && isInEnum(value, type) ? value : notOfType(type);
    case "list":
      return isList(value) ? convertList(value, type.element, context, depth, trail) : notOfType(type);
    case "record":
      return convertRecord(value, type, context, depth, trail);
    case "map":
      return isList(value) ? convertMap(value, type.value, context, depth, trail) : notOfType(type);
    case "option":
      return convertOption(value, type, context, depth, trail);
    case "json":
      return convertJson(value, context, depth, trail);
    case "never":
      return notOfType(type);
  }
}

function convertInt(value: bigint, { conversion, integers }: Context, trail: Trail): unknown {
  if (!conversion.fitsNumber(value, trail)) return undefined;
  if (integers === "bigint") return value;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  const message = `integer ${quoted(numText(value))} is too big to be exact as a number`;
  return conversion.fail("FC1603", trail, message, "declare it as a `bigint`");
}

function convertReal(value: Num, conversion: Conversion, trail: Trail): unknown {
  if (!conversion.fitsNumber(value, trail)) return undefined;
  const number = jsOfNum(value);
  if (number !== undefined) return number;
  return conversion.fail("FC1604", trail, `no number equals ${quoted(numText(value))}`, "round it first");
}

function convertString(value: string, conversion: Conversion, trail: Trail): unknown {
  return conversion.fitsString(value, trail) ? value : undefined;
}

function convertOption(
  value: Value,
  type: OptionType,
  context: Context,
  depth: number,
  trail: Trail,
): unknown {
  if (!isOption(value)) return notOfType(type);
  // `fromJs` takes `null` for none, so a present value that is `null` too would come back as another.
  if (type.value.kind === "option" || (value.kind === "some" && value.value === null)) {
    const message =
      "a value that is present and `null` is indistinguishable from an absent one in JavaScript";
    return context.conversion.fail("FC1608", trail, message);
  }
  return value.kind === "none" ? null : convert(value.value, type.value, context, depth, trail);
}

function convertRecord(
  value: Value,
  type: RecordType,
  context: Context,
  depth: number,
  trail: Trail,
): unknown {
  if (!isRecord(value)) return notOfType(type);
  const entries: [string, Value, Type][] = [];
  for (const field of type.fields) {
    const part = value.fields[field.name];
    if (part !== undefined) entries.push([field.name, part, field.type]);
    else if (field.optional !== true) return notOfType(type);
  }
  if (entries.length < Object.keys(value.fields).length) return notOfType(type);
  return convertFields(entries, context, depth, trail);
}

function convertJson(value: Value, context: Context, depth: number, trail: Trail): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return convertString(value, context.conversion, trail);
  if (isNum(value)) return convertReal(value, context.conversion, trail);
  if (isList(value)) return convertList(value, json, context, depth, trail);
  if (!isRecord(value)) return notOfType(json);
  const entries = Object.entries(value.fields).map(([name, part]): [string, Value, Type] => [
    name,
    part,
    json,
  ]);
  return convertFields(entries, context, depth, trail);
}

function convertList(
  items: readonly Value[],
  element: Type,
  context: Context,
  depth: number,
  trail: Trail,
): unknown {
  const { conversion } = context;
  if (!conversion.fitsDepth(depth, trail) || !conversion.fitsLength(items.length, trail)) return undefined;
  const array: unknown[] = [];
  for (const [i, item] of items.entries()) {
    if (conversion.stopped) break;
    array.push(convert(item, element, context, depth + 1, trail.at(i)));
  }
  return array;
}

function convertMap(
  entries: readonly Value[],
  type: Type,
  context: Context,
  depth: number,
  trail: Trail,
): unknown {
  const { conversion } = context;
  if (!conversion.fitsLength(entries.length, trail)) return undefined;
  const fields = entries.map((entry) => [keyOfEntry(entry), valueOfEntry(entry), type] as const);
  if (!fields.every(([key]) => conversion.fitsString(key, trail))) return undefined;
  return convertFields(fields, context, depth, trail);
}

function convertFields(
  entries: readonly (readonly [string, Value, Type])[],
  context: Context,
  depth: number,
  trail: Trail,
): unknown {
  if (!context.conversion.fitsDepth(depth, trail)) return undefined;
  const object = {};
  for (const [name, part, type] of entries) {
    if (context.conversion.stopped) break;
    const value = convert(part, type, context, depth + 1, trail.at(name));
    // Defined, not assigned: to assign `__proto__` would set the prototype.
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return object;
}
