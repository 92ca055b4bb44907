/** What the calls of a run are given, and what they leave. */
import type { Checked, Code, Diagnostic, Num, PendingCall, State, Value } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { Person } from "../../toolkit/index.ts";
import type { Clock } from "../clock.ts";
import type { RunCode } from "../codes.ts";
import type { Effect } from "../effects.ts";
import type { LoadedTool } from "../load-tools.ts";
import type { Earlier } from "./earlier.ts";
import type { CallExecution, Execution, InnerDone } from "./execution.ts";
import type { Monitor } from "./monitor.ts";
import type { RunProgress } from "./options.ts";

export interface CallsOptions {
  readonly checked: Checked;
  readonly execution: Execution;
  readonly kernel: Kernel;
  readonly runId: string;
  /** The reservation that stands for the run. */
  readonly reservation: string;
  readonly monitor: Monitor;
  /** The fluents as the run has left them so far. */
  readonly state: State;
  /** The version of the kernel's state that was last found to agree with that. */
  readonly version: number;
  /** Whether there is a budget that costs could be charged to. */
  readonly charges: boolean;
  /** The most that all calls may cost. */
  readonly budget: Num | undefined;
  /** What an earlier process did of the same run. */
  readonly earlier: Earlier | undefined;
  readonly tools: ReadonlyMap<string, LoadedTool>;
  readonly timeoutMs: number | undefined;
  readonly graceMs: number;
  readonly person: Person | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** From 0 up to 1, for the waits between tries and for programs that ask for chance. */
  readonly random: () => number;
  /** For programs that read the clock. */
  readonly wallMs: () => number;
  readonly tell: (progress: RunProgress) => void;
}

/** Why the run was stopped here, in place of what the interpreter makes of it. */
export type Stopped = Diagnostic<RunCode | Code, never>;

/** A call from the moment at which it may begin until it has ended. */
export interface Underway {
  readonly call: PendingCall;
  readonly name: string;
  readonly how: CallExecution;
  /** Of its reservation; undefined of a call that leaves nothing in the kernel, or that was found to be not made. */
  readonly receipt: string | undefined;
  readonly effects: readonly Effect[];
  /** An earlier process was cut off during the same call, which is made again: it may have happened then. */
  readonly isCutOff?: true;
  /** Why it is not made. */
  readonly unmet?: string;
  /** What the run itself has made of it. */
  readonly inner?: InnerDone;
  /** Thrown by the tool, or by what waited for it. */
  error?: unknown;
}

/** A call that really happened, with what it takes to undo it. */
export interface DoneCall {
  readonly call: PendingCall;
  readonly name: string;
  readonly how: CallExecution;
  /** Of its step. */
  readonly receipt: string;
  readonly result: Value | undefined;
  /** Whether an earlier process took it back already. */
  readonly isBack: boolean;
}
