/** Every operator on cases worked out by hand, and the laws that simplifiers rely on. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyValueOf } from "../../../tests/support/arbitrary-value.ts";
import { Chance } from "../../../tests/support/program/chance.ts";
import { someType } from "../../../tests/support/program/types.ts";
import { runs } from "../../../tests/support/runs.ts";
import { check, checkExpr } from "../check/index.ts";
import { instantiate, matchSignature } from "../check/signature.ts";
import { conforms } from "../convert/conforms.ts";
import { evaluateOn } from "../eval/formula.ts";
import { LimitReached, Meter } from "../eval/meter.ts";
import { defaultLimits } from "../limits.ts";
import { parseExpr } from "../text/parser.ts";
import { bool, int, json, listOf, optionOf, real, string, type Type } from "../type.ts";
import { equal, record, type Value, valueKey } from "../value.ts";
import { type Operator, operators, type TypePattern } from "./index.ts";

/** By operator: an expression, and one that is the same value. */
/** A map of keys of one letter and numbers of one digit. */
function mapText(pairs: string): string {
  return `mapOf([${pairs
    .split(" ")
    .map(([key, value]) => `{ key: "${key}", value: ${value} }`)
    .join(", ")}])`;
}

const cases: Readonly<Record<string, readonly (readonly [expr: string, value: string])[]>> = {
  and: [
    ["true and true", "true"],
    ["true and false", "false"],
    ["false and true", "false"],
    ["true and true and false", "false"],
  ],
  or: [
    ["false or false", "false"],
    ["false or true", "true"],
    ["false or false or true", "true"],
  ],
  not: [
    ["not true", "false"],
    ["not false", "true"],
  ],
  implies: [
    ["true implies true", "true"],
    ["true implies false", "false"],
    ["false implies true", "true"],
    ["false implies false", "true"],
  ],
  if: [
    ["if true then 1 else 2", "1"],
    ["if false then 1 else 2.5", "2.5"],
  ],
  "==": [
    ["1 == 1", "true"],
    ["1 == 1.0", "true"],
    ["0.5 == ratio(1, 2)", "true"],
    ['"a" == "A"', "false"],
    ['"\\u00e9" == "e\\u0301"', "false"],
    ["[1, 2] == [1, 2]", "true"],
    ["[1, 2] == [2, 1]", "false"],
    ["[] == [1]", "false"],
    ["{ a: 1, b: 2 } == { b: 2, a: 1 }", "true"],
    ["{ a: 1 } == { a: 1, b?: none }", "true"],
    ["{ a: 1 } == { a: 1, b?: some(2) }", "false"],
    ["none == some(1)", "false"],
    [
      'jsonObject([{ key: "b", value: json(1) }, { key: "a", value: json(1) }]) == json({ a: 1, b: 1 })',
      "false",
    ],
    ["some(1) == some(1)", "true"],
    ["some(none) == some(some(1))", "false"],
    ["json(1) == json(some(1))", "true"],
    ["json(none) == json([])", "false"],
  ],
  "!=": [
    ["1 != 2", "true"],
    ["1 != 1.0", "false"],
    ['["a"] != ["a", "a"]', "true"],
  ],
  "+": [
    ["1 + 2", "3"],
    ["0.1 + 0.2", "0.3"],
    ["ratio(1, 3) + ratio(2, 3)", "1"],
    ["1 + -1 + 5", "5"],
    ["9007199254740992 + 1", "9007199254740993"],
  ],
  "-": [
    ["1 - 2", "-1"],
    ["0.3 - 0.1", "0.2"],
    ["5 - 5", "0"],
  ],
  negate: [
    ["-(5)", "-5"],
    ["-(-5)", "5"],
    ["-(0)", "0"],
    ["-(ratio(1, 3))", "ratio(-1, 3)"],
  ],
  "*": [
    ["2 * 3", "6"],
    ["2 * 3 * 0", "0"],
    ["-2 * 3", "-6"],
    ["ratio(1, 3) * 3", "1"],
    ["0.1 * 0.1", "0.01"],
  ],
  "/": [
    ["6 / 3", "2"],
    ["1 / 3", "ratio(1, 3)"],
    ["1 / 0", "0"],
    ["0 / 0", "0"],
    ["-1 / 2", "-0.5"],
    ["1 / -2", "-0.5"],
    ["0.5 / 0.25", "2"],
  ],
  remainder: [
    ["remainder(7, 3)", "1"],
    ["remainder(-7, 3)", "-1"],
    ["remainder(7, -3)", "1"],
    ["remainder(-7, -3)", "-1"],
    ["remainder(6, 3)", "0"],
    ["remainder(7, 0)", "0"],
    ["remainder(5.5, 2)", "1.5"],
    ["remainder(-5.5, 2)", "-1.5"],
    ["remainder(1, 0.3)", "0.1"],
  ],
  "<": [
    ["1 < 2", "true"],
    ["2 < 2", "false"],
    ["ratio(1, 3) < 0.34", "true"],
    ["-1 < -2", "false"],
    ['"a" < "b"', "true"],
    ['"B" < "a"', "true"],
    ['"a" < "ab"', "true"],
    ['"" < ""', "false"],
    // By code units, a pair of surrogates is below U+FFFD.
    ['"\\ud83d\\ude00" < "\\ufffd"', "true"],
  ],
  "<=": [
    ["2 <= 2", "true"],
    ["2.1 <= 2", "false"],
    ['"a" <= "a"', "true"],
    ['"b" <= "a"', "false"],
  ],
  ">": [
    ["2 > 1", "true"],
    ["2 > 2", "false"],
    ['"b" > "a"', "true"],
    ['"" > "a"', "false"],
  ],
  ">=": [
    ["2 >= 2", "true"],
    ["1 >= 2", "false"],
    ['"a" >= ""', "true"],
    ['"a" >= "aa"', "false"],
  ],
  min: [
    ["min(3, 1, 2)", "1"],
    ["min(0.5, ratio(1, 3))", "ratio(1, 3)"],
    ["min(-1, -2)", "-2"],
  ],
  max: [
    ["max(3, 1, 2)", "3"],
    ["max(0.5, ratio(1, 3))", "0.5"],
    ["max(-1, -2)", "-1"],
  ],
  abs: [
    ["abs(-2)", "2"],
    ["abs(2)", "2"],
    ["abs(0)", "0"],
    ["abs(ratio(-1, 3))", "ratio(1, 3)"],
  ],
  floor: [
    ["floor(1.5)", "1"],
    ["floor(-1.5)", "-2"],
    ["floor(2)", "2"],
    ["floor(-2)", "-2"],
    ["floor(ratio(-1, 3))", "-1"],
  ],
  ceil: [
    ["ceil(1.5)", "2"],
    ["ceil(-1.5)", "-1"],
    ["ceil(2)", "2"],
    ["ceil(ratio(1, 3))", "1"],
  ],
  round: [
    ["round(1.5)", "2"],
    ["round(2.5)", "3"],
    ["round(-1.5)", "-1"],
    ["round(-0.5)", "0"],
    ["round(0.49)", "0"],
    ["round(-2.51)", "-3"],
  ],
  truncate: [
    ["truncate(1.9)", "1"],
    ["truncate(-1.9)", "-1"],
    ["truncate(ratio(-1, 3))", "0"],
    ["truncate(7)", "7"],
  ],
  isInteger: [
    ["isInteger(2)", "true"],
    ["isInteger(2.5)", "false"],
    ["isInteger(ratio(4, 2))", "true"],
  ],
  startsWith: [
    ['startsWith("abc", "ab")', "true"],
    ['startsWith("abc", "bc")', "false"],
    ['startsWith("abc", "")', "true"],
    ['startsWith("", "a")', "false"],
    ['startsWith("\\ud83d\\ude00", "\\ud83d")', "true"],
  ],
  endsWith: [
    ['endsWith("abc", "bc")', "true"],
    ['endsWith("abc", "ab")', "false"],
    ['endsWith("abc", "")', "true"],
    ['endsWith("c", "bc")', "false"],
  ],
  hasMatch: [
    ['hasMatch("a Foo", "/\\\\bfoo\\\\b/i")', "true"],
    ['hasMatch("food", "/\\\\bfoo\\\\b/")', "false"],
  ],
  firstMatch: [
    [
      'firstMatch("x12", "/([a-z])(-)?(\\\\d+)/")',
      'some({ index: 0, parts: [some("x12"), some("x"), none, some("12")] })',
    ],
    ['firstMatch("", "/a/")', "none"],
  ],
  allMatches: [
    ['allMatches("a1b2", "/\\\\d/")', '[{ index: 1, parts: [some("1")] }, { index: 3, parts: [some("2")] }]'],
    ['allMatches("a", "/(?:)/")', '[{ index: 0, parts: [some("")] }, { index: 1, parts: [some("")] }]'],
  ],
  replaceMatch: [
    ['replaceMatch("a-b-c", "/-(.)/g", "[$1$&$$]")', '"a[b-b$][c-c$]"'],
    ['replaceMatch("a-b-c", "/-/", "+")', '"a+b-c"'],
  ],
  replaceMatches: [
    ['replaceMatches("a1b2c3", "/\\\\d/g", ["$1", "y"])', '"a$1byc3"'],
    ['replaceMatches("a1b2", "/\\\\d/", ["x", "y"])', '"axb2"'],
  ],
  splitByMatch: [
    ['splitByMatch("a, b;c", "/[,;]\\\\s*/")', '["a", "b", "c"]'],
    ['splitByMatch("a1b", "/(\\\\d)(x)?/")', '["a", "1", "", "b"]'],
    ['splitByMatch("ab", "/(?:)/")', '["a", "b"]'],
    ['splitByMatch("", "/a/")', '[""]'],
  ],
  substituteFirst: [
    ['substituteFirst("abc", "b", "[$&$`$\'$$$1]")', '"a[bac$$1]c"'],
    ['substituteFirst("abc", "x", "y")', '"abc"'],
  ],
  substituteAll: [
    ['substituteAll("abab", "b", "<$&>")', '"a<b>a<b>"'],
    ['substituteAll("ab", "", "-")', '"-a-b-"'],
  ],
  lastIndexOf: [
    ['lastIndexOf("abab", "ab")', "2"],
    ['lastIndexOf("abab", "")', "4"],
    ['lastIndexOf("abab", "x")', "-1"],
  ],
  repeatText: [
    ['repeatText("ab", 3)', '"ababab"'],
    ['repeatText("ab", -1)', '""'],
  ],
  padStart: [
    ['padStart("7", 3, "0")', '"007"'],
    ['padStart("1234", 3, "0")', '"1234"'],
    ['padStart("7", 6, "ab")', '"ababa7"'],
    ['padStart("7", 3, "")', '"7"'],
  ],
  padEnd: [
    ['padEnd("7", 3, "0")', '"700"'],
    ['padEnd("7", 6, "ab")', '"7ababa"'],
  ],
  codeAt: [
    ['codeAt("aé", 1)', "some(233)"],
    ['codeAt("a", 1)', "none"],
    ['codeAt("a", -1)', "none"],
  ],
  codePointAt: [
    ['codePointAt("\\ud83d\\ude00", 0)', "some(128512)"],
    ['codePointAt("\\ud83d\\ude00", 1)', "some(56832)"],
    ['codePointAt("", 0)', "none"],
  ],
  textOfCode: [
    ["textOfCode(97)", '"a"'],
    ["textOfCode(65536 + 97)", '"a"'],
    ["textOfCode(-65439)", '"a"'],
  ],
  characters: [
    ['characters("a\\ud83d\\ude00")', '["a", "\\ud83d\\ude00"]'],
    ['characters("")', "[]"],
  ],
  sortKey: [
    ['sortKey("é", false, 1)', 'sortKey("E", false, 1)'],
    ['sortKey("x010", true, 3)', 'sortKey("x10", true, 3)'],
    ['sortKey("e\\u0301", false, 3)', 'sortKey("\\u00e9", false, 3)'],
  ],
  numberOf: [
    ['numberOf(" 12.50 ")', "some(12.5)"],
    ['numberOf("")', "some(0)"],
    ['numberOf("0x1f")', "some(31)"],
    ['numberOf("12a")', "none"],
  ],
  floatOf: [
    ['floatOf("12.5 kg")', "some(12.5)"],
    ['floatOf("kg")', "none"],
  ],
  integerOf: [
    ['integerOf("12.9", 10)', "some(12)"],
    ['integerOf("0x1f", 0)', "some(31)"],
    ['integerOf("ff", 16)', "some(255)"],
    ['integerOf("z", 10)', "none"],
    ['integerOf("1", 99)', "none"],
  ],
  squareRoot: [
    ["squareRoot(25)", "5"],
    ["squareRoot(2)", "1.4142135623730951"],
    ["squareRoot(0.01)", "0.1"],
    ["squareRoot(1 / 3)", "0.5773502691896257"],
    ["squareRoot(0)", "0"],
    ["squareRoot(-4)", "0"],
  ],
  groupedText: [
    ["groupedText(1234567.891, 0, 2)", '"1,234,567.89"'],
    ["groupedText(-0.5, 0, 0)", '"-1"'],
    ["groupedText(1.005, 2, 2)", '"1.01"'],
    ["groupedText(5, 2, 0)", '"5.00"'],
  ],
  timeOfText: [
    ['timeOfText("1970-01-02")', "some(86400000)"],
    ['timeOfText("1970-01-01T01:00+01:00")', "some(0)"],
    ['timeOfText("soon")', "none"],
    ['timeOfText("2024-13-01")', "none"],
  ],
  timeOf: [
    ["timeOf(1970, 12, 1, 0, 0, 0, 1)", "some(31536000001)"],
    ["timeOf(1970, 0, 0, 0, 0, 0, 0)", "some(-86400000)"],
    ["timeOf(300000, 0, 1, 0, 0, 0, 0)", "none"],
  ],
  dateTime: [
    ["dateTime(-1.5)", "some(-1)"],
    ["dateTime(8640000000000001)", "none"],
  ],
  timeText: [["timeText(951782400000)", '"2000-02-29T00:00:00.000Z"']],
  timeParts: [
    [
      "timeParts(951782400001)",
      "{ year: 2000, month: 1, date: 29, day: 2, hours: 0, minutes: 0, seconds: 0, milliseconds: 1 }",
    ],
  ],
  replaceFirst: [
    ['replaceFirst("aXbX", "X", "-")', '"a-bX"'],
    ['replaceFirst("abc", "X", "-")', '"abc"'],
    ['replaceFirst("abc", "", "-")', '"-abc"'],
    ['replaceFirst("a.c", ".", "$&$1")', '"a$&$1c"'],
    ['replaceFirst("aab", "ab", "")', '"a"'],
  ],
  replaceAll: [
    ['replaceAll("aXbX", "X", "-")', '"a-b-"'],
    ['replaceAll("aaa", "aa", "b")', '"ba"'],
    ['replaceAll("abc", "", "-")', '"abc"'],
    ['replaceAll("a.c.", ".", "$&")', '"a$&c$&"'],
    ['replaceAll("XX", "X", "XX")', '"XXXX"'],
    ['replaceAll("", "a", "b")', '""'],
  ],
  split: [
    ['split("a,b,", ",")', '["a", "b", ""]'],
    ['split("abc", "")', '["a", "b", "c"]'],
    ['split("", "")', "[]"],
    ['split("", ",")', '[""]'],
    ['split("\\ud83d\\ude00", "")', '["\\ud83d", "\\ude00"]'],
    ['split("aaa", "aa")', '["", "a"]'],
  ],
  joinText: [
    ['joinText(["a", "b"], ", ")', '"a, b"'],
    ['joinText([], ", ")', '""'],
    ['joinText([""], ", ")', '""'],
    ['joinText(["", ""], "-")', '"-"'],
  ],
  trim: [
    ['trim("  a b\\t\\n")', '"a b"'],
    ['trim("\\u00a0\\ufeff\\u3000a\\u2028")', '"a"'],
    ['trim("\\u200ba\\u0085")', '"\\u200ba\\u0085"'],
    ['trim(" ")', '""'],
  ],
  trimStart: [
    ['trimStart(" a ")', '"a "'],
    ['trimStart("a")', '"a"'],
  ],
  trimEnd: [
    ['trimEnd(" a ")', '" a"'],
    ['trimEnd("")', '""'],
  ],
  toLowerCase: [
    ['toLowerCase("Bob")', '"bob"'],
    ['toLowerCase("\\u0130")', '"i\\u0307"'],
    ['toLowerCase("\\u03a3\\u03a3")', '"\\u03c3\\u03c2"'],
    ['toLowerCase("\\ud800A")', '"\\ud800a"'],
  ],
  toUpperCase: [
    ['toUpperCase("bob")', '"BOB"'],
    ['toUpperCase("stra\\u00dfe")', '"STRASSE"'],
    ['toUpperCase("\\ufb03")', '"FFI"'],
  ],
  textOf: [
    ["textOf(5)", '"5"'],
    ["textOf(-0.25)", '"-0.25"'],
    ["textOf(ratio(7, 3))", '"7/3"'],
    ["textOf(1000000000000000000000)", '"1e+21"'],
    ["textOf(100000000000000000000)", '"100000000000000000000"'],
    ["textOf(9007199254740993)", '"9007199254740993"'],
    ["textOf(0.0000001)", '"1e-7"'],
    ["textOf(0.1 + 0.2)", '"0.3"'],
  ],
  "++": [
    ['"a" ++ "b" ++ ""', '"ab"'],
    ['"\\ud83d" ++ "\\ude00"', '"\\ud83d\\ude00"'],
    ["[1] ++ [] ++ [2, 2.5]", "[1, 2, 2.5]"],
    ["[] ++ []", "[]"],
  ],
  length: [
    ['length("")', "0"],
    ['length("\\ud83d\\ude00")', "2"],
    ["length([])", "0"],
    ["length([[1, 2]])", "1"],
  ],
  at: [
    ["at([1, 2], 1)", "some(2)"],
    ["at([1, 2], 2)", "none"],
    ["at([1, 2], -1)", "none"],
    ["at([1, 2], 0.5)", "none"],
    ['at("ab", 0)', 'some("a")'],
    ['at("", 0)', "none"],
    ["at([none, some(1)], 0)", "some(none)"],
    ["at([1], 100000000000000000000)", "none"],
  ],
  contains: [
    ['contains("abc", "bc")', "true"],
    ['contains("abc", "")', "true"],
    ['contains("abc", "ac")', "false"],
    ["contains([1, 2], 2.0)", "true"],
    ["contains([[1]], [1])", "true"],
    ["contains([], 1)", "false"],
  ],
  indexOf: [
    ['indexOf("abcabc", "c")', "2"],
    ['indexOf("abc", "")', "0"],
    ['indexOf("abc", "d")', "-1"],
    ["indexOf([1, 2, 2], 2)", "1"],
    ["indexOf([{ a: 1 }], { a: 1 })", "0"],
    ["indexOf([], 1)", "-1"],
  ],
  slice: [
    ['slice("abcdef", 1, 3)', '"bc"'],
    ['slice("abcdef", -2, 6)', '"ef"'],
    ['slice("abcdef", 0, -4)', '"ab"'],
    ['slice("abcdef", 4, 2)', '""'],
    ['slice("abcdef", -100, 100)', '"abcdef"'],
    ["slice([1, 2, 3], 1, 100000000000000000000)", "[2, 3]"],
    ["slice([1, 2, 3], -100000000000000000000, -1)", "[1, 2]"],
    ["slice([], 0, 1)", "[]"],
  ],
  reverse: [
    ["reverse([1, 2, 3])", "[3, 2, 1]"],
    ["reverse([])", "[]"],
  ],
  range: [
    ["range(3)", "[0, 1, 2]"],
    ["range(0)", "[]"],
    ["range(-5)", "[]"],
  ],
  total: [
    ["total([1, 2, 3])", "6"],
    ["total([])", "0"],
    ["total([0.1, 0.2])", "0.3"],
    ["total([ratio(1, 3), ratio(2, 3)])", "1"],
  ],
  unique: [
    ["unique([2, 1, 2, 1.0])", "[2, 1]"],
    ["unique([])", "[]"],
    ['unique(["1", "", "1"])', '["1", ""]'],
    ["unique([none, some(0), none])", "[none, some(0)]"],
    ["unique([{ a: 1, b: 2 }, { b: 2, a: 1 }])", "[{ a: 1, b: 2 }]"],
  ],
  entries: [
    ['entries(["a", "b"])', '[{ index: 0, value: "a" }, { index: 1, value: "b" }]'],
    ["entries([])", "[]"],
  ],
  map: [
    ["map([1, 2], x => x * 2)", "[2, 4]"],
    ["map([], x => 1)", "[]"],
    ["map([[1], []], x => map(x, y => y + length(x)))", "[[2], []]"],
  ],
  flatMap: [
    ["flatMap([1, 2], x => [x, x])", "[1, 1, 2, 2]"],
    ["flatMap([1, 2], x => [])", "[]"],
    ["flatMap([[1], [2]], x => [x])", "[[1], [2]]"],
  ],
  filter: [
    ["filter([1, 2, 3], x => x > 1)", "[2, 3]"],
    ["filter([], x => true)", "[]"],
    ["filter([1], x => false)", "[]"],
  ],
  every: [
    ["every([1, 2], x => x > 0)", "true"],
    ["every([1, 2], x => x > 1)", "false"],
    ["every([], x => false)", "true"],
  ],
  any: [
    ["any([1, 2], x => x > 1)", "true"],
    ["any([1, 2], x => x > 2)", "false"],
    ["any([], x => true)", "false"],
  ],
  find: [
    ["find([1, 2, 3], x => x > 1)", "some(2)"],
    ["find([1], x => x > 1)", "none"],
    ["find([none], x => not isSome(x))", "some(none)"],
  ],
  findIndex: [
    ["findIndex([1, 2, 3], x => x > 1)", "1"],
    ["findIndex([1], x => x > 1)", "-1"],
    ["findIndex([], x => true)", "-1"],
  ],
  fold: [
    ["fold([1, 2, 3], 10, (sofar: int, x) => sofar - x)", "4"],
    ['fold(["a", "b"], "", (sofar: string, x) => x ++ sofar)', '"ba"'],
    ["fold([], 7, (sofar: int, x) => 0)", "7"],
    ["fold([0.5], 1, (sofar: real, x) => sofar + x)", "1.5"],
  ],
  matches: [
    ['matches("invoice-7", "^invoice-\\\\d+$")', "true"],
    ['matches("invoice-7\\n", "^invoice-\\\\d+$")', "false"],
    ['matches("an invoice-7 x", "invoice-\\\\d")', "true"],
    ['matches("", "")', "true"],
    ['matches("", "a*")', "true"],
    ['matches("", "^.$")', "false"],
    ['matches("\\n", "^.$")', "false"],
    ['matches("\\ud83d\\ude00", "^.$")', "false"],
    ['matches("\\ud83d\\ude00", "^..$")', "true"],
    ['matches("\\u212a", "^[a-zA-Z]$")', "false"],
    ['matches("\\u00e9", "\\\\w")', "false"],
    ['matches("\\ufeff", "^\\\\s$")', "true"],
  ],
  pathInside: [
    ['pathInside("/sandbox/x", "/sandbox")', "true"],
    ['pathInside("/sandbox/../etc/passwd", "/sandbox")', "false"],
    ['pathInside("/sandbox-evil/x", "/sandbox")', "false"],
    ['pathInside("x", "/sandbox")', "false"],
    ['pathInside("", "")', "false"],
  ],
  urlInside: [
    ['urlInside("https://API.example.com:443/v1/x", "https://api.example.com/v1")', "true"],
    ['urlInside("https://api.example.com/v1/../x", "https://api.example.com/v1")', "false"],
    ['urlInside("https://api.example.com@evil.com/v1", "https://api.example.com")', "false"],
    ['urlInside("", "")', "false"],
  ],
  some: [
    ["some(1)", "some(1)"],
    ["some(none)", "some(none)"],
  ],
  isSome: [
    ["isSome(some(1))", "true"],
    ["isSome(none)", "false"],
    ["isSome(some(none))", "true"],
  ],
  value: [
    ["value(some(5))", "5"],
    ["value(at([5], 1))", "0"],
    ["value(at([true], 1))", "false"],
    ['value(at(["a"], 1))', '""'],
    ["value(at([[1]], 1))", "[]"],
    ["value(at([some(1)], 1))", "none"],
    ["value(at([json(1)], 1))", "json(none)"],
    ['value(at([{ a: 1, b?: some(2), c: "x" }], 1))', '{ a: 0, c: "" }'],
    ["value(some(none))", "none"],
  ],
  orElse: [
    ["orElse(some(1), 2)", "1"],
    ["orElse(none, 2)", "2"],
    ["orElse(some(none), some(3))", "none"],
  ],
  json: [
    ["json(none)", "json(none)"],
    ["json(some(some(1)))", "json(1)"],
    ["json({ a: none })", "json({ a: json(none) })"],
    ["json([some(1), none])", "json([json(1), json(none)])"],
  ],
  jsonKind: [
    ["jsonKind(json(none))", '"null"'],
    ["jsonKind(json(true))", '"bool"'],
    ["jsonKind(json(ratio(1, 3)))", '"number"'],
    ['jsonKind(json("null"))', '"string"'],
    ["jsonKind(json([]))", '"list"'],
    ["jsonKind(json({}))", '"record"'],
  ],
  jsonBool: [
    ["jsonBool(json(false))", "some(false)"],
    ["jsonBool(json(0))", "none"],
    ["jsonBool(json(none))", "none"],
  ],
  jsonNumber: [
    ["jsonNumber(json(0.5))", "some(0.5)"],
    ["jsonNumber(json(2))", "some(2)"],
    ['jsonNumber(json("2"))', "none"],
  ],
  jsonString: [
    ['jsonString(json("a"))', 'some("a")'],
    ["jsonString(json(none))", "none"],
  ],
  jsonItems: [
    ["jsonItems(json([1, 2]))", "some([json(1), json(2)])"],
    ["jsonItems(json([]))", "some([])"],
    ["jsonItems(json({}))", "none"],
  ],
  mapGet: [
    ['mapGet(mapOf([{ key: "a", value: 1 }]), "a")', "some(1)"],
    ['mapGet(mapOf([{ key: "a", value: 1 }]), "b")', "none"],
    ['mapGet(mapOf([{ key: "toString", value: 1 }]), "toString")', "some(1)"],
  ],
  mapHas: [
    ['mapHas(mapOf([{ key: "", value: 1 }]), "")', "true"],
    ['mapHas(mapOf([{ key: "a", value: 1 }]), "constructor")', "false"],
  ],
  mapSet: [
    ['mapSet(mapOf([{ key: "b", value: 1 }]), "a", 2)', mapText("b1 a2")],
    ['mapSet(mapOf([{ key: "b", value: 1 }]), "b", 2)', mapText("b2")],
  ],
  mapDelete: [
    ['mapDelete(mapOf([{ key: "a", value: 1 }]), "a")', "mapOf([])"],
    ['mapDelete(mapOf([{ key: "a", value: 1 }]), "b")', mapText("a1")],
  ],
  mapOf: [[`mapOf([{ key: "a", value: 1 }, { key: "a", value: 3 }])`, mapText("a3")]],
  mapJoin: [[`mapJoin(${mapText("a1")}, ${mapText("b2 a3")})`, mapText("a3 b2")]],
  mapEntries: [['mapEntries(mapOf([{ key: "a", value: 1 }]))', '[{ key: "a", value: 1 }]']],
  mapKeys: [
    ["mapKeys(mapOf([]))", "[]"],
    ['mapKeys(mapSet(mapOf([{ key: "b", value: 1 }]), "1", 2))', '["1", "b"]'],
    ['mapKeys(mapSet(mapOf([{ key: "10", value: 1 }]), "9", 2))', '["9", "10"]'],
    ['mapKeys(mapSet(mapOf([{ key: "b", value: 1 }]), "01", 2))', '["b", "01"]'],
    ['mapKeys(mapSet(mapOf([{ key: "b", value: 1 }]), "4294967295", 2))', '["b", "4294967295"]'],
    ['mapKeys(mapSet(mapOf([{ key: "b", value: 1 }]), "4294967294", 2))', '["4294967294", "b"]'],
  ],
  mapValues: [[`mapValues(${mapText("a1 b2 a3")})`, "[3, 2]"]],
  mapSize: [[`mapSize(${mapText("a1 a2")})`, "1"]],
  jsonField: [
    ['jsonField(json({ a: 1 }), "a")', "some(json(1))"],
    ['jsonField(json({ a: none }), "a")', "some(json(none))"],
    ['jsonField(json({ a: 1 }), "b")', "none"],
    ['jsonField(json({}), "__proto__")', "none"],
    ['jsonField(json({}), "toString")', "none"],
    ['jsonField(json({ __proto__: 1 }), "__proto__")', "some(json(1))"],
    ['jsonField(json([1]), "0")', "none"],
    ['jsonField(json(none), "a")', "none"],
  ],
  oneOf: [
    ['oneOf("b", "a", "b")', '"b"'],
    ['oneOf("c", "a", "b")', '"a"'],
  ],
  jsonKeys: [
    ["jsonKeys(json({ b: 1, a: 2 }))", '["a", "b"]'],
    [
      String.raw`jsonKeys(value(parseJson("{\"b\":1,\"10\":0,\"a\":2,\"9\":0,\"b\":3}")))`,
      '["9", "10", "b", "a"]',
    ],
    [String.raw`jsonKeys(value(parseJson("{\"__proto__\":1}")))`, '["__proto__"]'],
    ["jsonKeys(json([1, 2]))", 'slice([""], 0, 0)'],
  ],
  jsonObject: [
    [
      'jsonObject([{ key: "b", value: json(1) }, { key: "a", value: json(2) }, { key: "b", value: json(3) }])',
      String.raw`value(parseJson("{\"b\":3,\"a\":2}"))`,
    ],
    ['jsonObject([{ key: "a", value: json(1) }])', "json({ a: 1 })"],
  ],
  parseJson: [
    ['parseJson(" [1, 2.50, true, null] ")', "some(json([json(1), json(2.5), json(true), json(none)]))"],
    ['parseJson("-0")', "some(json(0))"],
    ['parseJson("0.1000000000000000055")', "some(json(0.1))"],
    ['parseJson("9007199254740993")', "some(json(9007199254740992))"],
    ['parseJson("[1,]")', "none"],
    ['parseJson("")', "none"],
    ['parseJson("NaN")', "none"],
  ],
  jsonText: [
    ["jsonText(json([1, 2.5, 1 / 3]))", '"[1,2.5,0.3333333333333333]"'],
    ['jsonText(json([1]), "  ")', String.raw`"[\n  1\n]"`],
    ['jsonText(json({}), "  ")', '"{}"'],
    [String.raw`jsonText(json("a\"\ud800"))`, String.raw`"\"a\\\"\\ud800\""`],
  ],
  jsonPlainText: [
    ['jsonPlainText(json("a"))', '"a"'],
    ["jsonPlainText(json(none))", '"null"'],
    ["jsonPlainText(json([json(1), json(none), json([json(true), json({})])]))", '"1,,true,[object Object]"'],
  ],
};

