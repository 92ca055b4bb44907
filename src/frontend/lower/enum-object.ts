/** The object that an `enum` is. Nobody can change it. */
import type { TSEnumDeclaration } from "oxc-parser";
import { num, text } from "../build.ts";
import { enumMembers } from "../read/enums.ts";
import { int, real, string } from "../ty.ts";
import { data, type Val } from "../value.ts";
import { newObject } from "./access.ts";
import type { Lowering } from "./core.ts";

export function enumObject(low: Lowering, node: TSEnumDeclaration): Val {
  const members = enumMembers(node, (place, message, help) => low.refuse(place, "FC2301", message, help));
  const fields = new Map<string, Val>();
  for (const { name, value } of members) {
    if (typeof value === "string") fields.set(name, data(text(value), string));
    else {
      fields.set(name, data(num(value), typeof value === "bigint" ? int : real));
      // A number leads back to its name, as TypeScript has it.
      if (typeof value === "bigint") fields.set(`${value}`, data(text(name), string));
    }
  }
  const made = newObject(low, fields);
  if (made.shape.kind === "object") for (const slot of made.shape.fields.values()) low.freeze(slot);
  return made;
}
