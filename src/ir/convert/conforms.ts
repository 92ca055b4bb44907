/** Tests if an exact value has a type; for assertions. Part of what must be trusted. */
import { isInKeyOrder } from "../map-value.ts";
import { json, type MapType, type RecordType, type Type } from "../type.ts";
import { type Charge, isList, isNum, isOption, isRecord, type Value } from "../value.ts";
import { isInEnum } from "./words.ts";

/** Charges for what it looks at: values share their parts, and a small one may take long to walk. */
export function conforms(value: Value, type: Type, charge: Charge = () => {}): boolean {
  charge(1);
  switch (type.kind) {
    case "never":
      return false;
    case "bool":
      return typeof value === "boolean";
    case "int":
      return typeof value === "bigint";
    case "real":
      return isNum(value);
    case "string":
      return typeof value === "string";
    case "enum":
      return typeof value === "string" && isInEnum(value, type);
    case "list":
      return isList(value) && value.every((item) => conforms(item, type.element, charge));
    case "map":
      return isList(value) && conformsToMap(value, type, charge);
    case "option":
      return isOption(value) && (value.kind === "none" || conforms(value.value, type.value, charge));
    case "record":
      return conformsToRecord(value, type, charge);
    case "json":
      return conformsToJson(value, charge);
  }
}

function conformsToRecord(value: Value, type: RecordType, charge: Charge): boolean {
  if (!isRecord(value)) return false;
  let known = 0;
  for (const field of type.fields) {
    const part = value.fields[field.name];
    if (part === undefined) {
      if (field.optional !== true) return false;
    } else {
      known++;
      if (!conforms(part, field.type, charge)) return false;
    }
  }
  return known === Object.keys(value.fields).length;
}

function conformsToMap(entries: readonly Value[], { value: type }: MapType, charge: Charge): boolean {
  const areEntries = entries.every((entry) => {
    if (!isRecord(entry) || Object.keys(entry.fields).length !== 2) return false;
    const { key, value } = entry.fields;
    return typeof key === "string" && value !== undefined && conforms(value, type, charge);
  });
  return areEntries && isInKeyOrder(entries);
}

function conformsToJson(value: Value, charge: Charge): boolean {
  if (value === null || typeof value === "boolean" || typeof value === "string" || isNum(value)) return true;
  const parts = isList(value) ? value : isRecord(value) ? Object.values(value.fields) : undefined;
  return parts?.every((part) => conforms(part, json, charge)) ?? false;
}
