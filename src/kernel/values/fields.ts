/**
 * Reads the fields of a record that came through the boundary: each is asked for once, and one that nobody asked
 * for is refused, so that a typing mistake is never a setting left out. Throws `Refused`.
 * Part of what must be trusted.
 */
import { quoted, quotedList } from "../../ir/json/quoted.ts";
import { isList, isRecord, type Value } from "../../ir/value.ts";
import { refuse } from "../problem.ts";
import { nameOf } from "./decode.ts";

export class Fields {
  readonly #fields: Readonly<Record<string, Value>>;
  readonly #asked = new Set<string>();
  readonly what: string;

  constructor(value: Value | undefined, what: string) {
    if (value === undefined || !isRecord(value)) refuse("shape", `${what} is not an object`);
    this.#fields = value.fields;
    this.what = what;
  }

  optional(name: string): Value | undefined {
    this.#asked.add(name);
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  required(name: string): Value {
    const value = this.optional(name);
    return value === undefined ? refuse("shape", `${this.what} has no ${quoted(name)}`) : value;
  }

  /** A name: a string that is not empty and not too long. */
  name(field: string): string {
    return nameOf(this.required(field), `\`${field}\` of ${this.what}`);
  }

  optionalName(field: string): string | undefined {
    const value = this.optional(field);
    return value === undefined ? undefined : nameOf(value, `\`${field}\` of ${this.what}`);
  }

  names(field: string): readonly string[] {
    const what = `\`${field}\` of ${this.what}`;
    const items = listOf(this.required(field), what).map((item) => nameOf(item, `an item of ${what}`));
    if (items.length === 0) refuse("shape", `${what} is empty`);
    return items;
  }

  list(field: string): readonly Value[] {
    return listOf(this.required(field), `\`${field}\` of ${this.what}`);
  }

  optionalList(field: string): readonly Value[] {
    const value = this.optional(field);
    return value === undefined ? [] : listOf(value, `\`${field}\` of ${this.what}`);
  }

  count(field: string): number {
    return countOf(this.required(field), `\`${field}\` of ${this.what}`);
  }

  optionalCount(field: string): number | undefined {
    const value = this.optional(field);
    return value === undefined ? undefined : countOf(value, `\`${field}\` of ${this.what}`);
  }

  oneOf<const T extends string>(field: string, words: readonly T[]): T {
    const value = this.required(field);
    const word = words.find((one) => one === value);
    if (word !== undefined) return word;
    return refuse("shape", `\`${field}\` of ${this.what} is not one of ${quotedList(words, quoted, 9)}`);
  }

  /** Every name that is there, for objects that are maps. */
  entries(): readonly (readonly [string, Value])[] {
    return Object.entries(this.#fields);
  }

  /** Refuses what was not asked for. */
  end(): void {
    const unknown = Object.keys(this.#fields).find((name) => !this.#asked.has(name));
    if (unknown !== undefined) refuse("shape", `${this.what} has an unknown field ${quoted(unknown)}`);
  }
}

function listOf(value: Value, what: string): readonly Value[] {
  return isList(value) ? value : refuse("shape", `${what} is not a list`);
}

export function countOf(value: Value, what: string): number {
  if (typeof value !== "bigint" || value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    return refuse("shape", `${what} is not a whole number from 0 to 2^53 - 1`);
  }
  return Number(value);
}
