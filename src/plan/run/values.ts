/** Values between a plan, the tools and the kernel, exactly or not at all. */
import { jsOfNum } from "../../ir/convert/js-number.ts";
import { isJsonArray, isJsonObject, type Json, JsonNumber } from "../../ir/json/json.ts";
import { readJson } from "../../ir/json/reader.ts";
import type { Kernel } from "../../kernel/index.ts";
import { decodeValue } from "../../kernel/values/decode.ts";
import { markWords, possibleAt, toJson, unknownKey } from "../../run/cells.ts";
import { referenceIn } from "../references.ts";

/** What an action gave. One whose output could not be kept has none. */
export type Outputs = ReadonlyMap<string, Json>;

export type Resolved =
  | { readonly kind: "resolved"; readonly value: Json }
  /** The reference that stands for nothing. */
  | { readonly kind: "missing"; readonly reference: string };

/** The value with what its references stand for. What comes in by that is taken as it is, whatever it looks like. */
export function resolve(json: Json, outputs: Outputs): Resolved {
  let missing: string | undefined;
  const go = (part: Json): Json => {
    if (typeof part === "string") {
      const reference = referenceIn(part);
      if (reference === undefined) return part;
      const found = partOf(outputs.get(reference.id), reference.field);
      if (found === undefined) missing ??= part;
      return found ?? null;
    }
    if (isJsonArray(part)) return part.map(go);
    if (!isJsonObject(part)) return part;
    const object: Record<string, Json> = Object.create(null);
    for (const name of Object.keys(part)) object[name] = go(part[name] ?? null);
    return object;
  };
  const value = go(json);
  return missing === undefined ? { kind: "resolved", value } : { kind: "missing", reference: missing };
}

/** A part by the names of fields, or by the numbers of items. */
function partOf(output: Json | undefined, field: readonly string[]): Json | undefined {
  let part = output;
  for (const name of field) {
    if (part === undefined || typeof part !== "object" || part === null || JsonNumber.is(part))
      return undefined;
    if (isJsonArray(part)) part = /^(0|[1-9][0-9]*)$/.test(name) ? part[Number(name)] : undefined;
    else part = Object.hasOwn(part, name) ? part[name] : undefined;
  }
  return part;
}

/** What stands at a key of the state now. */
export function cellOf(kernel: Pick<Kernel, "cell">, key: string): Json | undefined {
  const text = kernel.cell(key);
  if (text === undefined) return undefined;
  const read = readJson(text);
  if (!read.ok) throw new TypeError(`the kernel holds something under \`${key}\` that is not JSON`);
  return read.value.value;
}

/** Everything that may stand there: a call that failed may have set it, or not. */
export function possibleIn(kernel: Pick<Kernel, "cell">, key: string): ReturnType<typeof possibleAt> {
  return possibleAt(key, (one) => cellOf(kernel, one));
}

/** Why it is not known what a key holds, in the words that were kept. */
export function whyUnknown(kernel: Pick<Kernel, "cell">, key: string): string {
  const mark = cellOf(kernel, unknownKey(key)) ?? cellOf(kernel, unknownKey(key.replace(/\[.*$/s, "")));
  return mark === undefined ? "a call failed" : markWords(mark);
}

/** As JavaScript has it; a number that it cannot have exactly is a `bigint`, or a problem. */
export function plainJs(json: Json): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  let exact = true;
  const go = (part: Json): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (JsonNumber.is(part)) {
      const js = jsOfNum(part.value);
      if (js !== undefined) return js;
      if (typeof part.value !== "bigint") exact = false;
      return part.value;
    }
    if (isJsonArray(part)) return part.map(go);
    const object: Record<string, unknown> = {};
    for (const name of Object.keys(part)) define(object, name, go(part[name] ?? null));
    return object;
  };
  const value = go(json);
  return exact ? { ok: true, value } : { ok: false };
}

/** Also for a name such as `__proto__`. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** What a tool gave, if it is data that a trace can keep. */
export function keptOutput(given: unknown): Json | undefined {
  if (given === undefined) return null;
  const read = decodeValue(given);
  return read.ok ? toJson(read.value) : undefined;
}
