/**
 * `foreclaim/std/random`: numbers and tokens that nobody can guess. A draw is a tool result, so the trace records it and a
 * replay draws the same.
 */

import { randomBytes } from "node:crypto";
import { refused } from "./refused.ts";

export { Refused } from "./refused.ts";

export interface DiceOptions {
  /** Draws in all (default 1,000). */
  readonly maxDraws?: number;
  /** Gives so many bytes; tests replace it. */
  readonly bytes?: (count: number) => Uint8Array;
}

export interface Dice {
  /** A whole number from `from` to `to`, both included, each with the same chance. */
  readonly integer: (request: { readonly from: number; readonly to: number }) => number;
  /** So many random bytes as hex: 16 to 64. */
  readonly token: (request: { readonly bytes: number }) => string;
}

/** LIMIT: numbers that a draw chooses among. */
const MOST = 2 ** 48;

/** A source of chance for tools. */
export function dice({ maxDraws = 1000, bytes = randomBytes }: DiceOptions = {}): Dice {
  let draws = 0;
  function count(): void {
    if (draws >= maxDraws) refused("too-many", `more than ${maxDraws} draws`);
    draws += 1;
  }

  return {
    integer: ({ from, to }) => {
      const size = to - from + 1;
      if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || size < 1 || size > MOST)
        return refused("range", "a draw is from a whole number to one that is not less, of at most 2^48");
      count();
      // Draws beyond the last whole multiple are thrown away: the rest of a division would prefer small numbers.
      const fair = MOST - (MOST % size);
      while (true) {
        const drawn = Buffer.from(bytes(6)).readUIntBE(0, 6);
        if (drawn < fair) return from + (drawn % size);
      }
    },
    token: ({ bytes: length }) => {
      if (!Number.isSafeInteger(length) || length < 16 || length > 64)
        return refused("range", "a token has 16 to 64 bytes");
      count();
      return Buffer.from(bytes(length)).toString("hex");
    },
  };
}
