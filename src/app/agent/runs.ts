/** The runs that agents asked for: pending, making calls, or ended. Each has a name that nobody can guess. */
import { randomBytes } from "node:crypto";
import { notRun, type RunAnswer } from "./answers.ts";
import type { GivenProgram, RunStage } from "./jobs.ts";

/** LIMIT: of runs that are remembered once they have ended. */
const mostEnded = 500;

/** A run under way. */
export interface StartedRun {
  readonly answer: Promise<RunAnswer>;
  /** Ends it, unless it makes calls already. */
  readonly cancel: () => void;
}

/** Starts a run; undefined if there is too much to do. */
export type StartRun = (given: GivenProgram, onStage: (stage: RunStage) => void) => StartedRun | undefined;

interface Known {
  answer: RunAnswer;
  readonly ended: Promise<void>;
}

export class Runs {
  readonly #start: StartRun;
  readonly #known = new Map<string, Known>();

  constructor(start: StartRun) {
    this.#start = start;
  }

  /**
   * Starts a run. The answer comes once it has ended, a person is asked elsewhere, or the time is over; undefined if there
   * is too much to do. Rejects if the run throws, as an SDK does to interrupt a tool.
   */
  async start(given: GivenProgram, waitMs: number, signal?: AbortSignal): Promise<RunAnswer | undefined> {
    const id = `run-${randomBytes(12).toString("hex")}`;
    let asked: () => void = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const started = this.#start(given, (stage) => {
      const known = this.#known.get(id);
      if (known !== undefined) known.answer = stageAnswer(stage, id);
      if (stage.kind === "pending") asked();
    });
    if (started === undefined) return undefined;
    const ended = started.answer.then(
      (answer) => {
        const known = this.#known.get(id);
        if (known !== undefined) known.answer = { ...answer, request: id };
        this.#forget();
      },
      (thrown: unknown) => {
        this.#known.delete(id);
        throw thrown;
      },
    );
    ended.catch(() => {});
    this.#known.set(id, {
      answer: { ...notRun("unknown", "running", "it is being proved"), request: id },
      ended,
    });
    const cancel = (): void => started.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      await Promise.race([ended, isAsked, later(waitMs)]);
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
    return this.#known.get(id)?.answer;
  }

  /** Returns how a run stands; undefined for one that nobody here has started. */
  get(id: string): RunAnswer | undefined {
    return this.#known.get(id)?.answer;
  }

  /** Waits until a run has ended, or the time is over. */
  async wait(id: string, waitMs: number): Promise<RunAnswer | undefined> {
    const known = this.#known.get(id);
    if (known === undefined) return undefined;
    await Promise.race([known.ended.catch(() => {}), later(waitMs)]);
    return this.#known.get(id)?.answer ?? known.answer;
  }

  #forget(): void {
    const ended = [...this.#known].filter(
      ([, { answer }]) => answer.status !== "pending" && answer.status !== "running",
    );
    for (const [id] of ended.slice(0, Math.max(0, ended.length - mostEnded))) this.#known.delete(id);
  }
}

function stageAnswer(stage: RunStage, request: string): RunAnswer {
  const common = { verdict: "proved" as const, calls: [], receipt: null, request };
  if (stage.kind === "running") return { ...common, status: "running" };
  const reason = "a person has to decide at this address; then ask with `wait`";
  return { ...common, status: "pending", address: stage.address, reason };
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
