import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyType } from "../../../tests/support/arbitrary-value.ts";
import { runs } from "../../../tests/support/runs.ts";
import type { Code, Diagnostic } from "../diagnostic.ts";
import { JsonNumber, readJson } from "../json/reader.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { ratio } from "../number.ts";
import { bool, int, json, listOf, never, optionOf, real, recordOf, string, type Type } from "../type.ts";
import { jsonObject, none, record, some, type Value } from "../value.ts";
import { conforms } from "./conforms.ts";
import { fromJs } from "./from-js.ts";

const colour: Type = { kind: "enum", values: ["red", "green"] };
const user = recordOf([
  { name: "name", type: string },
  { name: "age", type: int, optional: true },
]);

function problemsOf(input: unknown, type: Type, limits: Partial<Limits> = {}): readonly Diagnostic[] {
  const result = fromJs(input, type, { limits: { ...defaultLimits, ...limits } });
  return result.ok ? [] : result.problems;
}

function codesOf(input: unknown, type: Type, limits: Partial<Limits> = {}): Code[] {
  return problemsOf(input, type, limits).map((problem) => problem.code);
}

function fromText(text: string, type: Type) {
  const result = readJson(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return fromJs(result.value.value, type);
}

/** A null-prototype object, as the reader makes them. */
function bare(fields: object): object {
  return Object.assign(Object.create(null), fields);
}

class Point {
  x = 1;
}

describe("what is converted", () => {
  it.each<[input: unknown, type: Type, value: Value]>([
    [true, bool, true],
    ["a\ud800", string, "a\ud800"],
    ["red", colour, "red"],
    [5, int, 5n],
    [-(2 ** 53 - 1), int, -(2n ** 53n - 1n)],
    [2n ** 70n, int, 2n ** 70n],
    [5, real, 5n],
    [0.1, real, ratio(1n, 10n)],
    [-1.5, real, ratio(-3n, 2n)],
    [1e21, real, 10n ** 21n],
    [5e-324, real, ratio(5n, 10n ** 324n)],
    [2n ** 70n, real, 2n ** 70n],
    [[], listOf(int), []],
    [[1, 2], listOf(int), [1n, 2n]],
    [[undefined, null, 1], listOf(optionOf(int)), [none, none, some(1n)]],
    [{ name: "a" }, user, record([["name", "a"]])],
    [{ age: undefined, name: "a" }, user, record([["name", "a"]])],
    [
      bare({ name: "a", age: 3 }),
      user,
      record([
        ["name", "a"],
        ["age", 3n],
      ]),
    ],
    [null, optionOf(int), none],
    [undefined, optionOf(int), none],
    [1, optionOf(int), some(1n)],
    [null, json, null],
    [
      { a: [1.5, "x", null, { b: false }] },
      json,
      jsonObject([["a", [ratio(3n, 2n), "x", null, jsonObject([["b", false]])]]]),
    ],
    [{ a: null }, recordOf([{ name: "a", type: json, optional: true }]), record([["a", null]])],
    [{ a: null }, recordOf([{ name: "a", type: optionOf(int), optional: true }]), record([["a", none]])],
    [{ a: undefined }, recordOf([{ name: "a", type: optionOf(int) }]), record([["a", none]])],
  ])("%o", (input, type, value) => {
    expect(fromJs(input, type)).toStrictEqual({ ok: true, value });
  });

  it("`__proto__` as a field like any other", () => {
    const type = recordOf([{ name: "__proto__", type: int }]);
    expect(fromText('{"__proto__": 1}', type)).toStrictEqual({
      ok: true,
      value: record([["__proto__", 1n]]),
    });
    expect(codesOf({ __proto__: { name: "a" } }, user)).toEqual(["FC1607"]);
  });

  it("one object in two places", () => {
    const shared = { a: 1 };
    expect(fromJs([shared, shared], json).ok).toBe(true);
  });

  it("into frozen data that does not follow the input", () => {
    const input = { name: "a", age: 1 };
    const result = fromJs([input], listOf(user));
    input.name = "b";
    expect(result).toStrictEqual({
      ok: true,
      value: [
        record([
          ["name", "a"],
          ["age", 1n],
        ]),
      ],
    });
    expect(result.ok && Object.isFrozen(result.value)).toBe(true);
  });
});

describe("numbers of the JSON reader", () => {
  it.each<[text: string, type: Type, value: Value]>([
    ["9007199254740993", int, 9007199254740993n],
    ["5.0", int, 5n],
    ["0.1000000000000000000001", real, ratio(10n ** 21n + 1n, 10n ** 22n)],
    ["0.1", json, ratio(1n, 10n)],
  ])("%s is exact", (text, type, value) => {
    expect(fromText(text, type)).toStrictEqual({ ok: true, value });
  });

  it.each<[text: string, type: Type, code: Code]>([
    ["-0", int, "FC1602"],
    ["-0.0", real, "FC1602"],
    ["-0", json, "FC1602"],
    ["1.5", int, "FC1608"],
    ["1", string, "FC1608"],
    ["1", user, "FC1608"],
    ["1", listOf(int), "FC1608"],
  ])("%s is refused", (text, type, code) => {
    expect(fromText(text, type)).toMatchObject({ ok: false, problems: [{ code }] });
  });
});

describe("what is refused", () => {
  const sparse = [1, 2, 3];
  delete sparse[1];
  const cycle: unknown[] = [];
  cycle.push({ a: cycle });

  it.each<[input: unknown, type: Type, code: Code, message: string, path: (string | number)[]]>([
    [Number.NaN, real, "FC1601", "`NaN` is not a finite number", []],
    [Number.POSITIVE_INFINITY, int, "FC1601", "`Infinity` is not a finite number", []],
    [[Number.NEGATIVE_INFINITY], json, "FC1601", "`-Infinity` is not a finite number", [0]],
    [-0, real, "FC1602", "`-0` is not an exact number", []],
    [-0, int, "FC1602", "`-0` is not an exact number", []],
    [2 ** 53, int, "FC1603", "integer `9007199254740992` is too big to be exact as a number", []],
    [-(2 ** 53), int, "FC1603", "integer `-9007199254740992` is too big to be exact as a number", []],
    [1.5, int, "FC1608", "`1.5` is not an integer", []],
    [undefined, int, "FC1605", "expected an integer, found `undefined`", []],
    [{ name: undefined }, user, "FC1605", "expected a string, found `undefined`", ["name"]],
    [() => 1, json, "FC1605", "expected JSON data, found a function", []],
    [[Symbol("a")], listOf(string), "FC1605", "expected a string, found a symbol", [0]],
    [1n, json, "FC1605", "JSON data has no `bigint`", []],
    [{ a: undefined }, json, "FC1605", "expected JSON data, found `undefined`", ["a"]],
    [cycle, json, "FC1606", "the value contains itself", [0, "a"]],
    [new Date(0), string, "FC1607", "expected a string, found a `Date`", []],
    [new Map(), json, "FC1607", "expected JSON data, found a `Map`", []],
    [new Point(), user, "FC1607", "expected an object, found an object that has a class", []],
    [Promise.resolve(1), int, "FC1607", "expected an integer, found a `Promise`", []],
    [new Number(1), int, "FC1607", "expected an integer, found a `Number` object", []],
    [new String("a"), string, "FC1607", "expected a string, found a `String` object", []],
    [new Uint8Array(2), listOf(int), "FC1607", "expected a list, found an object that has a class", []],
    [
      new (class extends Array {})(),
      listOf(int),
      "FC1607",
      "expected a list, found an object that has a class",
      [],
    ],
    [
      Object.setPrototypeOf([], null),
      json,
      "FC1607",
      "expected JSON data, found an object that has a class",
      [],
    ],
    [runInNewContext("[1]"), listOf(int), "FC1607", "expected a list, found an object that has a class", []],
    ["a", bool, "FC1608", "expected a boolean, found a string", []],
    [null, string, "FC1608", "expected a string, found `null`", []],
    ["5", int, "FC1608", "expected an integer, found a string", []],
    [true, real, "FC1608", "expected a number, found a boolean", []],
    [[], user, "FC1608", "expected an object, found a list", []],
    [{}, listOf(int), "FC1608", "expected a list, found an object", []],
    ["blue", colour, "FC1608", '`"blue"` is not one of `"red"`, `"green"`', []],
    [1, colour, "FC1608", 'expected one of `"red"`, `"green"`, found a number', []],
    ["a", optionOf(int), "FC1608", "expected an integer, found a string", []],
    [
      null,
      optionOf(optionOf(int)),
      "FC1608",
      "an option of an option is indistinguishable from an option in JavaScript",
      [],
    ],
    [{ name: "a", age: null }, user, "FC1608", "optional field `age` is `null`", ["age"]],
    [1, never, "FC1608", "expected no value, found a number", []],
    [{ name: "a", nmae: "b" }, user, "FC1609", "unknown field `nmae`", ["nmae"]],
    [
      Object.assign([1], { more: 1 }),
      json,
      "FC1609",
      "the list has a property `more` besides its items",
      ["more"],
    ],
    [{ age: 1 }, user, "FC1610", "field `name` is missing", ["name"]],
    [sparse, listOf(int), "FC1611", "the list has a gap at 1", [1]],
    [
      {
        get name() {
          return "a";
        },
      },
      user,
      "FC1612",
      "property `name` is computed or hidden",
      ["name"],
    ],
    [{ name: "a", [Symbol("b")]: 1 }, user, "FC1612", "a property is named by a symbol", []],
    [Object.assign([1], { [Symbol("b")]: 1 }), json, "FC1612", "a property is named by a symbol", []],
    [
      Object.defineProperty({}, "a", { value: 1 }),
      json,
      "FC1612",
      "property `a` is computed or hidden",
      ["a"],
    ],
    [
      Object.defineProperty([1], 0, { get: () => 1 }),
      json,
      "FC1612",
      "property `0` is computed or hidden",
      [0],
    ],
  ])("%o", (input, type, code, message, path) => {
    expect(problemsOf(input, type)).toMatchObject([{ code, message, path }]);
  });

  it("with help", () => {
    expect(problemsOf({ name: "a", b: 1 }, user)[0]?.help).toBe("the fields are `name`, `age`");
    expect(problemsOf({ b: 1 }, recordOf([]))[0]?.help).toBe("the object has no fields");
    expect(problemsOf({ name: "a", age: null }, user)[0]?.help).toBe("omit the field");
    const long: Type = { kind: "enum", values: ["a", "b", "c", "d", "e", "f", "g"] };
    expect(problemsOf("x", long)[0]?.message).toBe(
      '`"x"` is not one of `"a"`, `"b"`, `"c"`, `"d"`, `"e"` and 2 more',
    );
  });

  it("several at once, but not many", () => {
    expect(codesOf({ nmae: 1, age: "x" }, user)).toEqual(["FC1609", "FC1610", "FC1608"]);
    expect(problemsOf(new Array(1000).fill("x"), listOf(int))).toHaveLength(10);
  });
});

describe("limits, at and just beyond", () => {
  it.each<[name: keyof Limits, most: number, type: Type, fits: unknown, breaks: unknown, code: Code]>([
    ["depth", 2, json, [{}], [{ a: [] }], "FC1402"],
    ["depth", 0, json, 1, [], "FC1402"],
    ["nodes", 3, json, [1, 2], [1, 2, 3], "FC1403"],
    ["nodes", 3, json, { a: 1, b: 2 }, { a: 1, b: 2, c: 3 }, "FC1403"],
    ["stringLength", 2, string, "ab", "abc", "FC1404"],
    ["stringLength", 2, json, "ab", "abc", "FC1404"],
    ["listLength", 2, listOf(int), [1, 2], [1, 2, 3], "FC1405"],
    ["numberBits", 64, int, 2n ** 64n - 1n, 2n ** 64n, "FC1406"],
    ["numberBits", 64, real, 0.5, 1e-20, "FC1406"],
    ["numberBits", 64, int, new JsonNumber(1n, "1"), new JsonNumber(2n ** 64n, `${2n ** 64n}`), "FC1406"],
  ])("%s of %d", (name, most, type, fits, breaks, code) => {
    expect(codesOf(fits, type, { [name]: most })).toEqual([]);
    expect(codesOf(breaks, type, { [name]: most })).toEqual([code]);
  });

  it("a deep value does not overflow the stack", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = i % 2 === 0 ? [deep] : { a: deep };
    expect(codesOf(deep, json)).toEqual(["FC1402"]);
  });

  it("a small value that stands for a big one is not copied out", () => {
    let doubled: unknown = [1];
    for (let i = 0; i < 100; i++) doubled = [doubled, doubled];
    expect(codesOf(doubled, json, { nodes: 100_000 })).toEqual(["FC1403"]);
  });

  it("a long list that holds nothing is not walked", () => {
    const long: unknown[] = [];
    long.length = 2 ** 32 - 1;
    expect(codesOf(long, json)).toEqual(["FC1405"]);
    long.length = 1_000_000;
    expect(codesOf(long, json)).toEqual(["FC1611"]);
  });
});

