/** Names that are the same whenever the same is meant, so that what happens twice under one name happened once. */
import type { PendingCall } from "../../ir/run/options.ts";

/** `c3`, or `c3[0,2]` in loops: which call of the run it is. */
export function callName({ id, indices }: Pick<PendingCall, "id" | "indices">): string {
  return indices.length === 0 ? id : `${id}[${indices.join(",")}]`;
}

/** The idempotency key of a call, for the kernel and for its tool. */
export function callKey(runId: string, call: string): string {
  return `run ${runId} call ${call}`;
}

/** What a run holds while it goes on, of each fluent that it uses. */
export function heldKey(fluent: string): string {
  return `run:${fluent}`;
}

/** Where it is kept that nobody knows what a cell holds, or any cell of a fluent. */
export function unknownKey(cell: string): string {
  return `unknown ${cell}`;
}

export function isRunId(text: string, most: number): boolean {
  return text.length <= most && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text);
}
