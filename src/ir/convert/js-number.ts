/**
 * A JavaScript number stands for the exact value of its shortest decimal form: `0.1` is one tenth.
 * Both directions side by side, because each must undo the other. Part of what must be trusted.
 */
import { bits, decimalText, denominator, type Num, numerator, parseNum } from "../number.ts";
import { equal } from "../value.ts";

/** The number must be finite. */
export function numOfJs(n: number): Num {
  const x = parseNum(String(n), enoughBits);
  if (x === undefined) throw new RangeError(`${n} is not a finite number`);
  return x;
}

/** The JavaScript number that stands for exactly this value, if there is one. */
export function jsOfNum(x: Num): number | undefined {
  if (typeof x === "bigint" && x >= Number.MIN_SAFE_INTEGER && x <= Number.MAX_SAFE_INTEGER) return Number(x);
  // LIMIT: what cannot be a number is not looked at, since it may be very big.
  if (bits(x) > enoughBits) return undefined;
  const text = decimalText(x);
  if (text === undefined) return undefined;
  const n = Number(text);
  return Number.isFinite(n) && equal(numOfJs(n), x) ? n : undefined;
}

/** A number is below 2^1024 and has at most 324 decimal places (10^324 < 2^1077); 17 digits come on top. */
const enoughBits = 1200;

/** More digits than the middle between two neighboring JavaScript numbers has. */
const enoughDigits = 800;

/** The JavaScript number nearest to it, as JavaScript rounds; infinite beyond the greatest. */
export function nearestJs(x: Num): number {
  const same = jsOfNum(x);
  if (same !== undefined) return same;
  const over = numerator(x);
  const [size, under] = [over < 0n ? -over : over, denominator(x)];
  const places = Math.max(0, enoughDigits - (`${size}`.length - `${under}`.length));
  const scaled = size * 10n ** BigInt(places);
  // One more digit where something is cut off, so that it is never taken for the middle itself.
  const rest = scaled % under === 0n ? 0n : 1n;
  return Number(`${over < 0n ? "-" : ""}${(scaled / under) * 10n + rest}e-${places + 1}`);
}
