/** Starts runs in the job processes, and says what became of one whose process did not answer. */
import { notRun, type RunAnswer, type StartRun } from "../../app/index.ts";
import type { JobOutcome, JobPool } from "./job-pool.ts";

export function startIn(pool: JobPool): StartRun {
  return (given, onStage) => {
    const handle = pool.submit({ kind: "run", ...given }, onStage);
    return handle && { answer: handle.outcome.then(answerOf), cancel: handle.cancel };
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
