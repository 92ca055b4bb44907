/** Messages between the service and the processes that prove for it. Plain JSON. */
import type { ProofView, Proved } from "../../approve/index.ts";
import type { SolverName } from "../prove/solver-pool.ts";
import type { Job } from "./prove-job.ts";
import type { ToolFiles } from "./tool-files.ts";

export interface WorkerSetup {
  readonly tools: ToolFiles;
  readonly policy: { readonly file: string; readonly text: string } | null;
  readonly solver: SolverName;
  /** For each question to the solver. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

export type ToWorker =
  | { readonly kind: "setup"; readonly setup: WorkerSetup }
  | { readonly kind: "prove"; readonly job: Job };

export type FromWorker =
  | { readonly kind: "ready" }
  /** The policy, or the solver, cannot be used. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "compiled"; readonly view: ProofView }
  | { readonly kind: "proved"; readonly proved: Proved };

/** The name of the hidden command that runs there. */
export const workerCommand = "serve-worker";
