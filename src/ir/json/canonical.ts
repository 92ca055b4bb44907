/**
 * The one text of plain data: JSON in the canonical form of RFC 8785. Different data has different text.
 * Whatever is not plain data is a fault of ours, never of a user, and throws.
 * Part of what must be trusted: programs are named by the hash of this text.
 */
export type PlainJson = null | boolean | number | string | readonly PlainJson[] | PlainObject;

export interface PlainObject {
  readonly [key: string]: PlainJson;
}

export function canonicalJson(value: PlainJson): string {
  const out: string[] = [];
  write(value, out);
  return out.join("");
}

function write(value: unknown, out: string[]): void {
  switch (typeof value) {
    case "boolean":
      out.push(value ? "true" : "false");
      return;
    case "number":
      out.push(numberText(value));
      return;
    case "string":
      out.push(stringText(value));
      return;
    case "object":
      if (value === null) out.push("null");
      else if (Array.isArray(value)) writeArray(value, out);
      else writeObject(value, out);
      return;
    default:
      throw new TypeError(`no canonical JSON for a value of kind ${typeof value}`);
  }
}

/** The RFC takes its numbers from ECMAScript, so `String` is the definition. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError("no canonical JSON for a number that is not finite");
  // The RFC writes `0` for it, and two values would have one text.
  if (Object.is(value, -0)) throw new TypeError("no canonical JSON for negative zero");
  return String(value);
}

/**
 * The RFC takes its strings from `JSON.stringify` too, but has no answer for half a surrogate pair, which our
 * strings may hold. `JSON.stringify` writes it as an escape, `\ud800`, that no other string is written with.
 */
function stringText(value: string): string {
  return JSON.stringify(value);
}

function writeArray(items: readonly unknown[], out: string[]): void {
  if (Object.getPrototypeOf(items) !== Array.prototype)
    throw new TypeError("no canonical JSON for this array");
  // With every index there, a further key is a property of the array's own, next to `length`.
  if (Reflect.ownKeys(items).length > items.length + 1)
    throw new TypeError("an array with further properties");
  out.push("[");
  for (let i = 0; i < items.length; i++) {
    if (i > 0) out.push(",");
    write(dataProperty(items, i), out);
  }
  out.push("]");
}

function writeObject(object: object, out: string[]): void {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError("an object with a prototype");
  const keys = Reflect.ownKeys(object).map((key) => {
    if (typeof key === "symbol") throw new TypeError("a property named by a symbol");
    return key;
  });
  // Without a comparison `sort` is by UTF-16 code units, as the RFC asks.
  keys.sort();
  out.push("{");
  keys.forEach((key, i) => {
    out.push(i > 0 ? "," : "", stringText(key), ":");
    write(dataProperty(object, key), out);
  });
  out.push("}");
}

/** Does not run a getter. */
function dataProperty(of: object, key: string | number): unknown {
  const property = Reflect.getOwnPropertyDescriptor(of, key);
  if (property === undefined) throw new TypeError("a gap in an array");
  if (!Object.hasOwn(property, "value") || property.enumerable !== true) {
    throw new TypeError("an accessor or a hidden property");
  }
  return property.value;
}
