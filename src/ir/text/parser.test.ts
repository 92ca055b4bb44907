import { describe, expect, test } from "vitest";
import type { Command, Document, Expr, Tool } from "../document.ts";
import { ratio } from "../number.ts";
import { parseDocument, parseExpr } from "./parser.ts";

describe("operators", () => {
  test.each([
    // chains
    ["a + b + c", "(+ a b c)"],
    ["(a + b) + c", "(+ (+ a b) c)"],
    ["a + (b + c)", "(+ a (+ b c))"],
    ["a - b + c", "(+ (- a b) c)"],
    ["a + b - c", "(- (+ a b) c)"],
    ["a + b - c + d + e", "(+ (- (+ a b) c) d e)"],
    ["a - b - c", "(- (- a b) c)"],
    ["a * b / c * d", "(* (/ (* a b) c) d)"],
    ["a and b and c or d or e and f", "(or (and a b c) d (and e f))"],
    ["a ++ b ++ c == d", "(== (++ a b c) d)"],
    // precedence
    ["a + b * c", "(+ a (* b c))"],
    ["a * b + c", "(+ (* a b) c)"],
    ["a < b and c >= d", "(and (< a b) (>= c d))"],
    ["a implies b implies c", "(implies a (implies b c))"],
    ["(a implies b) implies c", "(implies (implies a b) c)"],
    ["a or b implies c and d", "(implies (or a b) (and c d))"],
    ["not a == b and c", "(and (not (== a b)) c)"],
    ["not not a", "(not (not a))"],
    ["a and not b", "(and a (not b))"],
    ["-a * b", "(* (negate a) b)"],
    ["-(a * b)", "(negate (* a b))"],
    ["a - -b", "(- a (negate b))"],
    ["-a.b", "(negate (.b a))"],
    ["a.b.c", "(.c (.b a))"],
    ["(a + b).c", "(.c (+ a b))"],
    // forms
    ["if a then b else c + d", "(if a b (+ c d))"],
    ["if a then if b then c else d else e", "(if a (if b c d) e)"],
    ["a + if b then c else d + e", "(+ a (if b c (+ d e)))"],
    ["not exists x in t: a and b", "(not (exists x t (and a b)))"],
    ["a and forall x in t where p: q or r", "(and a (forall x t p (or q r)))"],
    ["let x = a in x + let y = b in y", "(let x a (+ x (let y b y)))"],
    // calls
    ["length(xs) > max(a, b)", "(> (length xs) (max a b))"],
    ["length + max", "(+ length max)"],
    ["`and`(a)", "(and a)"],
    ["`+`()", "(+)"],
    ["negate(a)", "(negate a)"],
    ["f(a, b,)", "(f a b)"],
    ["map(xs, x => x + 1)", "(map xs (=> x (+ x 1)))"],
    ["fold(xs, 0, (acc: real, x) => acc + x)", "(fold xs 0 (=> acc:real x (+ acc x)))"],
    ["f(() => a, (x) => x, (y))", "(f (=> a) (=> x x) y)"],
    ["x => y => z", "(=> x (=> y z))"],
    ["(x => y).f", "(.f (=> x y))"],
    ["`distinct`(xs)", "(distinct xs)"],
    ["distinct(xs)", "(distinct xs)"],
    ["min(x, y)", "(min x y)"],
    ["`result`(x)", "(result x)"],
  ])("%s", (text, shown) => {
    expect(show(expr(text))).toBe(shown);
  });
});

