import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../diagnostic.ts";
import { parseDocument, parseExpr } from "./parser.ts";

/** Each expression, and its one problem: code, the text it is at, message, help. */
describe("expressions", () => {
  const name = "a name for";
  test.each([
    // characters, strings, numbers
    ["a && b", "FC1001", "&&", "unexpected `&&`", "write `and`"],
    ["a | b", "FC1001", "|", "unexpected `|`", "write `or`"],
    ["!a", "FC1001", "!", "unexpected `!`", "write `not`"],
    ["a % b", "FC1001", "%", "unexpected `%`", "write `remainder(a, b)`"],
    ["'a b'", "FC1001", "'a b'", "unexpected `'a b'`", 'write strings as `"…"`'],
    ["a;", "FC1001", ";", "unexpected `;`", "remove it; a command ends where the next one starts"],
    ["a # b", "FC1001", "# b", "unexpected `# b`", "write comments as `// …`"],
    ["/* a */ b", "FC1001", "/* a */ b", "unexpected `/* a */ b`", "write comments as `// …`"],
    ["café", "FC1001", "é", "unexpected `é`", /in backquotes/],
    ["a\u00a0+ b", "FC1001", "\u00a0", "unexpected U+00A0", /plain spaces/],
    ["\u0000", "FC1001", "\u0000", "unexpected U+0000", undefined],
    ["😀", "FC1001", "😀", "unexpected `😀`", undefined],
    [
      '"a\tb"',
      "FC1001",
      "\t",
      "the control character U+0009 must be escaped in a string or name",
      "write `\\t`",
    ],
    ["`a\u0001b`", "FC1001", "\u0001", /control character U\+0001/, "write `\\u0001`"],
    ['"abc', "FC1002", '"abc', "the string has no end", /close it with `"`/],
    ['"abc\\', "FC1002", '"abc\\', "the string has no end", /close it with/],
    ["`abc\n", "FC1002", "`abc", "the quoted name has no end", /close it with/],
    ['"\\x"', "FC1003", "\\x", "`\\x` is not an escape", /are escapes/],
    ['"\\`"', "FC1003", "\\`", "`\\\\u0060` is not an escape", /are escapes/],
    ['"\\u12g4"', "FC1003", "\\u", "`\\u` is not followed by four hexadecimal digits", /as in `\\u00e9`/],
    ["1e5", "FC1004", "1e5", "`1e5` is not a number", "write the number out, without an exponent"],
    ["1.5E3", "FC1004", "1.5E3", "`1.5E3` is not a number", "write the number out, without an exponent"],
    ["1_000", "FC1004", "1_000", "`1_000` is not a number", /write it with digits/],
    ["0x1f", "FC1004", "0x1f", "`0x1f` is not a number", /write it with digits/],
    ["007", "FC1004", "007", "`007` starts with a zero", "remove the leading zeros"],
    ["ratio(1, 0)", "FC1004", "0", "the denominator of `ratio` is zero", "write another one"],
    [
      "ratio(1.5, 2)",
      "FC1004",
      "1.5",
      "the numerator of `ratio` is `1.5`, which is no integer",
      /`ratio\(1, 3\)`/,
    ],
    ["ratio(x, 2)", "FC1005", "x", "expected the numerator of `ratio`, an integer, found `x`", undefined],
    ["ratio(1)", "FC1005", ")", "expected `,` between the two numbers of `ratio`, found `)`", undefined],
    // operators
    [
      "a < b < c",
      "FC1007",
      "<",
      "comparisons cannot be chained, found `<` after `<`",
      "write `a < b and b < c`",
    ],
    [
      "a == b != c",
      "FC1007",
      "!=",
      "comparisons cannot be chained, found `!=` after `==`",
      /`a == b and b != c`/,
    ],
    ["a = b", "FC1005", "=", "expected the end of the expression, found `=`", /`==` compares/],
    ["a === b", "FC1005", "=", "expected an expression, found `=`", /`==` compares/],
    ["a == b => c", "FC1005", "=>", "expected the end of the expression, found `=>`", /`a implies b`/],
    [
      "a ? b : c",
      "FC1005",
      "?",
      "expected the end of the expression, found `?`",
      "a choice is written `if c then a else b`",
    ],
    ["a b", "FC1005", "b", "expected the end of the expression, found `b`", undefined],
    ['a "b"', "FC1005", '"b"', 'expected the end of the expression, found the string `"b"`', undefined],
    ["a `b`", "FC1005", "`b`", "expected the end of the expression, found the quoted name `b`", undefined],
    ["a +", "FC1005", "", "expected an expression, found the end of the text", undefined],
    ["", "FC1005", "", "expected an expression, found the end of the text", undefined],
    [
      "a + then",
      "FC1005",
      "then",
      "expected an expression, found the reserved word `then`",
      /write it in backquotes/,
    ],
    [
      "1 + call t()",
      "FC1005",
      "call",
      "expected an expression, found the reserved word `call`",
      /a command of its own/,
    ],
    // brackets
    ["(a", "FC1005", "", "expected `)` to close the parentheses, found the end of the text", undefined],
    [
      "(a, b)",
      "FC1005",
      "",
      "expected `=>` after the parameters of the function, found the end of the text",
      /`\(a, b\) => e`/,
    ],
    ["f(a: int, 1) => a", "FC1005", ":", "expected `)` to close the operands, found `:`", undefined],
    ["f((a: int, 1) => a)", "FC1005", "1", `expected ${name} a parameter, found \`1\``, undefined],
    ["f(a", "FC1005", "", "expected `)` to close the operands, found the end of the text", undefined],
    ["[a", "FC1005", "", "expected `]` to close the list, found the end of the text", undefined],
    ["{ a: 1", "FC1005", "", "expected `}` to close the record, found the end of the text", undefined],
    [
      "{ a }",
      "FC1005",
      "}",
      "expected `:` after the name of a field, found `}`",
      "write a field as `name: value`",
    ],
    ["{ 1: a }", "FC1005", "1", `expected ${name} a field, found \`1\``, undefined],
    [
      "{ a: 1, let }",
      "FC1005",
      "let",
      `expected ${name} a field, found the reserved word \`let\``,
      undefined,
    ],
    ["a.1", "FC1005", "1", `expected ${name} the field after \`.\`, found \`1\``, undefined],
    // forms
    [
      "if a then b",
      "FC1005",
      "",
      "expected `else` after the `then` part, found the end of the text",
      /every `if` has both/,
    ],
    [
      "if a { b }",
      "FC1005",
      "{",
      "expected `then` after the condition of `if`, found `{`",
      "write `if c then a else b`",
    ],
    [
      "let x = a",
      "FC1005",
      "",
      "expected `in` after the value of `let`, found the end of the text",
      /`let x = e in body`/,
    ],
    [
      "let in = a in b",
      "FC1005",
      "in",
      `expected ${name} the value of \`let\`, found the reserved word \`in\``,
      /in backquotes/,
    ],
    ["let x a in b", "FC1005", "a", "expected `=` after the name in `let`, found `a`", undefined],
    [
      "now F",
      "FC1005",
      "",
      "expected `[` before the key of the fluent, found the end of the text",
      "write `now F[key]`",
    ],
    [
      "now F[a",
      "FC1005",
      "",
      "expected `]` after the key of the fluent, found the end of the text",
      undefined,
    ],
    ["now [a]", "FC1005", "[", `expected ${name} the fluent after \`now\`, found \`[\``, undefined],
    ["forall x: y", "FC1005", ":", "expected `in` after the name for each row, found `:`", /write `x in`/],
    [
      "forall x in t y",
      "FC1005",
      "y",
      "expected `:` before what `forall` says, found `y`",
      /`forall x in R where p: q`/,
    ],
    [
      "count(x in 1)",
      "FC1005",
      "1",
      `expected ${name} the tool whose calls are meant, found \`1\``,
      undefined,
    ],
    [
      "count(x in label m)",
      "FC1005",
      "m",
      "expected the label as a string, found `m`",
      'write it in double quotes, as `"…"`',
    ],
    ["count(x in t", "FC1005", "", "expected `)` to close `count`, found the end of the text", undefined],
    [
      "distinct(x in t)",
      "FC1005",
      ")",
      "expected `:` before the key of `distinct`, found `)`",
      /`distinct\(x in R: key\)`/,
    ],
    [
      "forall n = f(x in t by a): n",
      "FC1005",
      "f",
      "expected `count`, `sum`, `min` or `max`, found `f`",
      undefined,
    ],
    ["forall n = sum x", "FC1005", "x", "expected `(` after `sum`, found `x`", undefined],
    [
      "forall n = sum(x in t): n",
      "FC1005",
      ")",
      "expected `by` before the key, found `)`",
      /by key: e\): q`/,
    ],
    [
      "forall n = sum(x in t by a: b) n",
      "FC1005",
      "n",
      "expected `:` before what `forall` says of the aggregate, found `n`",
      undefined,
    ],
    ["always(a", "FC1005", "", "expected `)` to close `always`, found the end of the text", undefined],
    ["precedes(a)", "FC1005", ")", "expected `,` between the two calls, found `)`", "write `precedes(a, b)`"],
    ["result(1)", "FC1005", "1", `expected ${name} the call, found \`1\``, undefined],
    ["flows(a)", "FC1005", ")", "expected `,` after the value in `flows`, found `)`", undefined],
    [
      "flows(a, b)",
      "FC1005",
      "b",
      "expected `tool`, `label`, `input`, `inputs` or `untrusted`, found `b`",
      /`tool bank.read`/,
    ],
  ])("%s", (text, code, at, message, help) => {
    const read = parseExpr(text);
    const problems = read.ok ? [] : read.problems;
    expect(problems.map(withoutSpan)).toStrictEqual([
      {
        code,
        path: [],
        message: typeof message === "string" ? message : expect.stringMatching(message),
        ...(help === undefined
          ? {}
          : { help: typeof help === "string" ? help : expect.stringMatching(help) }),
      },
    ]);
    expect(problems.map(({ span }) => text.slice(span?.start, span?.end))).toStrictEqual([at]);
  });
});

