/** `"$id.output"` and `"$id.output.field"`: a string that stands for what another action gave. */
import { isJsonArray, type Json, JsonNumber } from "../ir/json/json.ts";

export interface Reference {
  readonly id: string;
  /** Which part of the output, outermost first. */
  readonly field: readonly string[];
}

/** A whole string only: what stands inside a longer text is text. */
export function referenceIn(text: string): Reference | undefined {
  if (!text.startsWith("$")) return undefined;
  const [, id, field] = /^\$([^$]+?)\.output(?:\.(.+))?$/s.exec(text) ?? [];
  return id === undefined ? undefined : { id, field: field === undefined ? [] : field.split(".") };
}

/** Whether a text has something in it that reads like a reference, without being one. */
export function looksLikeReference(text: string): boolean {
  return text.includes(".output") && /\$[^\s$]+\.output/.test(text) && referenceIn(text) === undefined;
}

/** Every string in a value, the keys of objects left out. */
export function eachString(json: Json, see: (text: string) => void): void {
  if (typeof json === "string") see(json);
  else if (typeof json !== "object" || json === null || JsonNumber.is(json)) return;
  else if (isJsonArray(json)) for (const item of json) eachString(item, see);
  else for (const key in json) eachString(json[key] ?? null, see);
}

export function hasReference(json: Json): boolean {
  let found = false;
  eachString(json, (text) => {
    found ||= referenceIn(text) !== undefined;
  });
  return found;
}
