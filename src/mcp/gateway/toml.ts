/** TOML as JSON, for configurations of hosts. */
import { parse, TomlError } from "smol-toml";
import { isObject, type Json } from "./json.ts";

export type ReadToml =
  | { readonly ok: true; readonly json: Json }
  | { readonly ok: false; readonly why: string };

export function readToml(text: string): ReadToml {
  try {
    return { ok: true, json: jsonOf(parse(text)) };
  } catch (thrown) {
    // The parser's message quotes the line, which may hold a secret.
    const where = thrown instanceof TomlError ? ` at line ${thrown.line}, column ${thrown.column}` : "";
    return { ok: false, why: `is not TOML${where}` };
  }
}

/** Dates and long integers become texts: no server needs them. */
function jsonOf(value: unknown): Json {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Date || !isObject(value)) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, jsonOf(one)]));
}
