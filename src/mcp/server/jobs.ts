/** The work of the server, in a process of its own. */
import { type AgentContext, catalogueForAgent, proveForAgent, runForAgent } from "../../app/index.ts";
import type { Job, JobAnswer } from "./messages.ts";

export async function perform(context: AgentContext, job: Job): Promise<JobAnswer> {
  switch (job.kind) {
    case "prove":
      return { kind: "prove", answer: await proveForAgent(context, job) };
    case "run":
      return { kind: "run", answer: await runForAgent(context, job) };
    case "catalogue":
      return { kind: "catalogue", answer: await catalogueForAgent(context) };
  }
}
