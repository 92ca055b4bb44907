/**
 * Values as the Common Agent Runtime compares them: integers of 64 bits and floating-point numbers are different values,
 * even where they are the same number; ordering compares floating-point numbers.
 */
import { isJsonArray, isJsonObject, type Json, JsonNumber } from "../../ir/index.ts";

export function sameValue(a: Json, b: Json): boolean {
  return valueText(a) === valueText(b);
}

/** Keys of nested objects in their order, as that runtime keeps them. */
export function valueText(json: Json): string {
  if (typeof json === "string") return JSON.stringify(json);
  if (JsonNumber.is(json)) return numberText(json);
  if (typeof json !== "object" || json === null) return String(json);
  if (isJsonArray(json)) return `[${json.map(valueText).join(",")}]`;
  const names = Object.keys(json).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${valueText(json[name] ?? null)}`).join(",")}}`;
}

function numberText({ value, text }: JsonNumber): string {
  if (isInteger(text) && typeof value === "bigint" && value >= -(2n ** 63n) && value < 2n ** 64n) {
    // `-0` is a floating-point number there.
    return text === "-0" ? "-0.0" : text;
  }
  const number = Number(text);
  const shown = Object.is(number, -0) ? "-0" : String(number);
  return isInteger(shown) ? `${shown}.0` : shown;
}

function isInteger(text: string): boolean {
  return /^-?[0-9]+$/.test(text);
}

export function toNumber(json: Json): number | undefined {
  return JsonNumber.is(json) ? Number(json.text) : undefined;
}

/** A number that it has no value for, if there is one. */
export function tooBig(json: Json): JsonNumber | undefined {
  if (JsonNumber.is(json)) return Number.isFinite(Number(json.text)) ? undefined : json;
  const parts = isJsonArray(json) ? json : isJsonObject(json) ? Object.values(json) : [];
  for (const part of parts) {
    const found = tooBig(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