/** Each document after the header line, and its problems: line, column, code, message. */
describe("documents", () => {
  test.each([
    ["fluent a[int]: int", ["2:19 FC1005 expected `=` before the first value, found the end of the text"]],
    ["fluent a: int = 1", ["2:9 FC1005 expected `[` before the type of the key, found `:`"]],
    ["fluent [int]: int = 1", ["2:8 FC1005 expected a name for the fluent, found `[`"]],
    ["fluent a.[int]: int = 1", ["2:10 FC1005 expected a name for the fluent after `.`, found `[`"]],
    ["fluent a[foo]: int = 1", ["2:10 FC1005 expected a type, found `foo`"]],
    ["fluent a[list]: int = 1", ["2:14 FC1005 expected `<` before the element type of `list`, found `]`"]],
    ["fluent a[list<int]: int = 1", ["2:18 FC1005 expected `>` after the element type of `list`, found `]`"]],
    ["fluent a[enum{b}]: int = 1", ["2:15 FC1005 expected a value of `enum` as a string, found `b`"]],
    ["fluent a[record{b}]: int = 1", ["2:18 FC1005 expected `:` after the name of a field, found `}`"]],
    ["tool a", ["2:7 FC1005 expected `(` before the parameters of the tool, found the end of the text"]],
    ["tool a(x int)", ["2:10 FC1005 expected `:` after the name of a parameter, found `int`"]],
    ["tool a() reads reads", ["2:16 FC1008 `reads` is given twice"]],
    ["tool a() cost 1 cost 2", ["2:17 FC1008 `cost` is given twice"]],
    ['tool a() labels "b" labels "c"', ["2:21 FC1008 `labels` is given twice"]],
    ["tool a() labels b", ["2:17 FC1005 expected a label as a string, found `b`"]],
    ["tool a() sets F = 1", ["2:17 FC1005 expected `[` before the key of the fluent, found `=`"]],
    ["tool a() sets F[1] 2", ["2:20 FC1005 expected `=` before the new value of the fluent, found `2`"]],
    ["tool a() foo", ["2:10 FC1005 expected a clause of the tool or the next declaration, found `foo`"]],
    ["program { let a = 1 }", ["2:9 FC1005 expected `(` before the inputs of the program, found `{`"]],
    [
      "program () let a = 1",
      ["2:12 FC1005 expected `{` before the body of the program, found the reserved word `let`"],
    ],
    ["program () {", ["2:13 FC1005 expected `}` to close the program, found the end of the text"]],
    ["program () {} program () {}", ["2:15 FC1008 `program` is given twice"]],
    ["program () {} tool a()", ["2:15 FC1005 `tool` stands after the program"]],
    ["guarantee a() fluent f[int]: int = 1", ["2:15 FC1005 `fluent` stands after a guarantee"]],
    ["guarantee a() program () {}", ["2:15 FC1005 `program` stands after a guarantee"]],
    ["guarantee a: true", ["2:12 FC1005 expected `(` before the arguments of the guarantee, found `:`"]],
    ['modules "a" modules "b"', ["2:13 FC1008 `modules` is given twice"]],
    ["modules a", ["2:9 FC1005 expected the hash of the modules as a string, found `a`"]],
    [
      "call a()",
      ["2:1 FC1005 expected `fluent`, `tool`, `program` or `guarantee`, found the reserved word `call`"],
    ],
    ["}", ["2:1 FC1005 expected `fluent`, `tool`, `program` or `guarantee`, found `}`"]],
  ])("%s", (text, problems) => {
    expect(problemsOf(`effect-ir 1\n${text}`)).toStrictEqual(problems);
  });

  test.each([
    ["", ["1:1 FC1006 the text does not start with its version"]],
    ["tool a()", ["1:1 FC1006 the text does not start with its version"]],
    ["effect - ir 1\ntool a(", [/^1:1 FC1006/, /^2:8 FC1005/]],
    ["effect-ir one", ["1:1 FC1006 `effect-ir` is not followed by a version"]],
    // What follows an unknown version may mean anything, so nothing is said about it.
    ["effect-ir 2\n((", ["1:11 FC1006 version `2` of `effect-ir` is not known"]],
    ["effect-ir 1.0", ["1:11 FC1006 version `1.0` of `effect-ir` is not known"]],
  ])("header of %j", (text, problems) => {
    const expected = problems.map((one) => (typeof one === "string" ? one : expect.stringMatching(one)));
    expect(problemsOf(text)).toStrictEqual(expected);
  });
});

