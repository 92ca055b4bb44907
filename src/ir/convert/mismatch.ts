/** The problem with an input that is not of the wanted kind. */
import type { Trail } from "../diagnostic.ts";
import type { Type } from "../type.ts";
import type { Conversion } from "./conversion.ts";
import { type Look, look } from "./inspect.ts";
import { typeWords } from "./words.ts";

export function mismatch(input: unknown, type: Type, conversion: Conversion, trail: Trail): undefined {
  return failLook(look(input), type, conversion, trail);
}

/** The same, for what has been looked at already. */
export function failLook(seen: Look, type: Type, conversion: Conversion, trail: Trail): undefined {
  const message = `expected ${typeWords(type)}, found ${seen.words}`;
  switch (seen.kind) {
    case "not data":
      return conversion.fail("FC1605", trail, message);
    case "foreign":
      return conversion.fail("FC1607", trail, message, seen.help);
    case "list":
    case "object":
    case "scalar":
      return conversion.fail("FC1608", trail, message);
  }
}
