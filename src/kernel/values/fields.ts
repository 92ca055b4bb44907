/**
 * Reads the fields of a record that came through the boundary: each is asked for once, and one that nobody asked
 * for is refused, so that a typing mistake is never an omitted setting. Throws `Refused`.
 * Part of what must be trusted.
 */
import { isList, isRecord, type Value } from "../../ir/index.ts";
import { refuse } from "../problem.ts";
import type { Part } from "../reasons.ts";
import { nameOf } from "./decode.ts";

export class Fields {
  readonly #fields: Readonly<Record<string, Value>>;
  readonly #asked = new Set<string>();
  readonly what: Part;

  constructor(value: Value | undefined, what: Part) {
    if (value === undefined || !isRecord(value)) refuse("not an object", { what });
    this.#fields = value.fields;
    this.what = what;
  }

  optional(name: string): Value | undefined {
    this.#asked.add(name);
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  required(name: string): Value {
    const value = this.optional(name);
    return value === undefined ? refuse("no field", { what: this.what, field: name }) : value;
  }

  /** A name: a string that is not empty and not too long. */
  name(field: string): string {
    return nameOf(this.required(field), ["field", field, this.what]);
  }

  optionalName(field: string): string | undefined {
    const value = this.optional(field);
    return value === undefined ? undefined : nameOf(value, ["field", field, this.what]);
  }

  names(field: string): readonly string[] {
    const what: Part = ["field", field, this.what];
    const items = listOf(this.required(field), what).map((item) => nameOf(item, ["item", what]));
    if (items.length === 0) refuse("is empty", { what });
    return items;
  }

  list(field: string): readonly Value[] {
    return listOf(this.required(field), ["field", field, this.what]);
  }

  optionalList(field: string): readonly Value[] {
    const value = this.optional(field);
    return value === undefined ? [] : listOf(value, ["field", field, this.what]);
  }

  count(field: string): number {
    return countOf(this.required(field), ["field", field, this.what]);
  }

  optionalCount(field: string): number | undefined {
    const value = this.optional(field);
    return value === undefined ? undefined : countOf(value, ["field", field, this.what]);
  }

  oneOf<const T extends string>(field: string, words: readonly T[]): T {
    const value = this.required(field);
    const word = words.find((one) => one === value);
    if (word !== undefined) return word;
    return refuse("not one of", { what: ["field", field, this.what], words });
  }

  /** Every name that is there, for objects that are maps. */
  entries(): readonly (readonly [string, Value])[] {
    return Object.entries(this.#fields);
  }

  /** Refuses what was not asked for. */
  end(): void {
    const unknown = Object.keys(this.#fields).find((name) => !this.#asked.has(name));
    if (unknown !== undefined) refuse("unknown field", { what: this.what, field: unknown });
  }
}

function listOf(value: Value, what: Part): readonly Value[] {
  return isList(value) ? value : refuse("not a list", { what });
}

export function countOf(value: Value, what: Part): number {
  if (typeof value !== "bigint" || value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    return refuse("not a count", { what });
  }
  return Number(value);
}