describe("numbers", () => {
  test.each([
    ["0", 0n],
    ["12", 12n],
    ["-5", -5n],
    ["- 5", -5n],
    ["-0", 0n],
    ["0.25", ratio(1n, 4n)],
    ["-0.50", ratio(-1n, 2n)],
    ["2.0", 2n],
    ["ratio(7, 3)", ratio(7n, 3n)],
    ["ratio(-7, 3)", ratio(-7n, 3n)],
    ["ratio(7, -3)", ratio(-7n, 3n)],
    ["ratio(6, 3)", 2n],
    ["-ratio(7, 3)", ratio(-7n, 3n)],
    ["123456789012345678901234567890", 123456789012345678901234567890n],
  ])("%s", (text, value) => {
    expect(expr(text)).toStrictEqual({ kind: "number", value });
  });

  test.each([
    ["-(5)", "(negate 5)"],
    ["--5", "(negate -5)"],
    ["-5.f", "(negate (.f 5))"],
    ["(-5).f", "(.f -5)"],
    ["5.f", "(.f 5)"],
    ["-5 * 3", "(* -5 3)"],
    ["2 - 5", "(- 2 5)"],
    ["2 - -5", "(- 2 -5)"],
    ["-ratio", "(negate ratio)"],
    ["ratio", "ratio"],
  ])("%s", (text, shown) => {
    expect(show(expr(text))).toBe(shown);
  });
});

