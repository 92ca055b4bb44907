import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyString } from "../../../tests/support/arbitrary-value.ts";
import { visibleText } from "../../explain/visible.ts";
import { columnsOf, cut, glyphs, pad, wrap } from "./width.ts";

describe("how wide a text is", () => {
  it.each<[text: string, columns: number]>([
    ["", 0],
    ["abc", 3],
    ["é", 1],
    ["e\u0301", 1],
    ["日本", 4],
    ["한", 2],
    ["！", 2],
    ["ｆ", 6],
    ["\u{1f600}", 2],
    ["✓ →", 3],
    ["\t", 4],
    ["\u001b", 6],
    ["\ud800", 6],
    ["\u202e", 6],
  ])("%j", (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });
});

describe("what reaches a terminal", () => {
  it("names what a terminal would obey or hide", () => {
    expect(visibleText("a\u001b[31m\nb\u202e")).toBe("a\\u001b[31m\\nb\\u202e");
  });

  it("is free of control characters, whatever the text", () => {
    fc.assert(
      fc.property(anyString(), (text) => {
        const shown =
          visibleText(text) +
          glyphs(text)
            .map((one) => one.text)
            .join("");
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
    );
  });
});

describe("cutting and filling up", () => {
  it.each<[text: string, columns: number, cutText: string]>([
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["日本語", 4, "日…"],
    ["abc", 1, "…"],
    ["abc", 0, ""],
  ])("cuts %j to %d columns", (text, columns, cutText) => {
    expect(cut(text, columns, "…")).toBe(cutText);
  });

  it("pads by columns, not by characters", () => {
    expect(pad("日", 4)).toBe("日  ");
    expect(pad("abcde", 4)).toBe("abcde");
  });

  it.each<[text: string, columns: number, lines: readonly string[]]>([
    ["", 5, [""]],
    ["a b", 5, ["a b"]],
    ["aa bb cc", 5, ["aa bb", "cc"]],
    ["aaaaaaa b", 3, ["aaa", "aaa", "a b"]],
    ["a bbbbbbb", 3, ["a", "bbb", "bbb", "b"]],
    ["日本 語", 4, ["日本", "語"]],
  ])("wraps %j at %d columns", (text, columns, lines) => {
    expect(wrap(text, columns)).toEqual(lines);
  });

  it("wraps without losing a word, and within the width", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.integer({ min: 2, max: 20 }), (text, columns) => {
        const lines = wrap(text, columns);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
        for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
