import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../tests/support/runs.ts";
import type { Code, Diagnostic } from "../diagnostic.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { type Json, JsonNumber, readJson } from "./reader.ts";

function read(text: string): Json {
  const result = readJson(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value.value;
}

function problemOf(text: string, limits: Partial<Limits> = {}): Diagnostic {
  const result = readJson(text, { ...defaultLimits, ...limits });
  if (result.ok) throw new Error(`read: ${text}`);
  expect(result.problems).toHaveLength(1);
  return result.problems[0]!;
}

/** Converts to the result of `JSON.parse`. */
function asParsed(json: Json): unknown {
  if (JsonNumber.is(json)) return Number(json.text);
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(asParsed);
  const entries = Object.entries(json).map(([key, value]): [string, unknown] => [key, asParsed(value)]);
  return Object.fromEntries(entries);
}

describe("what is read", () => {
  it.each([
    ["null", null],
    [" \t\r\n true \n", true],
    ["false", false],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9"', '"\\/\b\f\n\r\tAé'],
    ['"\\ud83d\\ude00"', "😀"],
    ['"\\uD800"', "\ud800"],
    ['"\u007f\u2028"', "\u007f\u2028"],
    ["[]", []],
    ["[ ]", []],
    ["[[], {}]", [[], Object.create(null)]],
  ])("%s", (text, value) => {
    expect(read(text)).toStrictEqual(value);
  });

  it.each([
    ["0", 0n],
    ["-7", -7n],
    ["1e2", 100n],
    ["5.0", 5n],
    ["12E+1", 120n],
    ["0.1", { kind: "ratio", num: 1n, den: 10n }],
    ["-2.50e-1", { kind: "ratio", num: -1n, den: 4n }],
    ["9007199254740993", 9007199254740993n],
  ])("the number %s exactly, with its text", (text, value) => {
    const number = read(text);
    expect(JsonNumber.is(number)).toBe(true);
    expect(number).toMatchObject({ value, text, isNegativeZero: false });
  });

  it.each(["-0", "-0.0", "-0e5"])("%s as zero that is known to be negative", (text) => {
    expect(read(text)).toMatchObject({ value: 0n, isNegativeZero: true });
  });

  it("keys that mean something to JavaScript", () => {
    const value = read('{"__proto__": {"polluted": true}, "constructor": 1, "0": 2, "": 3}');
    expect(Object.getPrototypeOf(value)).toBe(null);
    expect(Object.keys(value ?? {}).sort()).toEqual(["", "0", "__proto__", "constructor"]);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("an object that looks like a number is none", () => {
    const value = read('{"kind": "ratio", "num": 1, "den": 2, "value": 3, "text": "3"}');
    expect(JsonNumber.is(value)).toBe(false);
    expect(JsonNumber.is(Object.create(JsonNumber.prototype))).toBe(false);
    expect(JsonNumber.is(new Proxy(new JsonNumber(1n, "1"), {}))).toBe(false);
  });
});

describe("what is refused", () => {
  it.each<[text: string, code: Code, message: string, span: [number, number]]>([
    ["", "FC1101", "expected a value, found the end of the text", [0, 0]],
    ["  ", "FC1101", "expected a value, found the end of the text", [2, 2]],
    ["[1,]", "FC1101", "trailing comma before `]`", [2, 3]],
    ['{"a": 1 , }', "FC1101", "trailing comma before `}`", [8, 9]],
    ["[,]", "FC1101", "expected a value, found `,`", [1, 2]],
    ["[1,,2]", "FC1101", "expected a value, found `,`", [3, 4]],
    ["[1 2]", "FC1101", "expected `,` or `]`, found `2`", [3, 4]],
    ["[1}", "FC1101", "expected `,` or `]`, found `}`", [2, 3]],
    ['{"a":1]', "FC1101", "expected `,` or `}`, found `]`", [6, 7]],
    ['{"a" 1}', "FC1101", "expected `:`, found `1`", [5, 6]],
    ['{"a"', "FC1101", "expected `:`, found the end of the text", [4, 4]],
    ['{"a":', "FC1101", "expected a value, found the end of the text", [5, 5]],
    ["{a: 1}", "FC1101", "key `a` is not in double quotes", [1, 2]],
    ["{1: 1}", "FC1101", "key `1` is not in double quotes", [1, 2]],
    ["{[]: 1}", "FC1101", "expected a key, found `[`", [1, 2]],
    ["{", "FC1101", "expected a key, found the end of the text", [1, 1]],
    ["'a'", "FC1101", "a single quote cannot start a string", [0, 1]],
    ["{'a': 1}", "FC1101", "a single quote cannot start a string", [1, 2]],
    ["1 // one", "FC1101", "JSON has no comments", [2, 4]],
    ["/* one */ 1", "FC1101", "JSON has no comments", [0, 2]],
    ["# one", "FC1101", "JSON has no comments", [0, 1]],
    ["1 2", "FC1101", "expected nothing more, found `2`", [2, 3]],
    ["{}}", "FC1101", "expected nothing more, found `}`", [2, 3]],
    ["]", "FC1101", "expected a value, found `]`", [0, 1]],
    ["NaN", "FC1101", "`NaN` is not a JSON value", [0, 3]],
    ["-Infinity", "FC1101", "`-Infinity` is not a JSON value", [0, 9]],
    ["undefined", "FC1101", "`undefined` is not a JSON value", [0, 9]],
    ["True", "FC1101", "`True` is not a JSON value", [0, 4]],
    ["nul", "FC1101", "`nul` is not a JSON value", [0, 3]],
    ["nulll", "FC1101", "`nulll` is not a JSON value", [0, 5]],
    ["01", "FC1101", "a number cannot start with a zero, as in `01`", [0, 2]],
    ["-00", "FC1101", "a number cannot start with a zero, as in `-00`", [0, 3]],
    ["+1", "FC1101", "a number cannot be written `+1`", [0, 2]],
    [".5", "FC1101", "a number cannot be written `.5`", [0, 2]],
    ["1.", "FC1101", "a number cannot be written `1.`", [0, 2]],
    ["1.e5", "FC1101", "a number cannot be written `1.e5`", [0, 4]],
    ["1e", "FC1101", "a number cannot be written `1e`", [0, 2]],
    ["1e+", "FC1101", "a number cannot be written `1e+`", [0, 3]],
    ["-", "FC1101", "a number cannot be written `-`", [0, 1]],
    ["0x10", "FC1101", "a number cannot be written `0x10`", [0, 4]],
    ["1n", "FC1101", "a number cannot be written `1n`", [0, 2]],
    ["1_000", "FC1101", "a number cannot be written `1_000`", [0, 5]],
    ['"a', "FC1101", "a string has no end", [0, 2]],
    ['"a\\"', "FC1101", "a string has no end", [0, 4]],
    ['"\n"', "FC1101", "a string has the control character U+000A in it", [1, 2]],
    ['"\u0000"', "FC1101", "a string has the control character U+0000 in it", [1, 2]],
    ['"\u001f"', "FC1101", "a string has the control character U+001F in it", [1, 2]],
    ['"\\x41"', "FC1101", "`\\x` is not an escape", [1, 3]],
    ['"\\', "FC1101", "`\\` is not an escape", [1, 2]],
    ['"\\u12g4"', "FC1101", "`\\u` is not followed by four hexadecimal digits", [1, 3]],
    ['"\\u12', "FC1101", "`\\u` is not followed by four hexadecimal digits", [1, 3]],
    ["\ufeff1", "FC1101", "the text has a byte order mark", [0, 1]],
    ["\u00a01", "FC1101", "expected a value, found U+00A0", [0, 1]],
    ["😀", "FC1101", "expected a value, found `😀`", [0, 2]],
    ["`a`", "FC1101", "expected a value, found U+0060", [0, 1]],
    ['{"a":1, "a":1}', "FC1106", "key `a` is given twice", [8, 11]],
    ['{"a":1, "\\u0061":1}', "FC1106", "key `a` is given twice", [8, 16]],
    ['{"__proto__":1, "__proto__":1}', "FC1106", "key `__proto__` is given twice", [16, 27]],
    ["1e9999999", "FC1406", "number `1e9999999` needs more than 16384 bits", [0, 9]],
  ])("%j", (text, code, message, [start, end]) => {
    expect(problemOf(text)).toMatchObject({ code, message, span: { start, end } });
  });

  it("says where, as a path", () => {
    expect(problemOf('{"a": [1, {"b": x}]}').path).toEqual(["a", 1, "b"]);
    expect(problemOf('{"a": {"b": 1, "b": 2}}').path).toEqual(["a", "b"]);
  });
});

describe("limits, at and just beyond", () => {
  it.each<[name: keyof Limits, most: number, fits: string, breaks: string, code: Code]>([
    ["textLength", 5, "[1,2]", "[1,22]", "FC1401"],
    ["depth", 3, '[{"a":[1]}]', '[{"a":[[]]}]', "FC1402"],
    ["depth", 0, "1", "[]", "FC1402"],
    ["nodes", 4, '[1,{"a":2}]', '[1,{"a":2},3]', "FC1403"],
    ["stringLength", 3, '{"abc":"\\u0041bc"}', '{"abc":"abcd"}', "FC1404"],
    ["stringLength", 3, '{"abc":"abc"}', '{"abcd":"abc"}', "FC1404"],
    ["listLength", 2, "[1,2]", "[1,2,3]", "FC1405"],
    ["numberBits", 64, `${"9".repeat(20)}`, `${"9".repeat(21)}`, "FC1406"],
    ["numberBits", 64, "1e19", `1e${"0".repeat(100)}`, "FC1406"],
  ])("%s of %d", (name, most, fits, breaks, code) => {
    expect(readJson(fits, { ...defaultLimits, [name]: most }).ok).toBe(true);
    expect(problemOf(breaks, { [name]: most }).code).toBe(code);
  });

  it("long and deep texts are read or refused without a stack overflow", () => {
    expect(problemOf("[".repeat(1_000_000)).code).toBe("FC1402");
    expect(problemOf('{"a":'.repeat(1_000_000)).code).toBe("FC1402");
    expect(problemOf("1".repeat(5_000_000)).code).toBe("FC1406");
    expect(problemOf(`0.${"1".repeat(5_000_000)}`).code).toBe("FC1406");
    expect(problemOf(`"${"\\n".repeat(1_000_001)}"`).code).toBe("FC1404");
    expect(problemOf("a".repeat(5_000_000)).message.length).toBeLessThan(100);
    // More than any caller allows: a document's JSON is three times as deep as the document.
    const depth = 2000;
    const deep = `${'[{"a":'.repeat(depth / 2)}1${"}]".repeat(depth / 2)}`;
    expect(readJson(deep, { ...defaultLimits, depth }).ok).toBe(true);
  });

  it("an object with many keys is read in linear time", () => {
    const keys = Array.from({ length: 200_000 }, (_, i) => `"${(200_000 - i) * 7}":0`);
    expect(readJson(`{${keys.join(",")}}`).ok).toBe(true);
  });
});

describe("positions", () => {
  it("of objects, arrays and the scalars in them", () => {
    const text = ' {"a": [1, "x", {"b": null}], "c": -2.5}';
    const result = readJson(text);
    if (!result.ok || typeof result.value.value !== "object" || result.value.value === null)
      throw new Error();
    const at = (...path: (string | number)[]) => {
      const span = result.value.locate(path);
      return text.slice(span?.start, span?.end);
    };
    expect(at()).toBe(text.slice(1));
    expect(at("a")).toBe('[1, "x", {"b": null}]');
    expect(at("a", 0)).toBe("1");
    expect(at("a", 1)).toBe('"x"');
    expect(at("a", 2)).toBe('{"b": null}');
    expect(at("a", 2, "b")).toBe("null");
    expect(at("c")).toBe("-2.5");
    expect(at("missing")).toBe(text.slice(1));
  });
});

describe("against JSON.parse", () => {
  it("reads the same from what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
        expect(asParsed(read(JSON.stringify(value, null, indent)))).toStrictEqual(
          JSON.parse(JSON.stringify(value)),
        );
      }),
    );
  });

  it("refuses and accepts the same texts, but for keys given twice and numbers of any size", () => {
    const edit = fc.record({
      at: fc.nat(200),
      remove: fc.nat(3),
      add: fc.oneof(
        fc.constantFrom(
          "",
          ",",
          "]",
          "}",
          "[",
          "{",
          ":",
          '"',
          "\\",
          "0",
          "-",
          ".",
          "e",
          "1",
          " ",
          "\n",
          "n",
          "/",
          "'",
        ),
        fc.string({ maxLength: 2, unit: "binary" }),
      ),
    });
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(edit, { maxLength: 3 }), (value, edits) => {
        const text = edits.reduce((text, { at, remove, add }) => {
          const start = at % (text.length + 1);
          return text.slice(0, start) + add + text.slice(start + remove);
        }, JSON.stringify(value));
        const result = readJson(text);
        if (!result.ok) {
          const [problem] = result.problems;
          if (problem?.code === "FC1101") expect(() => JSON.parse(text)).toThrow(SyntaxError);
          else expect(["FC1106", "FC1406"]).toContain(problem?.code);
          expect(problem?.span?.end).toBeLessThanOrEqual(text.length);
        } else expect(asParsed(result.value.value)).toEqual(JSON.parse(text));
      }),
      { numRuns: runs(2000) },
    );
  });
});
