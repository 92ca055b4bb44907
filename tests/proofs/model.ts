/** The model that was extracted from proofs/kernel, and the texts that it reads and writes. */
import { createRequire } from "node:module";

interface ExtractedKernel {
  readonly open: (text: string) => string;
  readonly step: (text: string) => string;
  readonly drop: (text: string) => string;
}

export const model: ExtractedKernel = createRequire(import.meta.url)("../../proofs/kernel/model.cjs");

/** A text as the model reads it: an atom is its length in bytes and its bytes, a list stands in parentheses. */
export type Tree = string | Tree[];

export function atom(text: string | number): string {
  const bytes = Buffer.from(String(text), "utf8").toString("latin1");
  return `${bytes.length}:${bytes}`;
}

export function items(...parts: readonly string[]): string {
  return `(${parts.join("")})`;
}

/** Whole numbers are in binary, as Coq has them. */
export function whole(number: bigint | number): string {
  return atom(BigInt(number).toString(2));
}

export function optional<T>(value: T | undefined, text: (value: T) => string): string {
  return value === undefined ? items() : items(text(value));
}

export function flag(value: boolean): string {
  return atom(value ? 1 : 0);
}

export function parse(text: string): Tree {
  let at = 0;
  const one = (): Tree => {
    if (text[at] === "(") {
      at++;
      const list: Tree[] = [];
      while (text[at] !== ")") list.push(one());
      at++;
      return list;
    }
    const colon = text.indexOf(":", at);
    const start = colon + 1;
    at = start + Number(text.slice(at, colon));
    return text.slice(start, at);
  };
  return one();
}

/** A rational number in lowest terms. */
export type Exact = readonly [num: bigint, den: bigint];

/** Reads a decimal by itself, so that the kernel's reading of it is compared as well. */
export function exact(given: string | number): Exact {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(given));
  if (match === null) throw new TypeError(`not a decimal: ${given}`);
  const [, sign, digits = "", fraction = ""] = match;
  return lowest(BigInt(`${sign}${digits}${fraction}`), 10n ** BigInt(fraction.length));
}

function lowest(num: bigint, den: bigint): Exact {
  let [a, b] = [num < 0n ? -num : num, den];
  while (b !== 0n) [a, b] = [b, a % b];
  return [num / a, den / a];
}

/** The number of quanta in an amount; undefined for a negative one and for a fraction of a quantum. */
export function quanta(amount: string | number, [num, den]: Exact): bigint | undefined {
  const [top, bottom] = exact(amount);
  const units = [top * den, bottom * num] as const;
  return units[0] < 0n || units[0] % units[1] !== 0n ? undefined : units[0] / units[1];
}

/** A number that JavaScript's own would round. */
export class LongNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function number([num, den]: Exact): string {
  return whole(num) + whole(den);
}

/** A JSON value, read from what the test gave and not from what the kernel made of it. */
export function jsonValue(value: unknown): string {
  if (value === null) return items(atom("z"));
  if (typeof value === "boolean") return items(atom("b"), flag(value));
  if (typeof value === "number") return items(atom("n"), number(exact(value)));
  if (value instanceof LongNumber) return items(atom("n"), number(exact(value.text)));
  if (typeof value === "string") return items(atom("s"), atom(value));
  if (Array.isArray(value)) return items(atom("l"), ...value.map(jsonValue));
  const fields = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
  return items(atom("r"), ...fields.map(([name, field]) => items(atom(name), jsonValue(field))));
}

/** The receipt of a step or of a reservation; none for any other text. */
export function receipt(text: unknown): string {
  const match = /^([rs])([1-9][0-9]{0,14})-([0-9a-f]{64})$/.exec(String(text));
  if (match === null) return items();
  const [, kind = "", place = "", hash = ""] = match;
  return items(atom(kind), whole(BigInt(place)), atom(hash));
}
