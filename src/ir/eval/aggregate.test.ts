/** Bounds of aggregates, against every way in which the uncertain rows may be there or not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../tests/support/runs.ts";
import { aggregateEntry } from "../aggregates.ts";
import { compare, type Num, ratio } from "../number.ts";
import type { AggregateRow } from "./aggregate.ts";
import { Meter } from "./meter.ts";
import { Between, Unknown } from "./partly.ts";

const number = fc
  .tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: 1, max: 2 }))
  .map(([num, den]) => ratio(BigInt(num), BigInt(den)));
const row: fc.Arbitrary<AggregateRow> = fc
  .tuple(fc.boolean(), number)
  .map(([certain, value]) => ({ certain, value: new Between(value, value) }));

describe.each(["count", "sum", "min", "max"] as const)("%s", (kind) => {
  test("has as bounds the least and the greatest of what it may be", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), number, (rows, otherwise) => {
        const found = aggregateEntry(kind).evaluate(
          rows,
          new Meter(),
          kind === "min" || kind === "max" ? new Between(otherwise, otherwise) : undefined,
        );
        const possible = worlds(rows).map((world) => exactly(kind, world, otherwise));
        const least = possible.reduce((a, b) => (compare(a, b) < 0 ? a : b));
        const greatest = possible.reduce((a, b) => (compare(a, b) > 0 ? a : b));
        expect(found).not.toBeInstanceOf(Unknown);
        const [low, high] = found instanceof Between ? [found.low, found.high] : [found as Num, found as Num];
        expect(compare(low ?? 0n, least)).toBe(0);
        expect(compare(high ?? 0n, greatest)).toBe(0);
      }),
      { numRuns: runs(400) },
    );
  });

  test("of rows whose value is only known within bounds contains everything it may be", () => {
    const wide: fc.Arbitrary<AggregateRow> = fc
      .tuple(fc.boolean(), number, number)
      .map(([certain, a, b]) => ({
        certain,
        value: compare(a, b) <= 0 ? new Between(a, b) : new Between(b, a),
      }));
    fc.assert(
      fc.property(
        fc.array(wide, { minLength: 1, maxLength: 4 }),
        number,
        fc.nat(),
        (rows, otherwise, seed) => {
          const found = aggregateEntry(kind).evaluate(
            rows,
            new Meter(),
            kind === "min" || kind === "max" ? new Between(otherwise, otherwise) : undefined,
          );
          // One value out of the bounds of each row.
          const chosen = rows.map(({ certain, value: { low, high } }, i): AggregateRow => {
            const value = ((seed >> i) & 1 ? low : high) ?? 0n;
            return { certain, value: new Between(value, value) };
          });
          for (const world of worlds(chosen)) {
            const value = exactly(kind, world, otherwise);
            const [low, high] =
              found instanceof Between ? [found.low, found.high] : [found as Num, found as Num];
            if (low !== undefined) expect(compare(low, value)).toBeLessThanOrEqual(0);
            if (high !== undefined) expect(compare(high, value)).toBeGreaterThanOrEqual(0);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

/** The values of the rows that are there, in every world. */
function worlds(rows: readonly AggregateRow[]): Num[][] {
  const open = rows.filter(({ certain }) => !certain).length;
  return Array.from({ length: 2 ** open }, (_, world) => {
    let bit = 0;
    return rows.filter(({ certain }) => certain || (world >> bit++) & 1).map(({ value }) => value.low ?? 0n);
  });
}

function exactly(kind: "count" | "sum" | "min" | "max", values: readonly Num[], otherwise: Num): Num {
  const twice = values.map((value) =>
    typeof value === "bigint" ? value * 2n : (value.num * 2n) / value.den,
  );
  if (kind === "count") return BigInt(values.length);
  if (kind === "sum")
    return ratio(
      twice.reduce((a, b) => a + b, 0n),
      2n,
    );
  if (values.length === 0) return otherwise;
  return ratio(
    twice.reduce((a, b) => ((kind === "min" ? a < b : a > b) ? a : b)),
    2n,
  );
}
