/** A scale whose author wrote a promise that no result can keep: an example of what must not be believed. */
import { contract, tool } from "foreclaim";

/** Weighs a sample, in grams. The two halves of `ensures` contradict each other. */
export const weigh = tool({
  reads: true,
  ensures: (grams) => grams > 10 && grams < 5,
  run: async ({ sample }: { sample: string }): Promise<number> => sample.length,
});

/** Writes a weight down. */
export const record = tool({
  run: async ({ grams }: { grams: number }): Promise<void> => {
    console.log(`${grams} g`);
  },
});

/** Every weight that is written down is at most so much. */
export const lighterThan = contract((most: number) => record.all((r) => r.grams <= most));
