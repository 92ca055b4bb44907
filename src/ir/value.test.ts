import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyType, anyValueOf } from "../../tests/support/arbitrary-value.ts";
import { runs } from "../../tests/support/runs.ts";
import { ratio } from "./number.ts";
import {
  equal,
  isList,
  isNum,
  isOption,
  isRecord,
  jsonObject,
  list,
  none,
  record,
  some,
  type Value,
  valueKey,
} from "./value.ts";

/** All different, some nearly the same. */
const different: readonly Value[] = [
  null,
  false,
  true,
  0n,
  1n,
  -1n,
  10n ** 40n,
  ratio(1n, 2n),
  ratio(-1n, 2n),
  "",
  "0",
  "n0;",
  "1/2",
  "\ud800",
  "\udc00",
  list([]),
  list([list([])]),
  list([null]),
  list(["a", "b"]),
  list(["ab"]),
  list([""]),
  list([1n, 2n]),
  list([2n, 1n]),
  none,
  some(none),
  some(null),
  some(0n),
  record([]),
  record([["a", 1n]]),
  record([["b", 1n]]),
  record([
    ["a", 1n],
    ["b", 2n],
  ]),
  record([
    ["a", 2n],
    ["b", 1n],
  ]),
  record([["a", none]]),
  record([["__proto__", 1n]]),
  record([["kind", "none"]]),
  record([["a", record([])]]),
  record([["a:1", "x"]]),
  record([["a", "1:x"]]),
];

describe("equality", () => {
  test("tells values apart that differ, and no others", () => {
    different.forEach((a, i) => {
      different.forEach((b, j) => {
        expect(equal(a, b), `${valueKey(a)} and ${valueKey(b)}`).toBe(i === j);
        expect(valueKey(a) === valueKey(b), `${valueKey(a)} and ${valueKey(b)}`).toBe(i === j);
      });
    });
  });

  test("does not look at the order of fields", () => {
    const a = record([
      ["x", 1n],
      ["y", 2n],
    ]);
    const b = record([
      ["y", 2n],
      ["x", 1n],
    ]);
    expect(equal(a, b)).toBe(true);
    expect(valueKey(a)).toBe(valueKey(b));
  });

  test("agrees with keys, and is an equivalence, on random values of one type", () => {
    fc.assert(
      fc.property(
        anyType().chain((type) => fc.tuple(anyValueOf(type), anyValueOf(type))),
        ([a, b]) => {
          expect(equal(a, a)).toBe(true);
          expect(equal(a, b)).toBe(equal(b, a));
          expect(equal(a, b)).toBe(valueKey(a) === valueKey(b));
          const copy: Value = rebuilt(a);
          expect(equal(a, copy)).toBe(true);
          expect(valueKey(copy)).toBe(valueKey(a));
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test("is charged for by size", () => {
    const long = list(Array.from({ length: 1000 }, () => "x".repeat(640)));
    let units = 0;
    equal(long, rebuilt(long), (n) => {
      units += n;
    });
    expect(units).toBeGreaterThan(5000);
    let keyUnits = 0;
    valueKey(long, (n) => {
      keyUnits += n;
    });
    expect(keyUnits).toBeGreaterThan(5000);
  });
});

test("values cannot be changed", () => {
  for (const value of [list([1n]), record([["a", 1n]]), some(1n), none])
    expect(Object.isFrozen(value)).toBe(true);
  const made = record([["__proto__", "x"]]);
  expect(Object.isFrozen(made.fields)).toBe(true);
  expect(Object.getPrototypeOf(made.fields)).toBeNull();
  expect(Object.keys(made.fields)).toEqual(["__proto__"]);
  expect(made.fields.toString).toBeUndefined();
});

test("every value is of one kind", () => {
  for (const value of different) {
    const kinds = [
      isNum(value),
      isList(value),
      isRecord(value),
      isOption(value),
      typeof value === "string",
      typeof value === "boolean",
      value === null,
    ];
    expect(kinds.filter(Boolean).length, valueKey(value)).toBe(1);
  }
});

/** The same value out of other objects, with fields in the opposite order. */
function rebuilt(value: Value): Value {
  if (isList(value)) return list(value.map(rebuilt));
  if (isOption(value)) return value.kind === "none" ? { kind: "none" } : some(rebuilt(value.value));
  if (isRecord(value)) {
    const fields = Object.entries(value.fields).map(([name, part]) => [name, rebuilt(part)] as const);
    // The order of its keys is part of a JSON object.
    return value.ordered ? jsonObject(fields) : record(fields.reverse());
  }
  return typeof value === "object" && value !== null ? { ...value } : value;
}