describe("commands", () => {
  test.each([
    ["let = 1", ["2:5 FC1005 expected a name for the value of `let`, found `=`"]],
    ["let a 1", ["2:7 FC1005 expected `=` after the name in `let`, found `1`"]],
    ["call a", ["2:8 FC1005 expected `(` before the arguments of the call, found `}`"]],
    ["call (x: 1)", ["2:6 FC1005 expected a name for the tool to call, found `(`"]],
    ["call @ a()", ["2:9 FC1005 expected a name for the tool to call, found `(`"]],
    ["call a(1)", ["2:8 FC1005 expected a name for an argument, found `1`"]],
    ["call a(x = 1)", ["2:10 FC1005 expected `:` after the name of an argument, found `=`"]],
    ["call a() when b when c", ["2:17 FC1008 `when` is given twice"]],
    ["call a() catch b catch c", ["2:18 FC1008 `catch` is given twice"]],
    ["call a() catch", ["2:16 FC1005 expected a name for the failure of the call, found `}`"]],
    ["require a", ["2:11 FC1005 expected `:` before the reason of `require`, found `}`"]],
    ["require a: b", ["2:12 FC1005 expected the reason of `require` as a string, found `b`"]],
    ["for in xs {}", ["2:5 FC1005 expected a name for each element, found the reserved word `in`"]],
    ["for u xs {}", ["2:7 FC1005 expected `in` before the list of the loop, found `xs`"]],
    ["for u, in xs {}", ["2:8 FC1005 expected a name for the position, found the reserved word `in`"]],
    ["for u in xs: {}", ["2:12 FC1005 expected `{` before the body of the loop, found `:`"]],
    ["for u in xs max n {}", ["2:17 FC1005 expected a number after `max`, found `n`"]],
    ["for u in xs max 2.5 {}", ["2:17 FC1004 the bound `2.5` is no integer"]],
    ["for u in xs max 9007199254740992 {}", ["2:17 FC1409 the bound `9007199254740992` is too big"]],
    ["for u in xs carry a: int = 1 {}", ["2:19 FC1212 the loop carries `a` and has no `next` for it"]],
    ["for u in xs { next a = 1 }", ["2:20 FC1211 `a` is not carried by this loop"]],
    ["for u in xs carry a: int = 1 { next a = 1 next a = 2 }", ["2:48 FC1213 `next` is given twice for `a`"]],
    [
      "for u in xs carry a: int = 1 { next a 1 }",
      ["2:39 FC1005 expected `=` after the name in `next`, found `1`"],
    ],
    [
      "for u in xs carry a: int = 1 { next a = 1 call b() }",
      ["2:43 FC1005 `call` stands after a `next` line"],
    ],
    // The inner loop does not carry what the outer one does.
    [
      "for u in xs carry a: int = 1 { for v in xs { next a = 1 } }",
      ["2:51 FC1211 `a` is not carried by this loop"],
    ],
    ["next a = 1", ["2:1 FC1005 `next` stands outside a loop"]],
    ["a = 1", ["2:1 FC1005 expected a command or `}`, found `a`"]],
    [
      "if a { call b() } else { call c() }",
      ["2:1 FC1005 expected a command or `}`, found the reserved word `if`"],
    ],
  ])("%s", (text, problems) => {
    expect(problemsOf(`effect-ir 1 program () {\n${text} }`)).toStrictEqual(problems);
  });
});

