/**
 * The only place that touches objects we did not make. They may be proxies that lie, change between two
 * looks, or throw: so each property is read once, through its descriptor, into a copy; no getter, `toJSON` or
 * other code of theirs is called by name; and what proxies throw becomes a problem.
 * Part of what must be trusted.
 */
import type { Trail } from "../diagnostic.ts";
import { JsonNumber } from "../json/json.ts";
import { quoted } from "../json/quoted.ts";
import type { Conversion } from "./conversion.ts";

/** The kind of a JavaScript value, from one look at it. */
export type Look =
  | { readonly kind: "list" | "object"; readonly words: string; readonly object: object }
  | { readonly kind: "scalar" | "not data"; readonly words: string }
  | { readonly kind: "foreign"; readonly words: string; readonly help: string };

export function look(input: unknown): Look {
  switch (typeof input) {
    case "undefined":
      return { kind: "not data", words: "`undefined`" };
    case "function":
    case "symbol":
      return { kind: "not data", words: `a ${typeof input}` };
    case "object":
      return input === null ? { kind: "scalar", words: "`null`" } : lookAtObject(input);
    default:
      return { kind: "scalar", words: `a ${typeof input}` };
  }
}

/** The items of what looked like a list; undefined, with a problem noted, if it is not one throughout. */
export function readItems(list: object, conversion: Conversion, trail: Trail): unknown[] | undefined {
  return guarded(conversion, trail, () => {
    const length: unknown = Reflect.getOwnPropertyDescriptor(list, "length")?.value;
    if (typeof length !== "number" || !Number.isInteger(length) || length < 0) {
      return conversion.fail("FC1605", trail, "the list has no length", plainData);
    }
    // LIMIT: before the loop, since a list can be long without holding anything.
    if (!conversion.fitsLength(length, trail)) return undefined;
    const items: unknown[] = [];
    for (let i = 0; i < length; i++) {
      const property = Reflect.getOwnPropertyDescriptor(list, i);
      if (property === undefined) return conversion.fail("FC1611", trail.at(i), `the list has a gap at ${i}`);
      if (!isData(property)) return failProperty(i, conversion, trail);
      items.push(property.value);
    }
    const keys = Reflect.ownKeys(list);
    // Every index is there, and `length`: whatever comes on top is a property of the list's own.
    if (keys.length <= length + 1) return items;
    const extra = keys.find((key) => key !== "length" && !(typeof key === "string" && isIndex(key, length)));
    if (extra === undefined) return items;
    if (typeof extra === "symbol") return failProperty(extra, conversion, trail);
    return conversion.fail(
      "FC1609",
      trail.at(extra),
      `the list has a property ${quoted(extra)} besides its items`,
    );
  });
}

/** The fields of what looked like an object; undefined, with a problem noted, if it has anything else. */
export function readFields(
  object: object,
  conversion: Conversion,
  trail: Trail,
): Map<string, unknown> | undefined {
  return guarded(conversion, trail, () => {
    const fields = new Map<string, unknown>();
    const keys = Reflect.ownKeys(object);
    if (!conversion.fitsNodes(keys.length, trail)) return undefined;
    for (const key of keys) {
      const property = Reflect.getOwnPropertyDescriptor(object, key);
      if (typeof key === "symbol" || !isData(property)) return failProperty(key, conversion, trail);
      fields.set(key, property.value);
    }
    return fields;
  });
}

function lookAtObject(input: object): Look {
  if (JsonNumber.is(input)) return { kind: "scalar", words: "a number" };
  try {
    const prototype: unknown = Object.getPrototypeOf(input);
    // An array of another realm is foreign too: nothing says what its prototype does.
    if (Array.isArray(input) && prototype === Array.prototype) {
      return { kind: "list", words: "a list", object: input };
    }
    if (!Array.isArray(input) && (prototype === Object.prototype || prototype === null)) {
      return { kind: "object", words: "an object", object: input };
    }
    const [words, help] = foreigners.get(prototype) ?? ["an object that has a class", plainData];
    return { kind: "foreign", words, help };
  } catch {
    return { kind: "not data", words: "an object that cannot be read" };
  }
}

const plainData = "use plain objects, arrays, strings, numbers, booleans and `null`";

/** Known by identity, because to ask an object for its class would run its code. */
const foreigners = new Map<unknown, readonly [words: string, help: string]>([
  // biome-ignore lint/style/noRestrictedGlobals: the class is recognized, no time is taken from it
  [Date.prototype, ["a `Date`", "use its `toISOString()` or `getTime()`"]],
  [Map.prototype, ["a `Map`", "use a list of objects"]],
  [Set.prototype, ["a `Set`", "use a list: `[...set]`"]],
  [Promise.prototype, ["a `Promise`", "`await` it"]],
  [Error.prototype, ["an `Error`", "throw it, or use its `message`"]],
  [String.prototype, ["a `String` object", "use the string itself"]],
  [Number.prototype, ["a `Number` object", "use the number itself"]],
  [Boolean.prototype, ["a `Boolean` object", "use the boolean itself"]],
]);

function guarded<T>(conversion: Conversion, trail: Trail, read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    // What was thrown is theirs as well, and is not looked at.
    return conversion.fail("FC1605", trail, "the object threw an error when it was read", plainData);
  }
}

/** `hasOwn`, because anything can be found on a prototype that someone has tampered with. */
function isData(property: PropertyDescriptor | undefined): property is PropertyDescriptor {
  return property !== undefined && Object.hasOwn(property, "value") && property.enumerable === true;
}

function failProperty(key: string | number | symbol, conversion: Conversion, trail: Trail): undefined {
  const help = "use ordinary fields with plain values";
  if (typeof key === "symbol")
    return conversion.fail("FC1612", trail, "a property is named by a symbol", help);
  const message = `property ${quoted(String(key))} is computed or hidden`;
  return conversion.fail("FC1612", trail.at(key), message, help);
}

function isIndex(key: string, length: number): boolean {
  return String(Number(key)) === key && Number(key) < length;
}
