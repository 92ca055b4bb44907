import { describe, expect, it } from "vitest";
import { ratio } from "../../../ir/index.ts";
import { decodeReason, decodeValues, unexpected } from "./decode.ts";
import type { Scalar, Sort, UnknownReason } from "./port.ts";

const values: readonly (readonly [written: string, Sort, Scalar | undefined])[] = [
  ["true", "Bool", true],
  ["false", "Bool", false],
  ["maybe", "Bool", undefined],
  ["0", "Int", 0n],
  ["123456789012345678901234567890", "Int", 123456789012345678901234567890n],
  ["(- 5)", "Int", -5n],
  ["5.0", "Int", 5n],
  ["0.5", "Int", undefined],
  ["-5", "Int", undefined],
  ["007", "Int", undefined],
  ["(- 5 3)", "Int", undefined],
  ["(- (- 5))", "Int", undefined],
  ["5", "Real", 5n],
  ["5.0", "Real", 5n],
  ["0.25", "Real", ratio(1n, 4n)],
  ["(- 0.5)", "Real", ratio(-1n, 2n)],
  ["(/ 1.0 3.0)", "Real", ratio(1n, 3n)],
  ["(- (/ 4.0 6.0))", "Real", ratio(-2n, 3n)],
  ["(/ (- 1) 3)", "Real", ratio(-1n, 3n)],
  ["(/ 1 (- 3))", "Real", ratio(-1n, 3n)],
  ["(/ 1.0 0.0)", "Real", undefined],
  ["(/ 1.0 3.0 2.0)", "Real", undefined],
  ["1.4142?", "Real", undefined],
  ["(root-obj (+ (^ x 2) (- 2)) 1)", "Real", undefined],
  ["9".repeat(30_000), "Int", undefined],
  ['""', "String", ""],
  ['"say ""hi"""', "String", 'say "hi"'],
  [String.raw`"\u{62}\u0062\u{0062}"`, "String", "bbb"],
  [String.raw`"\u{5c}u{62}"`, "String", "\\u{62}"],
  [String.raw`"\\u{5c}n\x41\u{}\u{123456}\u12g4\\"`, "String", "\\\\n\\x41\\u{}\\u{123456}\\u12g4\\\\"],
  [String.raw`"\ud83d\u{de00}"`, "String", "\u{1f600}"],
  [String.raw`"\u{D83D}"`, "String", "\ud83d"],
  [String.raw`"\u{ffff}"`, "String", "\uffff"],
  [String.raw`"\u{10000}"`, "String", undefined],
  [String.raw`"\u{2ffff}"`, "String", undefined],
  ['"\x7f"', "String", "\x7f"],
  ['"a\nb"', "String", undefined],
  ['"é"', "String", undefined],
  ["abc", "String", undefined],
  ['(str.++ "a" x)', "String", undefined],
];

describe("values", () => {
  it.each(values)("%s as %s", (written, sort, expected) => {
    const answer = decodeValues(`((x ${written}))`, [{ name: "x", sort }]);
    if (answer.kind !== "sat") throw new Error(answer.kind);
    expect(answer.model.get("x")).toEqual(expected);
    expect(answer.undecodable.has("x")).toBe(expected === undefined);
  });

  it("are told apart by their place, not by their name", () => {
    const wanted = [
      { name: "|x|", sort: "Int" },
      { name: "sum", sort: "Int", term: "(+ |x| 1)" },
    ] as const;
    const answer = decodeValues("((x 1)\n ((+ x 1) 2))", wanted);
    expect(answer).toEqual({
      kind: "sat",
      model: new Map([
        ["|x|", 1n],
        ["sum", 2n],
      ]),
      undecodable: new Map(),
    });
  });

  it.each([
    "",
    "sat",
    "()",
    "((x 1) (y 2))",
    "((x 1)) ((x 1))",
    "((x))",
    "((x 1 2))",
    "(x)",
    '(error "no model")',
    "((x 1)",
  ])("are not read from %j", (reply) => {
    expect(decodeValues(reply, [{ name: "x", sort: "Int" }])).toMatchObject({
      kind: "unknown",
      reason: "error",
    });
  });
});

const reasons: readonly (readonly [reply: string, UnknownReason, detail: string])[] = [
  ['(:reason-unknown "canceled")', "resources", "canceled"],
  ['(:reason-unknown "max. resource limit exceeded")', "resources", "max. resource limit exceeded"],
  ["(:reason-unknown resourceout)", "resources", "resourceout"],
  ["(:reason-unknown timeout)", "timeout", "timeout"],
  ["(:reason-unknown memout)", "memory", "memout"],
  ['(:reason-unknown "(incomplete quantifiers)")', "incomplete", "(incomplete quantifiers)"],
  ["(:reason-unknown (incomplete (theory arithmetic)))", "incomplete", "(incomplete (theory arithmetic))"],
  ["(:reason-unknown)", "error", "(:reason-unknown)"],
  ["unsupported", "error", "unsupported"],
  ["", "error", "the solver gave no answer"],
];

it.each(reasons)("the reason %s", (reply, reason, detail) => {
  expect(decodeReason(reply)).toEqual({ kind: "unknown", reason, detail });
});

it.each([
  ['(error "line 1 column 3: unknown constant ""y""")\nsat\n', 'line 1 column 3: unknown constant "y"'],
  ["unsupported\n; :foo line: 1", "unsupported\n; :foo line: 1"],
  ["unsat\nunsat", "unsat\nunsat"],
])("what is no answer: %j", (reply, detail) => {
  expect(unexpected(reply)).toEqual({ kind: "unknown", reason: "error", detail });
});

it("keeps details short, however long and deep the answer", () => {
  const deep = `((x ${"(- ".repeat(100_000)}1${")".repeat(100_000)}))`;
  const answer = decodeValues(deep, [{ name: "x", sort: "Int" }]);
  if (answer.kind !== "sat") throw new Error(answer.kind);
  expect(answer.undecodable.get("x")?.length).toBeLessThan(600);
});
