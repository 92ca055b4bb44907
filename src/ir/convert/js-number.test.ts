import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyNum } from "../../../tests/support/arbitrary-value.ts";
import { runs } from "../../../tests/support/runs.ts";
import { type Num, ratio } from "../number.ts";
import { jsOfNum, numOfJs } from "./js-number.ts";

describe("the number that stands for a value", () => {
  it.each<[x: Num, n: number | undefined]>([
    [0n, 0],
    [-5n, -5],
    [ratio(1n, 10n), 0.1],
    [ratio(-1n, 4n), -0.25],
    [ratio(1n, 3n), undefined],
    [2n ** 53n - 1n, 2 ** 53 - 1],
    [2n ** 53n, 2 ** 53],
    [2n ** 53n + 1n, undefined],
    [2n ** 53n + 2n, 2 ** 53 + 2],
    [10n ** 21n, 1e21],
    // The exact value of the double 2^70 is not that of its shortest decimal form.
    [2n ** 70n, undefined],
    [1180591620717411300000n, 2 ** 70],
    [17976931348623157n * 10n ** 292n, Number.MAX_VALUE],
    [10n ** 309n, undefined],
    [-(10n ** 309n), undefined],
    [ratio(5n, 10n ** 324n), 5e-324],
    [ratio(4n, 10n ** 324n), undefined],
    [ratio(1n, 10n ** 325n), undefined],
    [ratio(22250738585072014n, 10n ** 324n), 2.2250738585072014e-308],
    // More digits than any shortest form has, although the double is the nearest to both.
    [ratio(10n ** 30n + 1n, 10n ** 31n), undefined],
    [2n ** 60_000n, undefined],
    [ratio(1n, 2n ** 60_000n), undefined],
  ])("%s is %s", (x, n) => {
    expect(jsOfNum(x)).toBe(n);
    if (n !== undefined) expect(numOfJs(n)).toStrictEqual(x);
  });

  it("is found again for every finite number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => {
        expect(jsOfNum(numOfJs(n))).toBe(n === 0 ? 0 : n);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("gives back the value, if there is one", () => {
    fc.assert(
      fc.property(anyNum(), (x) => {
        const n = jsOfNum(x);
        if (n !== undefined) expect(numOfJs(n)).toStrictEqual(x);
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("%s stands for nothing", (n) => {
    expect(() => numOfJs(n)).toThrow(RangeError);
  });
});
