/** Where the state of a kernel keeps what fluents hold, and how. Where a key is absent, the fluent has its initial value. */
import { type Json, JsonNumber } from "../ir/json/json.ts";
import { decimalText } from "../ir/number.ts";
import { printValue } from "../ir/text/printer.ts";
import { isList, isNum, isOption, isRecord, type Value } from "../ir/value.ts";

/** `home.doorLocked[front]`. All keys of a fluent are of one type, so two of them never have one name. */
export function cellKey(fluent: string, key: Value): string {
  return `${fluent}[${typeof key === "string" ? key : printValue(key)}]`;
}

/** As JSON, if there is JSON for it: a third has none. */
export function toJson(value: Value): Json | undefined {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (isNum(value)) {
    const text = decimalText(value);
    return text === undefined ? undefined : new JsonNumber(value, text);
  }
  if (isList(value)) {
    const items = value.map(toJson);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (isOption(value)) return value.kind === "none" ? null : toJson(value.value);
  if (!isRecord(value)) return undefined;
  const object: Record<string, Json> = Object.create(null);
  for (const [name, part] of Object.entries(value.fields)) {
    const json = toJson(part);
    if (json === undefined) return undefined;
    object[name] = json;
  }
  return object;
}