describe("hostile objects", () => {
  const thrower = () => {
    throw new Error("hostile");
  };
  const { proxy: revoked, revoke } = Proxy.revocable([1], {});
  revoke();
  const lying = (target: object, length: unknown) =>
    new Proxy(target, {
      getOwnPropertyDescriptor: (object, key) =>
        key === "length"
          ? { value: length, writable: true, enumerable: false, configurable: false }
          : Reflect.getOwnPropertyDescriptor(object, key),
    });

  it.each<[name: string, input: unknown, code: Code]>([
    ["a revoked proxy", revoked, "FC1605"],
    ["a proxy that throws for its prototype", new Proxy({}, { getPrototypeOf: thrower }), "FC1605"],
    ["a proxy that throws for its keys", new Proxy({}, { ownKeys: thrower }), "FC1605"],
    [
      "a proxy that throws for a property",
      new Proxy({ a: 1 }, { getOwnPropertyDescriptor: thrower }),
      "FC1605",
    ],
    ["a list that throws for an item", new Proxy([1], { getOwnPropertyDescriptor: thrower }), "FC1605"],
    ["a key that is not there", new Proxy({}, { ownKeys: () => ["a"] }), "FC1612"],
    ["a length that is no number", lying([1], "1"), "FC1605"],
    ["a length that is not whole", lying([1], 0.5), "FC1605"],
    ["a length that is negative", lying([1], -1), "FC1605"],
    ["a length that is not a number", lying([1], Number.NaN), "FC1605"],
    ["a length that is infinite", lying([1], Number.POSITIVE_INFINITY), "FC1605"],
    ["a length that is too long", lying([1], 3), "FC1611"],
    ["a length that is too short", lying([1, 2], 1), "FC1609"],
  ])("%s", (_, input, code) => {
    expect(codesOf(input, json)).toEqual([code]);
    expect(codesOf([input], listOf(json))).toEqual([code]);
  });

  it("an object with too many fields is refused before they are read", () => {
    const input = new Proxy({ a: 1, b: 2, c: 3 }, { getOwnPropertyDescriptor: thrower });
    expect(codesOf(input, json, { nodes: 3 })).toEqual(["FC1403"]);
  });

  it("a thrown value that is hostile itself is not looked at", () => {
    const worse = new Proxy(() => {}, { get: thrower, getPrototypeOf: thrower });
    const input = new Proxy(
      {},
      {
        ownKeys() {
          throw worse;
        },
      },
    );
    expect(codesOf(input, json)).toEqual(["FC1605"]);
  });

  it("a proxy that makes up objects without end", () => {
    const endless = (): object =>
      new Proxy(
        { a: 1 },
        {
          getOwnPropertyDescriptor: () => ({
            value: endless(),
            writable: true,
            enumerable: true,
            configurable: true,
          }),
        },
      );
    expect(codesOf(endless(), json)).toEqual(["FC1402"]);
  });

  it("each property is read once, and no code of the object's is called by name", () => {
    const looks = new Map<PropertyKey, number>();
    const input = new Proxy(
      { a: 1, toJSON: 2, valueOf: 3, constructor: 4 },
      {
        get: thrower,
        has: thrower,
        getOwnPropertyDescriptor(target, key) {
          looks.set(key, (looks.get(key) ?? 0) + 1);
          return Reflect.getOwnPropertyDescriptor(target, key);
        },
      },
    );
    expect(fromJs(input, json).ok).toBe(true);
    expect([...looks.values()]).toEqual([1, 1, 1, 1]);
    expect(codesOf({ toJSON: thrower }, json)).toEqual(["FC1605"]);
  });

  it("a tampered `Object.prototype` does not turn an accessor into data", () => {
    const input = Object.defineProperty({}, "a", { get: thrower, enumerable: true });
    Object.defineProperty(Object.prototype, "value", { value: 1, configurable: true, writable: true });
    // Restored before anything is expected: the test runner defines accessors, which would fail.
    const found = codesOf(input, json);
    Reflect.deleteProperty(Object.prototype, "value");
    expect(found).toEqual(["FC1612"]);
  });
});

describe("laws", () => {
  it("whatever comes in: no exception, and a value of the type or a problem", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(anything, fc.oneof(anyType(), fc.constant(json)), (input, type) => {
        const result = fromJs(input, type);
        if (result.ok) expect(conforms(result.value, type)).toBe(true);
        else expect(result.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: runs(1000) },
    );
  });
});
