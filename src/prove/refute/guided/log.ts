/** The operators that a run applied: operators with their operands and results, and how often each came out true or false. */
import { isPartly, type OpExpr, type Value, type Watch } from "../../../ir/index.ts";

/** One application of an operator. Undefined: not evaluated, not known, or a function. */
export interface Seen {
  readonly expr: OpExpr;
  readonly operands: readonly (Value | undefined)[];
  readonly result: Value;
}

export interface Counts {
  yes: number;
  no: number;
  other: number;
}

/** LIMIT: of applications of one operator that are kept, for each truth value. */
const mostKept = 5;

export class Log {
  readonly #seen = new Map<OpExpr, Seen[]>();
  readonly #counts = new Map<OpExpr, Counts>();

  readonly watch: Watch = (expr, operands, result) => {
    let count = this.#counts.get(expr);
    if (count === undefined) {
      count = { yes: 0, no: 0, other: 0 };
      this.#counts.set(expr, count);
    }
    const n = result === true ? count.yes++ : result === false ? count.no++ : count.other++;
    if (n >= mostKept || isPartly(result)) return;
    const seen: Seen = {
      expr,
      operands: operands.map((one) => (one === undefined || isPartly(one) ? undefined : one)),
      result,
    };
    const kept = this.#seen.get(expr);
    if (kept === undefined) this.#seen.set(expr, [seen]);
    else kept.push(seen);
  };

  of(expr: OpExpr): readonly Seen[] {
    return this.#seen.get(expr) ?? [];
  }

  *all(): Generator<Seen> {
    for (const kept of this.#seen.values()) yield* kept;
  }

  /** Counts how often each operator came out true, false, and with a value of another type. */
  counts(): Iterable<readonly [expr: OpExpr, counts: Counts]> {
    return this.#counts;
  }
}
