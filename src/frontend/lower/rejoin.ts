/** Joins exits with their targets: the end of a loop body, of a loop, of a `switch`, of a `try`. */

import { append, type Expr } from "../../ir/index.ts";
import { anyOf } from "../build.ts";
import type { Exit, Lowering } from "./core.ts";
import { type Alternative, mergeAll } from "./merge.ts";

type At = { readonly start: number; readonly end: number };

/**
 * Goes on here with these exits and the path that is under way. `entry`: the path on which all of this began, if
 * no other exit has left it since.
 */
export function rejoin(low: Lowering, exits: readonly Exit[], entry: Expr | undefined, node: At): void {
  if (exits.length === 0) return;
  const ways: Alternative[] = exits.map(({ guard, state }) => ({ guard, state }));
  if (low.isReached) ways.push({ guard: low.path, state: low.state });
  const merged = mergeAll(low, ways, node, "merged");
  if (merged !== undefined) low.state = merged.state;
  low.path = entry ?? low.named(anyOf(ways.map((way) => way.guard)), "going", node);
}

/** Takes out the exits that end here, and leaves the others pending. */
export function takeExits(low: Lowering, exits: readonly Exit[], kinds: readonly Exit["kind"][]): Exit[] {
  append(
    low.exits,
    exits.filter((exit) => !kinds.includes(exit.kind)),
  );
  return exits.filter((exit) => kinds.includes(exit.kind));
}
