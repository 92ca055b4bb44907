/** Rows of relations over a trace: calls, and cells of fluents. Part of what must be trusted. */
import { record, type Value } from "../value.ts";
import type { Known } from "./evaluate.ts";
import { type AnyOtherKey, isPartly, PartlyRecord, type Unknown } from "./partly.ts";
import type { TraceEntry } from "./trace.ts";

/** One row of a relation, bound to its variable while it is looked at. */
export interface Row {
  readonly known: Known;
  readonly entry?: TraceEntry;
  /** False for a call that failed: it may or may not have had its effect. */
  readonly certain: boolean;
  /** It stands for all keys without a cell of their own, of which there is no end. */
  readonly endless?: true;
}

export function callRow(entry: TraceEntry, certain: boolean): Row & { readonly entry: TraceEntry } {
  return { known: entry.args, entry, certain };
}

export function cellRow(key: Value | AnyOtherKey, value: Value | Unknown): Row {
  if (isPartly(key) || isPartly(value)) {
    return {
      known: new PartlyRecord(
        new Map<string, Known>([
          ["key", key],
          ["value", value],
        ]),
      ),
      certain: true,
    };
  }
  return {
    known: record([
      ["key", key],
      ["value", value],
    ]),
    certain: true,
  };
}