describe("worked out by hand", () => {
  test("every operator is there, and no other", () => {
    expect(Object.keys(cases).sort()).toEqual([...operators.keys()].sort());
  });

  test.each(
    Object.entries(cases).flatMap(([name, rows]) => rows.map(([expr, value]) => [expr, value, name])),
  )("%s is %s", (text, expected, name) => {
    const parsed = parseExpr(text!);
    expect(parsed.ok && parsed.value.expr).toMatchObject({ kind: "op", op: name });
    expect(valueKey(valueOfText(text!))).toBe(valueKey(valueOfText(expected!)));
  });
});

describe("the table", () => {
  test.each([...operators])("%s says what it is", (name, operator) => {
    expect(operator.name).toBe(name);
    expect(operator.meaning.length).toBeGreaterThan(5);
    expect(operator.meaning).toMatch(/^[a-z]/);
    expect(operator.meaning).not.toMatch(/\.$/);
    expect(operator.signatures.length).toBeGreaterThan(0);
    for (const { params } of operator.signatures) expect(params.length).toBeGreaterThan(0);
  });

  // Those that have a form only for operands that are known are tried with Z3, on known operands.
  const printed = [...operators.values()].filter(
    ({ name, smt }) => smt.kind === "term" && !["matches", "pathInside", "urlInside"].includes(name),
  );
  test.each(printed.map((operator) => [operator.name, operator] as const))(
    "%s has a balanced form for solvers, with every operand",
    (_, { smt, signatures }) => {
      let forms = 0;
      for (const { params } of signatures) {
        const names = params.map((_, i) => `operand${i}`);
        const types = params.map((pattern) => typeOf(pattern, int));
        const literals = names.map(() => undefined);
        const text =
          smt.kind === "term" ? smt.print(names, types, { literals, opaque: () => "opaque" }) : undefined;
        if (text === undefined) continue;
        forms++;
        let depth = 0;
        for (const character of text) {
          depth += character === "(" ? 1 : character === ")" ? -1 : 0;
          expect(depth).toBeGreaterThanOrEqual(0);
        }
        expect(depth).toBe(0);
        for (const name of names) expect(text).toContain(name);
      }
      expect(forms).toBeGreaterThan(0);
    },
  );
});

