/** Helpers of the conversions: names of types in messages, and members of enums. Part of what must be trusted. */
import { quotedList, quotedString } from "../json/quoted.ts";
import type { EnumType, Type } from "../type.ts";

/** Names a value of the type, with its article. */
export function typeWords(type: Type): string {
  switch (type.kind) {
    case "never":
      return "no value";
    case "bool":
      return "a boolean";
    case "int":
      return "an integer";
    case "real":
      return "a number";
    case "string":
      return "a string";
    case "enum":
      return `one of ${quotedList(type.values, quotedString, 5)}`;
    case "list":
      return "a list";
    case "map":
    case "record":
      return "an object";
    case "option":
      return `${typeWords(type.value)} or \`null\``;
    case "json":
      return "JSON data";
  }
}

/** Linear work is done once per type, not once per look-up. */
export function isInEnum(value: string, type: EnumType): boolean {
  let set = enumSets.get(type);
  if (set === undefined) {
    set = new Set(type.values);
    enumSets.set(type, set);
  }
  return set.has(value);
}

const enumSets = new WeakMap<EnumType, ReadonlySet<string>>();

/** A fault of ours: the checker promised a value of this type. */
export function notOfType(type: Type): never {
  throw new TypeError(`the value is not of its type, ${typeWords(type)}`);
}
