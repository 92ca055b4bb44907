/** Starts runs in the job processes, and says what became of one whose process did not answer. */
import { notRun, type RunAnswer, type StartRun } from "../../app/index.ts";
import type { JobOutcome, JobPool } from "./job-pool.ts";

/** @param credential the agent's own at the service */
export function startIn(pool: JobPool, credential?: string): StartRun {
  return (given, onStage) => {
    const job = { kind: "run" as const, ...given, ...(credential !== undefined && { credential }) };
    const handle = pool.submit(job, onStage);
    if (handle === undefined) return undefined;
    const { outcome, cancel, reply } = handle;
    return { answer: outcome.then(answerOf), cancel, reply };
  };
}

function answerOf(outcome: JobOutcome): RunAnswer {
  switch (outcome.kind) {
    case "answered":
      if (outcome.answer.kind !== "run") throw new TypeError("a run was answered as something else");
      return outcome.answer.answer;
    case "timeout":
      return notRun("unknown", "not proved", "the proof took too long");
    case "cancelled":
      return notRun("unknown", "failed", "it was cancelled before any call was made");
    case "ended":
      return outcome.isRunning
        ? notRun("proved", "in doubt", "the process that ran it ended by itself")
        : notRun("unknown", "failed", "the process that worked on it ended by itself");
  }
}