describe("laws", () => {
  const lawful = [...operators.values()].filter(({ laws }) => laws !== undefined);

  test("are claimed by some", () => {
    expect(lawful.length).toBeGreaterThan(5);
  });

  test.each(lawful.map((operator) => [operator.name, operator] as const))("of %s hold", (_, operator) => {
    const { laws = {}, signatures } = operator;
    fc.assert(
      fc.property(fc.constantFrom(...signatures), anyElementType(), fc.nat(), (signature, element, seed) => {
        const [type] = signature.params.map((pattern) => typeOf(pattern, element));
        const [a, b, c] = fc.sample(anyValueOf(type!), { numRuns: 3, seed }) as [Value, Value, Value];
        const apply = (...operands: readonly Value[]) => applied(operator, operands);
        if (laws.commutative) expectSame(apply(a, b), apply(b, a));
        if (laws.idempotent) expectSame(apply(a, a), a);
        if (laws.involution) expectSame(apply(apply(a)), a);
        if (laws.identity !== undefined) {
          expectSame(apply(a, laws.identity), a);
          expectSame(apply(laws.identity, a), a);
        }
        if (laws.absorbing !== undefined) {
          expectSame(apply(a, laws.absorbing), laws.absorbing);
          expectSame(apply(laws.absorbing, a), laws.absorbing);
        }
        if (!signature.variadic) return;
        expectSame(apply(a, b, c), apply(apply(a, b), c));
        expectSame(apply(a, b, c), apply(a, apply(b, c)));
      }),
      { numRuns: runs(150) },
    );
  });
});

