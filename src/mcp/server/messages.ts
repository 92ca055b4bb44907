/** Messages between the server and the processes that do its work. Plain JSON. */
import type { CatalogueModule, ProblemReport } from "../../app/index.ts";
import type { ProveAnswer, RunAnswer } from "./answers.ts";
import type { McpSettings } from "./settings.ts";

export type Job =
  | { readonly kind: "prove"; readonly program: string; readonly inputs?: unknown }
  | { readonly kind: "run"; readonly program: string; readonly inputs?: unknown }
  | { readonly kind: "catalogue" };

export type CatalogueAnswer =
  | { readonly ok: true; readonly modules: readonly CatalogueModule[] }
  | { readonly ok: false; readonly problems: readonly ProblemReport[] };

export type JobAnswer =
  | { readonly kind: "prove"; readonly answer: ProveAnswer }
  | { readonly kind: "run"; readonly answer: RunAnswer }
  | { readonly kind: "catalogue"; readonly answer: CatalogueAnswer };

/** The stage of a run after its proof. */
export type Stage =
  | { readonly kind: "pending"; readonly address: string }
  /** From now on calls are made, and the process is left alone. */
  | { readonly kind: "running" };

export type ToWorker =
  | { readonly kind: "setup"; readonly settings: McpSettings }
  | { readonly kind: "job"; readonly job: Job };

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "stage"; readonly stage: Stage }
  | { readonly kind: "answer"; readonly answer: JobAnswer };

/** The name of the hidden command that runs there. */
export const workerCommand = "mcp-worker";
