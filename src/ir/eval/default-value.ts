/**
 * The plainest value of a type. `value(none)` gives it, which makes taking an option's value total;
 * a program that means it to be present says so with a `require`.
 * Part of what must be trusted.
 */
import type { Type } from "../type.ts";
import { list, none, record, type Value } from "../value.ts";

export function defaultOf(type: Type): Value {
  switch (type.kind) {
    case "bool":
      return false;
    case "int":
    case "real":
      return 0n;
    case "string":
      return "";
    case "json":
      return null;
    case "enum":
      return type.values[0] ?? "";
    case "list":
    case "map":
      return list([]);
    case "option":
      return none;
    case "record":
      return record(type.fields.filter((f) => !f.optional).map((f) => [f.name, defaultOf(f.type)] as const));
    case "never":
      throw new TypeError("the checker lets no value be taken of a type that has none");
  }
}
