/** What a call does to the state of the kernel, as effects. */
import { type Json, Unknown, type Write } from "../../ir/index.ts";
import { cellKey, type Mark, markOf, toJson, unknownKey } from "../cells.ts";
import type { Marking } from "../settle-failed.ts";
import type { Stored } from "./stored-state.ts";

export type Effect =
  | { readonly key: string; readonly op: "set"; readonly value: Json }
  | { readonly key: string; readonly op: "delete" };

/** Undefined if there is a value that the kernel cannot hold exactly. */
export function effectsOf(
  writes: readonly Write[],
  tool: string,
  kernel: Stored,
): readonly Effect[] | undefined {
  const effects = new Map<string, Effect>();
  for (const write of writes) {
    const { fluent, key, value } = write;
    if (key instanceof Unknown || value instanceof Unknown) {
      const marked = unknownKey(cellOf(write));
      effects.set(marked, { key: marked, op: "set", value: markOf("set from the unknown", tool) });
      continue;
    }
    const [cell, json] = [cellKey(fluent, key), toJson(value)];
    if (json === undefined) return undefined;
    effects.set(cell, { key: cell, op: "set", value: json });
    const marked = unknownKey(cell);
    effects.delete(marked);
    if (kernel.cell(marked) !== undefined) effects.set(marked, { key: marked, op: "delete" });
  }
  return [...effects.values()];
}

/** For a call that failed: it may have set each of these, or not. */
export function marksOf(writes: readonly Write[], value: Mark): Marking["effects"] {
  const marked = new Set(writes.map((write) => unknownKey(cellOf(write))));
  return Array.from(marked, (key) => ({ key, op: "set", value }));
}

/** The cell, or the whole fluent if nobody knows which. */
function cellOf({ fluent, key }: Write): string {
  return key instanceof Unknown ? fluent : cellKey(fluent, key);
}
