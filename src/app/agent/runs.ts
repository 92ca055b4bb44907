/** The runs that agents asked for: pending, making calls, or ended. Each has a name that nobody can guess. */
import { randomBytes } from "node:crypto";
import { notRun, type RunAnswer } from "./answers.ts";
import type { FormQuestion, FormReply, GivenProgram, RunStage } from "./jobs.ts";

/** LIMIT: of runs that are remembered once they have ended. */
const mostEnded = 500;

/** A run under way. */
export interface StartedRun {
  readonly answer: Promise<RunAnswer>;
  /** Ends it, unless it makes calls already. */
  readonly cancel: () => void;
  /** Replies to a form. */
  readonly reply?: (id: string, reply: FormReply) => void;
}

/** Starts a run; undefined if there is too much to do. */
export type StartRun = (given: GivenProgram, onStage: (stage: RunStage) => void) => StartedRun | undefined;

/** A question that somebody has to answer before the run goes on. */
export type OpenQuestion =
  | { readonly kind: "page"; readonly id: string; readonly address: string; readonly isBefore: boolean }
  | { readonly kind: "form"; readonly id: string; readonly question: FormQuestion };

interface Known {
  answer: RunAnswer;
  open: OpenQuestion | undefined;
  hasEnded: boolean;
  /** Counts the questions of this run. */
  questions: number;
  readonly started: StartedRun;
  readonly waiting: Set<() => void>;
  /** Rejects if the run throws, as an SDK does to interrupt a tool. */
  readonly ended: Promise<void>;
}

export class Runs {
  readonly #start: StartRun;
  readonly #known = new Map<string, Known>();

  constructor(start: StartRun) {
    this.#start = start;
  }

  /**
   * Starts a run. The answer comes once it has ended, a person is asked, or the time is over; undefined if there
   * is too much to do. Rejects if the run throws, as an SDK does to interrupt a tool.
   */
  async start(given: GivenProgram, waitMs: number, signal?: AbortSignal): Promise<RunAnswer | undefined> {
    const id = `run-${randomBytes(12).toString("hex")}`;
    const early: RunStage[] = [];
    let hear = (stage: RunStage): void => void early.push(stage);
    const started = this.#start(given, (stage) => hear(stage));
    if (started === undefined) return undefined;
    const known: Known = {
      answer: { ...notRun("unknown", "running", "it is being proved"), request: id },
      open: undefined,
      hasEnded: false,
      questions: 0,
      started,
      waiting: new Set(),
      ended: started.answer.then(
        (answer) => {
          known.answer = { ...answer, request: id };
          end();
          this.#forget();
        },
        (thrown: unknown) => {
          this.#known.delete(id);
          end();
          throw thrown;
        },
      ),
    };
    const end = (): void => {
      known.open = undefined;
      known.hasEnded = true;
      wake(known);
    };
    known.ended.catch(() => {});
    this.#known.set(id, known);
    hear = (stage) => reach(known, stage, id);
    for (const stage of early) hear(stage);
    const cancel = (): void => started.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      await this.#until(known, waitMs, undefined);
      if (known.hasEnded) await known.ended;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
    return known.answer;
  }

  /** Returns how a run stands; undefined for one that nobody here has started. */
  get(id: string): RunAnswer | undefined {
    return this.#known.get(id)?.answer;
  }

  /** Returns the question that the run waits with. */
  question(id: string): OpenQuestion | undefined {
    return this.#known.get(id)?.open;
  }

  /** Waits until a run has ended, or the time is over. */
  async wait(id: string, waitMs: number): Promise<RunAnswer | undefined> {
    const known = this.#known.get(id);
    if (known === undefined) return undefined;
    await Promise.race([known.ended.catch(() => {}), later(waitMs)]);
    return known.answer;
  }

  /** The same, but comes back too with another question than the one that is known. */
  async next(id: string, waitMs: number, question: string | undefined): Promise<RunAnswer | undefined> {
    const known = this.#known.get(id);
    if (known === undefined) return undefined;
    await this.#until(known, waitMs, question);
    return known.answer;
  }

  /** Replies to a form that a run waits with. False if it does not. */
  reply(id: string, question: string, reply: FormReply): boolean {
    const known = this.#known.get(id);
    if (known?.open?.kind !== "form" || known.open.id !== question) return false;
    known.open = undefined;
    const { reason: _, ...answer } = known.answer;
    known.answer = { ...answer, status: "running" };
    known.started.reply?.(question, reply);
    return true;
  }

  /** Ends a run that has made no call. */
  cancel(id: string): void {
    this.#known.get(id)?.started.cancel();
  }

  async #until(known: Known, waitMs: number, question: string | undefined): Promise<void> {
    const over = later(waitMs);
    let isOver = false;
    void over.then(() => {
      isOver = true;
    });
    while (!isOver && !known.hasEnded && (known.open === undefined || known.open.id === question)) {
      let heard: () => void = () => {};
      const changed = new Promise<void>((resolve) => {
        heard = resolve;
        known.waiting.add(heard);
      });
      await Promise.race([changed, over]);
      known.waiting.delete(heard);
    }
  }

  #forget(): void {
    const ended = [...this.#known].filter(([, { hasEnded }]) => hasEnded);
    for (const [id] of ended.slice(0, Math.max(0, ended.length - mostEnded))) this.#known.delete(id);
  }
}

function wake({ waiting }: Known): void {
  for (const heard of waiting) heard();
}

function reach(known: Known, stage: RunStage, request: string): void {
  if (known.hasEnded || stage.kind === "filed") return;
  const common = { verdict: "proved" as const, calls: [], receipt: null, request };
  const pending = (reason: string) => ({ ...common, status: "pending" as const, reason });
  const page = (address: string, isBefore: boolean): OpenQuestion => ({
    kind: "page",
    id: `page-${++known.questions}`,
    address,
    isBefore,
  });
  known.open = undefined;
  switch (stage.kind) {
    case "running":
      known.answer = { ...common, status: "running" };
      break;
    case "pending":
      known.open = page(stage.address, true);
      known.answer = {
        ...pending("a person has to decide at this address; then ask with `wait`"),
        address: stage.address,
      };
      break;
    case "asks":
      known.open = page(stage.address, false);
      known.answer = {
        ...pending("the run asks a person at this address; then ask with `wait`"),
        address: stage.address,
      };
      break;
    case "form":
      known.open = { kind: "form", id: stage.id, question: stage.question };
      known.answer = pending("the person at the client has to answer a form");
      break;
  }
  wake(known);
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
