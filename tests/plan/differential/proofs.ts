/** The guarantees of the tool module by hand, as predicates on a simulated run. */
import fc from "fast-check";
import { add, denominator, type Num, numerator } from "../../../src/ir/number.ts";
import type { Made, Went } from "./simulator.ts";
import { cellNumber } from "./tools.ts";
import { numberIn } from "./values.ts";

export interface Stated {
  /** As it is written in a program. */
  readonly text: string;
  readonly holds: (run: Seen) => boolean;
}

/** A call that failed may have happened, and then it counts; or it may not, and then it is not there. */
export interface Seen {
  readonly sure: readonly Pick<Made, "tool" | "args">[];
  readonly possible: readonly Pick<Made, "tool" | "args">[];
  readonly world: Went["world"];
}

export function seenBy({ calls, undone, world }: Went): Seen {
  return {
    sure: calls.filter(({ did }) => did === "answers"),
    possible: [...calls.filter(({ did }) => did !== "does nothing"), ...undone],
    world,
  };
}

const payments = ({ possible }: Seen): Num[] =>
  possible.flatMap(({ tool, args }) => (tool === "t.pay" ? [numberIn(args.amount) ?? 0n] : []));

const isAtMost = (a: Num, b: Num): boolean => numerator(a) * denominator(b) <= numerator(b) * denominator(a);

const levels = ({ world }: Seen): (readonly [string, Num])[] =>
  [...world].flatMap(([key, cell]) => {
    const number = cellNumber(key, cell);
    return key.startsWith("t.level[") && number !== "not known" ? [[key, number] as const] : [];
  });

/** Returns true unless a payment that may have happened precedes every certain look. */
function looksFirst({ sure, possible }: Seen): boolean {
  const first = possible.findIndex(({ tool }) => tool === "t.pay");
  return first < 0 || possible.slice(0, first).some((call) => call.tool === "t.look" && sure.includes(call));
}

const small = fc.integer({ min: 0, max: 9 });

export const anyStated: fc.Arbitrary<Stated> = fc.oneof(
  fc.constantFrom(1, 3, 6, 10, 30).map((most) => ({
    text: `paysAtMost(${most})`,
    holds: (run: Seen) =>
      isAtMost(
        payments(run).reduce((a, b) => add(a, b), 0n),
        BigInt(most),
      ),
  })),
  fc.nat(4).map((most) => ({
    text: `payments(${most})`,
    holds: (run: Seen) => payments(run).length <= most,
  })),
  fc.constantFrom(0, 1, 3, 7).map((most) => ({
    text: `noneAbove(${most})`,
    holds: (run: Seen) => payments(run).every((amount) => isAtMost(amount, BigInt(most))),
  })),
  fc.constant({
    text: "someoneIsPaid()",
    holds: ({ sure }: Seen) => sure.some(({ tool }) => tool === "t.pay"),
  }),
  fc.constant({
    text: 'says(["a"])',
    holds: ({ possible }: Seen) => possible.every(({ tool, args }) => tool !== "t.say" || args.text === "a"),
  }),
  fc.constant({ text: "looksFirst()", holds: looksFirst }),
  fc.nat(3).map((most) => ({
    text: `putsAtMost(${most})`,
    holds: ({ possible }: Seen) => possible.filter(({ tool }) => tool === "t.put").length <= most,
  })),
  small.map((most) => ({
    text: `levelsAtMost(${most})`,
    holds: (run: Seen) => levels(run).every(([, level]) => isAtMost(level, BigInt(most))),
  })),
  fc.tuple(fc.constantFrom("a", "b"), small).map(([at, n]) => ({
    text: `levelIs("${at}", ${n})`,
    holds: ({ world }: Seen) => cellNumber(`t.level[${at}]`, world.get(`t.level[${at}]`)) === BigInt(n),
  })),
);
