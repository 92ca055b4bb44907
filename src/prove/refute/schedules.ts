/**
 * Orders in which calls at the same time start and end, to try a run in each. Nothing rests on it: a run is made in an
 * order on the interpreter, and counts only if it breaks what is claimed.
 */
import type { RunOptions } from "../../ir/index.ts";

/** Chooses what happens next among calls at the same time. */
export type Schedule = NonNullable<RunOptions["schedule"]>;

/** LIMIT: of orders in which one run is tried. */
const mostOrders = 300;

/** A choice that was made, and among how many. */
interface Choice {
  readonly chosen: number;
  readonly of: number;
}

/**
 * Tries orders, those first that differ in few choices from the one in which everything starts as early as it can.
 * @param isIt makes a run in the order, and says whether it is looked for
 * @returns the same order again
 */
export async function someOrder(
  isIt: (schedule: Schedule) => Promise<boolean>,
): Promise<(() => Schedule) | undefined> {
  const waiting: (readonly number[])[] = [[]];
  for (let tried = 0; tried < mostOrders; tried++) {
    const first = waiting[tried];
    if (first === undefined) return undefined;
    const made: Choice[] = [];
    const found = await isIt((choices) => {
      const chosen = first[made.length] ?? 0;
      made.push({ chosen, of: choices.length });
      return chosen;
    });
    const choices = made.map(({ chosen }) => chosen);
    if (found) return () => inTurn(choices);
    // Every order is come to from one other alone: the one with the last choice that is not the first omitted.
    for (const [i, { of }] of made.entries()) {
      if (i < first.length) continue;
      for (let other = 1; other < of && waiting.length < mostOrders; other++)
        waiting.push([...choices.slice(0, i), other]);
    }
  }
  return undefined;
}

function inTurn(choices: readonly number[]): Schedule {
  let next = 0;
  return () => choices[next++] ?? 0;
}