describe("other expressions", () => {
  const x: Expr = { kind: "var", name: "x" };
  const calls = { var: "x", in: { kind: "calls", tool: "bank.pay" } };
  test.each<[string, Expr | object]>([
    ["true", { kind: "bool", value: true }],
    ["false", { kind: "bool", value: false }],
    ["none", { kind: "none" }],
    ['""', { kind: "string", value: "" }],
    [
      '"a\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud800é😀"',
      { kind: "string", value: 'a"\\/\b\f\n\r\t\u00e9\ud800é😀' },
    ],
    ["`a b`", { kind: "var", name: "a b" }],
    ["`\\`\\\\\\n\\u0041`", { kind: "var", name: "`\\\nA" }],
    ["``", { kind: "var", name: "" }],
    ["`true`", { kind: "var", name: "true" }],
    ["$x_1", { kind: "var", name: "$x_1" }],
    ["[]", { kind: "list", items: [] }],
    ["[x, x,]", { kind: "list", items: [x, x] }],
    ["{}", { kind: "record", fields: [] }],
    [
      "{ to: x, in?: x, `a b`: x, }",
      {
        kind: "record",
        fields: [
          { name: "to", value: x },
          { name: "in", value: x, optional: true },
          { name: "a b", value: x },
        ],
      },
    ],
    ["x.label", { kind: "field", of: x, name: "label" }],
    ["x.in", { kind: "field", of: x, name: "in" }],
    ["x.`a.b`", { kind: "field", of: x, name: "a.b" }],
    ["now home.locked[x]", { kind: "cell", at: "now", fluent: "home.locked", key: x }],
    ["initial F[x]", { kind: "cell", at: "initial", fluent: "F", key: x }],
    ["final `now`.`a b`.``[x]", { kind: "cell", at: "final", fluent: "now.a b.", key: x }],
    ["forall x in bank.pay: x", { kind: "quantifier", quantifier: "forall", over: calls, body: x }],
    [
      "exists x in bank.pay where x: x",
      { kind: "quantifier", quantifier: "exists", over: { ...calls, where: x }, body: x },
    ],
    ["count(x in bank.pay)", { kind: "aggregate", aggregate: "count", over: calls }],
    ["count(x in bank.pay: x)", { kind: "aggregate", aggregate: "count", over: calls, value: x }],
    [
      "sum(x in bank.pay where x: x)",
      { kind: "aggregate", aggregate: "sum", over: { ...calls, where: x }, value: x },
    ],
    [
      "min(x in bank.pay: x else x)",
      { kind: "aggregate", aggregate: "min", over: calls, value: x, otherwise: x },
    ],
    ["max(x in bank.pay else x)", { kind: "aggregate", aggregate: "max", over: calls, otherwise: x }],
    [
      "forall n = sum(x in bank.pay where x by x: x): n",
      {
        kind: "perKey",
        quantifier: "forall",
        name: "n",
        aggregate: "sum",
        over: { ...calls, where: x },
        key: x,
        value: x,
        body: { kind: "var", name: "n" },
      },
    ],
    [
      "exists n = count(x in bank.pay by x): x",
      { kind: "perKey", quantifier: "exists", name: "n", aggregate: "count", over: calls, key: x, body: x },
    ],
    ["distinct(x in bank.pay where x: x)", { kind: "distinct", over: { ...calls, where: x }, key: x }],
    ["always(x)", { kind: "always", body: x }],
    ["precedes(x, `in`)", { kind: "precedes", first: "x", second: "in" }],
    ["result(x)", { kind: "result", call: "x" }],
    ["flows(x, tool bank.pay)", { kind: "flows", value: x, from: { kind: "tool", tool: "bank.pay" } }],
    ['flows(x, label "m")', { kind: "flows", value: x, from: { kind: "label", label: "m" } }],
    ["flows(x, input limit)", { kind: "flows", value: x, from: { kind: "input", input: "limit" } }],
    ["flows(x, inputs)", { kind: "flows", value: x, from: { kind: "input" } }],
    ["flows(x, untrusted)", { kind: "flows", value: x, from: { kind: "untrusted" } }],
    [
      "flows(x, tool t field in)",
      { kind: "flows", value: x, from: { kind: "tool", tool: "t", field: "in" } },
    ],
    ["influenced(x, untrusted)", { kind: "influenced", call: "x", from: { kind: "untrusted" } }],
    ["mayRead(x, [x])", { kind: "mayRead", value: x, reader: { kind: "list", items: [x] } }],
    [
      'automaton(states "a", "b" start "a" on "a" x in bank.pay where x -> "b" on "b" x in bank.pay -> "a" error "b")',
      {
        kind: "automaton",
        states: ["a", "b"],
        start: "a",
        on: [
          { from: "a", over: { ...calls, where: x }, to: "b" },
          { from: "b", over: calls, to: "a" },
        ],
        error: ["b"],
      },
    ],
    ['automaton(states start "" error)', { kind: "automaton", states: [], start: "", on: [], error: [] }],
    ["automaton", { kind: "var", name: "automaton" }],
  ])("%s", (text, data) => {
    expect(expr(text)).toStrictEqual(data);
  });

  test.each([
    ["bank.pay", { kind: "calls", tool: "bank.pay" }],
    ['label "message"', { kind: "label", label: "message" }],
    ["label", { kind: "calls", tool: "label" }],
    ["label.x", { kind: "calls", tool: "label.x" }],
    ["rows db.query", { kind: "rows", tool: "db.query" }],
    ["rows rows", { kind: "rows", tool: "rows" }],
    ["rows", { kind: "calls", tool: "rows" }],
    ["rows.x", { kind: "calls", tool: "rows.x" }],
    ["`rows`", { kind: "calls", tool: "rows" }],
    ["final F", { kind: "cells", at: "final", fluent: "F" }],
    ["initial F", { kind: "cells", at: "initial", fluent: "F" }],
    ["now a.F", { kind: "cells", at: "now", fluent: "a.F" }],
  ])("relation %s", (text, relation) => {
    expect(expr(`count(x in ${text})`)).toStrictEqual({
      kind: "aggregate",
      aggregate: "count",
      over: { var: "x", in: relation },
    });
  });

  test("words that are not reserved are names", () => {
    const words =
      "to from name label max min count key value result labels cost reads input tool rows by program string";
    for (const word of words.split(" ")) expect(expr(word)).toStrictEqual({ kind: "var", name: word });
  });
});

