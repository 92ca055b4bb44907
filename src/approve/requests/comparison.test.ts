/** The comparison of sources, and amounts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../tests/support/runs.ts";
import { isWithin, sum } from "./amounts.ts";
import { source } from "./comparison.ts";

const text = fc
  .array(fc.constantFrom("a", "b", "c", "", "d e"), { maxLength: 12 })
  .map((lines) => `${lines.join("\n")}\n`);

test("a comparison of sources leads from one to the other, by the fewest lines", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = source(before, after);
      if (before === after) {
        expect(lines).toEqual([]);
        return;
      }
      const of = (kind: string) => lines.filter((one) => one.kind === kind);
      // Nothing is skipped next to a change, and numbers are those of the later text.
      const later = after.replace(/\n$/, "").split("\n");
      for (const { kind, line, text: shown } of lines)
        if (kind === "same" || kind === "added") expect(later[(line ?? 0) - 1]).toBe(shown);
      const earlier = before.replace(/\n$/, "").split("\n");
      expect(earlier.length - of("removed").length).toBe(later.length - of("added").length);
      expect(earlier.length - of("removed").length).toBe(longestCommon(earlier, later));
    }),
    { numRuns: runs(500) },
  );
});

/** A second, naive way: the table of lengths. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = a.map(() => b.map(() => 0));
  for (const [i, x] of a.entries())
    for (const [j, y] of b.entries()) {
      const row = table[i];
      if (row === undefined) continue;
      row[j] =
        x === y
          ? (table[i - 1]?.[j - 1] ?? 0) + 1
          : Math.max(table[i - 1]?.[j] ?? 0, (j > 0 ? row[j - 1] : 0) ?? 0);
    }
  return table.at(-1)?.at(-1) ?? 0;
}

test("a comparison is bounded", () => {
  const before = Array.from({ length: 5_000 }, (_, i) => `a${i}`).join("\n");
  const after = Array.from({ length: 5_000 }, (_, i) => `b${i}`).join("\n");
  expect(source(before, after).length).toBeLessThanOrEqual(601);
});

test("amounts are exact", () => {
  expect(sum("0.1", "0.2")).toBe("0.3");
  expect(sum("999999999999999999.999999999999999999", "0.000000000000000001")).toBe("1000000000000000000");
  expect(isWithin("0.300000000000000001", "0.3")).toBe(false);
  expect(isWithin("0.3", "0.30")).toBe(true);
  expect([isWithin(null, "1"), isWithin("1", null), isWithin(null, null)]).toEqual([false, true, true]);
  expect(() => sum("1e3", "1")).toThrow(TypeError);
});
