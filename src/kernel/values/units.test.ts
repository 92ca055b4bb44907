/** Amounts: the quick way and the exact way come to the same. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { divide, parseNum, ratio } from "../../ir/number.ts";
import { Refused } from "../problem.ts";
import { amountText, quantumOf, unitsOf } from "./units.ts";

/** By the definition, without a quick way. */
function slowly(text: string, places: number): bigint | undefined {
  if (!/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return undefined;
  const number = parseNum(text, 4_000);
  const units = number === undefined ? undefined : divide(number, ratio(1n, 10n ** BigInt(places)));
  return typeof units === "bigint" ? units : undefined;
}

function read(text: string, places: number): bigint | undefined {
  try {
    return unitsOf(text, quantumOf(ratio(1n, 10n ** BigInt(places)), "cost"), "cost");
  } catch (thrown) {
    if (Refused.is(thrown)) return undefined;
    throw thrown;
  }
}

const texts = fc.oneof(
  fc.stringMatching(/^\d{0,9}\.?\d{0,8}$/),
  fc.stringMatching(/^[0-9.]{0,18}$/),
  fc.constantFrom("999999999999999", "9007199254740991", "9007199254740992", "9007199254.740992", "0.000001"),
);

test("any text is the same number of quanta as by the definition, or refused", () => {
  fc.assert(
    fc.property(texts, fc.constantFrom(0, 1, 2, 6, 12), (text, places) => {
      expect(read(text, places)).toBe(slowly(text, places));
    }),
    { numRuns: 5_000 },
  );
});

test("an amount comes back as it was", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.constantFrom(0, 2, 6), (units, places) => {
      const quantum = quantumOf(ratio(1n, 10n ** BigInt(places)), "cost");
      expect(unitsOf(amountText(units, quantum), quantum, "cost")).toBe(units);
    }),
  );
});
