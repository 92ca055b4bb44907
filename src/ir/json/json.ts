/**
 * JSON as data: numbers are exact, objects have no prototype, so every key is a key like any other.
 * Part of what must be trusted.
 */
import type { Num } from "../number.ts";

export type Json = null | boolean | JsonNumber | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * A number as it was read. A class, because an object of the text could otherwise look like a number: only
 * what the constructor made has the private mark.
 */
export class JsonNumber {
  readonly value: Num;
  /** As written: `-0` and `0` have one value, and not every reader may take them for the same. */
  readonly text: string;
  readonly #mark = true;

  constructor(value: Num, text: string) {
    this.value = value;
    this.text = text;
    Object.freeze(this);
  }

  static is(x: unknown): x is JsonNumber {
    return typeof x === "object" && x !== null && #mark in x;
  }

  get isNegativeZero(): boolean {
    return this.value === 0n && this.text.startsWith("-");
  }
}

export function isJsonArray(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

export function isJsonObject(json: Json): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json) && !JsonNumber.is(json);
}
