/**
 * The boundary: from whatever JavaScript hands over to values of the closed kind. The input may be a proxy that
 * lies, changes between two looks or throws; so each property is read once, through its descriptor, into a copy,
 * and no code of its own is called by name. Gives a value or a problem, and never throws.
 * Part of what must be trusted.
 */
import { numOfJs } from "../../ir/convert/js-number.ts";
import { type Json, JsonNumber } from "../../ir/json/json.ts";
import { quoted } from "../../ir/json/quoted.ts";
import { bits, decimalText, type Num } from "../../ir/number.ts";
import { isList, isRecord, list, record, type Value } from "../../ir/value.ts";
import { limits } from "../limits.ts";
import { type Decoded, decoded, Refused, refuse } from "../problem.ts";

export function decodeValue(input: unknown): Decoded<Value> {
  return decoded(() => new Reader().read(input, 0));
}

/** Throws `Refused`; for decoders that are made of this one. */
export function readValue(input: unknown): Value {
  return new Reader().read(input, 0);
}

/**
 * Reads what was read before and then written by the kernel, with names put around it and defaults filled in: it may
 * have outgrown the bounds of input by that, and a trace that cannot be read again would be lost.
 */
export function readWritten(json: Json): Value {
  return new Reader(limits.nodes * 10, limits.depth * 2).read(json, 0);
}

/** A string that can be hashed: no half of a surrogate pair, and not too long. */
export function checkText(text: string, most: number, what: string): void {
  if (text.length > most) refuse("limit", `${what} has more than ${most} code units`);
  if (!isWellFormed(text)) refuse("shape", `${what} has half of a surrogate pair`);
}

/** A number of the closed kind: a finite decimal that is not too long. */
export function checkNumber(number: Num): void {
  if (bits(number) > limits.numberBits) refuse("limit", `a number has more than ${limits.numberBits} bits`);
  if (typeof number !== "bigint" && decimalText(number) === undefined) {
    refuse("shape", "a number has no finite decimal form");
  }
}

function isWellFormed(text: string): boolean {
  // The first look is much quicker, and most texts have no surrogates at all.
  return !/[\ud800-\udfff]/.test(text) || !/\p{Cs}/u.test(text);
}

class Reader {
  #nodes = 0;
  readonly #around = new Set<object>();
  readonly #mostNodes: number;
  readonly #mostDepth: number;

  constructor(mostNodes: number = limits.nodes, mostDepth: number = limits.depth) {
    this.#mostNodes = mostNodes;
    this.#mostDepth = mostDepth;
  }

  read(input: unknown, depth: number): Value {
    this.#count(1);
    switch (typeof input) {
      case "string":
        checkText(input, limits.stringLength, "a string");
        this.#count(input.length >> 6);
        return input;
      case "number":
        return readNumber(input);
      case "boolean":
        return input;
      case "bigint":
        checkNumber(input);
        return input;
      case "object":
        return input === null ? null : this.#object(input, depth);
      case "undefined":
      case "function":
      case "symbol":
        return refuse(
          "shape",
          `${typeof input === "undefined" ? "`undefined`" : `a ${typeof input}`} is not data`,
        );
    }
  }

  #count(parts: number): void {
    this.#nodes += parts;
    if (this.#nodes > this.#mostNodes) refuse("limit", `a value has more than ${this.#mostNodes} parts`);
  }

  #object(input: object, depth: number): Value {
    if (JsonNumber.is(input)) {
      if (input.isNegativeZero) refuse("shape", "negative zero is not a number here");
      checkNumber(input.value);
      return input.value;
    }
    if (depth >= this.#mostDepth) refuse("limit", `a value is nested more than ${this.#mostDepth} deep`);
    if (this.#around.has(input)) refuse("shape", "a value contains itself");
    this.#around.add(input);
    const value = isPlainArray(input) ? this.#list(input, depth) : this.#record(input, depth);
    this.#around.delete(input);
    return value;
  }

  #list(input: object, depth: number): Value {
    return list(itemsOf(input, this.#mostNodes).map((item) => this.read(item, depth + 1)));
  }

  #record(input: object, depth: number): Value {
    const fields = fieldsOf(input, this.#mostNodes).map(([name, field]): [string, Value] => {
      checkText(name, limits.stringLength, "the name of a field");
      this.#count(name.length >> 6);
      return [name, this.read(field, depth + 1)];
    });
    return record(fields);
  }
}

