import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, type PlainJson } from "./canonical.ts";
import { sha256Hex } from "./digest.ts";

/** The double with these bits. */
function double(hex: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
}

describe("the examples of RFC 8785", () => {
  it("section 3.2.2: a document", () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(text))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it("section 3.2.3: the order of keys", () => {
    const keys = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"];
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])));
    expect(text).toBe('{"\\r":0,"1":0,"\u0080":0,"ö":0,"€":0,"\ud83d\ude00":0,"\ufb33":0}');
  });

  it.each([
    ["0000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("appendix B: the number %s", (hex, text) => {
    expect(canonicalJson(double(hex))).toBe(text);
  });
});

describe("beyond the RFC", () => {
  it("writes half a surrogate pair as an escape", () => {
    expect(canonicalJson({ "\ud800": "\udfff\ud83d\ude00" })).toBe('{"\\ud800":"\\udfff\ud83d\ude00"}');
  });

  it("writes keys that mean something to JavaScript", () => {
    expect(canonicalJson(JSON.parse('{"toJSON":1,"__proto__":{"constructor":2}}'))).toBe(
      '{"__proto__":{"constructor":2},"toJSON":1}',
    );
    expect(canonicalJson(Object.assign(Object.create(null), { b: 1, a: 2 }))).toBe('{"a":2,"b":1}');
  });
});

describe("what is not plain data", () => {
  const getter = Object.defineProperty({}, "a", { get: () => 1, enumerable: true });
  const hidden = Object.defineProperty({}, "a", { value: 1, enumerable: false });
  const gap = new Array(2);
  class Point {
    x = 1;
  }
  class Items extends Array {}
  it.each<[name: string, value: unknown]>([
    ["undefined", undefined],
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["negative zero", -0],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("a")],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["a boxed number", new Number(1)],
    ["an instance", new Point()],
    ["a kind of array", new Items()],
    ["an array with a gap", gap],
    ["an array with a property", Object.assign([1], { more: 2 })],
    ["a gap that a property makes up for", Object.assign(new Array(1), { more: 2 })],
    ["an accessor", getter],
    ["a hidden property", hidden],
    ["a symbol property", { [Symbol("a")]: 1 }],
    ["an undefined field", { a: undefined }],
  ])("%s throws", (_, value) => {
    for (const wrapped of [value, [value], { a: value }]) {
      expect(() => canonicalJson(wrapped as PlainJson)).toThrow(TypeError);
    }
  });
});

describe("laws", () => {
  const plain = fc
    .jsonValue()
    .map((value) => JSON.parse(JSON.stringify(value)) as PlainJson)
    // `JSON.parse("-0")` is negative zero, which `JSON.stringify` never writes.
    .filter((value) => value !== undefined);

  it("agrees with another implementation", () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
    );
  });

  it("agrees with another implementation on any finite number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        fc.pre(!Object.is(value, -0));
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
    );
  });

  it("is JSON of the same data, whatever the order of its keys", () => {
    const reversed = (value: PlainJson): PlainJson => {
      if (typeof value !== "object" || value === null) return value;
      if (Array.isArray(value)) return value.map(reversed);
      const entries = Object.entries(value).map(([key, part]): [string, PlainJson] => [key, reversed(part)]);
      return Object.fromEntries(entries.reverse());
    };
    fc.assert(
      fc.property(plain, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(value);
        expect(canonicalJson(reversed(value))).toBe(text);
      }),
    );
  });
});

describe("sha256Hex", () => {
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ])("%j", (text, hex) => {
    expect(sha256Hex(text)).toBe(hex);
  });

  it("takes the text as UTF-8, and refuses what has none", () => {
    expect(sha256Hex("é😀")).toHaveLength(64);
    expect(() => sha256Hex("a\ud800")).toThrow(TypeError);
    expect(() => sha256Hex("\udc00\ud800")).toThrow(TypeError);
  });
});
