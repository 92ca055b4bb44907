/**
 * Maps with string keys: the objects that a program uses as dictionaries. A run stops where a program asks an object for
 * a name that every object inherits, because JavaScript would give a function there. Part of what must be trusted.
 */
import { LimitReached, type Meter } from "../eval/meter.ts";
import { findKey, inheritedNames, keyOfEntry, mapOfPairs, valueOfEntry, withEntry } from "../map-value.ts";
import { bool, int, string } from "../type.ts";
import { list, none, some, type Value } from "../value.ts";
import {
  asList,
  asString,
  asValue,
  call,
  listPattern,
  mapPattern,
  type Operator,
  opaque,
  optionPattern,
  strict,
  type TypePattern,
  variable,
} from "./operator.ts";

const T = variable("T");
const map = mapPattern(T);
const entry: TypePattern = {
  kind: "recordOf",
  fields: [
    ["key", string],
    ["value", T],
  ],
};

export const maps: readonly Operator[] = [
  {
    name: "mapGet",
    meaning:
      "the value of the key, or none; stops the run at a name that every object inherits, unless the map has it",
    syntax: call,
    signatures: [{ params: [map, string], result: optionPattern(T) }],
    evaluate: strict(([a, b], { meter }) => {
      const [entries, key] = [asList(a), asString(b)];
      const found = entries[lookedUp(entries, key, meter)];
      if (found !== undefined) return some(valueOfEntry(found));
      if (inheritedNames.has(key)) throw inherited(key);
      return none;
    }),
    smt: opaque,
  },
  {
    name: "mapHas",
    meaning: "true when the map has the key",
    syntax: call,
    signatures: [{ params: [map, string], result: bool }],
    evaluate: strict(([a, b], { meter }) => lookedUp(asList(a), asString(b), meter) >= 0),
    smt: opaque,
  },
  {
    name: "mapSet",
    meaning:
      "the map with the key set to the value; stops the run at `__proto__`, unless the map has it: JavaScript would set no key",
    syntax: call,
    signatures: [{ params: [map, string, T], result: map }],
    evaluate: strict(([a, b, value], { meter }) => {
      const [entries, key] = [asList(a), asString(b)];
      const at = lookedUp(entries, key, meter);
      if (at < 0 && key === "__proto__") throw inherited(key);
      meter.list(entries.length + 1);
      return withEntry(entries, key, asValue(value));
    }),
    smt: opaque,
  },
  {
    name: "mapDelete",
    meaning: "the map without the key",
    syntax: call,
    signatures: [{ params: [map, string], result: map }],
    evaluate: strict(([a, b], { meter }) => {
      const entries = asList(a);
      const at = lookedUp(entries, asString(b), meter);
      meter.list(entries.length);
      return at < 0 ? entries : list(entries.toSpliced(at, 1));
    }),
    smt: opaque,
  },
  {
    name: "mapOf",
    meaning:
      "the map of the entries; of equal keys the last value. Keys that are array indices come first, by their number, then the others, as they came",
    syntax: call,
    signatures: [{ params: [listPattern(entry)], result: map }],
    evaluate: strict(([a], { meter }) => {
      const entries = asList(a);
      meter.list(2 * entries.length);
      return mapOfPairs(entries.map((one) => [keyOfEntry(one), valueOfEntry(one)] as const));
    }),
    smt: opaque,
  },
  {
    name: "mapJoin",
    meaning: "the first map with the keys of the second set to its values, one after the other",
    syntax: call,
    signatures: [{ params: [map, map], result: map }],
    evaluate: strict(([a, b], { meter }) => {
      const entries = [...asList(a), ...asList(b)];
      meter.list(2 * entries.length);
      return mapOfPairs(entries.map((one) => [keyOfEntry(one), valueOfEntry(one)] as const));
    }),
    smt: opaque,
  },
  {
    name: "mapEntries",
    meaning: "the keys with their values, in JavaScript's order of keys",
    syntax: call,
    signatures: [{ params: [map], result: listPattern(entry) }],
    evaluate: strict(([a]) => asList(a)),
    smt: opaque,
  },
  {
    name: "mapKeys",
    meaning: "the keys, in JavaScript's order",
    syntax: call,
    signatures: [{ params: [map], result: listPattern(string) }],
    evaluate: parts(keyOfEntry),
    smt: opaque,
  },
  {
    name: "mapValues",
    meaning: "the values, in the order of their keys",
    syntax: call,
    signatures: [{ params: [map], result: listPattern(T) }],
    evaluate: parts(valueOfEntry),
    smt: opaque,
  },
  {
    name: "mapSize",
    meaning: "the number of keys",
    syntax: call,
    signatures: [{ params: [map], result: int }],
    evaluate: strict(([a]) => BigInt(asList(a).length)),
    smt: opaque,
  },
];

function parts(part: (entry: Value) => Value): Operator["evaluate"] {
  return strict(([a], { meter }) => {
    meter.list(asList(a).length);
    return list(asList(a).map(part));
  });
}

function lookedUp(entries: readonly Value[], key: string, meter: Meter): number {
  meter.charge(1 + entries.length);
  return findKey(entries, key);
}

function inherited(key: string): LimitReached {
  return new LimitReached("FC1411", `every object has \`${key}\`, and it is no entry of this one`);
}
