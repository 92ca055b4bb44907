/**
 * Rolls steps back and compensates for their effects in the world: the `undo` of each step is an action of its own, which is
 * performed, newest first, under a key that the rollback gives it. After a crash the rollback's entry says what was to be
 * done, and doing it again under the same keys does only what is left.
 */
import { isList, isRecord, type Value } from "../../ir/index.ts";
import type { Problem } from "../problem.ts";
import { type Plain, plainOf } from "../values/plain.ts";
import type { Outcome } from "./outcome.ts";
import type { Performed, PerformOptions } from "./perform.ts";

export type Compensated<T> =
  | { readonly kind: "refused"; readonly reasons: readonly Problem[]; readonly outcome: Outcome }
  /** The state is as it was; what became of each `undo`, newest first. One that is not `done` needs someone's eye. */
  | { readonly kind: "rolled back"; readonly outcome: Outcome; readonly undone: readonly Performed<T>[] };

interface Performer {
  rollback(from: string, to?: string): Promise<Outcome>;
  perform<T>(
    action: unknown,
    handler: (receipt: string) => T | Promise<T>,
    options?: PerformOptions<T>,
  ): Promise<Performed<T>>;
}

export async function compensate<T>(
  kernel: Performer,
  from: string,
  handler: (undo: Plain, receipt: string) => T | Promise<T>,
  to: string = from,
): Promise<Compensated<T>> {
  const outcome = await kernel.rollback(from, to);
  if (outcome.verdict === "refused") return { kind: "refused", reasons: outcome.reasons, outcome };
  const undone: Performed<T>[] = [];
  for (const [i, undo] of undosIn(outcome.result).entries()) {
    const action = plainOf(undo);
    undone.push(
      await kernel.perform(action, (receipt) => handler(action, receipt), { key: undoKey(outcome.hash, i) }),
    );
  }
  return { kind: "rolled back", outcome, undone };
}

/** The key of one `undo` of a rollback, by the hash of its entry; 0 is the newest step. */
export function undoKey(hash: string, position: number): string {
  return `undo ${position} of ${hash}`;
}

function undosIn(result: Value | undefined): readonly Value[] {
  const undos = result !== undefined && isRecord(result) ? result.fields.undo : undefined;
  return undos !== undefined && isList(undos) ? undos : [];
}
