/** Random types and values from small domains, so that equal values, shared fields and larger enums are common. */
import { mapOfPairs } from "../../../src/ir/map-value.ts";
import { ratio } from "../../../src/ir/number.ts";
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
} from "../../../src/ir/type.ts";
import { jsonObject, list, none, record, some, type Value } from "../../../src/ir/value.ts";
import type { Chance } from "./chance.ts";

/** Results of the operator `jsonKind`. */
export const jsonKinds = ["null", "bool", "number", "string", "list", "record"];

const enums = [["a", "b"], ["a", "b", "c"], ["open", "closed"], ["b"], ["x y", "", "\ud800"], jsonKinds];
const fieldNames = ["a", "b", "id", "amount", "key", "value", "odd name", "__proto__", "kind", "for"];

/** `boundary`: for values that pass to or from a tool, where an option cannot hold an option or `json`. */
export function someType(chance: Chance, depth: number, boundary: boolean): Type {
  const kind = chance.weighted<Type["kind"]>([
    [14, "bool"],
    [20, "int"],
    [16, "real"],
    [16, "string"],
    [10, "enum"],
    [4, "json"],
    [depth > 0 ? 12 : 0, "list"],
    [depth > 0 ? 12 : 0, "record"],
    [depth > 0 ? 10 : 0, "option"],
    [depth > 0 ? 6 : 0, "map"],
  ]);
  switch (kind) {
    case "list":
      return listOf(someType(chance, depth - 1, boundary));
    case "map":
      return mapOf(someType(chance, depth - 1, boundary));
    case "record":
      return recordOf(someFields(chance, depth - 1, boundary));
    case "option": {
      const inner = someType(chance, depth - 1, boundary);
      return boundary && (inner.kind === "option" || inner.kind === "json")
        ? optionOf(string)
        : optionOf(inner);
    }
    case "enum":
      return someEnum(chance);
    case "int":
      return int;
    case "real":
      return real;
    case "string":
      return string;
    case "json":
      return json;
    default:
      return bool;
  }
}

export function someEnum(chance: Chance): Type {
  return { kind: "enum", values: chance.pick(enums) };
}

/** Picks a type for keys of a fluent. */
export function someKeyType(chance: Chance): Type {
  return chance.pick([bool, int, real, string, string, someEnum(chance)]);
}

export function someFields(
  chance: Chance,
  depth: number,
  boundary: boolean,
  names: readonly string[] = fieldNames,
): Field[] {
  const fields: Field[] = [];
  for (const name of new Set(chance.times(0, 3, () => chance.pick(names)))) {
    const type = someType(chance, depth, boundary);
    fields.push(chance.odds(30) ? { name, type, optional: true } : { name, type });
  }
  return fields;
}

const strings = [
  "",
  "a",
  "b",
  "ab",
  "aba",
  "Bob",
  "bob",
  " x ",
  "\u00c9",
  "\ud83d",
  "\ud83d\ude00",
  "10",
  "a,b,",
  "\t",
];

const keys = ["a", "b", "", "10", "2", "01", "constructor"];

export function someValue(chance: Chance, type: Type): Value {
  switch (type.kind) {
    case "bool":
      return chance.odds(50);
    case "int":
      return someInteger(chance);
    case "real":
      return chance.odds(50)
        ? someInteger(chance)
        : ratio(
            BigInt(chance.int(-30, 60)),
            BigInt(
              chance.weighted([
                [20, chance.pick([2, 4, 5, 10])],
                [1, 3],
              ]),
            ),
          );
    case "string":
      return chance.pick(strings);
    case "enum":
      return chance.pick(type.values);
    case "list":
      return list(chance.times(0, 3, () => someValue(chance, type.element)));
    case "map":
      return mapOfPairs(chance.times(0, 3, () => [chance.pick(keys), someValue(chance, type.value)]));
    case "option":
      return chance.odds(35) ? none : some(someValue(chance, type.value));
    case "record":
      return record(
        type.fields
          .filter((field) => !field.optional || chance.odds(55))
          .map((field) => [field.name, someValue(chance, field.type)] as const),
      );
    case "json":
      return someJson(chance, 2);
    case "never":
      throw new TypeError("no value is of the type `never`");
  }
}

function someInteger(chance: Chance): bigint {
  if (chance.odds(98)) return BigInt(chance.int(-3, 9));
  return chance.pick([2n ** 53n, -(2n ** 53n) - 1n, 10n ** 21n, 10n ** 30n]);
}

function someJson(chance: Chance, depth: number): Value {
  switch (chance.int(0, depth > 0 ? 6 : 4)) {
    case 0:
      return null;
    case 1:
      return chance.odds(50);
    case 2:
    case 3:
      return someInteger(chance);
    case 4:
      return chance.pick(strings);
    case 5:
      return list(chance.times(0, 3, () => someJson(chance, depth - 1)));
    default:
      return jsonObject(
        chance.times(0, 3, () => [chance.pick(fieldNames), someJson(chance, depth - 1)] as const),
      );
  }
}

/** Returns true if the type can stand in a document: `never`, which only inference gives, cannot. */
export function isWritable(type: Type): boolean {
  switch (type.kind) {
    case "never":
      return false;
    case "list":
      return isWritable(type.element);
    case "map":
    case "option":
      return isWritable(type.value);
    case "record":
      return type.fields.every((field) => isWritable(field.type));
    default:
      return true;
  }
}
