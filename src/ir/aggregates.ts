/**
 * The aggregates of rows, one entry each: what it takes, how it is computed, and how rows change it. The forms as text
 * and JSON, the checker and the evaluator read this table; the prover asks whether one adds up or picks a row, and
 * supports no other kind. Part of what must be trusted.
 */
import { countOf, greatestOf, leastOf, type RowsToNumber, sumOf } from "./eval/aggregate.ts";

export type Aggregate = Additive | Extreme;

/** Each row adds to the number. */
export type Additive = "count" | "sum";
/** The number is that of one row. */
export type Extreme = "min" | "max";

export interface AggregateEntry {
  readonly name: Aggregate;
  readonly kind: "additive" | "extreme";
  /** True if it takes a number of each row. */
  readonly hasValue: boolean;
  readonly evaluate: RowsToNumber;
}

const entries: readonly AggregateEntry[] = [
  { name: "count", kind: "additive", hasValue: false, evaluate: countOf },
  { name: "sum", kind: "additive", hasValue: true, evaluate: sumOf },
  { name: "min", kind: "extreme", hasValue: true, evaluate: leastOf },
  { name: "max", kind: "extreme", hasValue: true, evaluate: greatestOf },
];

export const aggregates: ReadonlyMap<string, AggregateEntry> = new Map(
  entries.map((entry) => [entry.name, entry]),
);

export function aggregateEntry(name: Aggregate): AggregateEntry {
  const entry = aggregates.get(name);
  if (entry === undefined) throw new TypeError(`there is no aggregate \`${name}\``);
  return entry;
}

export function isAdditive(name: Aggregate): name is Additive {
  return aggregateEntry(name).kind === "additive";
}

export function isExtreme(name: Aggregate): name is Extreme {
  return aggregateEntry(name).kind === "extreme";
}

/** Returns whether it has no value of its own where there is no row, so that `else` must say one. */
export function needsDefault(name: Aggregate): boolean {
  return isExtreme(name);
}
