/** Patterns mean what JavaScript's regular expressions without flags mean, and what is not the same is refused. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { anyBrokenPattern, anyPattern, anyText } from "../../../tests/support/arbitrary-pattern.ts";
import { atLeast, runs } from "../../../tests/support/runs.ts";
import { Automaton } from "./automaton.ts";
import { sizeOf } from "./language.ts";
import { readPattern } from "./pattern.ts";

function read(pattern: string, most = 1000) {
  return readPattern(pattern, { most });
}

function matcher(pattern: string, most?: number): (text: string) => boolean {
  const result = read(pattern, most);
  if (!result.ok) throw new Error(`${pattern}: ${result.problem.message}`);
  const automaton = new Automaton(result.value);
  return (text) => automaton.accepts(text);
}

describe("against JavaScript", () => {
  test("random patterns and texts", () => {
    let [accepted, matched] = [0, 0];
    fc.assert(
      fc.property(anyPattern, fc.array(anyText, { minLength: 6, maxLength: 6 }), (pattern, texts) => {
        const result = read(pattern);
        if (!result.ok) return;
        accepted++;
        const automaton = new Automaton(result.value);
        const real = new RegExp(pattern);
        for (const text of ["", ...texts]) {
          const expected = real.test(text);
          if (expected) matched++;
          expect({ pattern, text, found: automaton.accepts(text) }).toEqual({
            pattern,
            text,
            found: expected,
          });
        }
      }),
      { numRuns: runs(2_000) },
    );
    // Neither most of them refused nor nearly all alike.
    expect(accepted).toBeGreaterThan(atLeast(2_000) / 4);
    expect(matched).toBeGreaterThan(accepted / 4);
    expect(matched).toBeLessThan(accepted * 6.5);
  });

  test("what JavaScript refuses is refused, whatever is written", () => {
    let accepted = 0;
    fc.assert(
      fc.property(anyBrokenPattern, anyText, (pattern, text) => {
        const result = read(pattern);
        if (!result.ok) return;
        accepted++;
        expect(new Automaton(result.value).accepts(text)).toBe(new RegExp(pattern).test(text));
      }),
      { numRuns: runs(5_000) },
    );
    expect(accepted).toBeGreaterThan(atLeast(5_000) / 20);
  });

  const everyUnit = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
  test.each([
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    ".",
    "[^]",
    "[]",
    "[^a-z\\s]",
    "[\\w.-]",
    "[+--]",
    "[\\ud800-\\udbff]",
    "[😀]",
    "[^\\W\\d]",
    "[a-c-e]",
    "\\0",
    "\\v",
  ])("%s, for every code unit", (pattern) => {
    const [ours, real] = [matcher(`^${pattern}$`), new RegExp(`^${pattern}$`)];
    expect(everyUnit.filter((unit) => ours(unit) !== real.test(unit))).toEqual([]);
  });

  test.each([
    ["^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$", ["ann@example.org", "ann@example", "a b@c.d", "@.", "a@b.c\n"]],
    ["^\\d{4}-\\d{2}-\\d{2}$", ["2024-01-31", "2024-1-31", "x2024-01-31", "2024-01-31\n"]],
    ["(?:^|,)x(?:,|$)", ["x", "a,x", "a,x,b", "ax", "xa", ",x,", ""]],
    ["^(a|b)|c$", ["ax", "xa", "xc", "cx", "b"]],
    ["^$", ["", " ", "\n"]],
    ["$^", ["", "a"]],
    ["", ["", "a"]],
    ["a|", ["", "b"]],
    ["(^a|b$)", ["ax", "xb", "xa", "bx"]],
    ["((^)a)", ["a", "ba"]],
    ["a.b", ["a\nb", "a\rb", "a b", "a\u2028b"]],
    ["😀+", ["😀", "😀😀", "\ud83d", "\ude00"]],
    ["^😀{2}$", ["😀😀", "😀\ude00"]],
    ["(a{0,2}){2}b", ["b", "aaaab", "aaaaab"]],
    ["^(?:){3}a$", ["a"]],
  ])("%s", (pattern, texts) => {
    const [ours, real] = [matcher(pattern), new RegExp(pattern)];
    expect(texts.map(ours)).toEqual(texts.map((text) => real.test(text)));
  });
});

describe("refused, with the reason", () => {
  it.each([
    ["(a)\\1", "refers to what a group matched"],
    ["\\bword\\b", "looks at the characters around it"],
    ["[\\b]", "looks at the characters around it"],
    ["a(?=b)", "`(?=` looks ahead"],
    ["a(?!b)", "`(?!` looks ahead"],
    ["(?<=a)b", "`(?<=` looks back"],
    ["(?<!a)b", "`(?<!` looks back"],
    ["(?<year>a)", "cannot have a name"],
    ["(?i:a)", "kind of group"],
    ["\\k<year>", "refers to a named group"],
    ["\\p{L}", "needs a flag"],
    ["\\u{61}", "needs four hexadecimal digits"],
    ["\\x4", "needs two hexadecimal digits"],
    ["\\cA", "is not an escape"],
    ["\\01", "is not an escape"],
    ["\\é", "is not an escape"],
    ["a\\", "escapes nothing"],
    ["a^b", "`^` is in the middle"],
    ["a$b", "`$` is in the middle"],
    ["a*^b", "`^` is in the middle"],
    ["(?:)^b", "`^` is in the middle"],
    ["(a|^b)*", "repeats an anchor"],
    ["^*", "repeats an anchor"],
    ["(a", "not closed"],
    ["a)", "not opened"],
    ["[a", "not closed"],
    ["*a", "nothing to repeat"],
    ["a|+", "nothing to repeat"],
    ["a**", "repeated again"],
    ["a{2}{3}", "repeated again"],
    ["a{,2}", "stands alone"],
    ["a{", "stands alone"],
    ["a]", "stands alone"],
    ["a{2,1}", "more at least than at most"],
    ["[z-a]", "wrong order"],
    ["[\\w-z]", "class itself"],
    ["[a-\\d]", "class itself"],
  ])("%s", (pattern, reason) => {
    const result = read(pattern!);
    expect(result).toMatchObject({
      ok: false,
      problem: { code: "FC1317", message: expect.stringContaining(reason!) },
    });
  });
});

describe("limits", () => {
  const isTooBig = (pattern: string, most?: number) => {
    const result = read(pattern, most);
    return !result.ok && result.problem.code === "FC1410";
  };

  it.each(["a{5}", "abc", "a{2,7}", "(?:ab){3,}"])("%s", (pattern) => {
    const result = read(pattern);
    const size = result.ok ? sizeOf(result.value) : 0;
    expect([isTooBig(pattern, size), isTooBig(pattern, size - 1)]).toEqual([false, true]);
  });

  it("holds before anything is written out", () => {
    const nested = `${"(?:".repeat(20)}a${"{99})".repeat(20)}`;
    for (const pattern of [
      "a{99999999999999999999}",
      "a{1000}",
      nested,
      "(?:){0,99999}",
      "a".repeat(100_000),
    ])
      expect([pattern.slice(0, 20), isTooBig(pattern)]).toEqual([pattern.slice(0, 20), true]);
  });

  it("of nesting", () => {
    const nested = (depth: number) => `${"(".repeat(depth)}a${")".repeat(depth)}`;
    expect([isTooBig(nested(49)), isTooBig(nested(50)), isTooBig(nested(100_000))]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("of anchored alternatives", () => {
    const words = (count: number) => Array.from({ length: count }, () => "^$").join("|");
    expect([isTooBig(words(256)), isTooBig(words(257))]).toEqual([false, true]);
  });

  it("is quick where JavaScript is not", () => {
    const matches = matcher("^(a+)+$");
    expect(matches(`${"a".repeat(20_000)}b`)).toBe(false);
    expect(matches("a".repeat(20_000))).toBe(true);
  });
});
