/** Chance that can be repeated: the same words and seed give the same numbers, on every machine. */

export interface Chance {
  /** An integer from 0 to below `n`. */
  readonly below: (n: number) => number;
  readonly pick: <T>(items: readonly T[]) => T | undefined;
}

/** Returns an independent random stream for each purpose, so that one use does not disturb another. */
export function chanceFrom(seed: number, words: string): Chance {
  let state = hash(`${seed} ${words}`);
  // Mulberry32: small, fast, and far better than its length suggests.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (n: number): number => next() % n;
  return { below, pick: (items) => items[below(Math.max(1, items.length))] };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value;
}
