/** Bodies of requests: read with a bound, strictly, and field by field. */
import { isDeepStrictEqual } from "node:util";
import {
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  quoted,
  readJson,
} from "../../ir/index.ts";
import type { Wire } from "../wire.ts";
import { Refusal } from "./codes.ts";
import { serviceLimits } from "./limits.ts";

/** The text of the body; refused as soon as it is longer, whatever its header says. */
export async function bodyText(
  request: Request,
  limitBytes: number = serviceLimits.bodyBytes,
): Promise<string> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw malformed("a body is sent as `content-type: application/json`");
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Left early, the stream is given up, and the rest is not read.
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw malformed("the body is not UTF-8");
  }
}

function tooLarge(limitBytes: number): Refusal {
  return new Refusal("FC4105", `a body has up to ${limitBytes} bytes`);
}

export function malformed(message: string): Refusal {
  return new Refusal("FC4104", message);
}

export interface TextRule {
  readonly longest: number;
  readonly pattern?: RegExp;
  /** What it has to be, in words. */
  readonly says?: string;
}

/** An object of a body: known fields only, each once. */
export class Fields {
  readonly #json: JsonObject;
  readonly #what: string;

  constructor(json: Json | undefined, what: string, known: readonly string[]) {
    if (json === undefined || !isJsonObject(json)) throw malformed(`${what} is an object`);
    const unknown = Object.keys(json).find((name) => !known.includes(name));
    if (unknown !== undefined) throw malformed(`${what} has no field ${quoted(unknown.slice(0, 60))}`);
    this.#json = json;
    this.#what = what;
  }

  static read(text: string, what: string, known: readonly string[]): Fields {
    const read = readJson(text);
    if (!read.ok) throw malformed(`the body is not JSON: ${read.problems[0]?.message ?? ""}`);
    return new Fields(read.value.value, what, known);
  }

  has(name: string): boolean {
    return this.#json[name] !== undefined && this.#json[name] !== null;
  }

  inner(name: string, known: readonly string[]): Fields {
    return new Fields(this.#json[name], `\`${name}\` of ${this.#what}`, known);
  }

  /** Each of a list, as an object. */
  each(name: string, most: number, known: readonly string[]): readonly Fields[] {
    const list = this.#json[name];
    if (list === undefined || !isJsonArray(list)) throw this.#wrong(name, "a list");
    if (list.length > most) throw this.#wrong(name, `a list of up to ${most}`);
    return list.map((one) => new Fields(one, `one of \`${name}\` of ${this.#what}`, known));
  }

  text(name: string, { longest, pattern, says }: TextRule): string {
    const value = this.#json[name];
    if (typeof value !== "string") throw this.#wrong(name, "a text");
    if (value.length > longest) throw this.#wrong(name, `a text of up to ${longest} characters`);
    // What cannot be written as UTF-8 would be kept as something else.
    if (/\p{Cs}/u.test(value)) throw this.#wrong(name, "a text of whole characters");
    if (pattern !== undefined && !pattern.test(value)) throw this.#wrong(name, says ?? "of its form");
    return value;
  }

  textOrNull(name: string, rule: TextRule): string | null {
    return this.has(name) ? this.text(name, rule) : null;
  }

  oneOf<const T extends string>(name: string, words: readonly T[]): T {
    const found = words.find((one) => one === this.#json[name]);
    if (found === undefined) throw this.#wrong(name, `one of ${words.map(quoted).join(", ")}`);
    return found;
  }

  whole(name: string): number {
    const value = this.#json[name];
    const number = JsonNumber.is(value) && typeof value.value === "bigint" ? Number(value.value) : -1;
    if (!Number.isSafeInteger(number) || number < 0) throw this.#wrong(name, "a whole number");
    return number;
  }

  /**
   * Any JSON.
   * SOUNDNESS: a page and a program in JavaScript see a number as the nearest double, so one that is none would be shown
   * as another than what is approved, and is refused.
   */
  data(name: string, longest: number): { readonly [name: string]: Wire } {
    const value = this.#json[name];
    if (value === undefined || !isJsonObject(value)) throw this.#wrong(name, "an object");
    const plain = plainOf(value);
    if (JSON.stringify(plain).length > longest)
      throw this.#wrong(name, `an object of up to ${longest} characters`);
    return plain;
  }

  #wrong(name: string, what: string): Refusal {
    return malformed(`\`${name}\` of ${this.#what} is not ${what}`);
  }
}

function plainOf(json: JsonObject): { readonly [name: string]: Wire } {
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(json: Json): Wire {
  if (JsonNumber.is(json)) return plainNumber(json);
  if (isJsonArray(json)) return json.map(plainValue);
  if (isJsonObject(json)) return plainOf(json);
  return json;
}

function plainNumber(number: JsonNumber): number {
  const double = Number(number.text);
  const again = Number.isFinite(double) ? readJson(JSON.stringify(double)) : undefined;
  const isExact =
    again?.ok === true &&
    JsonNumber.is(again.value.value) &&
    isDeepStrictEqual(again.value.value.value, number.value);
  if (isExact) return double;
  const help = "write it with fewer digits";
  throw new Refusal("FC4112", `the number \`${number.text.slice(0, 60)}\` cannot be shown exactly`, help);
}
