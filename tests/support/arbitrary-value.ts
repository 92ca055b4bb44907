/** Random types and values for property tests; names, strings and numbers lean towards what breaks things. */
import fc from "fast-check";
import { mapOfPairs } from "../../src/ir/map-value.ts";
import { type Num, ratio } from "../../src/ir/number.ts";
import {
  bool,
  type Field,
  int,
  json,
  listOf,
  mapOf,
  optionOf,
  real,
  recordOf,
  string,
  type Type,
} from "../../src/ir/type.ts";
import { jsonObject, list, none, record, some, type Value } from "../../src/ir/value.ts";

export interface TypeAndValue {
  readonly type: Type;
  readonly value: Value;
}

/** A type without `never`, which has no values, and a value of it. */
export function anyTypeAndValue(): fc.Arbitrary<TypeAndValue> {
  return anyType().chain((type) => anyValueOf(type).map((value) => ({ type, value })));
}

export function anyType(): fc.Arbitrary<Type> {
  const { type } = fc.letrec<{ type: Type; field: Field }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 4, depthIdentifier: "type" },
      fc.constantFrom(bool, int, real, string, json),
      anyEnum(),
      tie("type").map(listOf),
      tie("type").map(mapOf),
      tie("type").map(optionOf),
      fc.uniqueArray(tie("field"), { maxLength: 4, selector: (field) => field.name }).map(recordOf),
    ),
    field: fc
      .record({ name: anyName(), type: tie("type"), optional: fc.boolean() })
      .map(({ name, type, optional }) => (optional ? { name, type, optional } : { name, type })),
  }));
  return type;
}

export function anyValueOf(type: Type): fc.Arbitrary<Value> {
  switch (type.kind) {
    case "bool":
      return fc.boolean();
    case "int":
      return anyInteger();
    case "real":
      return anyNum();
    case "string":
      return anyString();
    case "enum":
      return fc.constantFrom(...type.values);
    case "list":
      return fc.array(anyValueOf(type.element), { maxLength: 4 }).map(list);
    case "map":
      return fc
        .array(
          fc.tuple(
            fc.oneof(anyString(), fc.constantFrom("0", "7", "10", "__proto__")),
            anyValueOf(type.value),
          ),
          {
            maxLength: 4,
          },
        )
        .map(mapOfPairs);
    case "option":
      return fc.oneof(fc.constant(none), anyValueOf(type.value).map(some));
    case "record":
      return fc.tuple(...type.fields.map(fieldValue)).map((entries) => record(entries.flat()));
    case "json":
      return anyJsonValue();
    case "never":
      throw new TypeError("no value of type `never`");
  }
}

/** A value of type `json`. */
export function anyJsonValue(): fc.Arbitrary<Value> {
  const { value } = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthIdentifier: "json" },
      fc.constantFrom<Value>(null, true, false),
      anyNum(),
      anyString(),
      fc.array(tie("value"), { maxLength: 3 }).map(list),
      fc.array(fc.tuple(anyName(), tie("value")), { maxLength: 3 }).map(jsonObject),
    ),
  }));
  return value;
}

export function anyNum(): fc.Arbitrary<Num> {
  return fc.oneof(
    anyInteger(),
    fc.tuple(anyInteger(), fc.bigInt({ min: 1n, max: 1000n })).map(([num, den]) => ratio(num, den)),
    fc
      .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 25 }))
      .map(([num, places]) => ratio(BigInt(num), 10n ** BigInt(places))),
  );
}

export function anyInteger(): fc.Arbitrary<bigint> {
  const edge = 2n ** 53n;
  return fc.oneof(
    fc.integer({ min: -20, max: 20 }).map(BigInt),
    fc.maxSafeInteger().map(BigInt),
    fc.constantFrom(edge - 1n, edge, edge + 1n, -edge, 1n - edge, 10n ** 21n, 10n ** 400n),
    fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
  );
}

/** Any sequence of code units, half surrogate pairs included. */
export function anyString(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.string({
      maxLength: 4,
      unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    }),
    fc.constantFrom(
      "",
      '"',
      "\\",
      "\ud800",
      "\udc00",
      "\ud83d\ude00",
      "\u2028",
      "\ufeff",
      "5",
      "7/3",
      "null",
    ),
  );
}

export function anyName(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      "a",
      "b",
      "kind",
      "$",
      "some",
      "num",
      "den",
      "0",
      "7",
      "",
      "length",
      "__proto__",
      "toJSON",
    ),
    fc.constantFrom("constructor", "toString", "hasOwnProperty", "value", "fields", "then"),
    anyString(),
  );
}

function anyEnum(): fc.Arbitrary<Type> {
  return fc
    .uniqueArray(anyString(), { minLength: 1, maxLength: 4 })
    .map((values) => ({ kind: "enum", values }));
}

function fieldValue(field: Field): fc.Arbitrary<[string, Value][]> {
  const present = anyValueOf(field.type).map((value): [string, Value][] => [[field.name, value]]);
  return field.optional ? fc.oneof(fc.constant<[string, Value][]>([]), present) : present;
}

export { anyValueOf as valueOf };
