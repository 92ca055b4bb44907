/** Inputs and results of the calls of a run. */
import type { Checked, Code, Diagnostic, Num, PendingCall, State, Value } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { Person } from "../../toolkit/index.ts";
import type { Clock } from "../clock.ts";
import type { RunCode } from "../codes.ts";
import type { Effect } from "../effects.ts";
import type { LoadedTool } from "../load-tools.ts";
import type { WorldWatch } from "../world/watch.ts";
import type { AttestFor } from "./attest-for.ts";
import type { CallExecution, Execution, InnerDone } from "./execution.ts";
import type { Monitor } from "./monitor.ts";
import type { RunProgress } from "./options.ts";
import type { RecoveredRun } from "./recover.ts";

export interface CallsOptions {
  readonly checked: Checked;
  readonly execution: Execution;
  readonly kernel: Kernel;
  readonly world: WorldWatch;
  readonly attest: AttestFor;
  readonly runId: string;
  /** The reservation that stands for the run. */
  readonly reservation: string;
  readonly monitor: Monitor;
  /** The fluents as the run has left them so far. */
  readonly state: State;
  /** The version of the kernel's state that was last found to agree with that. */
  readonly version: number;
  /** True if the kernel has a budget to charge costs to. */
  readonly charges: boolean;
  /** The most that all calls may cost. */
  readonly budget: Num | undefined;
  /** The run as an earlier process left it. */
  readonly earlier: RecoveredRun | undefined;
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
  /** Receipt of the reservation; undefined for a call that leaves nothing in the kernel, or that was not made. */
  readonly receipt: string | undefined;
  readonly effects: readonly Effect[];
  /** An earlier process was cut off during the same call, which is made again: it may have happened then. */
  readonly isCutOff?: true;
  /** Why it is not made. */
  readonly unmet?: string;
  /** Result that the run computed itself. */
  readonly inner?: InnerDone;
  /** Thrown by the tool, or by what waited for it. */
  error?: unknown;
}

/** A call that really happened, with what it takes to undo it. */
export interface DoneCall {
  readonly call: PendingCall;
  readonly name: string;
  readonly how: CallExecution;
  /** Receipt of the step. */
  readonly receipt: string;
  readonly result: Value | undefined;
  /** True if an earlier process already compensated the call. */
  readonly isBack: boolean;
}
