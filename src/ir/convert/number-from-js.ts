/** Numbers from JavaScript and from JSON, as exact numbers. Part of what must be trusted. */
import type { Trail } from "../diagnostic.ts";
import { JsonNumber } from "../json/json.ts";
import { quoted } from "../json/quoted.ts";
import type { Num } from "../number.ts";
import type { Type } from "../type.ts";
import type { Conversion } from "./conversion.ts";
import { numOfJs } from "./js-number.ts";
import { mismatch } from "./mismatch.ts";

export function intFromJs(
  input: unknown,
  type: Type,
  conversion: Conversion,
  trail: Trail,
): bigint | undefined {
  // Above 2^53 a number may be what is left of another integer.
  if (typeof input === "number" && Number.isInteger(input) && !Number.isSafeInteger(input)) {
    const message = `integer \`${input}\` is too big to be exact as a number`;
    return conversion.fail("FC1603", trail, message, "use a `bigint`");
  }
  const exact = realFromJs(input, type, conversion, trail);
  if (exact === undefined || typeof exact === "bigint") return exact;
  const given = JsonNumber.is(input) ? input.text : String(input);
  return conversion.fail("FC1608", trail, `${quoted(given)} is not an integer`);
}

export function realFromJs(
  input: unknown,
  type: Type,
  conversion: Conversion,
  trail: Trail,
): Num | undefined {
  if (typeof input === "bigint") return conversion.fitsNumber(input, trail) ? input : undefined;
  if (JsonNumber.is(input)) {
    if (input.isNegativeZero) return failNegativeZero(conversion, trail);
    return conversion.fitsNumber(input.value, trail) ? input.value : undefined;
  }
  if (typeof input !== "number") return mismatch(input, type, conversion, trail);
  if (!Number.isFinite(input)) return conversion.fail("FC1601", trail, `\`${input}\` is not a finite number`);
  if (Object.is(input, -0)) return failNegativeZero(conversion, trail);
  const exact = numOfJs(input);
  return conversion.fitsNumber(exact, trail) ? exact : undefined;
}

/** Exact numbers have one zero, so the sign would be lost. */
function failNegativeZero(conversion: Conversion, trail: Trail): undefined {
  return conversion.fail("FC1602", trail, "`-0` is not an exact number", "use `0`");
}