describe("several problems in one go", () => {
  test.each([
    [
      "commands, each on its line",
      "require\ncall b(\nlet c = (1\nlet d = 1 +\n}",
      [/^3:1/, /^4:1/, /^5:1/, /^6:1/],
    ],
    ["commands on one line", "call a( call b() call c( 1 } require", [/^2:9/, /^2:26/, /^2:30/]],
    ["a block that is not understood", "try { call a( } catch (e) { }\nlet b = \n}", [/^2:1 /, /^4:1/]],
    ["after a loop head", "for u in in xs { call a( }\nlet b = \n}", [/^2:10/, /^2:26/, /^4:1/]],
    ["a record that is not closed", "call a(x: { y: 1\ncall b(\n}", [/^3:1/, /^4:1/]],
    [
      "a body that is not closed",
      "for u in xs {\nlet a = 1\nguarantee g(",
      [/^4:1 FC1005 expected `}`/, /^4:13/],
    ],
    ["words that are field names", "call a(call: , for: 1)\nlet b = x.let. \n}", [/^2:14/, /^4:1/]],
    [
      "a carried name without a type and `next`",
      "for u in xs carry a = 1 {}\n}",
      [/^2:19 FC1212/, /^2:21 FC1005/],
    ],
  ])("%s", (_, text, problems) => {
    expect(problemsOf(`effect-ir 1 program () {\n${text}`)).toStrictEqual(
      problems.map((one) => expect.stringMatching(one)),
    );
  });

  test("clauses and declarations", () => {
    const text = `effect-ir 1
fluent a[int] int = 1
tool b(x: )
  requires x &&
  ensures (
  reads 1
  cost 2
  cost 3
tool c( -> int
guarantee d(): sum(x in y
guarantee e():
`;
    expect(problemsOf(text).map((one) => one.split(" ", 2).join(" "))).toStrictEqual([
      "2:15 FC1005",
      "3:11 FC1005",
      "4:14 FC1001",
      "6:9 FC1005",
      "8:3 FC1008",
      "9:9 FC1005",
      "11:1 FC1005",
      "12:1 FC1005",
    ]);
  });

  test("no more than a hundred", () => {
    expect(problemsOf(`effect-ir 1 program () {${"let = \n".repeat(1000)}`)).toHaveLength(100);
  });
});

function problemsOf(text: string): string[] {
  const read = parseDocument(text);
  return read.ok
    ? []
    : read.problems.map((problem) => `${place(text, problem)} ${problem.code} ${problem.message}`);
}

function place(text: string, { span }: Diagnostic): string {
  const before = text.slice(0, span?.start).split("\n");
  return `${before.length}:${(before.at(-1) ?? "").length + 1}`;
}

function withoutSpan({ span: _, ...problem }: Diagnostic): Omit<Diagnostic, "span"> {
  return problem;
}
