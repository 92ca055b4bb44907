/** Adding an operator is adding an entry: with it, and without another change, everything knows the operator. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Operator,
  operators,
  parseExpr,
  printExpr,
  printValue,
  readDocument,
} from "../../src/ir/index.ts";
import { clamp } from "./clamp.ts";
import { evaluateText } from "./expressions.ts";

// The table is shared by all tests of this thread, so what is added is taken away again.
const table = operators as Map<string, Operator>;
beforeAll(() => {
  table.set(clamp.name, clamp);
});
afterAll(() => {
  table.delete(clamp.name);
});

describe("the operator of the how-to", () => {
  test.each([
    ["clamp(7, 0, 5)", "5", "int"],
    ["clamp(-1, 0, 5)", "0", "int"],
    ["clamp(0.5, 0, 5)", "0.5", "real"],
    ["clamp(7, 5, 0)", "0", "int"],
  ])("%s is %s, an %s", (text, value, type) => {
    const found = evaluateText(text);
    expect(printValue(found.value)).toBe(value);
    expect(found.type.kind).toBe(type);
  });

  test("is read and printed", () => {
    const parsed = parseExpr("clamp(a, b, c)");
    expect(parsed.ok && printExpr(parsed.value.expr)).toBe("clamp(a, b, c)");
  });

  test("is checked like all others", () => {
    const read = readDocument('effect-ir 1 program () { let x = clamp("a", 0, 1) }');
    expect(read.ok ? [] : read.problems.map(({ code }) => code)).toEqual(["FC1302"]);
  });

  test("has an SMT-LIB form that says the same", () => {
    if (clamp.smt.kind !== "term") throw new Error("it has none");
    const nothing = { literals: [], opaque: () => "" };
    expect(clamp.smt.print(["x", "l", "h"], [], nothing)).toBe(
      "(ite (> (ite (> x l) x l) h) h (ite (> x l) x l))",
    );
  });
});
