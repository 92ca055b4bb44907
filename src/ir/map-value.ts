/**
 * Values of maps: lists of `{ key, value }` without a key twice, in the order in which JavaScript lists the keys of an
 * object. That order is a function of the keys and of when each was added, so equal maps are equal lists.
 * Part of what must be trusted.
 */
import { isRecord, list, record, type Value } from "./value.ts";

/** The names that every object of JavaScript has without owning them. */
export const inheritedNames: ReadonlySet<string> = new Set([
  "__proto__",
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
]);

/** The position that JavaScript lists the key at before all others: its number, if it is an array index. */
export function indexOfKey(key: string): number | undefined {
  if (!/^(0|[1-9][0-9]{0,9})$/.test(key)) return undefined;
  const index = Number(key);
  return index < 2 ** 32 - 1 ? index : undefined;
}

export function entryOf(key: string, value: Value): Value {
  return record([
    ["key", key],
    ["value", value],
  ]);
}

export function keyOfEntry(entry: Value): string {
  const key = isRecord(entry) ? entry.fields.key : undefined;
  if (typeof key === "string") return key;
  throw new TypeError("an entry of a map has no key");
}

export function valueOfEntry(entry: Value): Value {
  const value = isRecord(entry) ? entry.fields.value : undefined;
  if (value !== undefined) return value;
  throw new TypeError("an entry of a map has no value");
}

/** The position of the key's entry, or -1. */
export function findKey(entries: readonly Value[], key: string): number {
  return entries.findIndex((entry) => keyOfEntry(entry) === key);
}

/** The map with the key set: in its place if it has the key, otherwise where JavaScript lists it. */
export function withEntry(entries: readonly Value[], key: string, value: Value): readonly Value[] {
  const at = findKey(entries, key);
  const entry = entryOf(key, value);
  if (at >= 0) return list(entries.with(at, entry));
  return list(entries.toSpliced(placeFor(entries, key), 0, entry));
}

function placeFor(entries: readonly Value[], key: string): number {
  const index = indexOfKey(key);
  if (index === undefined) return entries.length;
  const after = entries.findIndex((entry) => {
    const other = indexOfKey(keyOfEntry(entry));
    return other === undefined || other > index;
  });
  return after < 0 ? entries.length : after;
}

/** A map of pairs: of equal keys the last value wins, at the place of the first. */
export function mapOfPairs(pairs: Iterable<readonly [string, Value]>): readonly Value[] {
  const found = new Map<string, Value>();
  for (const [key, value] of pairs) found.set(key, value);
  const keys = [...found.keys()];
  const first = keys
    .filter((key) => indexOfKey(key) !== undefined)
    .sort((a, b) => (indexOfKey(a) ?? 0) - (indexOfKey(b) ?? 0));
  const rest = keys.filter((key) => indexOfKey(key) === undefined);
  return list([...first, ...rest].map((key) => entryOf(key, found.get(key) ?? null)));
}

/** Returns true if the keys are distinct and in JavaScript's order. */
export function isInKeyOrder(entries: readonly Value[]): boolean {
  const keys = entries.map(keyOfEntry);
  if (new Set(keys).size !== keys.length) return false;
  return keys.every((key, i) => {
    const before = keys[i - 1];
    const index = indexOfKey(key);
    if (before === undefined || index === undefined) return true;
    const other = indexOfKey(before);
    return other !== undefined && other < index;
  });
}
