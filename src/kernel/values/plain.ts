/** Values as plain frozen JavaScript data, for functions and people. Part of what must be trusted. */
import { isList, isNum, isRecord, jsOfNum, type Value } from "../../ir/index.ts";
import { numberText } from "./canonical.ts";

export type Plain =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Plain[]
  | { readonly [name: string]: Plain };

/**
 * A number becomes a JavaScript number if one stands for exactly it, and otherwise a `bigint`.
 * Throws for the rest, which no number stands for: to round would be to say something else.
 */
export function plainOf(value: Value): Plain {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (isNum(value)) {
    const js = jsOfNum(value);
    if (js !== undefined) return js;
    if (typeof value === "bigint") return value;
    throw new RangeError(`no number equals \`${numberText(value)}\``);
  }
  if (isList(value)) return Object.freeze(value.map(plainOf));
  if (!isRecord(value)) throw new TypeError("an option is not a value of the kernel");
  const object: Record<string, Plain> = Object.create(null);
  for (const [name, field] of Object.entries(value.fields)) object[name] = plainOf(field);
  return Object.freeze(object);
}
