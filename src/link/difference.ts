/** Finds the first difference of two pieces of plain data. Trusted: it takes nothing as equal that is not. */
import type { Path } from "../ir/index.ts";

/** The path to the first difference, as far as `a` goes; undefined if there is none. */
export function firstDifference(a: unknown, b: unknown): Path | undefined {
  const path = difference(a, b);
  // Another operator is another expression, and not only another word in it.
  const last = path?.at(-1);
  return last === "op" || last === "kind" ? path?.slice(0, -1) : path;
}

function difference(a: unknown, b: unknown): Path | undefined {
  if (Object.is(a, b)) return undefined;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return [];
  if (Array.isArray(a) !== Array.isArray(b)) return [];
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      const inside = difference(a[i], b[i]);
      if (inside !== undefined) return [i, ...inside];
    }
    if (a.length === b.length) return undefined;
    return a.length > b.length ? [b.length] : [];
  }
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of names) {
    const mine: unknown = Reflect.get(a, name);
    const inside = difference(mine, Reflect.get(b, name));
    // A field that is not there has no place.
    if (inside !== undefined) return mine === undefined ? [] : [name, ...inside];
  }
  return undefined;
}

export function isSame(a: unknown, b: unknown): boolean {
  return firstDifference(a, b) === undefined;
}