function readNumber(input: number): Num {
  if (!Number.isFinite(input)) refuse("shape", `\`${input}\` is not a number that can be kept`);
  if (Object.is(input, -0)) refuse("shape", "negative zero is not a number here");
  // Above 2^53 a number may be what is left of another integer.
  if (Number.isInteger(input) && !Number.isSafeInteger(input)) {
    refuse("shape", `the integer \`${input}\` may not be exact as a number`);
  }
  return Number.isInteger(input) ? BigInt(input) : numOfJs(input);
}

// ── objects that we did not make ─────────────────────────────────────────────────────────────────────────

/** Whether it is a list and not an object; anything else is refused. */
export function isPlainArray(input: object): boolean {
  return guarded(() => {
    const prototype: unknown = Object.getPrototypeOf(input);
    const isArray = Array.isArray(input);
    if (isArray ? prototype === Array.prototype : prototype === Object.prototype || prototype === null) {
      return isArray;
    }
    return refuse("shape", "an object with a class of its own is not data");
  });
}

function itemsOf(input: object, most: number): unknown[] {
  return guarded(() => {
    const length: unknown = Reflect.getOwnPropertyDescriptor(input, "length")?.value;
    if (typeof length !== "number" || !(length >= 0)) return refuse("shape", "a list has no length");
    if (length > most) refuse("limit", `a list has more than ${most} items`);
    const items: unknown[] = [];
    for (let i = 0; i < length; i++) items.push(dataOf(input, String(i)));
    if (Reflect.ownKeys(input).length > length + 1)
      refuse("shape", "a list has properties besides its items");
    return items;
  });
}

/** The fields of a plain object, each read once. */
export function fieldsOf(input: object, most: number = limits.nodes): [string, unknown][] {
  return guarded(() => {
    const keys = Reflect.ownKeys(input);
    if (keys.length > most) refuse("limit", `an object has more than ${most} fields`);
    return keys.map((key): [string, unknown] => {
      if (typeof key === "symbol") return refuse("shape", "a property is named by a symbol");
      return [key, dataOf(input, key)];
    });
  });
}

function dataOf(input: object, key: string): unknown {
  const property = Reflect.getOwnPropertyDescriptor(input, key);
  if (property === undefined) return refuse("shape", "a list has a gap");
  // `hasOwn`, because anything can be found on a prototype that someone has tampered with.
  if (!Object.hasOwn(property, "value") || property.enumerable !== true) {
    refuse("shape", `the property ${quoted(key)} is computed or hidden`);
  }
  return property.value;
}

function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (Refused.is(thrown)) throw thrown;
    // What was thrown is theirs as well, and is not looked at.
    return refuse("shape", "an object threw an error when it was read");
  }
}

/** Whether a value that was put together from others is still within the bounds; throws `Refused`. */
export function checkSize(value: Value): void {
  let parts = 0;
  const visit = (one: Value, depth: number): void => {
    if (depth > limits.depth) refuse("limit", `a value is nested more than ${limits.depth} deep`);
    parts += typeof one === "string" ? 1 + (one.length >> 6) : 1;
    if (parts > limits.nodes) refuse("limit", `a value has more than ${limits.nodes} parts`);
    if (isList(one)) one.forEach((item) => visit(item, depth + 1));
    else if (isRecord(one)) {
      for (const [name, field] of Object.entries(one.fields)) {
        parts += name.length >> 6;
        visit(field, depth + 1);
      }
    }
  };
  visit(value, 0);
}
