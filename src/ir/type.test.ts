/** The order of types, on random ones: what the checker relies on wherever a type meets another. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Chance } from "../../tests/support/program/chance.ts";
import { someType, someValue } from "../../tests/support/program/types.ts";
import { atLeast, runs } from "../../tests/support/runs.ts";
import { conforms } from "./convert/conforms.ts";
import { printType } from "./text/printer.ts";
import {
  bool,
  enumHas,
  type Field,
  fieldOf,
  int,
  isSubtype,
  join,
  json,
  listOf,
  never,
  optionOf,
  readType,
  real,
  recordOf,
  string,
  type Type,
} from "./type.ts";
import { list, none, record, some, type Value, valueKey } from "./value.ts";

const color: Type = { kind: "enum", values: ["red", "green"] };
const colors: Type = { kind: "enum", values: ["green", "blue", "red"] };
const user = recordOf([{ name: "id", type: string }]);
const userWithAge = recordOf([
  { name: "age", type: int, optional: true },
  { name: "id", type: string },
]);
const userOfAge = recordOf([
  { name: "id", type: color },
  { name: "age", type: int },
]);

describe("subtypes", () => {
  test.each<[Type, Type, boolean]>([
    [int, real, true],
    [real, int, false],
    [bool, int, false],
    [int, json, false],
    [json, string, false],
    [color, string, true],
    [string, color, false],
    [color, colors, true],
    [colors, color, false],
    [never, bool, true],
    [never, user, true],
    [bool, never, false],
    [listOf(int), listOf(real), true],
    [listOf(never), listOf(color), true],
    [listOf(int), optionOf(int), false],
    [optionOf(color), optionOf(string), true],
    [optionOf(never), optionOf(user), true],
    [int, optionOf(int), false],
    [user, userWithAge, true],
    [userWithAge, user, false],
    [userOfAge, userWithAge, true],
    [userOfAge, user, false],
    [userWithAge, userOfAge, false],
    [recordOf([]), user, false],
    [recordOf([{ name: "x", type: int, optional: true }]), recordOf([{ name: "x", type: int }]), false],
    [recordOf([{ name: "x", type: int }]), recordOf([{ name: "x", type: int, optional: true }]), true],
    [recordOf([]), recordOf([{ name: "x", type: int, optional: true }]), true],
  ])("%j of %j: %s", (a, b, expected) => {
    expect(isSubtype(a, b)).toBe(expected);
    // The answer is remembered, and stays the same.
    expect(isSubtype(a, b)).toBe(expected);
  });

  test("are in order", () => {
    forTypes(600, (a, chance) => {
      const b = wider(chance, a);
      const c = wider(chance, b);
      expect(isSubtype(a, a)).toBe(true);
      expectBelow(a, b);
      expectBelow(b, c);
      expectBelow(a, c);
    });
    forTypes(600, (a, chance) => {
      const [b, c] = [anyType(chance), anyType(chance)];
      if (isSubtype(a, b) && isSubtype(b, c)) expectBelow(a, c);
    });
  });

  test("have the values of the smaller type", () => {
    let compared = 0;
    forTypes(1200, (a, chance) => {
      const b = chance.odds(50) ? wider(chance, a) : chance.odds(70) ? changed(chance, a) : anyType(chance);
      if (!isSubtype(a, b)) return;
      for (const value of [fullest(a), plainest(a), someValueOf(chance, a), someValueOf(chance, a)]) {
        if (value === undefined) continue;
        compared++;
        expect(conforms(value, a)).toBe(true);
        expect(conforms(value, b) ? "fits" : `${valueKey(value)} is no ${text(b)}`).toBe("fits");
      }
    });
    expect(compared).toBeGreaterThan(atLeast(500));
  });

  test("are all there are: where a type is not below another, some value tells", () => {
    let told = 0;
    forTypes(500, (a, chance) => {
      const b = chance.odds(60) ? changed(chance, a) : anyType(chance);
      // What `json` holds is its own affair: a record looks like one, and is none until `json(…)` makes it one.
      if (isSubtype(a, b) || mentions("never", a) || mentions("never", b) || mentions("json", b)) return;
      const values = [fullest(a), plainest(a), ...Array.from({ length: 120 }, () => someValueOf(chance, a))];
      const telling = values.some((value) => value !== undefined && !conforms(value, b));
      expect(telling ? "told" : `${text(a)} and ${text(b)}`).toBe("told");
      told++;
    });
    expect(told).toBeGreaterThan(atLeast(100));
  });
});

describe("the least common type", () => {
  test.each<[Type, Type, Type | undefined]>([
    [int, real, real],
    [int, string, undefined],
    [color, string, string],
    [color, { kind: "enum", values: ["blue"] }, { kind: "enum", values: ["red", "green", "blue"] }],
    [never, user, user],
    [listOf(never), listOf(int), listOf(int)],
    [optionOf(int), optionOf(string), undefined],
    [listOf(int), optionOf(int), undefined],
    [user, recordOf([]), recordOf([{ name: "id", type: string, optional: true }])],
    [
      user,
      userOfAge,
      recordOf([
        { name: "id", type: string },
        { name: "age", type: int, optional: true },
      ]),
    ],
    [user, recordOf([{ name: "id", type: int }]), undefined],
  ])("of %j and %j is %j", (a, b, expected) => {
    expect(join(a, b)).toEqual(expected);
    const other = join(b, a);
    expect(other === undefined).toBe(expected === undefined);
    if (expected !== undefined && other !== undefined) expectSame(other, expected);
  });

  test("is above both, and below everything that is", () => {
    let joined = 0;
    forTypes(800, (top, chance) => {
      const [a, b] = [narrower(chance, top), narrower(chance, top)];
      expectBelow(a, top);
      expectBelow(b, top);
      const least = join(a, b);
      expect(least === undefined ? `nothing above ${text(a)} and ${text(b)}` : "something").toBe("something");
      if (least === undefined) return;
      joined++;
      expectBelow(a, least);
      expectBelow(b, least);
      expectBelow(least, top);
      const other = join(b, a);
      expect(other).toBeDefined();
      expectSame(least, other ?? never);
    });
    expect(joined).toBeGreaterThan(atLeast(100));
  });

  test("of any two types is above both, if there is one", () => {
    forTypes(800, (a, chance) => {
      const b = anyType(chance);
      const least = join(a, b);
      if (least === undefined) return;
      expectBelow(a, least);
      expectBelow(b, least);
    });
  });

  test("of three types does not depend on their order", () => {
    forTypes(500, (top, chance) => {
      const [a, b, c] = [narrower(chance, top), narrower(chance, top), narrower(chance, top)];
      const left = join(join(a, b) ?? never, c);
      const right = join(a, join(b, c) ?? never);
      expect([left, right]).not.toContain(undefined);
      expectSame(left ?? never, right ?? never);
    });
  });
});

test("fields and words are found", () => {
  expect(fieldOf(userWithAge, "age")).toEqual({ name: "age", type: int, optional: true });
  expect(fieldOf(userWithAge, "Age")).toBeUndefined();
  expect(fieldOf(user, "__proto__")).toBeUndefined();
  expect(fieldOf(user, "toString")).toBeUndefined();
  expect(readType({ name: "a", type: int, optional: true })).toEqual(optionOf(int));
  expect(readType({ name: "a", type: int })).toBe(int);
  if (color.kind !== "enum") throw new Error("an enum");
  expect([enumHas(color, "red"), enumHas(color, "blue"), enumHas(color, "constructor")]).toEqual([
    true,
    false,
    false,
  ]);
});

// ── random types ─────────────────────────────────────────────────────────────────────────────────────────

function forTypes(count: number, holds: (type: Type, chance: Chance) => void): void {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const chance = Chance.seeded(seed);
      holds(anyType(chance), chance);
    }),
    { numRuns: runs(count) },
  );
}

/** Also types that only inference gives. */
function anyType(chance: Chance): Type {
  return chance.odds(15) ? withNever(chance, someType(chance, 3, false)) : someType(chance, 3, false);
}

