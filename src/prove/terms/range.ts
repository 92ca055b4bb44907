/** Bounds of numbers, from the shape of their terms alone. Part of what must be trusted. */
import { add, compare, floor, isNum, multiply, type Num } from "../../ir/index.ts";
import type { ApplyTerm, Scalar, Term } from "./term.ts";

/** Bounds of a number, or of the length of a text. An absent bound is infinite. */
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
  if (term.kind === "literal") return rangeOfLiteral(term.value);
  return term.kind === "constant" ? anything : rangeOfApply(term, term.args.map(of));
}

function rangeOfLiteral(value: Scalar): Range {
  if (isNum(value)) return { low: value, high: value };
  return typeof value === "string" ? exactly(BigInt(value.length)) : anything;
}

const exactly = (length: bigint): Range => ({ low: length, high: length });

/** LIMIT: a change of case makes a text at most three times as long. */
const mostByCase = 3n;

/** The range of the length of a text that is made from others. */
function rangeOfText({ op, args }: ApplyTerm, ranges: readonly Range[]): Range {
  const [first = anything, second = anything, third = anything] = ranges;
  switch (op) {
    case "++":
      return { low: total(ranges.map(atLeastNothing), "low"), high: total(ranges, "high") };
    case "if":
      return { low: extreme([second, third], "low", -1), high: extreme([second, third], "high", 1) };
    case "trim":
    case "trimStart":
    case "trimEnd":
      return { low: 0n, high: first.high };
    case "toLowerCase":
    case "toUpperCase":
      return { low: 0n, high: first.high === undefined ? undefined : multiply(mostByCase, first.high) };
    case "slice":
      return { low: 0n, high: sliced(args, first) };
    case "textOf":
      return { low: 1n, high: undefined };
    case "timeText":
      return { low: 24n, high: 27n };
    default:
      return atLeastZero;
  }
}

function atLeastNothing({ low, high }: Range): Range {
  return { low: low ?? 0n, high };
}

/** The most that is left of a text: no more than there was, and than fits between the positions. */
function sliced([, from, to]: readonly Term[], { high }: Range): Num | undefined {
  const [start, end] = [from, to].map((term) =>
    term?.kind === "literal" && isNum(term.value) ? term.value : undefined,
  );
  if (start === undefined || end === undefined || compare(start, 0n) < 0 || compare(end, 0n) < 0) return high;
  const between = add(end, multiply(-1n, start));
  const most = compare(between, 0n) < 0 ? 0n : between;
  return high === undefined || compare(most, high) < 0 ? most : high;
}

function rangeOfApply(term: ApplyTerm, ranges: readonly Range[]): Range {
  if (term.sort === "String") return rangeOfText(term, ranges);
  const { op, args } = term;
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
    case "squareRoot":
      return atLeastZero;
    case "length":
      return atLeastNothing(first);
    case "ceil":
      return { low: ceilOf(first.low), high: ceilOf(first.high) };
    case "round":
    case "truncate":
      // Both keep the order of numbers, and integers as they are.
      return { low: floorOf(first.low), high: ceilOf(first.high) };
    case "indexOf":
    case "lastIndexOf":
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

function ceilOf(bound: Num | undefined): Num | undefined {
  return bound === undefined ? undefined : multiply(-1n, floor(multiply(-1n, bound)));
}

function floorOf(bound: Num | undefined): Num | undefined {
  return bound === undefined ? undefined : floor(bound);
}
