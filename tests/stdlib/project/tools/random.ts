/**
 * Chance, as tools; the trace records every draw. Programs can also say `Math.random()`, which is recorded too.
 * `foreclaim/std/random` draws from the system's source, which nobody can guess.
 */
import { contract, coverage, type Int, labelled, tool } from "foreclaim";
import { dice } from "foreclaim/std/random";

const source = dice({ maxDraws: 1000 });

/** Draws a whole number from `from` to `to`, both included. */
export const integer = tool({
  labels: ["draw"],
  reads: true,
  stores: [],
  requires: ({ from, to }) => from <= to && to - from < 1_000_000_000,
  ensures: (drawn, { from, to }) => drawn >= from && drawn <= to,
  run: async ({ from, to }: { from: Int; to: Int }): Promise<Int> => source.integer({ from, to }),
});

/** Returns a token of so many random bytes, as hex. */
export const token = tool({
  labels: ["draw"],
  reads: true,
  stores: [],
  requires: ({ bytes }) => bytes >= 16 && bytes <= 64,
  ensures: (text, { bytes }) => text.length === 2 * bytes,
  run: async ({ bytes }: { bytes: Int }): Promise<string> => source.token({ bytes }),
});

/** Every number is drawn between these. */
export const within = contract((low: number, high: number) =>
  integer.all((d) => d.from >= low && d.to <= high),
);

/** No token is shorter than this. */
export const longTokens = contract((bytes: number) => token.all((t) => t.bytes >= bytes));

/** At most so many draws. */
export const drawsAtMost = contract((n: number) => labelled("draw").count() <= n);

/** A program that draws may say how often. */
export const policy = coverage({ whenUsed: [integer, token], recommended: [drawsAtMost], label: "chance" });
