/** Counts, sums and extremes of rows of which some may not be there. Part of what must be trusted. */
import { add, compare, type Num } from "../number.ts";
import type { Meter } from "./meter.ts";
import { Between, between, Unknown } from "./partly.ts";

export interface AggregateRow {
  /** False for a row that may or may not be there. */
  readonly certain: boolean;
  /** The number that is added up or compared; for a count it does not matter. */
  readonly value: Between;
}

/**
 * Computes an aggregate. All work on numbers goes through the meter: a trace can hold many long ones. `otherwise` is the
 * value of no rows; a group of rows by key is never empty and has none.
 */
export type RowsToNumber = (
  rows: readonly AggregateRow[],
  meter: Meter,
  otherwise?: Between,
) => Num | Between | Unknown;

export const countOf: RowsToNumber = (rows) => {
  const certain = rows.filter((row) => row.certain).length;
  return between(BigInt(certain), BigInt(rows.length));
};

export const sumOf: RowsToNumber = (rows, meter) => {
  const { sum, least, greatest } = arithmetic(meter);
  return between(
    sum(rows.map(({ certain, value }) => (certain ? value.low : least([value.low, 0n])))),
    sum(rows.map(({ certain, value }) => (certain ? value.high : greatest([value.high, 0n])))),
  );
};

export const leastOf: RowsToNumber = (rows, meter, otherwise) => {
  const { least, greatest } = arithmetic(meter);
  return extreme(
    rows,
    otherwise,
    least,
    greatest,
    (range) => range.low,
    (range) => range.high,
  );
};

export const greatestOf: RowsToNumber = (rows, meter, otherwise) => {
  const { least, greatest } = arithmetic(meter);
  return mirrored(
    extreme(
      rows,
      otherwise,
      greatest,
      least,
      (range) => range.high,
      (range) => range.low,
    ),
  );
};

type Bound = Num | undefined;

/** Written for the least: `near` is the bound that the result cannot pass, `far` the one that it reaches at most. */
function extreme(
  rows: readonly AggregateRow[],
  otherwise: Between | undefined,
  best: (bounds: readonly Bound[]) => Bound,
  worst: (bounds: readonly Bound[]) => Bound,
  near: (range: Between) => Bound,
  far: (range: Between) => Bound,
): Num | Between | Unknown {
  const certain = rows.filter((row) => row.certain).map((row) => row.value);
  const all = rows.map((row) => row.value);
  // SOUNDNESS: without a certain row any of the others may be the only one, or none is there at all.
  const empty = certain.length === 0 && otherwise !== undefined ? [otherwise] : [];
  const nearest = best([...all, ...empty].map(near));
  const farthest = certain.length > 0 ? best(certain.map(far)) : worst([...all, ...empty].map(far));
  if (nearest === undefined || farthest === undefined) return new Unknown("a number has no known bounds");
  return between(nearest, farthest);
}

function mirrored(x: Num | Between | Unknown): Num | Between | Unknown {
  return x instanceof Between ? new Between(x.high, x.low) : x;
}

function arithmetic(meter: Meter) {
  const fold = (bounds: readonly Bound[], combine: (a: Num, b: Num) => Num, start?: Num): Bound =>
    (start === undefined ? bounds : [start, ...bounds]).reduce((a, b) =>
      a === undefined || b === undefined ? undefined : meter.compute([a, b], () => combine(a, b)),
    );
  return {
    sum: (bounds: readonly Bound[]) => fold(bounds, add, 0n),
    least: (bounds: readonly Bound[]) => fold(bounds, (a, b) => (compare(a, b) <= 0 ? a : b)),
    greatest: (bounds: readonly Bound[]) => fold(bounds, (a, b) => (compare(a, b) >= 0 ? a : b)),
  };
}
