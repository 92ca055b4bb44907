import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../tests/support/runs.ts";
import { ratio } from "../ir/number.ts";
import { parseExpr } from "../ir/text/parser.ts";
import { numberText } from "./number-text.ts";
import { codeText, quotedText } from "./visible.ts";

describe("a string between quotation marks", () => {
  test.each([
    ["bob", '"bob"'],
    ["", '""'],
    ['a" b', '"a\\" b"'],
    ["a\\", '"a\\\\"'],
    ["`email.send`", '"\\u0060email.send\\u0060"'],
    ["a\nb\tc\r\u0000", '"a\\nb\\tc\\r\\u0000"'],
    ["x\u202eevil", '"x\\u202eevil"'],
    ["\u2066\u200b\ufeff\u00ad", '"\\u2066\\u200b\\ufeff\\u00ad"'],
    ["\u00a0\u3000\u2003 ", '"\\u00a0\\u3000\\u2003 "'],
    ["\u3164\uffa0\u115f\u2800\u034f\ufe0f", '"\\u3164\\uffa0\\u115f\\u2800\\u034f\\ufe0f"'],
    ["\ud800x", '"\\ud800x"'],
    ["\u05d0\u0627", '"\\u05d0\\u0627"'],
    ["\u0301e\u0301", '"\\u0301e\u0301"'],
    ["e\u0301\u0302\u0303", '"e\u0301\u0302\\u0303"'],
    ["\u{e0041}", '"\\udb40\\udc41"'],
    ["stra\u00dfe \u65e5\u672c \u{1f600}", '"stra\u00dfe \u65e5\u672c \u{1f600}"'],
  ])("%j", (value, text) => {
    expect(quotedText(value)).toBe(text);
  });

  test("can be read back, so no two strings look the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const read = parseExpr(quotedText(value));
        expect(read.ok && read.value.expr).toEqual({ kind: "string", value });
      }),
      { numRuns: runs(300) },
    );
  });
});

test.each([
  ["email.send", "`email.send`"],
  ["`a b`.c", "`` `a b`.c ``"],
  ["x\u202ey", "`x\\u202ey`"],
])("in backquotes: %j", (text, shown) => {
  expect(codeText(text)).toBe(shown);
});

test.each([
  [5n, "5"],
  [-12345678901234567890n, "-12345678901234567890"],
  [ratio(1n, 10n), "0.1"],
  [ratio(-5n, 4n), "-1.25"],
  [ratio(7n, 3n), "7/3"],
  [ratio(1n, 2n ** 50n), `1/${2n ** 50n}`],
])("%s is written exactly", (value, text) => {
  expect(numberText(value)).toBe(text);
});
