/** Bodies of requests: read with a bound, strictly, by the shapes of `wire.ts`. */
import { isDeepStrictEqual } from "node:util";
import {
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  quoted,
  readJson,
} from "../../ir/index.ts";
import type { Infer, ObjectShape, Shape, TextShape, Wire } from "../shape.ts";
import { Refusal } from "./codes.ts";
import { serviceLimits } from "./limits.ts";

/** The text of the body; refused as soon as it is longer, whatever its header says. */
export async function bodyText(
  request: Request,
  limitBytes: number = serviceLimits.bodyBytes,
): Promise<string> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    throw malformed("the body must be sent as `content-type: application/json`");
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Left early, the stream is given up, and the rest is not read.
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw malformed("the body is not UTF-8");
  }
}

function tooLarge(limitBytes: number): Refusal {
  return new Refusal("FC4105", `the body has more than ${limitBytes} bytes`);
}

export function malformed(message: string): Refusal {
  return new Refusal("FC4104", message);
}

/** Reads a body by a shape; `what` names it in messages. Throws a refusal for whatever has another shape. */
export function readBody<S extends Shape>(text: string, shape: S, what: string): Infer<S> {
  const read = readJson(text);
  if (!read.ok) throw malformed(`the body is not JSON: ${read.problems[0]?.message ?? ""}`);
  const value: unknown = valueIn(read.value.value, shape, what);
  // SAFETY: the reader of each kind of shape gives a value of its type.
  return value as Infer<S>;
}

function valueIn(json: Json | undefined, shape: Shape, place: string): Wire {
  switch (shape.kind) {
    case "named":
      return valueIn(json, shape.shape, place);
    case "nullable":
      return json === undefined || json === null ? null : valueIn(json, shape.shape, place);
    case "object":
      return objectIn(json, shape, place);
    case "list":
      if (json === undefined || !isJsonArray(json)) throw wrong(place, "a list");
      if (shape.most !== undefined && json.length > shape.most)
        throw wrong(place, `a list of up to ${shape.most}`);
      return json.map((one) => valueIn(one, shape.items, `one of ${place}`));
    case "text":
      return textIn(json, shape, place);
    case "words": {
      const found = shape.words.find((one) => one === json);
      if (found === undefined) throw wrong(place, `one of ${shape.words.map(quoted).join(", ")}`);
      return found;
    }
    case "flag":
      if (typeof json !== "boolean") throw wrong(place, "true or false");
      return json;
    case "count":
    case "whole":
      return wholeIn(json, shape.kind === "count" ? 0 : Number.MIN_SAFE_INTEGER, place);
    case "number":
      if (!JsonNumber.is(json)) throw wrong(place, "a number");
      return plainNumber(json);
    case "data":
      return dataIn(json, shape.longest, place);
  }
}

function objectIn(json: Json | undefined, { fields }: ObjectShape, place: string): Wire {
  if (json === undefined || !isJsonObject(json)) throw malformed(`${place} is an object`);
  const unknown = Object.keys(json).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) throw malformed(`${place} has no field ${quoted(unknown.slice(0, 60))}`);
  const read: [string, Wire][] = [];
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(json, name) ? json[name] : undefined;
    const at = `\`${name}\` of ${place}`;
    if (field.kind !== "optional") read.push([name, valueIn(value, field, at)]);
    else if (value !== undefined) read.push([name, valueIn(value, field.shape, at)]);
  }
  return Object.fromEntries(read);
}

function textIn(
  json: Json | undefined,
  { maxLength, pattern, bounds, says }: TextShape,
  place: string,
): string {
  if (typeof json !== "string") throw wrong(place, "a text");
  const longest = maxLength ?? bounds?.longest;
  if (longest !== undefined && json.length > longest)
    throw wrong(place, `a text of up to ${longest} characters`);
  // The store would keep another text in place of one that UTF-8 cannot encode.
  if (/\p{Cs}/u.test(json)) throw wrong(place, "a text of whole characters");
  const matches = [pattern, bounds?.pattern].every((one) => one?.test(json) !== false);
  if (!matches) throw wrong(place, says ?? "of its form");
  return json;
}

function wholeIn(json: Json | undefined, least: number, place: string): number {
  const value = JsonNumber.is(json) && typeof json.value === "bigint" ? Number(json.value) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < least) throw wrong(place, "a whole number");
  return value;
}

/**
 * Any JSON.
 * SOUNDNESS: a page and a program in JavaScript see a number as the nearest double, so one that is none would be shown
 * as another than what is approved, and is refused.
 */
function dataIn(json: Json | undefined, longest: number | undefined, place: string): Wire {
  if (json === undefined || !isJsonObject(json)) throw wrong(place, "an object");
  const plain = plainOf(json);
  if (longest !== undefined && JSON.stringify(plain).length > longest)
    throw wrong(place, `an object of up to ${longest} characters`);
  return plain;
}

function wrong(place: string, what: string): Refusal {
  return malformed(`${place} is not ${what}`);
}

function plainOf(json: JsonObject): { readonly [name: string]: Wire } {
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(json: Json): Wire {
  if (JsonNumber.is(json)) return plainNumber(json);
  if (isJsonArray(json)) return json.map(plainValue);
  if (isJsonObject(json)) return plainOf(json);
  return json;
}

function plainNumber(number: JsonNumber): number {
  const double = Number(number.text);
  const again = Number.isFinite(double) ? readJson(JSON.stringify(double)) : undefined;
  const isExact =
    again?.ok === true &&
    JsonNumber.is(again.value.value) &&
    isDeepStrictEqual(again.value.value.value, number.value);
  if (isExact) return double;
  const help = "write it with fewer digits";
  throw new Refusal("FC4112", `the number \`${number.text.slice(0, 60)}\` cannot be shown exactly`, help);
}
