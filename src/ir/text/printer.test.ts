import { describe, expect, test } from "vitest";
import type { Document, Expr } from "../document.ts";
import { ratio } from "../number.ts";
import { never } from "../type.ts";
import { parseDocument, parseExpr } from "./parser.ts";
import { printCommand, printDocument, printExpr, printName, printType } from "./printer.ts";

describe("layout", () => {
  const text = `effect-ir 1
modules "abc"

fluent home.doorLocked[string]: bool = true
fluent home.seen[string]: int = unknown

tool bank.balance(account: string) -> real
  ensures result >= 0
tool bank.withdraw(account: string, amount: real, note?: string) -> record{ok: bool, to?: enum{"a", "b"}}
  labels "money", "outgoing"
  reads
  idempotent
  untrusted
  undoable
  requires amount >= 0
  requires account != ""
  ensures result.ok
  sets home.doorLocked[account] = false when amount > 0
  cost amount
  stores "bank"
  endorses untrusted, tool bank.balance, label "money", inputs
  readers [account]
tool bank.convert(amount: real) -> list<record{to: string}>
  stores none
  readers [row.to]

program (limit: real, users?: list<record{id: string}>) {
  let owed = call bank.balance(account: "card")
  let over = owed > limit
  call bank.withdraw(account: "card", amount: limit) when over catch failed
  let r = call @pay1 bank.withdraw(account: "card", amount?: maybe)
  for u, i in users max 100 carry total: real = 0, n: int = 0 {
    call pay.send(to: u.id, more: { x: [1, 2], y?: none })
    for v in u.items {}
    next total = if total + u.due <= 500 then total + u.due else total
    next n = n + 1
  }
  require isSome(r) when over: "why"
}

guarantee bank.maxSpend(500): sum(w in bank.withdraw: w.amount) <= 500
guarantee email.only(["bob@example.com"])
guarantee email.allOf(["alice@example.com", "bob@example.com"]):
  forall m in email.send where not m.draft: contains(["alice@example.com", "bob@example.com"], m.to)
`;

  test("a document with everything stays as it is", () => {
    expect(printDocument(document(text))).toBe(text);
  });

  test("an empty document", () => {
    expect(printDocument(document("effect-ir 1"))).toBe("effect-ir 1\n\nprogram () {}\n");
  });

  test("a formula goes on its own line beyond 100 columns", () => {
    const fitting = `effect-ir 1\n\nprogram () {}\n\nguarantee g(): ${"x".repeat(85)}\n`;
    expect(printDocument(document(fitting))).toBe(fitting);
    expect(printDocument(document(fitting.replace("x\n", "xx\n")))).toContain("guarantee g():\n  xxx");
  });
});

describe("parentheses only where they are needed", () => {
  test.each([
    "(a + b) + c",
    "a + (b + c)",
    "a - (b - c)",
    "a - b + c - d",
    "(a and b) and c",
    "a or b and c",
    "(a or b) and c",
    "(a implies b) implies c",
    "a implies b implies c",
    "(a == b) == c",
    "not a == b",
    "(not a) == b",
    "a == (not b)",
    "not -a < b",
    "-(a + b) * c",
    "-a.b",
    "(-a).b",
    "(-5).f",
    "-5.f",
    "-(5)",
    "--5",
    "-(ratio(-1, 3))",
    "-(0.5)",
    "a - -0.5",
    "(if a then b else c) + d",
    "a + (if b then c else d)",
    "if a then b else c + d",
    "if if a then b else c then d else e",
    "not (exists x in t: a)",
    "(let x = a in b).c",
    "let x = let y = a in b in c",
    "f(if a then b else c, let x = a in b, forall x in t: a, x => a)",
    "[x => a]",
    "(x => a) + b",
    "{ a: x => b }",
    "(x: int) => a",
    "(x, y: real) => a",
    "() => a",
    "forall x in t where forall y in u: a: b",
    "min(x in t: if a then b else c else d)",
    "now F[if a then b else c].f",
  ])("%s", (text) => {
    expect(printExpr(expr(text))).toBe(text);
  });

  test.each([
    ["((a))", "a"],
    ["(a * b) + c", "a * b + c"],
    ["(x) => a", "x => a"],
    ["-ratio(1, 3)", "ratio(-1, 3)"],
    ["ratio(1, 4)", "0.25"],
    ["ratio(4, 2)", "2"],
    ["f(a,)", "f(a)"],
    ["`a` + `length`(`b`)", "a + length(b)"],
  ])("%s becomes %s", (text, printed) => {
    expect(printExpr(expr(text))).toBe(printed);
  });
});

