import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTypeAndValue } from "../../../tests/support/arbitrary-value.ts";
import { atLeast, runs } from "../../../tests/support/runs.ts";
import type { Code } from "../diagnostic.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { ratio } from "../number.ts";
import { bool, int, json, listOf, never, optionOf, real, recordOf, string, type Type } from "../type.ts";
import { list, none, record, some, type Value } from "../value.ts";
import { fromJs } from "./from-js.ts";
import { toJs } from "./to-js.ts";

const user = recordOf([
  { name: "name", type: string },
  { name: "age", type: int, optional: true },
]);

describe("what is passed", () => {
  it.each<[value: Value, type: Type, js: unknown]>([
    [true, bool, true],
    ["\ud800", string, "\ud800"],
    ["a", { kind: "enum", values: ["a"] }, "a"],
    [2n ** 53n - 1n, int, 2 ** 53 - 1],
    [ratio(1n, 10n), real, 0.1],
    [10n ** 21n, real, 1e21],
    [[1n, 2n], listOf(int), [1, 2]],
    [none, optionOf(int), null],
    [some(1n), optionOf(int), 1],
    [record([["name", "a"]]), user, { name: "a" }],
    [
      record([
        ["age", 3n],
        ["name", "a"],
      ]),
      user,
      { name: "a", age: 3 },
    ],
    [record([["a", [null, ratio(1n, 2n), record([])]]]), json, { a: [null, 0.5, {}] }],
  ])("%o", (value, type, js) => {
    expect(toJs(value, type)).toStrictEqual({ ok: true, value: js });
  });

  it("integers as bigints, where asked for, but not other numbers", () => {
    const type = recordOf([
      { name: "i", type: int },
      { name: "r", type: real },
      { name: "j", type: json },
    ]);
    const value = record([
      ["i", 5n],
      ["r", 5n],
      ["j", 5n],
    ]);
    expect(toJs(value, type, { integers: "bigint" })).toStrictEqual({
      ok: true,
      value: { i: 5n, r: 5, j: 5 },
    });
    expect(toJs(2n ** 90n, int, { integers: "bigint" })).toStrictEqual({ ok: true, value: 2n ** 90n });
  });

  it("`__proto__` as a field like any other", () => {
    const result = toJs(record([["__proto__", 1n]]), recordOf([{ name: "__proto__", type: int }]));
    if (!result.ok) throw new Error();
    expect(Object.getPrototypeOf(result.value)).toBe(Object.prototype);
    expect(JSON.stringify(result.value)).toBe('{"__proto__":1}');
  });

  it("fresh objects that may be changed", () => {
    const item = list([1n]);
    const value = list([item, item]);
    const first = toJs(value, listOf(listOf(int)));
    if (!first.ok || !Array.isArray(first.value)) throw new Error();
    first.value[0].push(7);
    first.value.push(8);
    expect(toJs(value, listOf(listOf(int)))).toStrictEqual({ ok: true, value: [[1], [1]] });
    expect(first.value[1]).toEqual([1]);
  });
});

describe("what is refused", () => {
  it.each<[value: Value, type: Type, code: Code, message: string, path: (string | number)[]]>([
    [2n ** 53n, int, "FC1603", "integer `9007199254740992` is too big to be exact as a number", []],
    [
      [1n, -(2n ** 53n)],
      listOf(int),
      "FC1603",
      "integer `-9007199254740992` is too big to be exact as a number",
      [1],
    ],
    [ratio(100n, 3n), real, "FC1604", "no number equals `100/3`", []],
    [2n ** 53n + 1n, real, "FC1604", "no number equals `9007199254740993`", []],
    [record([["a", ratio(1n, 3n)]]), json, "FC1604", "no number equals `1/3`", ["a"]],
    [
      some(null),
      optionOf(json),
      "FC1608",
      "a value that is present and `null` is indistinguishable from an absent one in JavaScript",
      [],
    ],
    [
      none,
      optionOf(optionOf(int)),
      "FC1608",
      "a value that is present and `null` is indistinguishable from an absent one in JavaScript",
      [],
    ],
  ])("%o", (value, type, code, message, path) => {
    expect(toJs(value, type)).toMatchObject({ ok: false, problems: [{ code, message, path }] });
  });

  it("with help", () => {
    expect(toJs(ratio(1n, 3n), real)).toMatchObject({ problems: [{ help: "round it first" }] });
  });

  it.each<[name: keyof Limits, most: number, type: Type, fits: Value, breaks: Value, code: Code]>([
    ["depth", 1, json, [1n], [[]], "FC1402"],
    ["nodes", 3, listOf(int), [1n, 2n], [1n, 2n, 3n], "FC1403"],
    ["stringLength", 2, string, "ab", "abc", "FC1404"],
    ["listLength", 2, listOf(int), [1n, 2n], [1n, 2n, 3n], "FC1405"],
    ["numberBits", 64, real, ratio(1n, 2n), ratio(1n, 10n ** 20n), "FC1406"],
  ])("beyond %s of %d", (name, most, type, fits, breaks, code) => {
    const limits = { ...defaultLimits, [name]: most };
    expect(toJs(fits, type, { limits }).ok).toBe(true);
    expect(toJs(breaks, type, { limits })).toMatchObject({ ok: false, problems: [{ code }] });
  });

  it("a value whose shared parts would fill the memory", () => {
    let [value, type]: [Value, Type] = [1n, int];
    for (let i = 0; i < 100; i++) [value, type] = [list([value, value]), listOf(type)];
    const limits = { ...defaultLimits, nodes: 100_000 };
    expect(toJs(value, type, { limits })).toMatchObject({ ok: false, problems: [{ code: "FC1403" }] });
  });

  it.each<[value: Value, type: Type]>([
    [1n, bool],
    [ratio(1n, 2n), int],
    ["1", real],
    [1n, string],
    ["b", { kind: "enum", values: ["a"] }],
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
    [1n, never],
  ])("%o of another type is a fault of ours", (value, type) => {
    expect(() => toJs(value, type)).toThrow(TypeError);
  });
});

describe("laws", () => {
  it("what is passed comes back as the same value", () => {
    let passed = 0;
    fc.assert(
      fc.property(anyTypeAndValue(), fc.constantFrom("number", "bigint"), ({ type, value }, integers) => {
        const js = toJs(value, type, { integers });
        if (!js.ok) return;
        passed++;
        // Not `toStrictEqual`, which is confused by fields that are named `constructor`.
        expect(isDeepStrictEqual(fromJs(js.value, type), { ok: true, value })).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
    // Not vacuous.
    expect(passed).toBeGreaterThan(atLeast(200));
  });

  it("what is passed within limits comes back within them", () => {
    const small = fc.record({
      depth: fc.integer({ min: 1, max: 4 }),
      nodes: fc.integer({ min: 1, max: 20 }),
      stringLength: fc.integer({ min: 1, max: 6 }),
      listLength: fc.integer({ min: 1, max: 4 }),
      numberBits: fc.constantFrom(64, 80, 1200),
    });
    fc.assert(
      fc.property(anyTypeAndValue(), small, ({ type, value }, most) => {
        const limits = { ...defaultLimits, ...most };
        const js = toJs(value, type, { limits });
        expect(!js.ok || fromJs(js.value, type, { limits }).ok).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("JSON data that comes in goes out as it was", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        const plain: unknown = JSON.parse(JSON.stringify(input));
        const value = fromJs(plain, json);
        const back = value.ok && toJs(value.value, json);
        expect(isDeepStrictEqual(back, { ok: true, value: plain })).toBe(true);
      }),
    );
  });
});
