/** Options, hooks and result of a run. */
import type { Diagnostic } from "../diagnostic.ts";
import type { Tool } from "../document.ts";
import type { Watch } from "../eval/meter.ts";
import type { Cell, State, Write } from "../eval/state.ts";
import type { Outcome, TraceEntry } from "../eval/trace.ts";
import type { Limits } from "../limits.ts";
import type { Num } from "../number.ts";
import type { RecordValue } from "../value.ts";

export interface RunOptions {
  /** A value of the record type of the program's inputs; see `readInputs`. */
  readonly inputs: RecordValue;
  readonly tools: ReadonlyMap<string, ToolHandler>;
  /** Cells that are known to differ from the declared initial values of the fluents. */
  readonly initial?: readonly Cell[];
  readonly hook?: Hook;
  readonly signal?: AbortSignal;
  /**
   * The calls of an earlier run of the same document on the same inputs, or what a call is to be taken to have
   * given: they are not made. Of a call without an answer the handler is asked.
   */
  readonly recorded?: readonly TraceEntry[] | ((call: PendingCall) => Outcome | undefined);
  readonly limits?: Limits;
  /** Told of each operator that the run applies; it decides nothing. */
  readonly watch?: Watch;
  /** Calls that may be under way at a time; 32 by default. With 1, branches run one after the other. */
  readonly concurrency?: number;
  /**
   * Chooses what happens next among calls that are made at the same time: called whenever all branches wait and all
   * tools have answered, and returns the position of the start or end that it chooses. For tests and counterexamples.
   */
  readonly schedule?: (choices: readonly ScheduleChoice[]) => number;
}

/** A start or an end of a call that can happen next. */
export interface ScheduleChoice {
  readonly kind: "start" | "end";
  readonly id: string;
  readonly indices: readonly number[];
}

export interface ToolHandler {
  /** May throw or reject: the call has then failed. */
  readonly run: (args: unknown, context: CallContext) => unknown;
  /** Representation of integers; `number` by default. */
  readonly integers?: "number" | "bigint";
  /** Form of the arguments: JavaScript values unless said otherwise; `exact` for the interpreter's own values. */
  readonly args?: "exact";
}

export interface CallContext {
  readonly id: string;
  readonly indices: readonly number[];
  readonly signal: AbortSignal;
}

/** Sees every call that is really made, before and after. Calls taken from a record are not reported again. */
export interface Hook {
  /**
   * May refuse: the call is then not made and the run stops; branches beside it run on. Throwing refuses too, and stops
   * the branches beside it. No other call starts or ends meanwhile, so it must not wait for one.
   */
  readonly before?: (call: PendingCall) => Decision | Promise<Decision>;
  readonly after?: (entry: TraceEntry) => void | Promise<void>;
  readonly failed?: (entry: TraceEntry) => void | Promise<void>;
  /** Sees every answer and note in the place of the others. May refuse it: the run then stops. */
  readonly told?: (call: PendingCall) => Decision;
  /** Sees every reading and pause once it was made, in the place of the others. */
  readonly observed?: (entry: TraceEntry) => void;
}

export type Decision = { readonly kind: "proceed" } | { readonly kind: "refuse"; readonly reason: string };

export interface PendingCall {
  readonly position: number;
  readonly id: string;
  readonly indices: readonly number[];
  readonly tool: Tool;
  readonly args: RecordValue;
  readonly cost: Num;
  /** Its writes if it succeeds, in order. */
  readonly writes: readonly Write[];
}

export interface Run {
  readonly outcome:
    | { readonly kind: "completed" }
    | { readonly kind: "stopped"; readonly problem: Diagnostic };
  readonly trace: readonly TraceEntry[];
  readonly state: State;
  /** Units of work, as the meter counts them. */
  readonly steps: number;
}
