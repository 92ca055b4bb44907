/**
 * Partially known values, for formulas over a trace: a failed call may or may not have had its effect, a state may be
 * unknown, an unwritten key stands for all others. SOUNDNESS: an operator without a rule for such an operand gives
 * `unknown`, never a value. Part of what must be trusted.
 */
import { compare, type Num } from "../number.ts";
import { isNum, type Value } from "../value.ts";

export class Unknown {
  readonly kind = "unknown";
  /** Why, in words for a person. */
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

/** A number of which only bounds are known. An absent bound is infinite. */
export class Between {
  readonly kind = "between";
  readonly low: Num | undefined;
  readonly high: Num | undefined;
  constructor(low: Num | undefined, high: Num | undefined) {
    this.low = low;
    this.high = high;
  }
}

/** More than every number: how many keys hold the initial value of a fluent. */
export class Infinite {
  readonly kind = "infinite";
}

/** A key that differs from every key it was compared with; `compared` collects those. */
export class AnyOtherKey {
  readonly kind = "anyOtherKey";
  readonly compared: Value[] = [];
}

/** A record with fields that are only partly known: a row of a fluent. */
export class PartlyRecord {
  readonly kind = "partlyRecord";
  readonly fields: ReadonlyMap<string, Value | Partly>;
  constructor(fields: ReadonlyMap<string, Value | Partly>) {
    this.fields = fields;
  }
}

export type Partly = Unknown | Between | Infinite | AnyOtherKey | PartlyRecord;

export function isPartly(x: unknown): x is Partly {
  return (
    typeof x === "object" &&
    (x instanceof Unknown ||
      x instanceof Between ||
      x instanceof Infinite ||
      x instanceof AnyOtherKey ||
      x instanceof PartlyRecord)
  );
}

/** Returns the unknown value of something that depends on this. */
export function unknownFrom(x: Partly): Unknown {
  return x instanceof Unknown ? x : new Unknown("it depends on what is only partly known");
}

/** The exact number if the bounds meet. */
export function between(low: Num | undefined, high: Num | undefined): Num | Between {
  return low !== undefined && high !== undefined && compare(low, high) === 0 ? low : new Between(low, high);
}

/** The bounds of a number that is known, partly known, or not at all. */
export function bounds(x: Value | Partly): Between | undefined {
  if (x instanceof Between) return x;
  return !isPartly(x) && isNum(x) ? new Between(x, x) : undefined;
}

/** The bounds of what should be a number, or why there are none. */
export function rangeOf(x: Value | Partly): Between | Unknown {
  const range = bounds(x);
  if (range !== undefined) return range;
  return isPartly(x) ? unknownFrom(x) : new Unknown("it is no number");
}