function withNever(chance: Chance, type: Type): Type {
  if (type.kind === "list") return listOf(chance.odds(50) ? never : withNever(chance, type.element));
  if (type.kind === "option") return optionOf(chance.odds(50) ? never : withNever(chance, type.value));
  return chance.odds(10) ? never : type;
}

/** A type above this one, by steps that are each plainly right. */
function wider(chance: Chance, type: Type): Type {
  if (chance.odds(20)) return type;
  switch (type.kind) {
    case "never":
      return someType(chance, 1, false);
    case "int":
      return real;
    case "enum":
      return chance.odds(30)
        ? string
        : { kind: "enum", values: [...new Set(["new", ...type.values])].reverse() };
    case "list":
      return listOf(wider(chance, type.element));
    case "option":
      return optionOf(wider(chance, type.value));
    case "record": {
      const fields = type.fields.map((field): Field => {
        const wide = { name: field.name, type: wider(chance, field.type) };
        return field.optional || chance.odds(30) ? { ...wide, optional: true } : wide;
      });
      const isNew = !type.fields.some(({ name }) => name === "new");
      if (isNew && chance.odds(40))
        fields.push({ name: "new", type: someType(chance, 1, false), optional: true });
      return recordOf(chance.odds(50) ? fields.reverse() : fields);
    }
    default:
      return type;
  }
}

