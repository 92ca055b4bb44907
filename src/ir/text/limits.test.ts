import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../diagnostic.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { parseDocument, parseExpr } from "./parser.ts";
import { printDocument, printExpr } from "./printer.ts";

/** A limit, what is just within it, and what is just beyond. */
describe("limits", () => {
  test.each<[keyof Limits, number, string, string, string]>([
    ["textLength", 3, "abc", "abcd", "FC1401"],
    ["depth", 3, "f(g(x))", "f(g(h(x)))", "FC1402"],
    ["depth", 3, "[[[]]]", "[[[x]]]", "FC1402"],
    ["depth", 3, "a.b.c", "a.b.c.d", "FC1402"],
    ["depth", 3, "a - b - c", "a - b - c - d", "FC1402"],
    ["depth", 2, "a + b + c + d", "a + b + (c + d)", "FC1402"],
    ["depth", 3, "a - b * c", "a - (b - c * d)", "FC1402"],
    ["depth", 3, "a * b - c", "a * b - c - d", "FC1402"],
    ["depth", 3, "not not a", "not not not a", "FC1402"],
    ["depth", 2, "not -5", "not -5.f", "FC1402"],
    ["depth", 1, "-5", "-(5)", "FC1402"],
    ["depth", 2, "a implies b", "a implies b implies c", "FC1402"],
    ["depth", 3, "(((a)))", "((((a))))", "FC1402"],
    ["depth", 2, "x => a", "x => y => a", "FC1402"],
    ["depth", 3, "(x: list<int>) => a", "((x: list<int>) => a).b", "FC1402"],
    ["depth", 2, "if a then b else c", "if a then b else f(c)", "FC1402"],
    ["depth", 2, "let x = a in b", "let x = a in -b", "FC1402"],
    ["depth", 2, "{ a: b }", "{ a: { b: c } }", "FC1402"],
    ["depth", 2, "forall x in t where p: q", "forall x in t where f(p): q", "FC1402"],
    ["depth", 2, "now F[a]", "now F[-a]", "FC1402"],
    ["nodes", 3, "a + b", "a + b + c", "FC1403"],
    ["nodes", 1, "-5", "-x", "FC1403"],
    ["nameLength", 3, "abc", "abcd", "FC1408"],
    ["nameLength", 3, "`a.b`", "`a. b`", "FC1408"],
    ["nameLength", 3, "now a.b[k]", "now a.bc[k]", "FC1408"],
    ["stringLength", 3, '"a\\nb"', '"a\\nbc"', "FC1404"],
    ["numberBits", 68, "295147905179352825855", "295147905179352825856", "FC1406"],
    ["numberBits", 68, "0.5", `0.${"1".repeat(30)}`, "FC1406"],
    ["numberBits", 68, "ratio(1, 3)", `ratio(1, ${3n ** 60n})`, "FC1406"],
  ])("%s %i: %s", (limit, most, within, beyond, code) => {
    const limits = { ...defaultLimits, [limit]: most };
    expect(problemsOf(parseExpr(within, limits))).toStrictEqual([]);
    expect(problemsOf(parseExpr(beyond, limits)).map((problem) => problem.code)).toStrictEqual([code]);
  });

  test.each([
    [1, "effect-ir 1 program () { let a = 1 }", 2],
    [2, "effect-ir 1 program () { for u in xs { let a = 1 } }", 3],
    [0, "effect-ir 1 tool a(x: int) requires x", 1],
    [1, "effect-ir 1 tool a(x: list<int>)", 2],
    [1, "effect-ir 1 fluent f[int]: record{a: int} = unknown", 2],
    [1, "effect-ir 1 program () { for u in xs carry a: int = 1 { next a = 1 } }", 2],
  ])("depth above %i: %s", (least, text, depth) => {
    expect(
      problemsOf(parseDocument(text, { ...defaultLimits, depth })).map(({ code }) => code),
    ).toStrictEqual([]);
    const refused = parseDocument(text, { ...defaultLimits, depth: least });
    expect(problemsOf(refused).map(({ code }) => code)).toStrictEqual(["FC1402"]);
  });

  test("after the first limit of size the rest is not read", () => {
    const text = `${"(".repeat(500)} "${"x".repeat(10)} && 1e5`;
    expect(problemsOf(parseExpr(text)).map(({ code }) => code)).toStrictEqual(["FC1402"]);
  });
});

