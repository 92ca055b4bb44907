import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyType, anyValueOf } from "../../../tests/support/arbitrary-value.ts";
import {
  checkExpr,
  equal,
  evaluateOn,
  isPartly,
  none,
  parseExpr,
  ratio,
  readDocument,
  record,
  some,
  type Type,
  type Value,
} from "../../ir/index.ts";
import { argumentsText, valueText } from "./wording.ts";

describe("values as text", () => {
  it.each<[value: Value, text: string]>([
    [null, "null"],
    [true, "true"],
    [-5n, "-5"],
    [ratio(1n, 4n), "0.25"],
    [ratio(1n, 3n), "ratio(1, 3)"],
    ["a\n\u001b", '"a\\n\\u001b"'],
    [[1n, 2n], "[1, 2]"],
    [none, "none"],
    [some(some(1n)), "some(some(1))"],
    [record([]), "{}"],
    [
      record([
        ["when", 1n],
        ["a b", "x"],
      ]),
      '{ when: 1, `a b`: "x" }',
    ],
  ])("%o", (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  it("writes the arguments of a call", () => {
    expect(
      argumentsText(
        record([
          ["to", "bob"],
          ["amount", 5n],
        ]),
      ),
    ).toBe('to: "bob", amount: 5');
    expect(argumentsText(record([]))).toBe("");
  });

  it("writes no more than asked for, however big the value", () => {
    const big = Array.from({ length: 100_000 }, (_, i) => record([["text", "x".repeat(i % 50)]]));
    expect(valueText(big, 100).length).toBeLessThan(200);
    expect(valueText("x".repeat(1_000_000), 100).length).toBeLessThan(200);
  });

  it("can be read back as an expression", () => {
    const read = readDocument("effect-ir 1");
    if (!read.ok) throw new Error("unreadable");
    const { checked } = read.value;
    const anyCase = anyType()
      .filter((type) => !mentionsJson(type))
      .chain((type) => anyValueOf(type));
    fc.assert(
      fc.property(anyCase, (value) => {
        const parsed = parseExpr(valueText(value));
        if (!parsed.ok) throw new Error(parsed.problems[0]!.message);
        const within = checkExpr(checked, parsed.value.expr, "values");
        // A list of records with different fields may have no common type; the text is right all the same.
        if (!within.ok) return;
        const again = evaluateOn(within.value, parsed.value.expr, { inputs: record([]), trace: [] });
        expect(!isPartly(again) && equal(again, value)).toBe(true);
      }),
    );
  });
});

function mentionsJson(type: Type): boolean {
  switch (type.kind) {
    case "json":
      return true;
    case "map":
      return mentionsJson(type.value);
    case "list":
      return mentionsJson(type.element);
    case "option":
      return mentionsJson(type.value);
    case "record":
      return type.fields.some((field) => mentionsJson(field.type));
    default:
      return false;
  }
}