describe("documents", () => {
  const empty: Document = {
    effectIr: 1,
    fluents: [],
    tools: [],
    program: { inputs: [], body: [] },
    guarantees: [],
  };

  test.each([
    ["a header alone", "effect-ir 1"],
    ["a byte order mark, comments and other line ends", "\ufeff// one\r\neffect-ir 1 // two\r// three"],
    ["an empty program", "effect-ir 1 program () {}"],
  ])("%s", (_, text) => {
    expect(document(text)).toStrictEqual(empty);
  });

  test("modules", () => {
    expect(document('effect-ir 1\nmodules "abc"')).toStrictEqual({ ...empty, modules: "abc" });
  });

  test("fluents and tools in any order", () => {
    const read = document(
      "effect-ir 1 tool a() fluent f[int]: int = 0 tool b() fluent g[int]: int = unknown",
    );
    expect(read.fluents.map(({ name }) => name)).toStrictEqual(["f", "g"]);
    expect(read.tools.map(({ name }) => name)).toStrictEqual(["a", "b"]);
  });

  test.each([
    ["unknown", {}],
    ["true", { initial: { kind: "bool", value: true } }],
    ["`unknown`", { initial: { kind: "var", name: "unknown" } }],
  ])("a fluent that holds %s at first", (text, initial) => {
    const [fluent] = document(`effect-ir 1 fluent home.locked[string]: bool = ${text}`).fluents;
    expect(fluent).toStrictEqual({
      name: "home.locked",
      key: { kind: "string" },
      value: { kind: "bool" },
      ...initial,
    });
  });

  test.each([
    ["bool", { kind: "bool" }],
    ["json", { kind: "json" }],
    ['enum{"a", "b",}', { kind: "enum", values: ["a", "b"] }],
    ["enum{}", { kind: "enum", values: [] }],
    ["list<list<int>>", { kind: "list", element: { kind: "list", element: { kind: "int" } } }],
    ["option<real>", { kind: "option", value: { kind: "real" } }],
    ["record{}", { kind: "record", fields: [] }],
    [
      "record{f: int, in?: list<string>,}",
      {
        kind: "record",
        fields: [
          { name: "f", type: { kind: "int" } },
          { name: "in", type: { kind: "list", element: { kind: "string" } }, optional: true },
        ],
      },
    ],
  ])("type %s", (text, type) => {
    // Without a blank before `=`, the lexer sees `>=`.
    const [fluent] = document(`effect-ir 1 fluent f[${text}]: ${text}= unknown`).fluents;
    expect(fluent?.key).toStrictEqual(type);
    expect(fluent?.value).toStrictEqual(type);
  });

  test("a tool with everything", () => {
    const [tool] = document(`effect-ir 1
      tool bank.withdraw(account: string, note?: string) -> record{ok: bool}
        labels "money", "outgoing"
        reads idempotent untrusted undoable
        requires a requires b
        ensures result
        sets F[a] = b when c
        sets G[a] = b
        cost c`).tools;
    const [a, b, c]: Expr[] = ["a", "b", "c"].map((name) => ({ kind: "var", name }));
    expect(tool).toStrictEqual({
      name: "bank.withdraw",
      params: [
        { name: "account", type: { kind: "string" } },
        { name: "note", type: { kind: "string" }, optional: true },
      ],
      result: { kind: "record", fields: [{ name: "ok", type: { kind: "bool" } }] },
      labels: ["money", "outgoing"],
      reads: true,
      idempotent: true,
      untrusted: true,
      undoable: true,
      requires: [a, b],
      ensures: [{ kind: "var", name: "result" }],
      sets: [
        { fluent: "F", key: a, value: b, when: c },
        { fluent: "G", key: a, value: b },
      ],
      cost: c,
    });
  });

  test("a tool with nothing", () => {
    const tool: Tool = { name: "t", params: [], labels: [], requires: [], ensures: [], sets: [] };
    expect(document("effect-ir 1 tool t()").tools).toStrictEqual([tool]);
  });

  test("guarantees with and without a formula", () => {
    expect(document('effect-ir 1 guarantee a.b(1, ["x"]): x guarantee c()').guarantees).toStrictEqual([
      { name: "a.b", args: [expr("1"), expr('["x"]')], formula: expr("x") },
      { name: "c", args: [] },
    ]);
  });
});

