/**
 * The boundary: from whatever JavaScript hands over to values of the closed kind. The input may be a proxy that
 * lies, changes between two looks or throws; so each property is read once, through its descriptor, into a copy,
 * and no code of its own is called by name. Gives a value or a problem, and never throws.
 * Part of what must be trusted.
 */
import {
  bits,
  decimalText,
  isList,
  isRecord,
  type Json,
  JsonNumber,
  list,
  type Num,
  numOfJs,
  record,
  type Value,
} from "../../ir/index.ts";
import { limits } from "../limits.ts";
import { type Decoded, decoded, refuse } from "../problem.ts";
import type { Part } from "../reasons.ts";

export function decodeValue(input: unknown): Decoded<Value> {
  return decoded(() => readValue(input));
}

/** Throws `Refused`; for decoders that are made of this one. */
export function readValue(input: unknown): Value {
  return new Reader().read(input);
}

/**
 * Reads what was read before and then written by the kernel, with names put around it and defaults filled in: it may
 * have outgrown the bounds of input by that, and a trace that cannot be read again would be lost.
 */
export function readWritten(json: Json): Value {
  return writtenReader().read(json);
}

export function writtenReader(): Reader {
  return new Reader(limits.nodes * 10, limits.depth * 2);
}

/** A string that can be hashed: no half of a surrogate pair, and not too long. */
export function checkText(text: string, most: number, what: Part): void {
  if (text.length > most) refuse("text too long", { what, most });
  if (!isWellFormed(text)) refuse("half a pair", { what });
}

export function nameOf(value: unknown, what: Part): string {
  if (typeof value !== "string" || value === "") return refuse("not a name", { what });
  checkText(value, limits.nameLength, what);
  return value;
}

/** A number of the closed kind: a finite decimal that is not too long. */
export function checkNumber(number: Num): void {
  if (bits(number) > limits.numberBits) refuse("number too long", { most: limits.numberBits });
  if (typeof number !== "bigint" && decimalText(number) === undefined) {
    refuse("no decimal form");
  }
}

function isWellFormed(text: string): boolean {
  // The first looks are much quicker, and most texts have no surrogates at all.
  if (text.length > shortText) return !/[\ud800-\udfff]/.test(text) || !/\p{Cs}/u.test(text);
  for (let i = 0; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xf800) === 0xd800) return !/\p{Cs}/u.test(text);
  }
  return true;
}

const shortText = 48;

/**
 * Reads one input. Decoders that know which fields to expect open its objects and lists themselves, and everything counts
 * towards the same bounds. After a refusal, a reader is of no further use.
 */
export class Reader {
  #nodes = 0;
  /** The objects and lists that are open, and how many. With room for what most actions need: to grow takes longer. */
  readonly #around: (object | undefined)[] = [undefined, undefined, undefined, undefined];
  #depth = 0;
  readonly #mostNodes: number;
  readonly #mostDepth: number;

  constructor(mostNodes: number = limits.nodes, mostDepth: number = limits.depth) {
    this.#mostNodes = mostNodes;
    this.#mostDepth = mostDepth;
  }

  read(input: unknown): Value {
    switch (typeof input) {
      case "string":
        return this.text(input);
      case "number":
        this.#count(1);
        return readNumber(input);
      case "boolean":
        this.#count(1);
        return input;
      case "bigint":
        this.#count(1);
        checkNumber(input);
        return input;
      case "object":
        if (input !== null) return this.#object(input);
        this.#count(1);
        return null;
      case "undefined":
      case "function":
      case "symbol":
        return refuse("not data", { kind: typeof input });
    }
  }

  text(input: string): string {
    this.#count(1 + (input.length >> 6));
    checkText(input, limits.stringLength, "string");
    return input;
  }

  /** A name: a string that is not empty and not too long. */
  name(input: unknown, what: Part): string {
    this.#count(1);
    return nameOf(input, what);
  }

