/** Options, progress events and result of a program run. */
import type { ApproveCode, Receipt } from "../../approve/index.ts";
import type {
  Code,
  Diagnostic,
  Failed,
  PlainJson,
  RecordValue,
  Result,
  Value,
  Verdict,
} from "../../ir/index.ts";
import type { AttestationRequest, Kernel } from "../../kernel/index.ts";
import type { Person } from "../../toolkit/index.ts";
import type { CallProgress } from "../attempts.ts";
import type { Clock } from "../clock.ts";
import type { RunCode } from "../codes.ts";
import type { LoadedTool } from "../load-tools.ts";
import type { LoadedProbe } from "../world/probe.ts";
import type { LookWhen } from "../world/watch.ts";
import type { Execution } from "./execution.ts";

export interface ProgramRunOptions {
  /** Owns the state, the budgets and the trace. */
  readonly kernel: Kernel;
  readonly inputs: RecordValue;
  /** The approval, and the key that verifies it. */
  readonly receipt: Receipt;
  readonly publicKey: string;
  /** By their full names. */
  readonly tools: ReadonlyMap<string, LoadedTool>;
  /**
   * Guarantees, by their positions, that are proved to hold wherever the run stops. A call that would break one of them
   * is not made. All others are judged at the end.
   */
  readonly everywhere: ReadonlySet<number>;
  /** Probes that compare fluents with the world; without them, nothing is compared. */
  readonly world?: WorldOptions;
  /** Gives attestations of an action for which gates of the kernel ask. */
  readonly attest?: (request: AttestationRequest) => Promise<readonly unknown[]>;
  /** Execution details from the front end; by default each call is made once, as written. */
  readonly execution?: Execution;
  /** Concurrent calls, 32 by default. */
  readonly concurrency?: number;
  readonly runId: string;
  /** Timeout of a call in milliseconds; none by default. */
  readonly timeoutMs?: number;
  /** Grace period for a tool to return after an abort, in milliseconds; 1,000 by default. */
  readonly graceMs?: number;
  /** Whom tools may ask during the run; without it they can ask nobody. */
  readonly person?: Person;
  /**
   * Lease of the fluents that the run holds, in milliseconds, renewed while the run goes on. A lease that is over shows
   * that nobody carries the run on; others wait for the outcome of the run all the same. None by default.
   */
  readonly leaseMs?: number;
  /** Ends the run: what is under way is told to stop, and no further call is made. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  readonly clock?: Clock;
  /** From 0 up to 1, for the waits between tries and for programs that ask for chance. */
  readonly random?: () => number;
  /** Wall-clock time, for the validity of the receipt and for programs that read the clock. */
  readonly wallMs: () => number;
}

export interface WorldOptions {
  /** By the names of their fluents. */
  readonly probes: ReadonlyMap<string, LoadedProbe>;
  /** `start`: before the first call (default). `calls`: also before each call the cells that it reads, and after it those that it sets. */
  readonly when?: LookWhen;
  /** Time limit of one probe in milliseconds, 10,000 by default. */
  readonly timeoutMs?: number;
}

export type CallStatus =
  | "done"
  /** It was done, and its tool has taken it back. */
  | "undone"
  /** It may or may not have had its effect. */
  | "failed"
  /** Nothing happened, by the word of the tool. */
  | "not done"
  /** It is unknown whether it happened. */
  | "in doubt";

export type RunProgress =
  | CallProgress
  /** It is reserved, and now it is made. */
  | { readonly kind: "calling"; readonly actionId: string; readonly tool: string; readonly args: RecordValue }
  /** The run has stopped, and its calls are compensated. */
  | { readonly kind: "undoing"; readonly actionId: string }
  | {
      readonly kind: "ended";
      readonly actionId: string;
      readonly status: CallStatus;
      readonly reason?: string;
      /** The tool result of a completed call, if it has one. */
      readonly result?: Value;
    };

/** Also with the codes of plans, where one lets its run not begin. */
export type RunProblem = Diagnostic<RunCode | ApproveCode | Code | `FC3${string}`>;

export interface CallRun {
  /** `c3`, or `c3[0,2]` in loops. */
  readonly call: string;
  readonly tool: string;
  readonly status: CallStatus;
  /** True if an earlier process made the call. */
  readonly before: boolean;
  readonly reason?: string;
  /** Receipt of the reservation in doubt, or of the step. */
  readonly receipt?: string;
}

export interface JudgedGuarantee {
  readonly guarantee: number;
  readonly verdict: Verdict;
}

export interface ProgramRun {
  /** `in doubt`: something happened or not, and only a person or the tool can tell; the run has not ended. */
  readonly kind: "done" | "stopped" | "in doubt";
  readonly runId: string;
  readonly calls: readonly CallRun[];
  /** The answer of the program: what its `run` returned, as JSON. Set if it has one, and the run is done. */
  readonly result?: PlainJson;
  /** The notes of the program, in their order. */
  readonly notes: readonly string[];
  /** The problem that stopped the run. */
  readonly endedBy?: RunProblem;
  /** Everything that went wrong, what stopped it first. */
  readonly problems: readonly RunProblem[];
  /** Calls that really happened, and that nothing compensated when the run stopped. */
  readonly notUndone: readonly string[];
  /** All guarantees, on the run as it was; of a run that completed. */
  readonly guarantees: readonly JudgedGuarantee[];
}

/** Options for resuming a run; its inputs and receipt are in the trace. */
export type ResumeOptions = Omit<ProgramRunOptions, "inputs" | "receipt">;

/** If it failed, no call was made, and the receipt was not used. */
export type ProgramRunResult = Result<ProgramRun, Failed<RunProblem>>;
