/** Reads numbers exactly. Part of what must be trusted. */
import { quoted } from "../json/quoted.ts";
import { bits, type Num, ratio } from "../number.ts";
import type { Token } from "./lexer.ts";
import type { Reader } from "./reader.ts";

/** The number that a token writes. */
export function readNumber(reader: Reader, { text, start, end }: Token): Num {
  const point = text.indexOf(".");
  const places = point === -1 ? 0 : text.length - point - 1;
  if (tooLong(reader, text.length, start, end)) return 0n;
  if (places === 0) return checked(reader, BigInt(text), start, end);
  const digits = BigInt(text.slice(0, point) + text.slice(point + 1));
  return checked(reader, ratio(digits, 10n ** BigInt(places)), start, end);
}

/** `(a, b)`, after the word `ratio`, which starts at `start`. */
export function readRatio(reader: Reader, start: number): Num {
  reader.expect("(", "after `ratio`");
  const num = readInteger(reader, "the numerator of `ratio`");
  reader.expect(",", "between the two numbers of `ratio`");
  const divisor = reader.token;
  const den = readInteger(reader, "the denominator of `ratio`");
  if (den === 0n) {
    const message = "the denominator of `ratio` is zero";
    reader.report("FC1004", divisor.start, reader.end, message, "write another one");
  }
  reader.expect(")", "to close `ratio`");
  return checked(reader, ratio(num ?? 0n, den === undefined || den === 0n ? 1n : den), start, reader.end);
}

function readInteger(reader: Reader, what: string): bigint | undefined {
  const negative = reader.skip("-");
  const { token } = reader;
  if (token.kind !== "number") {
    reader.failExpected(`${what}, an integer`);
    return undefined;
  }
  reader.take();
  if (token.text.includes(".")) {
    const message = `${what} is ${quoted(token.text)}, which is no integer`;
    reader.report("FC1004", token.start, token.end, message, "write both as integers: `ratio(1, 3)`");
    return undefined;
  }
  if (tooLong(reader, token.text.length, token.start, token.end)) return undefined;
  const value = BigInt(token.text);
  return negative ? -value : value;
}

/** LIMIT: asked before the digits become a number, since that takes more than linear time. */
function tooLong(reader: Reader, digits: number, start: number, end: number): boolean {
  // A decimal digit is a little more than 3.32 bits. Short decimals are looked at exactly, whatever the limit:
  // a fraction in lowest terms can have fewer bits than the digits that write it.
  if (digits <= Math.max(64, Math.ceil(reader.limits.numberBits / 3.32) + 1)) return false;
  reportBits(reader, start, end);
  return true;
}

function checked(reader: Reader, value: Num, start: number, end: number): Num {
  if (bits(value) <= reader.limits.numberBits) return value;
  reportBits(reader, start, end);
  return 0n;
}

function reportBits(reader: Reader, start: number, end: number): void {
  reader.report("FC1406", start, end, `the number has more than ${reader.limits.numberBits} bits`);
}