describe("commands", () => {
  const [x, y]: Expr[] = ["x", "y"].map((name) => ({ kind: "var", name }));

  test.each<[string, object]>([
    ["let a = x", { kind: "let", name: "a", value: x }],
    [
      "let a = let b = x in y",
      { kind: "let", name: "a", value: { kind: "let", name: "b", value: x, body: y } },
    ],
    ["call t.u()", { kind: "call", id: "c1", tool: "t.u", args: [] }],
    [
      "call t(to: x, note?: y,)",
      {
        kind: "call",
        id: "c1",
        tool: "t",
        args: [
          { name: "to", value: x },
          { name: "note", value: y, optional: true },
        ],
      },
    ],
    [
      "let r = call @pay1 t() when x catch failed",
      { kind: "call", id: "pay1", tool: "t", args: [], bind: "r", when: x, catch: "failed" },
    ],
    [
      "call t() catch failed when x",
      { kind: "call", id: "c1", tool: "t", args: [], when: x, catch: "failed" },
    ],
    ['require x: "why"', { kind: "require", condition: x, why: "why" }],
    ['require x when y: "why"', { kind: "require", condition: x, when: y, why: "why" }],
    ["for u in x {}", { kind: "for", var: "u", list: x, carry: [], body: [] }],
    [
      "for u, i in x max 100 {}",
      { kind: "for", var: "u", index: "i", list: x, max: 100, carry: [], body: [] },
    ],
    [
      "for u in x carry a: int = x, b: list<int>= y { let c = x next b = x next a = y }",
      {
        kind: "for",
        var: "u",
        list: x,
        carry: [
          { name: "a", type: { kind: "int" }, init: x, next: y },
          { name: "b", type: { kind: "list", element: { kind: "int" } }, init: y, next: x },
        ],
        body: [{ kind: "let", name: "c", value: x }],
      },
    ],
  ])("%s", (text, command) => {
    expect(body(text)).toStrictEqual([command]);
  });

  test("calls are numbered in the order of the text, given ids included", () => {
    const read = body("call a() for u in x { let r = call b() for v in x { call @z c() } } call d()");
    expect(ids(read)).toStrictEqual(["c1", "c2", "z", "c4"]);
  });

  test("commands need no line of their own", () => {
    const read = body(
      'let a = x let b = now F[a] call t() when a let c = call t() require c: "" for u in x {}',
    );
    expect(read.map(({ kind }) => kind)).toStrictEqual(["let", "let", "call", "call", "require", "for"]);
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

function body(text: string): readonly Command[] {
  return document(`effect-ir 1 program () { ${text} }`).program.body;
}

function ids(commands: readonly Command[]): string[] {
  return commands.flatMap((command) => {
    if (command.kind === "for") return ids(command.body);
    return command.kind === "call" ? [command.id] : [];
  });
}

/** The structure of an expression, all of it visible. */
function show(at: Expr): string {
  switch (at.kind) {
    case "var":
      return at.name;
    case "number":
      return String(at.value);
    case "op":
      return `(${[at.op, ...at.args.map(show)].join(" ")})`;
    case "field":
      return `(.${at.name} ${show(at.of)})`;
    case "let":
      return `(let ${at.name} ${show(at.value)} ${show(at.body)})`;
    case "lambda": {
      const params = at.params.map(({ name, type }) => (type === undefined ? name : `${name}:${type.kind}`));
      return `(${["=>", ...params, show(at.body)].join(" ")})`;
    }
    case "quantifier": {
      const { var: name, in: relation, where } = at.over;
      const rows = relation.kind === "calls" ? relation.tool : relation.kind;
      return `(${[at.quantifier, name, rows, ...(where ? [show(where)] : []), show(at.body)].join(" ")})`;
    }
    default:
      return at.kind;
  }
}
