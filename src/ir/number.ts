/**
 * Exact numbers. An integer is a `bigint`; a number that is no integer is a `Ratio` in lowest terms.
 * INVARIANT: every number has exactly one representation, so equal numbers are equal data.
 * Part of what must be trusted.
 */
export interface Ratio {
  readonly kind: "ratio";
  readonly num: bigint;
  /** Always greater than one. */
  readonly den: bigint;
}

export type Num = bigint | Ratio;

export function isRatio(x: unknown): x is Ratio {
  return (
    typeof x === "object" &&
    x !== null &&
    Reflect.get(x, "kind") === "ratio" &&
    typeof Reflect.get(x, "num") === "bigint"
  );
}

/** `num / den` in its one representation. The denominator must not be zero. */
export function ratio(num: bigint, den: bigint): Num {
  if (den === 0n) throw new RangeError("a ratio with denominator zero");
  const sign = den < 0n ? -1n : 1n;
  const divisor = gcd(num < 0n ? -num : num, den * sign) * sign;
  const n = num / divisor;
  const d = den / divisor;
  return d === 1n ? n : Object.freeze({ kind: "ratio", num: n, den: d });
}

export function numerator(x: Num): bigint {
  return typeof x === "bigint" ? x : x.num;
}

export function denominator(x: Num): bigint {
  return typeof x === "bigint" ? 1n : x.den;
}

export function add(a: Num, b: Num): Num {
  if (typeof a === "bigint" && typeof b === "bigint") return a + b;
  return ratio(
    numerator(a) * denominator(b) + numerator(b) * denominator(a),
    denominator(a) * denominator(b),
  );
}

export function negate(a: Num): Num {
  return typeof a === "bigint" ? -a : ratio(-a.num, a.den);
}

export function subtract(a: Num, b: Num): Num {
  return add(a, negate(b));
}

export function multiply(a: Num, b: Num): Num {
  if (typeof a === "bigint" && typeof b === "bigint") return a * b;
  return ratio(numerator(a) * numerator(b), denominator(a) * denominator(b));
}

/** The quotient; `b` must not be zero. */
export function divide(a: Num, b: Num): Num {
  return ratio(numerator(a) * denominator(b), denominator(a) * numerator(b));
}

export function compare(a: Num, b: Num): -1 | 0 | 1 {
  if (typeof a === "bigint" && typeof b === "bigint") return a < b ? -1 : a > b ? 1 : 0;
  const left = numerator(a) * denominator(b);
  const right = numerator(b) * denominator(a);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The greatest integer that is not above `a`. */
export function floor(a: Num): bigint {
  if (typeof a === "bigint") return a;
  const quotient = a.num / a.den;
  return a.num < 0n ? quotient - 1n : quotient;
}

/** Lowest-terms text: `-5`, `7/3`. */
export function numText(x: Num): string {
  return typeof x === "bigint" ? x.toString() : `${x.num}/${x.den}`;
}

/** Decimal text when there is a finite one (`0.25`), otherwise undefined. */
export function decimalText(x: Num): string | undefined {
  if (typeof x === "bigint") return x.toString();
  let rest = x.den;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  if (rest !== 1n) return undefined;
  const places = Math.max(twos, fives);
  const scaled = (x.num * 10n ** BigInt(places)) / x.den;
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, "0");
  return `${scaled < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const decimalPattern = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,6}))?$/;
const ratioPattern = /^(-?(?:0|[1-9][0-9]*))\/([1-9][0-9]*)$/;

/** Reads `5`, `-0.25`, `7/3`; `1e21` too, since shortest decimals of JavaScript numbers have that form. */
export function parseNum(text: string, maxBits: number): Num | undefined {
  const maxDigits = Math.ceil(maxBits / 3.32);
  const asRatio = ratioPattern.exec(text);
  if (asRatio?.[1] !== undefined && asRatio[2] !== undefined) {
    if (text.length > 2 * maxDigits + 2) return undefined;
    return ratio(BigInt(asRatio[1]), BigInt(asRatio[2]));
  }
  const match = decimalPattern.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponentText = "0"] = match;
  const exponent = Number(exponentText) - fraction.length;
  // LIMIT: an exponent is digits too; `1e999999` must not become a million of them.
  if (whole.length + fraction.length + Math.abs(exponent) > maxDigits) return undefined;
  const digits = BigInt(whole + fraction);
  const scaled = exponent >= 0 ? digits * 10n ** BigInt(exponent) : ratio(digits, 10n ** BigInt(-exponent));
  return sign === "-" ? negate(scaled) : scaled;
}

/** Bits of the larger half, to charge for work and to limit growth. Exact enough: within four bits. */
export function bits(x: Num): number {
  if (typeof x === "bigint") return intBits(x);
  return Math.max(intBits(numerator(x)), intBits(denominator(x)));
}

const small = 1n << 64n;
const minusSmall = -small;

function intBits(x: bigint): number {
  if (x < small && x > minusSmall) return 64;
  return (x < 0n ? -x : x).toString(16).length * 4;
}

/**
 * Lehmer's algorithm: as long as both numbers are long, several steps of Euclid's are worked out on their leading
 * bits alone and then applied at once. Plain Euclid takes twenty times as long on the longest numbers allowed.
 */
export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = a >= b ? [a, b] : [b, a];
  while (y >= small) {
    const shift = BigInt(intBits(x) - 48);
    const step = leadingSteps(Number(x >> shift), Number(y >> shift));
    if (step === undefined) [x, y] = [y, x % y];
    else [x, y] = [step.a * x + step.b * y, step.c * x + step.d * y];
  }
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** The steps that are sure whatever the bits that were cut off, as one matrix. Needs `left >= right`, below 2^48. */
function leadingSteps(
  left: number,
  right: number,
): { a: bigint; b: bigint; c: bigint; d: bigint } | undefined {
  let [x, y] = [left, right];
  let [a, b, c, d] = [1, 0, 0, 1];
  while (y + c !== 0 && y + d !== 0) {
    const quotient = Math.floor((x + a) / (y + c));
    if (quotient !== Math.floor((x + b) / (y + d))) break;
    [a, c] = [c, a - quotient * c];
    [b, d] = [d, b - quotient * d];
    [x, y] = [y, x - quotient * y];
  }
  return b === 0 ? undefined : { a: BigInt(a), b: BigInt(b), c: BigInt(c), d: BigInt(d) };
}
