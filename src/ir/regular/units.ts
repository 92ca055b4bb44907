/**
 * Sets of UTF-16 code units, as ranges in order that neither touch nor overlap, so that equal sets are equal data.
 * Part of what must be trusted.
 */

/** Both ends belong to it. */
export type Range = readonly [first: number, last: number];
export type Units = readonly Range[];

export const lastUnit = 0xffff;

export function units(ranges: readonly Range[]): Units {
  const sorted = ranges.filter(([first, last]) => first <= last).sort((a, b) => a[0] - b[0]);
  const merged: Range[] = [];
  for (const [first, last] of sorted) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1)
      merged[merged.length - 1] = [before[0], Math.max(before[1], last)];
    else merged.push([first, last]);
  }
  return merged;
}

/** The code units of a text, in any order. */
export function unitsOf(text: string): Units {
  return units(Array.from({ length: text.length }, (_, i) => unit(text.charCodeAt(i))));
}

export function unit(code: number): Range {
  return [code, code];
}

export function without(all: Units, removed: Units): Units {
  const kept: Range[] = [];
  for (const [first, last] of all) {
    let from = first;
    for (const [start, end] of removed) {
      if (end < from || start > last) continue;
      if (start > from) kept.push([from, start - 1]);
      from = end + 1;
    }
    if (from <= last) kept.push([from, last]);
  }
  return units(kept);
}

export function hasUnit(set: Units, code: number): boolean {
  return set.some(([first, last]) => code >= first && code <= last);
}

// As JavaScript defines them, without any flag.

export const anyUnit: Units = [[0, lastUnit]];
export const digit: Units = units([[0x30, 0x39]]);
export const upper: Units = units([[0x41, 0x5a]]);
export const lower: Units = units([[0x61, 0x7a]]);
export const word: Units = units([...digit, ...upper, ...lower, unit(0x5f)]);
export const lineEnd: Units = unitsOf("\n\r\u2028\u2029");
export const blank: Units = units([
  ...unitsOf("\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"),
  [0x2000, 0x200a],
]);