describe("on any operands of their types", () => {
  // Functions are tried where expressions are: here an operator stands alone.
  const alone = [...operators.values()].filter(({ signatures }) =>
    signatures.every(({ params }) => params.every(({ kind }) => kind !== "function")),
  );

  test.each(alone.map((operator) => [operator.name, operator] as const))(
    "%s gives a value of its type",
    (_, operator) => {
      fc.assert(
        fc.property(
          fc.constantFrom(...operator.signatures),
          anyElementType(),
          fc.nat(),
          (signature, element, seed) => {
            const types = signature.params.map((pattern) => typeOf(pattern, element));
            const operands = types.map(
              (type, i) => fc.sample(anyValueOf(type), { numRuns: 1, seed: seed + i })[0]!,
            );
            const match = matchSignature(operator.signatures, types)!;
            const type = instantiate(match.signature.result, match.bindings);
            try {
              expect(conforms(applied(operator, operands, type), type)).toBe(true);
            } catch (thrown) {
              // `range` of a big number.
              if (!(thrown instanceof LimitReached)) throw thrown;
            }
          },
        ),
        { numRuns: runs(100) },
      );
    },
  );
});

// ── helpers ──────────────────────────────────────────────────────────────────────────────────────────────

const nothing = check({
  effectIr: 1,
  fluents: [],
  tools: [],
  program: { inputs: [], body: [] },
  guarantees: [],
});

