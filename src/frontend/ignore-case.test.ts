/** A pattern written without the flag `i` finds what it finds with it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPattern, anyText } from "../../tests/support/arbitrary-pattern.ts";
import { atLeast, runs } from "../../tests/support/runs.ts";
import { readPattern } from "../ir/regular/pattern.ts";
import { ignoringCase } from "./ignore-case.ts";

const most = 1000;

test("random patterns", () => {
  let changed = 0;
  fc.assert(
    fc.property(anyPattern, fc.array(anyText, { minLength: 4, maxLength: 4 }), (pattern, texts) => {
      if (!readPattern(pattern, { most }).ok) return;
      const written = ignoringCase(pattern);
      if (written !== pattern) changed++;
      expect(readPattern(written, { most: 5000 }).ok).toBe(true);
      const [ours, real] = [new RegExp(written), new RegExp(pattern, "i")];
      for (const text of texts)
        expect([pattern, text, ours.test(text)]).toEqual([pattern, text, real.test(text)]);
    }),
    { numRuns: runs(2_000) },
  );
  expect(changed).toBeGreaterThan(atLeast(2_000) / 4);
});

const everyUnit = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));

test.each([
  "k",
  "s",
  "[a-z]",
  "[^a-z]",
  "\\w",
  "\\W",
  "[^\\W]",
  "ß",
  "ſ",
  "\\u212a",
  "µ",
  "ǅ",
  "[-k]",
  "[--k]",
  "[+--k-]",
  "[\\x61-\\x63]",
  "[\\]k]",
  "\\S",
  ".",
  "İ",
  "[à-þ]",
  "[^k]",
  "\\x6b",
])("%s, for every code unit", (pattern) => {
  const [ours, real] = [new RegExp(`^${ignoringCase(pattern)}$`), new RegExp(`^${pattern}$`, "i")];
  expect(everyUnit.filter((unit) => ours.test(unit) !== real.test(unit))).toEqual([]);
});

test("stays readable", () => {
  expect(ignoringCase("^yes$")).toBe("^[yY][eE][sS]$");
  expect(ignoringCase("[a-f0-9]{2,}")).toBe("[A-Fa-f0-9]{2,}");
  expect(ignoringCase("\\d+-?")).toBe("\\d+-?");
});
