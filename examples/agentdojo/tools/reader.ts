/**
 * A reader that is kept apart: it takes what it is asked for out of a text and can call nothing. A text that tells it
 * what to answer gets its way, so what it returns is trusted as little as the text.
 */
import { type Int, tool } from "foreclaim";

/** A piece of the text. */
export const text = tool({
  reads: true,
  stores: [],
  run: async ({ what, from }: { what: string; from: string }): Promise<string> =>
    from.split("\n").find((line) => line.startsWith(what)) ?? from,
});

/** A number that the text states, or that follows from it. */
export const amount = tool({
  reads: true,
  stores: [],
  run: async ({ from }: { what: string; from: string }): Promise<number> =>
    Number(/\d+(\.\d+)?/.exec(from)?.[0] ?? 0),
});

/** A whole number that the text states, such as an id. */
export const whole = tool({
  reads: true,
  stores: [],
  run: async ({ from }: { what: string; from: string }): Promise<Int> => Number(/\d+/.exec(from)?.[0] ?? 0),
});

/** Several pieces of the text. */
export const list = tool({
  reads: true,
  stores: [],
  run: async ({ from }: { what: string; from: string }): Promise<string[]> => from.match(/\S+@\S+/g) ?? [],
});

/** Answers a question about the text with yes or no. */
export const judge = tool({
  reads: true,
  stores: [],
  run: async ({ what, from }: { what: string; from: string }): Promise<boolean> => from.includes(what),
});