/** A type below this one. */
function narrower(chance: Chance, type: Type): Type {
  if (chance.odds(20)) return type;
  if (chance.odds(5)) return never;
  switch (type.kind) {
    case "real":
      return int;
    case "string":
      return { kind: "enum", values: chance.pick([["a"], ["a", "b"], ["c", "a"]]) };
    case "enum": {
      const values = type.values.filter(() => chance.odds(60));
      return values.length === 0 ? type : { kind: "enum", values };
    }
    case "list":
      return listOf(narrower(chance, type.element));
    case "option":
      return optionOf(narrower(chance, type.value));
    case "record":
      return recordOf(
        type.fields.flatMap((field): Field[] => {
          if (field.optional && chance.odds(30)) return [];
          const narrow = { name: field.name, type: narrower(chance, field.type) };
          return [field.optional && chance.odds(50) ? { ...narrow, optional: true } : narrow];
        }),
      );
    default:
      return type;
  }
}

/** A type that differs somewhere. */
function changed(chance: Chance, type: Type): Type {
  return chance.odds(50) ? narrower(chance, type) : narrower(chance, wider(chance, type));
}

function mentions(kind: Type["kind"], type: Type): boolean {
  if (type.kind === "list") return mentions(kind, type.element);
  if (type.kind === "option") return mentions(kind, type.value);
  return type.kind === "record"
    ? type.fields.some((field) => mentions(kind, field.type))
    : type.kind === kind;
}

/** Undefined where there is none. */
function someValueOf(chance: Chance, type: Type): Value | undefined {
  switch (type.kind) {
    case "never":
      return undefined;
    case "list": {
      const items = chance.times(0, 3, () => someValueOf(chance, type.element));
      return list(items.filter((item) => item !== undefined));
    }
    case "option": {
      const inner = someValueOf(chance, type.value);
      return inner === undefined || chance.odds(40) ? none : some(inner);
    }
    case "record": {
      const entries: [string, Value][] = [];
      for (const field of type.fields) {
        const part = someValueOf(chance, field.type);
        if (part === undefined && !field.optional) return undefined;
        if (part !== undefined && (!field.optional || chance.odds(50))) entries.push([field.name, part]);
      }
      return record(entries);
    }
    default:
      return someValue(chance, type);
  }
}

/** Everything there that may be; undefined where there is no value. */
function fullest(type: Type): Value | undefined {
  switch (type.kind) {
    case "never":
      return undefined;
    case "list": {
      const item = fullest(type.element);
      return list(item === undefined ? [] : [item]);
    }
    case "option": {
      const inner = fullest(type.value);
      return inner === undefined ? none : some(inner);
    }
    case "record": {
      const parts = type.fields.map((field) => ({ ...field, value: fullest(field.type) }));
      if (parts.some(({ optional, value }) => !optional && value === undefined)) return undefined;
      return record(
        parts.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])),
      );
    }
    default:
      return someValue(Chance.seeded(1), type);
  }
}

/** Nothing there that need not be; undefined where there is no value. */
function plainest(type: Type): Value | undefined {
  switch (type.kind) {
    case "never":
      return undefined;
    case "list":
      return list([]);
    case "option":
      return none;
    case "record": {
      const parts = type.fields.filter((field) => !field.optional);
      const entries = parts.map(({ name, type: part }) => [name, plainest(part)] as const);
      if (entries.some(([, value]) => value === undefined)) return undefined;
      return record(
        entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
      );
    }
    default:
      return someValue(Chance.seeded(2), type);
  }
}

function expectBelow(a: Type, b: Type): void {
  expect(isSubtype(a, b) ? "below" : `${text(a)} is not below ${text(b)}`).toBe("below");
}

function expectSame(a: Type, b: Type): void {
  expectBelow(a, b);
  expectBelow(b, a);
}

function text(type: Type): string {
  return mentions("never", type) ? JSON.stringify(type) : printType(type);
}