  /** The names of an object's fields, each to be asked for once with `dataOf`; `close` it then. */
  open(input: unknown, what: Part): readonly string[] {
    if (typeof input !== "object" || input === null || isPlainArray(input)) {
      return refuse("not an object", { what });
    }
    this.#enter(input);
    return namesOf(input, this.#mostNodes);
  }

  /** Refuses a field that a decoder does not know. */
  unknown(name: string, what: Part): never {
    checkText(name, limits.stringLength, "field name");
    return refuse("unknown field", { what, field: name });
  }

  /** Opens a list and returns its length; read each item once with `itemOf`, then `close` the list. */
  openList(input: unknown, what: Part): number {
    if (typeof input !== "object" || input === null || !isPlainArray(input)) {
      return refuse("not a list", { what });
    }
    this.#enter(input);
    return lengthOf(input, this.#mostNodes);
  }

  close(): void {
    this.#depth--;
  }

  #count(parts: number): void {
    this.#nodes += parts;
    if (this.#nodes > this.#mostNodes) refuse("too many parts", { most: this.#mostNodes });
  }

  #enter(input: object): void {
    this.#count(1);
    const [around, depth] = [this.#around, this.#depth];
    if (depth >= this.#mostDepth) refuse("nested too deep", { most: this.#mostDepth });
    for (let i = 0; i < depth; i++) if (around[i] === input) refuse("contains itself");
    around[depth] = input;
    this.#depth = depth + 1;
  }

  #namesOf(input: object): readonly string[] {
    const names = namesOf(input, this.#mostNodes);
    for (const name of names) {
      checkText(name, limits.stringLength, "field name");
      if (name.length >= 64) this.#count(name.length >> 6);
    }
    return names;
  }

  #object(input: object): Value {
    if (JsonNumber.is(input)) {
      this.#count(1);
      if (input.isNegativeZero) refuse("negative zero");
      checkNumber(input.value);
      return input.value;
    }
    const isArray = isPlainArray(input);
    this.#enter(input);
    const value = isArray
      ? list(this.#itemsOf(input))
      : record(this.#namesOf(input).map((name) => [name, this.read(dataOf(input, name))] as const));
    this.close();
    return value;
  }

  #itemsOf(input: object): Value[] {
    const length = lengthOf(input, this.#mostNodes);
    const items: Value[] = [];
    for (let i = 0; i < length; i++) items.push(this.read(itemOf(input, i)));
    return items;
  }
}

function readNumber(input: number): Num {
  if (Object.is(input, -0)) refuse("negative zero");
  const small = smallIntegers[input];
  if (small !== undefined) return small;
  if (Number.isSafeInteger(input)) return BigInt(input);
  if (!Number.isFinite(input)) refuse("not finite", { number: String(input) });
  // Above 2^53 a number may be what is left of another integer.
  if (Number.isInteger(input)) refuse("not exact", { number: String(input) });
  const number = numOfJs(input);
  // INVARIANT: what is taken here must be taken again when the entry is read.
  checkNumber(number);
  return number;
}

/** Made once: to make one takes longer than to find it. */
const smallIntegers = Array.from({ length: 256 }, (_, i) => BigInt(i));

// ── objects that we did not make ─────────────────────────────────────────────────────────────────────────
// Each look at one is on its own guarded: it may be a proxy that throws. What it throws is its own as well, and is
// not looked at.

/** Returns true for an array and false for a plain object; refuses anything else. */
export function isPlainArray(input: object): boolean {
  let prototype: unknown;
  let isArray: boolean;
  try {
    prototype = Object.getPrototypeOf(input);
    isArray = Array.isArray(input);
  } catch {
    return threw();
  }
  if (isArray ? prototype === Array.prototype : prototype === Object.prototype || prototype === null) {
    return isArray;
  }
  return refuse("class of its own");
}

/** The names of all properties; one that is named by a symbol is refused. */
export function namesOf(input: object, most: number = limits.nodes): readonly string[] {
  let names: readonly string[];
  let symbols: readonly symbol[];
  try {
    names = Object.getOwnPropertyNames(input);
    symbols = Object.getOwnPropertySymbols(input);
  } catch {
    return threw();
  }
  if (symbols.length > 0) refuse("symbol property");
  if (names.length > most) refuse("too many fields", { most });
  return names;
}

/** Reads a property, which must be a plain data property; never calls a getter. */
export function dataOf(input: object, key: string): unknown {
  let property: PropertyDescriptor | undefined;
  try {
    property = Object.getOwnPropertyDescriptor(input, key);
  } catch {
    return threw();
  }
  if (property === undefined) return refuse("list with a gap");
  // A getter or a setter; where both are undefined there is no value, and `undefined` is not data either.
  if (property.get !== undefined || property.set !== undefined || property.enumerable !== true) {
    refuse("computed property", { key });
  }
  return property.value;
}

/** Reads an element of a list. */
export function itemOf(input: object, position: number): unknown {
  return dataOf(input, positions[position] ?? String(position));
}

/**
 * Returns the length of a list that has no other properties: the indices come first and in order, then the length.
 */
function lengthOf(input: object, most: number): number {
  const length = sizeOf(input);
  if (typeof length !== "number" || !(length >= 0)) return refuse("list without length");
  if (length > most) refuse("too many items", { most });
  const keys = keysOf(input);
  for (let i = 0; i < length; i++) {
    if (keys[i] !== (positions[i] ?? String(i))) refuse("list with a gap");
  }
  if (keys.length !== length + 1) refuse("list with properties");
  return length;
}

/** Names and symbols: one look is quicker for a list, and two for an object. */
function keysOf(input: object): readonly (string | symbol)[] {
  try {
    return Reflect.ownKeys(input);
  } catch {
    return threw();
  }
}

const positions = Array.from({ length: 32 }, (_, i) => String(i));

function sizeOf(input: object): unknown {
  try {
    return Reflect.get(input, "length");
  } catch {
    return threw();
  }
}

/** The fields of a plain object, each read once. */
export function fieldsOf(input: object, most: number = limits.nodes): [string, unknown][] {
  return namesOf(input, most).map((name) => [name, dataOf(input, name)]);
}

function threw(): never {
  return refuse("threw when read");
}

/** Checks that a composed value is still within the limits; throws `Refused`. */
export function checkSize(value: Value): void {
  let parts = 0;
  const visit = (one: Value, depth: number): void => {
    if (depth > limits.depth) refuse("nested too deep", { most: limits.depth });
    parts += typeof one === "string" ? 1 + (one.length >> 6) : 1;
    if (parts > limits.nodes) refuse("too many parts", { most: limits.nodes });
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
