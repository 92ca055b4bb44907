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
  let text = "";
  writeCanonicalJson(value, (chunk) => {
    text += chunk;
  });
  return text;
}

/** The same text in pieces, for one that is too long to be held at once. */
export function writeCanonicalJson(value: PlainJson, sink: (chunk: string) => void): void {
  const writer = new Writer(sink);
  writer.write(value);
  writer.flush();
}

const chunkLength = 1 << 16;

class Writer {
  readonly #sink: (chunk: string) => void;
  #chunk = "";

  constructor(sink: (chunk: string) => void) {
    this.#sink = sink;
  }

  flush(): void {
    this.#sink(this.#chunk);
    this.#chunk = "";
  }

  write(value: unknown): void {
    if (this.#chunk.length > chunkLength) this.flush();
    switch (typeof value) {
      case "boolean":
        this.#chunk += value ? "true" : "false";
        return;
      case "number":
        this.#chunk += numberText(value);
        return;
      case "string":
        this.#chunk += stringText(value);
        return;
      case "object":
        if (value === null) this.#chunk += "null";
        else if (Array.isArray(value)) this.#array(value);
        else this.#object(value);
        return;
      default:
        throw new TypeError(`no canonical JSON for a value of kind ${typeof value}`);
    }
  }

  #array(items: readonly unknown[]): void {
    if (Object.getPrototypeOf(items) !== Array.prototype)
      throw new TypeError("no canonical JSON for this array");
    // With every index there, a further key is a property of the array's own, next to `length`.
    if (Reflect.ownKeys(items).length > items.length + 1)
      throw new TypeError("an array with further properties");
    this.#chunk += "[";
    for (let i = 0; i < items.length; i++) {
      if (i > 0) this.#chunk += ",";
      this.write(dataProperty(items, i));
    }
    this.#chunk += "]";
  }

  #object(object: object): void {
    const prototype = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null)
      throw new TypeError("an object with a prototype");
    const keys = Reflect.ownKeys(object);
    if (keys.some((key) => typeof key === "symbol")) throw new TypeError("a property named by a symbol");
    // Without a comparison `sort` is by UTF-16 code units, as the RFC asks.
    keys.sort();
    this.#chunk += "{";
    let separator = "";
    for (const key of keys) {
      this.#chunk += `${separator}${stringText(String(key))}:`;
      separator = ",";
      this.write(dataProperty(object, key));
    }
    this.#chunk += "}";
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

/** Does not run a getter. */
function dataProperty(of: object, key: string | symbol | number): unknown {
  const property = Reflect.getOwnPropertyDescriptor(of, key);
  if (property === undefined) throw new TypeError("a gap in an array");
  if (!Object.hasOwn(property, "value") || property.enumerable !== true) {
    throw new TypeError("an accessor or a hidden property");
  }
  return property.value;
}
