/** An aggregate of rows that have ended, in as little as later rows need to know of them. Part of what must be trusted. */
import { type Aggregate, aggregateEntry, isAdditive } from "../aggregates.ts";
import type { AggregateRow } from "../eval/aggregate.ts";
import { Meter } from "../eval/meter.ts";
import { Between, Unknown } from "../eval/partly.ts";
import { defaultLimits } from "../limits.ts";
import { add, compare, type Num } from "../number.ts";

const one = new Between(1n, 1n);

export class Running {
  readonly #aggregate: Aggregate;
  /** One row that stands for all that are certain; for sums and counts, for all. */
  #certain: Between | undefined;
  /** One row that stands for all that may not be there. */
  #doubtful: Between | undefined;

  constructor(aggregate: Aggregate) {
    this.#aggregate = aggregate;
  }

  get hasCertain(): boolean {
    return this.#certain !== undefined;
  }

  /** The row as the aggregate counts it. */
  rowOf(certain: boolean, value: Between): AggregateRow {
    return { certain, value: this.#aggregate === "count" ? one : value };
  }

  add({ certain, value }: AggregateRow): void {
    const meter = new Meter(defaultLimits);
    const combined = (a: Num, b: Num, combine: (a: Num, b: Num) => Num): Num =>
      meter.compute([a, b], () => combine(a, b));
    const merge = (
      before: Between | undefined,
      row: Between,
      low: (a: Num, b: Num) => Num,
      high: (a: Num, b: Num) => Num,
    ): Between => {
      if (before === undefined) return row;
      const [a, b, c, d] = [before.low, row.low, before.high, row.high];
      return new Between(
        a === undefined || b === undefined ? undefined : combined(a, b, low),
        c === undefined || d === undefined ? undefined : combined(c, d, high),
      );
    };
    if (isAdditive(this.#aggregate)) {
      const range = certain ? value : withZero(value);
      this.#certain = merge(this.#certain ?? new Between(0n, 0n), range, add, add);
    } else if (certain) {
      const best = this.#aggregate === "min" ? least : greatest;
      this.#certain = merge(this.#certain, value, best, best);
    } else this.#doubtful = merge(this.#doubtful, value, least, greatest);
  }

  /** With rows that have not ended besides. */
  value(rows: readonly AggregateRow[], otherwise?: Between): Num | Between | Unknown {
    const known: AggregateRow[] = [];
    if (this.#certain !== undefined) known.push({ certain: true, value: this.#certain });
    if (this.#doubtful !== undefined) known.push({ certain: false, value: this.#doubtful });
    // Counts are sums of ones here, so that one row can stand for many.
    const name = this.#aggregate === "count" ? "sum" : this.#aggregate;
    const all = [...known, ...rows];
    if (all.length === 0 && otherwise === undefined && !isAdditive(name))
      return new Unknown("there is no row");
    return aggregateEntry(name).evaluate(all, new Meter(defaultLimits), otherwise);
  }
}

function least(a: Num, b: Num): Num {
  return compare(a, b) <= 0 ? a : b;
}

function greatest(a: Num, b: Num): Num {
  return compare(a, b) >= 0 ? a : b;
}

/** Returns the contribution of a row that may be absent. */
function withZero({ low, high }: Between): Between {
  return new Between(low && least(low, 0n), high && greatest(high, 0n));
}