describe("what has no writing of its own", () => {
  const x: Expr = { kind: "var", name: "x" };
  test.each([
    ["and", [x], "`and`(x)"],
    ["and", [], "`and`()"],
    ["not", [x, x], "`not`(x, x)"],
    ["-", [x, x, x], "`-`(x, x, x)"],
    ["==", [x, x, x], "`==`(x, x, x)"],
    ["if", [x, x], "`if`(x, x)"],
    ["negate", [x, x], "negate(x, x)"],
    ["foo", [x], "foo(x)"],
    ["foo.bar", [], "`foo.bar`()"],
    ["always", [x], "`always`(x)"],
    ["ratio", [x], "`ratio`(x)"],
    ["count", [x], "count(x)"],
    ["", [], "``()"],
  ])("operator `%s` %#", (op, args, printed) => {
    expect(printExpr({ kind: "op", op, args })).toBe(printed);
    expect(expr(printed)).toStrictEqual({ kind: "op", op, args });
  });
});

describe("numbers", () => {
  test.each([
    [ratio(1n, 3n), "ratio(1, 3)"],
    [ratio(-1n, 3n), "ratio(-1, 3)"],
    [ratio(-1n, 8n), "-0.125"],
    [ratio(1n, 10n ** 37n), `0.${"1".padStart(37, "0")}`],
    // Longer decimals say less than the ratio.
    [ratio(1n, 10n ** 41n), `ratio(1, 1${"0".repeat(41)})`],
    [-(10n ** 50n), `-1${"0".repeat(50)}`],
  ])("%o", (value, printed) => {
    expect(printExpr({ kind: "number", value })).toBe(printed);
    expect(expr(printed)).toStrictEqual({ kind: "number", value });
  });

  test("the biggest numbers within the limits are read back", () => {
    const biggest = (1n << 16_384n) - 1n;
    for (const value of [
      biggest,
      -biggest,
      ratio(1n, biggest),
      ratio(biggest, 1n << 16_383n),
      ratio(1n, 1n << 16_383n),
    ]) {
      expect(expr(printExpr({ kind: "number", value }))).toStrictEqual({ kind: "number", value });
    }
  });
});

describe("names and strings", () => {
  test.each([
    ["bank.withdraw", "bank.withdraw"],
    ["in", "`in`"],
    ["bank.in", "bank.in"],
    ["in.bank", "`in`.bank"],
    ["a b.c", "`a b`.c"],
    ["a..b", "a.``.b"],
    ["", "``"],
    ["`", "`\\``"],
    ['"', '`"`'],
    ["caf\u00e9", "`caf\u00e9`"],
    ["1st", "`1st`"],
  ])("name %j", (name, printed) => {
    expect(printName(name)).toBe(printed);
  });

  test.each([
    ['say "hi" `there` \\', '"say \\"hi\\" `there` \\\\"'],
    ["\b\f\n\r\t\u0000\u007f\u0085", '"\\b\\f\\n\\r\\t\\u0000\\u007f\\u0085"'],
    ["\u2028\u2029", '"\\u2028\\u2029"'],
    ["\ud800 \udc00\ud800", '"\\ud800 \\udc00\\ud800"'],
    ["caf\u00e9 \ud83d\ude00", '"caf\u00e9 \ud83d\ude00"'],
    // What cannot be seen, or changes how the line looks: zero width, right to left, tags, other blanks.
    ["a\u200bb\u202ec\udb40\udc41\u00a0\ufeff", '"a\\u200bb\\u202ec\\udb40\\udc41\\u00a0\\ufeff"'],
    // Letters, marks and symbols that fonts leave blank.
    ["\u3164\uffa0\u115f\u034f\ufe0f\u2800", '"\\u3164\\uffa0\\u115f\\u034f\\ufe0f\\u2800"'],
  ])("string %j", (value, printed) => {
    expect(printExpr({ kind: "string", value })).toBe(printed);
    expect(expr(printed)).toStrictEqual({ kind: "string", value });
  });
});

describe("single pieces, for messages", () => {
  test("a command leaves out an id that a place could have given", () => {
    const [first, second] = document("effect-ir 1 program () { call a() call @c7 b() }").program.body;
    expect(first && printCommand(first)).toBe("call a()");
    expect(second && printCommand(second)).toBe("call b()");
    const [named] = document("effect-ir 1 program () { call @pay a() }").program.body;
    expect(named && printCommand(named)).toBe("call @pay a()");
  });

  test("the type of no value can be printed, though not read", () => {
    expect(printType({ kind: "list", element: never })).toBe("list<never>");
    expect(parseDocument("effect-ir 1 fluent f[never]: int = unknown").ok).toBe(false);
  });
});

function expr(text: string): Expr {
  const read = parseExpr(text);
  if (read.ok) return read.value.expr;
  throw new Error(JSON.stringify(read.problems));
}

function document(text: string): Document {
  const read = parseDocument(text);
  if (read.ok) return read.value.document;
  throw new Error(JSON.stringify(read.problems));
}