describe("nothing nests so deep that the stack overflows", () => {
  const openings = [
    ..."( [ - { f( a+( x=> always( [[{a:- a.b-(".split(" ").map((open) => open),
    "not ",
    "(a: list<int>, b) => ",
    "if a then b else ",
    "if if ",
    "let x = 1 in ",
    "let x = ",
    "forall x in R: ",
    "sum(x in R where ",
    "now F[",
  ];
  test.each(openings)("%s", (open) => {
    for (const text of [open.repeat(100_000), open.repeat(390), open.repeat(100)]) {
      expect(parseExpr(text).ok).toBe(false);
      expect(parseDocument(`effect-ir 1 program () { let a = ${text}`).ok).toBe(false);
    }
  });

  test.each([
    "effect-ir 1 fluent f[".padEnd(100_000, "list<"),
    "effect-ir 1 program () {".padEnd(100_000, " for u in xs {"),
    "effect-ir 1 program (".padEnd(100_000, "a: record{"),
  ])("%.40s", (text) => {
    expect(problemsOf(parseDocument(text)).map(({ code }) => code)).toStrictEqual(["FC1402"]);
  });

  test("the deepest that is allowed is read and printed", () => {
    const { depth } = defaultLimits;
    for (const text of [
      `${"-(a + ".repeat(199)}-x${")".repeat(199)}`,
      `${"[".repeat(depth)}${"]".repeat(depth)}`,
      `a${" - b".repeat(depth - 1)}`,
      `${"(".repeat(depth - 1)}a${" == b)".repeat(depth - 1)}`,
      `${"if a then b else ".repeat(depth - 1)}c`,
    ]) {
      const read = parseExpr(text);
      expect(problemsOf(read)).toStrictEqual([]);
      if (read.ok) expect(parseExpr(printExpr(read.value.expr)).ok).toBe(true);
    }
    const loops = `effect-ir 1 program () {${"for u in xs {".repeat(depth - 1)}${"}".repeat(depth)}`;
    const read = parseDocument(loops);
    expect(problemsOf(read)).toStrictEqual([]);
    if (read.ok) expect(parseDocument(printDocument(read.value.document)).ok).toBe(true);
  });
});

describe("size", () => {
  test("a hundred thousand commands", () => {
    const lines = Array.from(
      { length: 50_000 },
      (_, i) => `  let v${i} = total + u.due\n  call pay.send(to: "x", amount: v${i}) when v${i} <= limit\n`,
    );
    const text = `effect-ir 1\n\nprogram () {\n${lines.join("")}}\n`;
    const read = parseDocument(text);
    expect(read.ok && printDocument(read.value.document) === text).toBe(true);
  });

  test.each([
    ["a chain", `a${" + b".repeat(200_000)}`, true],
    ["a list", `[${"x, ".repeat(200_000)}]`, true],
    ["a string of escapes", `"${"\\n".repeat(200_000)}"`, true],
    ["opening braces", "{ ".repeat(200_000), false],
    ["closing braces", "} ".repeat(200_000), false],
    ["quotation marks", '"'.repeat(200_001), false],
    ["single quotes", "'".repeat(200_001), false],
    ["starts of comments", "/*".repeat(200_000), false],
    ["names", "x ".repeat(200_000), false],
    ["words", "let call for ".repeat(100_000), false],
    ["digits", "1".repeat(1_000_000), false],
  ])("%s", (_, text, isOk) => {
    expect(parseExpr(text).ok).toBe(isOk);
    expect(parseDocument(`effect-ir 1 program () { let a = ${text} }`).ok).toBe(isOk);
  });

  test("a loop that carries many names", () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `n${i}`);
    const carry = names.map((name) => `${name}: int = 0`).join(", ");
    const next = names.map((name) => `next ${name} = ${name}`).join("\n");
    expect(
      problemsOf(parseDocument(`effect-ir 1 program () { for u in xs carry ${carry} { ${next} } }`)),
    ).toEqual([]);
  });
});

function problemsOf(
  read: { readonly ok: true } | { readonly ok: false; readonly problems: readonly Diagnostic[] },
): readonly Diagnostic[] {
  return read.ok ? [] : read.problems;
}
