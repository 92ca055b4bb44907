/** The runs that this server was asked for: pending, making calls, or ended. Each has a name that nobody can guess. */
import { randomBytes } from "node:crypto";
import { notRun, type RunAnswer } from "./answers.ts";
import type { JobOutcome, JobPool } from "./job-pool.ts";
import type { Stage } from "./messages.ts";

/** LIMIT: of runs that are remembered once they have ended. */
const mostEnded = 500;

interface Known {
  answer: RunAnswer;
  readonly ended: Promise<void>;
}

export class Runs {
  readonly #pool: JobPool;
  readonly #known = new Map<string, Known>();

  constructor(pool: JobPool) {
    this.#pool = pool;
  }

  /** Starts a run. The answer comes once it has ended, a person is asked, or the time is over. */
  async start(
    program: string,
    inputs: unknown,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<RunAnswer | undefined> {
    const id = `run-${randomBytes(12).toString("hex")}`;
    let asked: () => void = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const onStage = (stage: Stage): void => {
      const known = this.#known.get(id);
      if (known !== undefined) known.answer = stageAnswer(stage, id);
      if (stage.kind === "pending") asked();
    };
    const handle = this.#pool.submit(
      { kind: "run", program, ...(inputs !== undefined && { inputs }) },
      onStage,
    );
    if (handle === undefined) return undefined;
    const ended = handle.outcome.then((outcome) => {
      const known = this.#known.get(id);
      if (known !== undefined) known.answer = { ...answerOf(outcome), request: id };
      this.#forget();
    });
    this.#known.set(id, {
      answer: { ...notRun("unknown", "running", "it is being proved"), request: id },
      ended,
    });
    const cancel = (): void => handle.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    await Promise.race([ended, isAsked, later(waitMs)]);
    signal.removeEventListener("abort", cancel);
    return this.#known.get(id)?.answer;
  }

  /** Returns how a run stands; undefined for one that this server does not know. */
  get(id: string): RunAnswer | undefined {
    return this.#known.get(id)?.answer;
  }

  /** Waits until a run has ended, or the time is over. */
  async wait(id: string, waitMs: number): Promise<RunAnswer | undefined> {
    const known = this.#known.get(id);
    if (known === undefined) return undefined;
    await Promise.race([known.ended, later(waitMs)]);
    return this.#known.get(id)?.answer ?? known.answer;
  }

  #forget(): void {
    const ended = [...this.#known].filter(
      ([, { answer }]) => answer.status !== "pending" && answer.status !== "running",
    );
    for (const [id] of ended.slice(0, Math.max(0, ended.length - mostEnded))) this.#known.delete(id);
  }
}

function stageAnswer(stage: Stage, request: string): RunAnswer {
  const common = { verdict: "proved" as const, calls: [], receipt: null, request };
  if (stage.kind === "running") return { ...common, status: "running" };
  const reason = "a person has to decide at this address; then ask with `wait`";
  return { ...common, status: "pending", address: stage.address, reason };
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

function later(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
