/**
 * An order of texts for readers, the same on every machine: that of Unicode's root collation for white space, the
 * punctuation and digits of ASCII, the letters `a` to `z` with and without marks, and `æ œ ø đ ð ħ ł ß`. All other
 * characters come after them, by their code points. The specification of `localeCompare` leaves the order to
 * implementations.
 *
 * A text becomes a key: first what its characters are, then their marks, then their case, each level only where the ones
 * before it are equal. Keys compare by code units. Part of what must be trusted.
 */
export interface CollationOptions {
  /** Digits that stand together count as one number. */
  readonly isNumeric: boolean;
  /** Levels that count: what the characters are, their marks, their case. */
  readonly levels: 1 | 2 | 3;
}

/** In their order; those that stand together differ in case alone. */
const order = [
  ..."\t\n\v\f\r\u0085\u2028\u2029 _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789",
  ...[..."abcdefghijklmnopqrstuvwxyz"].map((letter) => letter + letter.toUpperCase()),
];

/** Marks that a letter can have, in their order. The last stands for the difference of `æ` to `ae`. */
const joined = "\u{e000}";
const marks = [
  ..."\u0332\u0313\u0314\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304\u0335\u0309\u030f\u0311\u031b\u0323\u0324\u0325\u0326\u032d\u032e\u0330\u0331",
  joined,
];

/** Letters that Unicode does not take apart. */
const apart: ReadonlyMap<string, string> = new Map([
  ["æ", `a${joined}e`],
  ["Æ", `A${joined}E`],
  ["œ", `o${joined}e`],
  ["Œ", `O${joined}E`],
  ["ß", `s${joined}s`],
  ["ẞ", `S${joined}S`],
  ["ø", "o\u0338"],
  ["Ø", "O\u0338"],
  ["đ", "d\u0335"],
  ["Đ", "D\u0335"],
  ["ħ", "h\u0335"],
  ["Ħ", "H\u0335"],
  ["ł", "l\u0335"],
  ["Ł", "L\u0335"],
  ["ð", `d${joined}`],
  ["Ð", `D${joined}`],
]);

/** Collation weights of a character per level; empty levels are ignored. */
interface Weights {
  readonly primary: string;
  readonly secondary: string;
  readonly tertiary: string;
}

/** Below every weight, so that a shorter level comes first. */
const between = "\u0001";
const usual = "\u0010";
const nothing: Weights = { primary: "", secondary: "", tertiary: "" };

const known: ReadonlyMap<string, Weights> = new Map([
  ...order.flatMap((characters, i) =>
    [...characters].map((character, isUpper): [string, Weights] => [
      character,
      {
        primary: String.fromCharCode(0x100 + i),
        secondary: usual,
        tertiary: isUpper === 1 ? "\u0020" : usual,
      },
    ]),
  ),
  ...marks.map((mark, i): [string, Weights] => [
    mark,
    { primary: "", secondary: String.fromCharCode(0x20 + i), tertiary: usual },
  ]),
]);

export function collationKey(text: string, { isNumeric, levels }: CollationOptions): string {
  let [primary, secondary, tertiary] = ["", "", ""];
  const add = (weights: Weights) => {
    primary += weights.primary;
    secondary += weights.secondary;
    tertiary += weights.tertiary;
  };
  for (const part of partsOf(text, isNumeric)) add(isDigits(part, isNumeric) ? ofNumber(part) : of(part));
  return [primary, secondary, tertiary].slice(0, levels).join(between);
}

/** The characters taken apart, and with numbers the digits that stand together. */
function partsOf(text: string, isNumeric: boolean): string[] {
  const plain = [...text.replaceAll(joined, "\u{f0000}").normalize("NFD")]
    .map((character) => apart.get(character) ?? character)
    .join("");
  return isNumeric ? (plain.match(/[0-9]+|[^0-9]/gu) ?? []) : [...plain];
}

function isDigits(part: string, isNumeric: boolean): boolean {
  return isNumeric && /^[0-9]/.test(part);
}

function of(character: string): Weights {
  const weights = known.get(character);
  if (weights !== undefined) return weights;
  const code = character.codePointAt(0) ?? 0;
  // Control characters are nothing to a reader.
  if (code < 0x20 || code === 0x7f) return nothing;
  const primary = String.fromCharCode(0x8000 + (code >> 12), 0x1000 + (code & 0xfff));
  return { primary, secondary: usual, tertiary: usual };
}

/** LIMIT: digits of one number whose count is part of its weight. */
const mostDigits = 0x6000;

/** A number with more digits is greater, and zeros before it do not count. */
function ofNumber(digits: string): Weights {
  const value = digits.replace(/^0+/, "");
  const count = String.fromCharCode(0x200 + Math.min(value.length, mostDigits));
  const primary = `${known.get("0")?.primary ?? ""}${count}${value}`;
  return { primary, secondary: usual, tertiary: usual };
}
