/**
 * Execution details that the document does not state: retries, timeouts, preconditions on the state, compensation. A
 * front end derives them while lowering, and names calls by their ids in the document. A front end works this out
 * from what it lowered, and names calls by their ids in the document. SOUNDNESS: nothing here lets a call happen that
 * the document does not make. A proof counts each call as one that may fail, so a call that is not made for a reason
 * given here is a run that was looked at.
 */
import type { RecordValue, Tool, Value } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { Effect } from "../effects.ts";
import type { RunProblem } from "./options.ts";

export interface Execution {
  /** By the ids of call commands; a call without an entry is made as it stands. */
  readonly calls: ReadonlyMap<string, CallExecution>;
  /** Tools that only such calls name as the run carries out itself: there is no handler for them. */
  readonly innerTools: ReadonlySet<string>;
  /** Why the run must not begin from the state that the kernel has; looked at in the moment in which it begins. */
  readonly objections?: (kernel: Cells) => readonly RunProblem[];
}

/** Returns the state as JSON. */
export type Cells = Pick<Kernel, "cell" | "view">;

export interface CallExecution {
  /** Calls of one name are tries of one and the same: their tool receives one idempotency key. */
  readonly of?: string;
  /** Attempt number, from 1. The run waits before each retry, with increasing backoff. */
  readonly attempt?: number;
  /** Another try follows if this one fails. */
  readonly again?: true;
  readonly timeoutMs?: number;
  /** Says why the call must not be made; it then fails, and nothing has happened. Looked at when it is reserved. */
  readonly unmet?: (args: RecordValue, cells: Pick<Cells, "cell">) => string | undefined;
  /** Carries the call out in place of a tool. */
  readonly inner?: InnerCall;
  /**
   * The run continues without it: a refusal of the kernel fails the call, and one with an unknown result
   * stays in doubt while the run goes on. Only for calls whose failure the document catches.
   */
  readonly optional?: true;
  /** Its failure ends the run: no other call begins after it, in whatever branch. */
  readonly ends?: true;
  /** Compensates the call when the run is compensated, in place of the `undo` of its tool. */
  readonly compensation?: Compensation;
}

/** A call that the run carries out itself: on the state of the kernel, and on nothing else. */
export interface InnerCall {
  /** True if it only computes; it then leaves nothing in the trace, and is computed anew when a run is resumed. */
  readonly isPure: boolean;
  readonly work: (args: RecordValue, cells: Pick<Cells, "cell">) => InnerDone | InnerFailed;
}

export interface InnerDone {
  readonly effects: readonly Effect[];
  /** As JavaScript has it. */
  readonly result: unknown;
}

export interface InnerFailed {
  readonly unmet: string;
  /** The run stops, also where the document catches the failure: no verdict foresaw it. */
  readonly isFatal?: true;
}

export interface Compensation {
  readonly tool: Tool;
  /** From the results of calls by their names; a text says why there are none. */
  readonly args: (results: ReadonlyMap<string, Value | undefined>) => RecordValue | string;
}

export const noExecution: Execution = { calls: new Map(), innerTools: new Set() };
