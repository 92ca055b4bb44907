import { expect, it } from "vitest";
import { readSexprs } from "./sexpr.ts";

it.each([
  ["", []],
  [" \r\n\t", []],
  ["sat", ["sat"]],
  ["sat\nunsat", ["sat", "unsat"]],
  [
    "((x 6)\n (|a b| (- 5)))",
    [
      [
        ["x", "6"],
        ["|a b|", ["-", "5"]],
      ],
    ],
  ],
  ['("a""b" "" "(;|")', [['"a""b"', '""', '"(;|"']]],
  ["(:rlimit 12)()", [[":rlimit", "12"], []]],
])("reads %j", (text, expected) => {
  expect(readSexprs(text)).toEqual(expected);
});

it.each(["(", ")", "())", '"a', '("a""', "|a", "(|a\\b|)", "; a comment", "(a ; b\n)"])(
  "does not read %j",
  (text) => {
    expect(readSexprs(text)).toBeUndefined();
  },
);

it("reads long and deeply nested answers", () => {
  const depth = 200_000;
  expect(readSexprs(`${"(".repeat(depth)}${")".repeat(depth)}`)).toHaveLength(1);
  const long = `"${'""a'.repeat(1_000_000)}"`;
  expect(readSexprs(long)).toEqual([long]);
});
