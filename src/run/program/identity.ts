/** Names that are the same whenever the same is meant, so that what happens twice under one name happened once. */
import type { PendingCall } from "../../ir/index.ts";

/** `c3`, or `c3[0,2]` in loops: which call of the run it is. */
export function callName({ id, indices }: Pick<PendingCall, "id" | "indices">): string {
  return indices.length === 0 ? id : `${id}[${indices.join(",")}]`;
}

/** The idempotency key of a call, for the kernel and, without releases, for its tool. */
export function callKey(runId: string, call: string, releases = 0): string {
  // A key that was released is not used again.
  return `run ${runId}${releases === 0 ? "" : ` again ${releases}`} call ${call}`;
}

/** The call that a key speaks of, for entries of the first form; undefined if it is none of this run. */
export function callOfKey(runId: string, key: string): string | undefined {
  const [, id, call] = /^run (\S+)(?: again [0-9]+)? call (.+)$/s.exec(key) ?? [];
  return id === runId ? call : undefined;
}

/** By which the kernel knows the run itself. */
export function runName(runId: string): string {
  return `run ${runId}`;
}

/** The key that records the end of a run; from then on the run is only compensated. */
export function endKey(runId: string): string {
  return `run ${runId} ended`;
}

/**
 * Returns the key that marks a stopped run in the state until compensation is complete: another process finds the
 * state changed before its next call, and this key set.
 */
export function endedCell(runId: string): string {
  return `ended run ${runId}`;
}

/** Returns the idempotency key of a compensation, from the receipt of its step. */
export function undoKey(stepReceipt: string): string {
  return `undo of ${stepReceipt}`;
}

/** Returns the key that a run holds for each fluent that it uses. */
export function heldKey(fluent: string): string {
  return `run:${fluent}`;
}

export function isRunId(text: string, most: number): boolean {
  return text.length <= most && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text);
}
