/** What a run of a plan is given, what it tells on the way, and what it leaves behind. */
import type { Json, Path } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { CallInfo, CallProgress, Clock } from "../../run/index.ts";
import type { PlanCode } from "../codes.ts";
import type { Verification } from "../findings.ts";
import type { State } from "../plan.ts";
import type { PlanWarning } from "../read.ts";
import type { ToolBook } from "../strict/tool-book.ts";

export type { Clock } from "../../run/index.ts";

export interface RunPlanOptions {
  /** Owns the state, the budgets and the trace. */
  readonly kernel: Kernel;
  /** By the names of tools. */
  readonly tools: ReadonlyMap<string, PlanTool>;
  /**
   * What trusted tool modules say of the tools: what they require, change, cost and give. Without it only the plan says
   * something, and what it claims must be believed for anything to come of it.
   */
  readonly book?: ToolBook;
  /** Whether, without a book, the effects that tool calls claim are written to the state. */
  readonly believeClaims?: boolean;
  /** The same name again goes on with the same run. */
  readonly runId: string;
  /** Actions at the same time, 8 unless told. */
  readonly concurrency?: number;
  /** For actions that say nothing of it; without it, they may take as long as they like. */
  readonly timeoutMs?: number;
  /** How long a tool may take to answer once it was told to stop, 1,000 unless told. */
  readonly graceMs?: number;
  /** Ends the plan: what is under way is told to stop, and everything is rolled back. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PlanProgress) => void;
  readonly clock?: Clock;
  /** From 0 up to 1, for the waits between tries. */
  readonly random?: () => number;
  /** What the reader had to say. */
  readonly warnings?: readonly PlanWarning[];
}

export interface PlanTool {
  /** Throws when it failed, and `NotDone` of the kernel when it is sure that nothing happened. */
  readonly run: (args: unknown, call: PlanCall) => unknown;
  /** Takes a call back. */
  readonly undo?: (args: unknown, output: unknown, call: PlanCall) => unknown;
  /** Calling it again does no harm. Without a book or this, the action's word is taken. */
  readonly idempotent?: boolean;
  /** It hands `call.key` on to whatever it calls, which does nothing twice under one key. */
  readonly usesKey?: boolean;
  /** What a call costs, if no book says so: an amount of the first budget, or amounts by name. */
  readonly cost?: (args: unknown) => unknown;
}

export type PlanCall = CallInfo;

export type ActionStatus =
  | "done"
  /** Left out, because it failed and may. */
  | "skipped"
  /** It ended the plan. */
  | "failed"
  /** Nobody knows whether it happened. */
  | "in doubt"
  | "not reached"
  | "rolled back";

export type PlanProgress =
  | CallProgress
  | {
      readonly kind: "ended";
      readonly actionId: string;
      readonly status: ActionStatus;
      /** Of all actions, how many have ended. */
      readonly ended: number;
      readonly all: number;
      readonly before: boolean;
      readonly reason?: string;
    }
  | { readonly kind: "rolling back"; readonly steps: number; readonly reason: string }
  | {
      readonly kind: "taken back";
      readonly actionId: string;
      /** Whether the step was rolled back. */
      readonly isBack: boolean;
      /** What went wrong. */
      readonly reason?: string;
    };

/** Something that went wrong in a run, or that keeps it from beginning. */
export interface RunProblem {
  readonly code: PlanCode;
  readonly message: string;
  /** Where in the plan. */
  readonly path: Path;
  readonly actionId?: string;
  readonly help?: string;
}

export interface ActionRun {
  readonly actionId: string;
  readonly status: ActionStatus;
  /** Tries in this process; 0 for what an earlier one did. */
  readonly attempts: number;
  /** Whether it ended in an earlier process. */
  readonly before: boolean;
  readonly output?: Json;
  readonly problem?: RunProblem;
  /** Of a reservation that is in doubt, or of the step. */
  readonly receipt?: string;
}

export interface PlanRun {
  /** `in doubt`: an earlier process left something that only a person or the tool can tell, so nothing was done. */
  readonly kind: "done" | "aborted" | "in doubt";
  readonly runId: string;
  /** The plan by its content. */
  readonly digest: string;
  /** In the order of the plan. */
  readonly actions: readonly ActionRun[];
  readonly endedBy?: RunProblem;
  /** Everything that went wrong, what ended the plan first. */
  readonly problems: readonly RunProblem[];
  readonly inDoubt: readonly InDoubtAction[];
  /** Calls that really happened, and that nothing made up for when the plan was rolled back. */
  readonly stillDone: readonly string[];
  /** The state of the kernel afterwards. */
  readonly state: State;
}

export interface InDoubtAction {
  readonly actionId: string;
  readonly receipt: string;
  readonly key: string;
}

export type RunPlanResult =
  | { readonly ok: true; readonly value: PlanRun }
  /** Nothing was done. */
  | {
      readonly ok: false;
      readonly problems: readonly RunProblem[];
      /** If the plan hangs together and is not valid. */
      readonly verification?: Verification;
    };
