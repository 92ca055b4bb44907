import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyInteger, anyNum } from "../../tests/support/arbitrary-value.ts";
import { runs } from "../../tests/support/runs.ts";
import {
  add,
  bits,
  compare,
  decimalText,
  denominator,
  divide,
  floor,
  isRatio,
  multiply,
  type Num,
  negate,
  numerator,
  numText,
  parseNum,
  ratio,
  subtract,
} from "./number.ts";

const enough = 65_536;

describe("one representation for each number", () => {
  test.each<[bigint, bigint, string]>([
    [6n, 4n, "3/2"],
    [6n, 3n, "2"],
    [-6n, 4n, "-3/2"],
    [6n, -4n, "-3/2"],
    [-6n, -4n, "3/2"],
    [0n, 5n, "0"],
    [0n, -5n, "0"],
    [7n, 1n, "7"],
  ])("%d / %d", (num, den, text) => {
    expect(numText(ratio(num, den))).toBe(text);
  });

  test("a ratio is in lowest terms with a denominator above one, and frozen", () => {
    fc.assert(
      fc.property(anyInteger(), anyInteger(), (num, den) => {
        fc.pre(den !== 0n);
        const x = ratio(num, den);
        expect(numerator(x) * den).toBe(denominator(x) * num);
        if (typeof x === "bigint") return;
        expect(x.den > 1n && isFraction(x.num, x.den)).toBe(true);
        expect(Object.isFrozen(x)).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });

  test("long ones are in lowest terms too", () => {
    const long = fc
      .integer({ min: 1, max: 4000 })
      .chain((size) => fc.bigInt({ min: 1n, max: 2n ** BigInt(size) }));
    fc.assert(
      fc.property(long, long, long, fc.boolean(), (num, den, common, isNegative) => {
        const x = ratio((isNegative ? -num : num) * common, den * common);
        expect(numText(x)).toBe(numText(ratio(isNegative ? -num : num, den)));
        expect(isFraction(numerator(x), denominator(x))).toBe(true);
        expect(numerator(x) * den).toBe(denominator(x) * (isNegative ? -num : num));
      }),
      { numRuns: runs(300) },
    );
  });

  test("there is no number with the denominator zero", () => {
    expect(() => ratio(1n, 0n)).toThrow(RangeError);
  });

  test("only ratios are taken for ratios", () => {
    expect(isRatio(ratio(1n, 2n))).toBe(true);
    for (const other of [
      1n,
      1,
      null,
      undefined,
      "1/2",
      {},
      { kind: "ratio" },
      { kind: "ratio", num: 1, den: 2 },
    ]) {
      expect(isRatio(other)).toBe(false);
    }
  });
});

describe("arithmetic", () => {
  const forThree = (holds: (a: Num, b: Num, c: Num) => void) =>
    fc.assert(fc.property(anyNum(), anyNum(), anyNum(), holds), { numRuns: runs(400) });
  const same = (a: Num, b: Num) => expect(numText(a)).toBe(numText(b));

  test("is that of a field", () => {
    forThree((a, b, c) => {
      same(add(a, b), add(b, a));
      same(add(add(a, b), c), add(a, add(b, c)));
      same(add(a, 0n), a);
      same(add(a, negate(a)), 0n);
      same(multiply(a, b), multiply(b, a));
      same(multiply(multiply(a, b), c), multiply(a, multiply(b, c)));
      same(multiply(a, 1n), a);
      same(multiply(a, add(b, c)), add(multiply(a, b), multiply(a, c)));
      same(subtract(a, b), add(a, negate(b)));
      if (b !== 0n) same(multiply(divide(a, b), b), a);
    });
  });

  test("keeps the order", () => {
    forThree((a, b, c) => {
      expect(compare(a, a)).toBe(0);
      expect(compare(a, b)).toBe(-compare(b, a) + 0);
      if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0);
      expect(compare(add(a, c), add(b, c))).toBe(compare(a, b));
      expect(compare(a, b) === 0).toBe(numText(a) === numText(b));
    });
  });

  test("finds the greatest integer that is not above", () => {
    forThree((a) => {
      const n = floor(a);
      expect(compare(n, a)).toBeLessThanOrEqual(0);
      expect(compare(n + 1n, a)).toBe(1);
    });
  });
});

describe("texts", () => {
  test.each<[string, string | undefined]>([
    ["0", "0"],
    ["-0", "0"],
    ["12", "12"],
    ["-0.25", "-1/4"],
    ["0.50", "1/2"],
    ["2.0", "2"],
    ["7/3", "7/3"],
    ["-6/4", "-3/2"],
    ["6/3", "2"],
    ["1e3", "1000"],
    ["1E+3", "1000"],
    ["25e-2", "1/4"],
    ["", undefined],
    ["+1", undefined],
    ["01", undefined],
    ["1.", undefined],
    [".5", undefined],
    ["1/0", undefined],
    ["1/-2", undefined],
    ["1.5/2", undefined],
    ["0x10", undefined],
    ["1_000", undefined],
    [" 1", undefined],
    ["1\n", undefined],
    ["Infinity", undefined],
    ["\u0661", undefined],
  ])("%j is read as %s", (text, expected) => {
    const x = parseNum(text, enough);
    expect(x === undefined ? undefined : numText(x)).toBe(expected);
  });

  test("what is written is read back", () => {
    fc.assert(
      fc.property(anyNum(), (x) => {
        expect(numText(parseNum(numText(x), enough) ?? 0n)).toBe(numText(x));
        const decimal = decimalText(x);
        if (decimal !== undefined) expect(numText(parseNum(decimal, enough) ?? 0n)).toBe(numText(x));
      }),
      { numRuns: runs(500) },
    );
  });

  test("there is a decimal text if and only if some power of ten makes it an integer", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -1000n, max: 1000n }), fc.bigInt({ min: 1n, max: 1000n }), (num, den) => {
        const x = ratio(num, den);
        // 1000 < 2^10.
        const finite = typeof multiply(x, 10n ** 10n) === "bigint";
        expect(decimalText(x) !== undefined).toBe(finite);
      }),
      { numRuns: runs(500) },
    );
  });

  test("a text that stands for a big number is not even tried", () => {
    expect(parseNum("1e999999", enough)).toBeUndefined();
    expect(parseNum("1e-999999", enough)).toBeUndefined();
    expect(parseNum("9".repeat(30_000), enough)).toBeUndefined();
    expect(parseNum(`1/${"9".repeat(50_000)}`, enough)).toBeUndefined();
    expect(parseNum("1".repeat(300), 64)).toBeUndefined();
  });
});

test("the size of a number is that of its longer half", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 65, max: 3000 }),
      fc.boolean(),
      fc.boolean(),
      (size, isNegative, isBelow) => {
        const big = 2n ** BigInt(size) - 1n;
        const x = isBelow ? ratio(1n, big) : isNegative ? -big : big;
        // Exact to four bits, and never too small.
        expect(bits(x)).toBeGreaterThanOrEqual(size);
        expect(bits(x)).toBeLessThan(size + 4);
      },
    ),
    { numRuns: runs(200) },
  );
});

function isFraction(num: bigint, den: bigint): boolean {
  let [a, b] = [num < 0n ? -num : num, den];
  while (b > 0n) [a, b] = [b, a % b];
  return a === 1n;
}
