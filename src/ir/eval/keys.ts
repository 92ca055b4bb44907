/** The keys of fluents. Part of what must be trusted. */
import type { Type } from "../type.ts";
import type { Value } from "../value.ts";

/** All keys of a type that has finitely many. */
export function finiteKeys(type: Type): readonly Value[] | undefined {
  if (type.kind === "bool") return [false, true];
  return type.kind === "enum" ? type.values : undefined;
}

/** Returns true if a value that is compared with a key could be one. */
export function isKey(value: Value, type: Type): boolean {
  return type.kind !== "int" || typeof value === "bigint";
}
