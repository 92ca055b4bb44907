import { expect, it } from "vitest";
import { ratio } from "../../../ir/index.ts";
import { literal } from "./literals.ts";
import type { Scalar, Sort } from "./port.ts";

const literals: readonly (readonly [Scalar, Sort, string])[] = [
  [true, "Bool", "true"],
  [false, "Bool", "false"],
  [0n, "Int", "0"],
  [-5n, "Int", "(- 5)"],
  [5n, "Real", "5.0"],
  [-5n, "Real", "(- 5.0)"],
  [ratio(7n, 3n), "Real", "(/ 7.0 3.0)"],
  [ratio(-7n, 3n), "Real", "(- (/ 7.0 3.0))"],
  ["", "String", '""'],
  ["plain text", "String", '"plain text"'],
  ['"', "String", String.raw`"\u{22}"`],
  ["\\u{62}", "String", String.raw`"\u{5c}u{62}"`],
  ["\0\n~\x7f", "String", String.raw`"\u{0}\u{a}~\u{7f}"`],
  ["é\u{1f600}\ud800", "String", String.raw`"\u{e9}\u{d83d}\u{de00}\u{d800}"`],
];

it.each(literals)("%s as %s: %s", (value, sort, text) => {
  expect(literal(value, sort)).toBe(text);
});

it.each([
  [1n, "Bool"],
  [true, "Int"],
  [ratio(1n, 2n), "Int"],
  ["1", "Real"],
  [1n, "String"],
] as const)("%s is no value of %s", (value, sort) => {
  expect(() => literal(value, sort)).toThrow(TypeError);
});
