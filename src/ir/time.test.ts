/** Times are those of JavaScript's own dates. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../tests/support/runs.ts";
import { parsedTime, partsOf, timeOf, timeText } from "./time.ts";

const two = (n: number) => String(n).padStart(2, "0");

/** Returns the result of `Date.parse` in UTC: a time without an offset gets one. */
function theirs(text: string): bigint | "invalid" {
  const time = Date.parse(/T[^Z]*$/.test(text) && !/T.*[+-]/.test(text) ? `${text}Z` : text);
  return Number.isNaN(time) ? "invalid" : BigInt(time);
}

describe("texts", () => {
  it.each([
    "2024",
    "2024-02",
    "2024-02-29",
    "2024-02-29T10:00",
    "2024-02-29T10:00Z",
    "2024-02-29T10:00:59",
    "2024-02-29T10:00:59.1",
    "2024-02-29T10:00:59.1239999Z",
    "2024-02-29T24:00:00+05:30",
    "2024-02-29T23:59:59.999-23:59",
    "+275760-09-13",
    "+275760-09-13T00:00:00.001Z",
    "-271821-04-20T00:00:00Z",
    "-271821-04-19T23:59:59.999Z",
    "-000001-01-01",
    "+000000-01-01T00:00:00Z",
    "0000-01-01",
    "0099-01-01",
    "2024-13-01",
    "2024-00-01",
    "2024-01-00",
    "2024-01-32",
    "2024-01-01T25:00Z",
    "2024-01-01T24:01Z",
    "2024-01-01T10:60Z",
    "2024-01-01T10:00:60Z",
    "2024-01-01T10:00+24:00",
    "2024-01-01T10:00+10:60",
    "",
    "tomorrow",
    "Invalid Date",
    "n/a",
  ])("%j", (text) => {
    expect(parsedTime(text)).toBe(theirs(text));
  });

  it.each([
    "Mar 3 2024",
    "2024-02-30",
    "2023-02-29T10:00:00Z",
    "2024-1-5",
    "2024-01-01 10:00",
    "2024-01-01T10:00:00+0000",
    "1709287200000",
    " 2024-01-01",
    "-000000-01-01",
    "0001-19",
    "0001-13-01",
    "0001-01-32",
    "01/02/2024",
    "2024-01-01T10",
  ])("%j is left to each engine", (text) => {
    expect(parsedTime(text)).toBe("unclear");
  });

  it("any that have the format", () => {
    const part = (most: number) => fc.nat(most);
    const parts = fc.tuple(part(9999), part(13), part(32), part(25), part(61), part(61), part(999), part(4));
    fc.assert(
      fc.property(parts, ([year, month, date, hours, minutes, seconds, rest, form]) => {
        const zone = ["", "Z", "+02:00", "-11:45", "+00:60"][form] ?? "";
        const day = `${String(year).padStart(4, "0")}-${two(month)}-${two(date)}`;
        const text = `${day}T${two(hours)}:${two(minutes)}:${two(seconds)}.${String(rest).padStart(3, "0")}${zone}`;
        const ours = parsedTime(text);
        if (ours !== "unclear") expect(ours, text).toBe(theirs(text));
        else expect(date > 28 || year < 100, text).toBe(true);
      }),
      { numRuns: runs(3000) },
    );
  });
});

describe("parts", () => {
  const time = fc.oneof(
    fc.bigInt({ min: -8_640_000_000_000_000n, max: 8_640_000_000_000_000n }),
    fc.bigInt({ min: -1_000_000_000_000n, max: 4_000_000_000_000n }),
  );

  it("of any time, and back", () => {
    fc.assert(
      fc.property(time, (ms) => {
        const date = new Date(Number(ms));
        const parts = partsOf(ms);
        expect(timeText(ms)).toBe(date.toISOString());
        expect(parts.day).toBe(BigInt(date.getUTCDay()));
        expect(timeOf(parts)).toBe(ms);
        expect(parsedTime(timeText(ms))).toBe(ms);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("beyond their bounds", () => {
    const part = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -100_000, max: 100_000 }));
    const year = fc.oneof(fc.integer({ min: 100, max: 3000 }), fc.integer({ min: -300_000, max: 300_000 }));
    fc.assert(
      fc.property(year, part, part, part, part, part, part, (y, mo, d, h, mi, s, ms) => {
        fc.pre(y < 0 || y > 99);
        const expected = Date.UTC(y, mo, d, h, mi, s, ms);
        const ours = timeOf({
          year: BigInt(y),
          month: BigInt(mo),
          date: BigInt(d),
          hours: BigInt(h),
          minutes: BigInt(mi),
          seconds: BigInt(s),
          milliseconds: BigInt(ms),
        });
        expect(ours).toBe(Number.isNaN(expected) ? undefined : BigInt(expected));
      }),
      { numRuns: runs(2000) },
    );
  });
});
