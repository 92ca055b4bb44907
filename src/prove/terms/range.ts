/** Bounds of numbers, from the shape of their terms alone. Part of what must be trusted. */
import { add, compare, floor, isNum, multiply, type Num } from "../../ir/index.ts";
import type { ApplyTerm, Term } from "./term.ts";

/** An absent bound is infinite. */
export interface Range {
  readonly low: Num | undefined;
  readonly high: Num | undefined;
}

const anything: Range = { low: undefined, high: undefined };
const atLeastZero: Range = { low: 0n, high: undefined };

/** The ranges of the terms of one factory. */
export class Ranges {
  readonly #known = new Map<number, Range>();

  /** SOUNDNESS: whatever the constants in the term stand for, its value is within the range. */
  readonly of = (term: Term): Range => {
    if (term.kind !== "apply") return rangeWithin(term, this.of);
    return this.#known.get(term.id) ?? this.#found(term);
  };

  #found(term: ApplyTerm): Range {
    const known = this.#known;
    // Not by recursion: a program can nest its terms deeper than calls can be nested.
    const pending = [term];
    for (let at = pending.at(-1); at !== undefined; at = pending.at(-1)) {
      const { id } = at;
      const before = pending.length;
      if (!known.has(id))
        for (const arg of at.args) if (arg.kind === "apply" && !known.has(arg.id)) pending.push(arg);
      if (pending.length > before) continue;
      if (!known.has(id)) known.set(id, rangeWithin(at, this.of));
      pending.pop();
    }
    return known.get(term.id) ?? anything;
  }
}

/** The range of a term whose operands are within the given ones. */
export function rangeWithin(term: Term, of: (operand: Term) => Range): Range {
  if (term.kind === "literal") return isNum(term.value) ? { low: term.value, high: term.value } : anything;
  return term.kind === "constant" ? anything : rangeOfApply(term, term.args.map(of));
}

function rangeOfApply({ op, args }: ApplyTerm, ranges: readonly Range[]): Range {
  const [first = anything, second = anything, third = anything] = ranges;
  switch (op) {
    case "toReal":
      return first;
    case "if":
      return { low: extreme([second, third], "low", -1), high: extreme([second, third], "high", 1) };
    case "+":
      return { low: total(ranges, "low"), high: total(ranges, "high") };
    case "*":
      return args.length === 2 && first.low !== undefined && first.low === first.high
        ? scale(first.low, second)
        : anything;
    case "min":
      // Each operand bounds the least from above; all together bound it from below.
      return { low: extreme(ranges, "low", -1), high: tightest(ranges, "high", -1) };
    case "max":
      return { low: tightest(ranges, "low", 1), high: extreme(ranges, "high", 1) };
    case "floor":
      return { low: floorOf(first.low), high: floorOf(first.high) };
    case "abs":
    case "length":
      return atLeastZero;
    case "indexOf":
      return { low: -1n, high: undefined };
    default:
      return anything;
  }
}

/** The least (-1) or greatest (1) bound; infinite if one of them is. */
function extreme(ranges: readonly Range[], side: "low" | "high", sign: 1 | -1): Num | undefined {
  let found: Num | undefined;
  for (const [i, range] of ranges.entries()) {
    const bound = range[side];
    if (bound === undefined) return undefined;
    if (i === 0 || (found !== undefined && compare(bound, found) === sign)) found = bound;
  }
  return found;
}

/** The least (-1) or greatest (1) bound of those that are finite. */
function tightest(ranges: readonly Range[], side: "low" | "high", sign: 1 | -1): Num | undefined {
  const finite = ranges.filter((range) => range[side] !== undefined);
  return finite.length === 0 ? undefined : extreme(finite, side, sign);
}

function total(ranges: readonly Range[], side: "low" | "high"): Num | undefined {
  return ranges.reduce<Num | undefined>((sum, range) => {
    const bound = range[side];
    return sum === undefined || bound === undefined ? undefined : add(sum, bound);
  }, 0n);
}

function scale(factor: Num, { low, high }: Range): Range {
  const times = (bound: Num | undefined) => (bound === undefined ? undefined : multiply(factor, bound));
  if (compare(factor, 0n) >= 0) return { low: times(low), high: times(high) };
  return { low: times(high), high: times(low) };
}

function floorOf(bound: Num | undefined): Num | undefined {
  return bound === undefined ? undefined : floor(bound);
}
