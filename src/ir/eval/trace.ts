/** What a run leaves behind: its calls in order, with their arguments and outcomes. Part of what must be trusted. */
import type { Code } from "../diagnostic.ts";
import type { RecordValue, Value } from "../value.ts";

export interface TraceEntry {
  /** From 0, without gaps. */
  readonly position: number;
  /** With `indices`, which call of the program it was. */
  readonly id: string;
  /** The positions of the enclosing loops, outermost first. */
  readonly indices: readonly number[];
  readonly tool: string;
  readonly args: RecordValue;
  readonly outcome: Outcome;
}

export type Outcome =
  /** Without `result` for a tool that returns nothing. */
  | { readonly kind: "returned"; readonly result?: Value }
  /** The call may or may not have had its effect. */
  | { readonly kind: "failed"; readonly reason: string }
  /** The tool answered what it must not: as a failed call, but the run cannot go on, `catch` or not. */
  | { readonly kind: "broken"; readonly code: Code; readonly reason: string; readonly help?: string };
