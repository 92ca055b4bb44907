import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyType, anyTypeAndValue, anyValueOf } from "../../../tests/support/arbitrary-value.ts";
import { atLeast, runs } from "../../../tests/support/runs.ts";
import type { Code, Result } from "../diagnostic.ts";
import { canonicalJson, type PlainJson } from "../json/canonical.ts";
import { readJson } from "../json/reader.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { ratio } from "../number.ts";
import { bool, int, json, listOf, never, optionOf, real, recordOf, string, type Type } from "../type.ts";
import { equal, jsonObject, list, none, record, some, type Value } from "../value.ts";
import { conforms } from "./conforms.ts";
import { decodeValue, encodeValue } from "./encode.ts";

const colour: Type = { kind: "enum", values: ["red", "green"] };
const user = recordOf([
  { name: "name", type: string },
  { name: "age", type: int, optional: true },
]);

const textOf = (value: Value, type: Type) => canonicalJson(encodeValue(value, type));

function decode(text: string, type: Type, limits: Limits = defaultLimits): Result<Value> {
  const read = readJson(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return decodeValue(read.value.value, type, { limits });
}

describe("the encoding", () => {
  it.each<[value: Value, type: Type, text: string]>([
    [true, bool, "true"],
    [-5n, int, '"-5"'],
    [2n ** 64n, int, '"18446744073709551616"'],
    [ratio(7n, 3n), real, '"7/3"'],
    [5n, real, '"5"'],
    ["\ud800", string, '"\\ud800"'],
    ["red", colour, '"red"'],
    [[1n, 2n], listOf(int), '["1","2"]'],
    [none, optionOf(int), "null"],
    [some(1n), optionOf(int), '{"some":"1"}'],
    [some(none), optionOf(optionOf(int)), '{"some":null}'],
    [some(null), optionOf(json), '{"some":null}'],
    [record([["name", "a"]]), user, '{"name":"a"}'],
    [record([["__proto__", true]]), recordOf([{ name: "__proto__", type: bool }]), '{"__proto__":true}'],
    [null, json, "null"],
    ["5", json, '"5"'],
    [ratio(7n, 3n), json, '{"$":"7/3"}'],
    [[false, "x"], json, '[false,"x"]'],
    [jsonObject([["a", 1n]]), json, '{"a":{"$":"1"}}'],
    [jsonObject([["$", "7/3"]]), json, '{"$":{"$":"7/3"}}'],
    [
      jsonObject([
        ["$", 1n],
        ["a", null],
      ]),
      json,
      '{"$":{"$":{"$":"1"},"a":null}}',
    ],
    [jsonObject([["some", jsonObject([["__proto__", "x"]])]]), json, '{"some":{"__proto__":"x"}}'],
    [
      jsonObject([
        ["b", null],
        ["$", true],
        ["10", 1n],
        ["9", 2n],
      ]),
      json,
      '{"$":[["9",{"$":"2"}],["10",{"$":"1"}],["b",null],["$",true]]}',
    ],
    [
      jsonObject([
        ["10", null],
        ["9", null],
      ]),
      json,
      '{"10":null,"9":null}',
    ],
  ])("%o", (value, type, text) => {
    expect(textOf(value, type)).toBe(text);
    expect(decode(text, type)).toStrictEqual({ ok: true, value });
  });

  it.each<[value: Value, type: Type]>([
    [1n, bool],
    [ratio(1n, 2n), int],
    ["1", real],
    [1n, string],
    ["blue", colour],
    [record([]), listOf(int)],
    [1n, optionOf(int)],
    [[], user],
    [record([]), user],
    [
      record([
        ["name", "a"],
        ["more", 1n],
      ]),
      user,
    ],
    [none, json],
    [[none], json],
    [1n, never],
  ])("%o of another type is a fault of ours, and does not conform", (value, type) => {
    expect(() => encodeValue(value, type)).toThrow(TypeError);
    expect(conforms(value, type)).toBe(false);
  });

  it("charges, so that shared parts cannot fill the memory", () => {
    let [value, type]: [Value, Type] = [1n, int];
    for (let i = 0; i < 100; i++) [value, type] = [list([value, value]), listOf(type)];
    const charge = (most: number) => {
      let spent = 0;
      return (units: number) => {
        spent += units;
        if (spent > most) throw new RangeError("spent");
      };
    };
    expect(() => encodeValue(value, type, charge(1000))).toThrow("spent");
    expect(() => conforms(value, type, charge(1000))).toThrow("spent");
  });
});

describe("what is not decoded", () => {
  it.each<[text: string, type: Type, code: Code, path: (string | number)[]]>([
    ['"true"', bool, "FC1608", []],
    ["null", bool, "FC1608", []],
    ["5", int, "FC1608", []],
    ['"5.0"', int, "FC1608", []],
    ['"05"', int, "FC1608", []],
    ['"+5"', int, "FC1608", []],
    ['"-0"', int, "FC1608", []],
    ['"1e3"', int, "FC1608", []],
    ['" 5"', int, "FC1608", []],
    ['"5\\n"', int, "FC1608", []],
    ['""', int, "FC1608", []],
    ['"7/3"', int, "FC1608", []],
    ['"5/1"', int, "FC1608", []],
    ['"5/1"', real, "FC1608", []],
    ['"0.5"', real, "FC1608", []],
    ['"2/4"', real, "FC1608", []],
    ['"1/-2"', real, "FC1608", []],
    ['"1/0"', real, "FC1608", []],
    ["0.5", real, "FC1608", []],
    ["1", string, "FC1608", []],
    ['"blue"', colour, "FC1608", []],
    ["{}", listOf(int), "FC1608", []],
    ['["1","x"]', listOf(int), "FC1608", [1]],
    ['"1"', optionOf(int), "FC1608", []],
    ["{}", optionOf(int), "FC1610", ["some"]],
    ['{"some":"1","more":1}', optionOf(int), "FC1609", ["more"]],
    ['{"some":1}', optionOf(int), "FC1608", ["some"]],
    ['{"some":null}', optionOf(int), "FC1608", ["some"]],
    ["[]", user, "FC1608", []],
    ["{}", user, "FC1610", ["name"]],
    ['{"name":"a","b":1}', user, "FC1609", ["b"]],
    ['{"name":"a","age":null}', user, "FC1608", ["age"]],
    ["5", json, "FC1608", []],
    ['{"a":5}', json, "FC1608", ["a"]],
    ['{"$":5}', json, "FC1608", ["$"]],
    ['{"$":null}', json, "FC1608", ["$"]],
    ['{"$":["1"]}', json, "FC1608", ["$", 0]],
    ['{"$":[["a",null]]}', json, "FC1608", ["$"]],
    ['{"$":[["b",null],["a",null],["b",null]]}', json, "FC1608", ["$"]],
    ['{"$":[["b",null],["1",null]]}', json, "FC1608", ["$"]],
    ['{"$":"x"}', json, "FC1608", ["$"]],
    ['{"$":"1","a":null}', json, "FC1609", ["a"]],
    ['{"$":{}}', json, "FC1610", ["$", "$"]],
    ['{"$":{"a":null}}', json, "FC1610", ["$", "$"]],
    ['"x"', never, "FC1608", []],
  ])("%s", (text, type, code, path) => {
    expect(decode(text, type)).toMatchObject({ ok: false, problems: [{ code, path }] });
  });

  it("numbers that are too big", () => {
    const limits = { ...defaultLimits, numberBits: 64 };
    expect(decode(`"${2n ** 64n - 1n}"`, int, limits).ok).toBe(true);
    expect(decode(`"${2n ** 64n - 1n}/${2n ** 64n - 3n}"`, real, limits).ok).toBe(true);
    for (const text of [`${2n ** 64n}`, "9".repeat(30), "9".repeat(100_000), `1/${"9".repeat(100)}`]) {
      expect(decode(`"${text}"`, real, limits)).toMatchObject({ ok: false, problems: [{ code: "FC1406" }] });
    }
    const biggest = 2n ** 16384n - 1n;
    expect(decode(textOf(biggest, int), int)).toStrictEqual({ ok: true, value: biggest });
  });

  it("says what it found", () => {
    expect(decode('["x", 5, null, {}]', listOf(int))).toMatchObject({
      problems: [
        { message: 'expected an integer in lowest terms, in a string, found `"x"`' },
        { message: "expected an integer in lowest terms, in a string, found `5`" },
        { message: "expected an integer in lowest terms, in a string, found `null`" },
        { message: "expected an integer in lowest terms, in a string, found an object" },
      ],
    });
  });
});

describe("laws", () => {
  it("every value survives", () => {
    fc.assert(
      fc.property(anyTypeAndValue(), ({ type, value }) => {
        expect(conforms(value, type)).toBe(true);
        // Not `toStrictEqual`, which is confused by fields that are named `constructor`.
        expect(isDeepStrictEqual(decode(textOf(value, type), type), { ok: true, value })).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("two values of a type have one text if and only if they are equal", () => {
    const pair = anyType().chain((type) => fc.tuple(fc.constant(type), anyValueOf(type), anyValueOf(type)));
    fc.assert(
      fc.property(pair, ([type, a, b]) => {
        expect(textOf(a, type) === textOf(b, type)).toBe(equal(a, b));
      }),
      { numRuns: runs(1000) },
    );
  });

  it("what is decoded is what would have been written", () => {
    // Texts of values of one type, read as another: nearly right, often enough.
    let accepted = 0;
    fc.assert(
      fc.property(anyTypeAndValue(), fc.oneof(anyType(), fc.constant(json)), ({ type, value }, other) => {
        const text = textOf(value, type);
        const result = decode(text, other);
        if (!result.ok) return;
        accepted++;
        expect(conforms(result.value, other)).toBe(true);
        expect(textOf(result.value, other)).toBe(text);
      }),
      { numRuns: runs(1000) },
    );
    expect(accepted).toBeGreaterThan(atLeast(50));
  });

  it("a value that does not conform to a type cannot be encoded as one, and the other way round", () => {
    fc.assert(
      fc.property(anyTypeAndValue(), anyType(), ({ value }, type) => {
        const encode = (): PlainJson => encodeValue(value, type);
        if (conforms(value, type)) expect(encode).not.toThrow();
        else expect(encode).toThrow(TypeError);
      }),
      { numRuns: runs(1000) },
    );
  });
});
