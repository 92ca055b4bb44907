/** Source of decisions of random programs: fast-check's generator, or a seed of their own. */
import type fc from "fast-check";

export class Chance {
  /** Both bounds included. */
  readonly int: (min: number, max: number) => number;

  constructor(int: (min: number, max: number) => number) {
    this.int = int;
  }

  static from(random: fc.Random): Chance {
    return new Chance((min, max) => random.nextInt(min, max));
  }

  /** Equal seeds decide equally, on every machine (mulberry32). */
  static seeded(seed: number): Chance {
    let state = seed >>> 0;
    return new Chance((min, max) => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return min + (((mixed ^ (mixed >>> 14)) >>> 0) % (max - min + 1));
    });
  }

  odds(percent: number): boolean {
    return this.int(0, 99) < percent;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length - 1)]!;
  }

  /** One of the choices, each as likely as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let left = this.int(
      1,
      choices.reduce((sum, [weight]) => sum + weight, 0),
    );
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left <= 0) return choice;
    }
    throw new RangeError("no choice has a weight");
  }

  times<T>(min: number, max: number, make: (i: number) => T): T[] {
    return Array.from({ length: this.int(min, max) }, (_, i) => make(i));
  }
}

/** A number that depends on every code unit of the text (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
