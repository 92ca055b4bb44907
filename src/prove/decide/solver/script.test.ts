import { describe, expect, it } from "vitest";
import type { Wanted } from "./port.ts";
import { problemOf, setsLogic } from "./script.ts";

const good = [
  "",
  "; nothing",
  "(declare-const x Int)\n(assert (> x 5)) ; and a comment (",
  '(assert (= s "a ""quoted"" (string"))',
  "(declare-const |a ( b| Int)",
  "( assert true)",
  "(set-logic HORN)(set-info :source here)(declare-fun f (Int) Bool)",
];

it.each(good)("takes %j", (text) => {
  expect(problemOf({ text, values: [] })).toBeUndefined();
});

it.each([
  ["(check-sat)", "the script has the command `check-sat`"],
  ["(assert true)(exit)", "the script has the command `exit`"],
  ["(set-option :rlimit 0)", "the script has the command `set-option`"],
  ["(reset)", "the script has the command `reset`"],
  ["(push 1)", "the script has the command `push`"],
  ["((assert true))", "the script has the command ``"],
  ["(|assert| true)", "the script has the command ``"],
  ["()", "the script has the command ``"],
  ["(assert true", "the script ends within a command"],
  ["(assert true))", "the script closes a bracket that it has not opened"],
  ['(assert (= s "a)', "the script ends within a string or a symbol"],
  ["(assert |a)", "the script ends within a string or a symbol"],
  ["(assert true ; )", "the script ends within a command"],
  ["assert", "the script has text outside its commands"],
  ["(assert true) x", "the script has text outside its commands"],
  ["x (assert true)", "the script has text outside its commands"],
  ['"(assert false)"', "the script has text outside its commands"],
  ["x ; (assert true)", "the script has text outside its commands"],
  ["(assert true)\0(assert false)", "the script has a character that is not printable ASCII"],
  ['(assert (= s "é"))', "the script has a character that is not printable ASCII"],
])("refuses %j", (text, problem) => {
  expect(problemOf({ text, values: [] })).toBe(problem);
});

describe("what is asked for", () => {
  const problem = (...values: readonly Wanted[]) => problemOf({ text: "", values });

  it("is a constant or a term", () => {
    expect(problem({ name: "x", sort: "Int" }, { name: "|a b|", sort: "Int" })).toBeUndefined();
    expect(problem({ name: "third row", sort: "Int", term: "(f 3)" })).toBeUndefined();
  });

  it.each(["", "x y", "x) (y", "(x", '"', "x\0", "; x"])("is one term, not %j", (name) => {
    expect(problem({ name, sort: "Int" })).toBe(`\`${name}\` is not one term`);
  });

  it("is asked for once", () => {
    expect(problem({ name: "x", sort: "Int" }, { name: "x", sort: "Real" })).toBe("`x` is asked for twice");
  });
});

it("knows a script that sets its logic", () => {
  expect(setsLogic({ text: "(set-logic ALL)", values: [] })).toBe(true);
  expect(setsLogic({ text: '(assert (= s "(set-logic ALL)"))', values: [] })).toBe(false);
});

it("looks at a long script in little time", () => {
  const text = `(declare-const s String)${'(assert (not (= s "some (string)")))\n'.repeat(50_000)}`;
  expect(problemOf({ text, values: [] })).toBeUndefined();
});
