/** Messages between the server and the processes that do its work. Plain JSON. */
import type { CatalogueAnswer, FormReply, ProveAnswer, RunAnswer, RunStage } from "../../app/index.ts";
import type { McpSettings } from "./settings.ts";

export type Job =
  | { readonly kind: "prove"; readonly program: string; readonly inputs?: unknown }
  | {
      readonly kind: "run";
      readonly program: string;
      readonly inputs?: unknown;
      /** The agent's credential at the service, where each agent has its own. */
      readonly credential?: string;
    }
  | { readonly kind: "catalogue" };

export type JobAnswer =
  | { readonly kind: "prove"; readonly answer: ProveAnswer }
  | { readonly kind: "run"; readonly answer: RunAnswer }
  | { readonly kind: "catalogue"; readonly answer: CatalogueAnswer };

export type ToWorker =
  | { readonly kind: "setup"; readonly settings: McpSettings }
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "reply"; readonly id: string; readonly reply: FormReply };

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "stage"; readonly stage: RunStage }
  | { readonly kind: "answer"; readonly answer: JobAnswer };

/** The name of the hidden command that runs there. */
export const workerCommand = "mcp-worker";
