/**
 * Counts the work of an evaluation and refuses what grows beyond the limits.
 * LIMIT: expressions are total, so the only way to run forever or to fill the memory is size; this is its fence.
 * Part of what must be trusted.
 */
import type { Code } from "../diagnostic.ts";
import type { OpExpr } from "../document.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { bits, type Num } from "../number.ts";
import type { Value } from "../value.ts";
import type { Partly } from "./partly.ts";

/**
 * Told of each operator that was applied, by a search for other runs; it decides nothing. Operands that were not
 * evaluated, and functions, are undefined.
 */
export type Watch = (
  expr: OpExpr,
  operands: readonly (Value | Partly | undefined)[],
  result: Value | Partly,
) => void;

/** Thrown out of an evaluation and caught by its caller, to be reported as data. */
export class LimitReached extends Error {
  readonly code: Code;
  constructor(code: Code, message: string) {
    super(message);
    this.name = "LimitReached";
    this.code = code;
  }
}

export class Meter {
  readonly limits: Limits;
  readonly watch: Watch | undefined;
  #steps = 0;

  constructor(limits: Limits = defaultLimits, watch?: Watch) {
    this.limits = limits;
    this.watch = watch;
  }

  get steps(): number {
    return this.#steps;
  }

  charge(units: number): void {
    this.#steps += units;
    if (this.#steps > this.limits.steps) {
      throw new LimitReached("FC1407", `the evaluation takes more than ${this.limits.steps} steps`);
    }
  }

  /**
   * Charges for looking for one string in another. The search of the JavaScript engine is quick for what people
   * write and takes the product of the lengths for what an adversary writes, once the pattern is long.
   */
  search(text: string, pattern: string): void {
    const shortPattern = 16;
    this.charge(1 + Math.floor((text.length * Math.max(1, pattern.length - shortPattern)) / 16));
  }

  /** Charges for a string that is about to be built, and refuses one that is too long. */
  string(length: number): void {
    if (length > this.limits.stringLength) {
      throw new LimitReached(
        "FC1404",
        `a string would be longer than ${this.limits.stringLength} code units`,
      );
    }
    this.charge(1 + (length >> 6));
  }

  /** Charges for a list that is about to be built, and refuses one that is too long. */
  list(length: number): void {
    this.lengthOf({ length });
    this.charge(1 + length);
  }

  /** Refuses a list that has become too long; its elements were charged one by one. */
  lengthOf({ length }: { readonly length: number }): void {
    if (length > this.limits.listLength) {
      throw new LimitReached("FC1405", `a list would be longer than ${this.limits.listLength} elements`);
    }
  }

  /**
   * Does arithmetic: charges for it first, and refuses a result that is too big. Long numbers cost the square of
   * their length, as multiplying them and bringing fractions to lowest terms does.
   */
  compute<T extends Num | boolean>(operands: readonly Num[], work: () => T): T {
    for (const operand of operands) {
      const words = bits(operand) >> 6;
      if (words > 1)
        this.charge(typeof operand === "bigint" ? words + ((words * words) >> 4) : 8 * words * words);
    }
    const result = work();
    if (typeof result !== "boolean" && bits(result) > this.limits.numberBits) {
      throw new LimitReached("FC1406", `a number would have more than ${this.limits.numberBits} bits`);
    }
    return result;
  }
}