function valueOfText(text: string): Value {
  const parsed = parseExpr(text);
  if (!parsed.ok || !nothing.ok) throw new Error(`${text} is not an expression`);
  const { expr } = parsed.value;
  const checked = checkExpr(nothing.value, expr, "values");
  if (!checked.ok) throw new Error(`${text}: ${checked.problems.map(({ message }) => message).join()}`);
  return evaluateOn(checked.value, expr, { inputs: record([]), trace: [] }) as Value;
}

function applied({ evaluate }: Operator, operands: readonly Value[], type: Type = bool): Value {
  if (evaluate.kind === "lazy") return evaluate.apply(operands.map((operand) => () => operand)) as Value;
  const meter = new Meter({ ...defaultLimits, listLength: 1000 });
  return evaluate.apply(operands, { meter, type });
}

function expectSame(a: Value, b: Value): void {
  expect(equal(a, b) ? "same" : `${valueKey(a)} and ${valueKey(b)}`).toBe("same");
}

/** Something for the variables of a signature to stand for. */
function anyElementType(): fc.Arbitrary<Type> {
  return fc.oneof(
    fc.constantFrom(bool, int, real, string, json, listOf(int), optionOf(string)),
    fc.nat().map((seed) => someType(Chance.seeded(seed), 2, false)),
  );
}

function typeOf(pattern: TypePattern, element: Type): Type {
  const bindings = { types: new Map(["T", "U"].map((name) => [name, element])), fixed: new Set<string>() };
  return instantiate(pattern, bindings);
}
