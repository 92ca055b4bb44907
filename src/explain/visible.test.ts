import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../tests/support/runs.ts";
import { ratio } from "../ir/number.ts";
import { parseExpr } from "../ir/text/parser.ts";
import { numberText } from "./number-text.ts";
import { codeText, pieces, quotedText, visibleText } from "./visible.ts";

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

describe("letters that a reader takes for others", () => {
  test.each([
    ["раypal.com", "\\u0440\\u0430ypal.com"],
    ["pay@ехample.com", "pay@\\u0435\\u0445ample.com"],
    ["аррӏе", "\\u0430\\u0440\\u0440\\u04cf\\u0435"],
    ["mail.раура", "mail.\\u0440\\u0430\\u0443\\u0440\\u0430"],
    ["send to bοb", "send to b\\u03bfb"],
    ["100 с", "100 \\u0441"],
    ["ｂob", "\\uff42ob"],
    ["𝐛ob", "\\ud835\\udc1bob"],
    ["https://Ꮤest.example", "https://\\u13d4est.example"],
    ["kapı@x.com", "kap\\u0131@x.com"],
    ["admin_а", "admin_\\u0430"],
  ])("%j is marked", (text, shown) => {
    expect(visibleText(text)).toBe(shown);
    expect(quotedText(text)).toBe(`"${shown}"`);
    expect(
      pieces(text)
        .map((one) => one.text)
        .join(""),
    ).toBe(shown);
    expect(
      pieces(text, true)
        .map((one) => one.text)
        .join(""),
    ).toBe(shown);
  });

  test.each([
    "Привет, мир: оплата счёта с 1 мая",
    "Wi-Fi-роутер и e-mail-адрес",
    "Καλημέρα κόσμε",
    "kapıyı aç",
    "straße café naïve 日本 한국",
    "счёт № 12, ООО «Ромашка»",
  ])("%j stays as it is", (text) => {
    expect(visibleText(text)).toBe(text);
  });

  test("takes time in proportion to the length of a text", () => {
    const text = `${"ж".repeat(200_000)}${"а.".repeat(100_000)}x`;
    expect(visibleText(text)).toContain("\\u0430");
  });
});
