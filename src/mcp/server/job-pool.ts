/**
 * The processes that work for the server: each for one job at a time, warm for the next one. A hard proof keeps its own
 * process busy and is ended at its deadline; a run keeps its process until it has ended. Output of tools goes to
 * standard error.
 */
import { type ChildProcess, fork } from "node:child_process";
import type { FormReply, RunStage } from "../../app/index.ts";
import type { FromWorker, Job, JobAnswer, ToWorker } from "./messages.ts";
import { workerCommand } from "./messages.ts";
import type { McpSettings } from "./settings.ts";

export interface JobPoolOptions {
  /** The script that starts a process. */
  readonly entry: string;
  readonly settings: McpSettings;
  /** LIMIT: processes with jobs that are being proved. */
  readonly size: number;
}

/** LIMIT: of jobs that wait for a process, and of runs that are asked about or make calls. */
const mostWaiting = 200;
const mostHeld = 64;
/** LIMIT: of jobs of one process; what it gathers in memory ends with it. */
const mostJobs = 200;

export type JobOutcome =
  | { readonly kind: "answered"; readonly answer: JobAnswer }
  | { readonly kind: "timeout" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "ended"; readonly isRunning: boolean };

export interface JobHandle {
  readonly outcome: Promise<JobOutcome>;
  /** Ends the job, unless its run has begun. */
  readonly cancel: () => void;
  /** Passes the reply to a form on. */
  readonly reply: (id: string, reply: FormReply) => void;
}

interface Task {
  readonly job: Job;
  readonly onStage: (stage: RunStage) => void;
  readonly resolve: (outcome: JobOutcome) => void;
  hand?: Hand;
  deadline?: NodeJS.Timeout;
  /** True once the proof is over. */
  isHeld?: boolean;
  /** True once calls are made. */
  isRunning?: boolean;
}

interface Hand {
  readonly process: ChildProcess;
  task: Task | undefined;
  jobs: number;
}

export class JobPool {
  readonly #options: JobPoolOptions;
  readonly #hands = new Set<Hand>();
  readonly #waiting: Task[] = [];
  #isClosed = false;

  constructor(options: JobPoolOptions) {
    this.#options = options;
    this.#start();
  }

  /** Returns undefined if there is too much to do. */
  submit(job: Job, onStage: (stage: RunStage) => void = () => {}): JobHandle | undefined {
    const held = [...this.#hands].filter(({ task }) => task?.isHeld === true).length;
    if (this.#isClosed || this.#waiting.length >= mostWaiting || held >= mostHeld) return undefined;
    let task: Task | undefined;
    const outcome = new Promise<JobOutcome>((resolve) => {
      task = { job, onStage, resolve };
      this.#waiting.push(task);
    });
    this.#next();
    return {
      outcome,
      cancel: () => task && this.#cancel(task),
      reply: (id, reply) => {
        const hand = task?.hand;
        if (hand !== undefined && hand.task === task) send(hand, { kind: "reply", id, reply });
      },
    };
  }

  /** Ends everything but the runs that make calls, and waits for those. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const task of this.#waiting.splice(0)) task.resolve({ kind: "cancelled" });
    const running = [...this.#hands].filter(({ task }) => task?.isRunning === true);
    for (const hand of this.#hands) if (!running.includes(hand)) this.#end(hand, { kind: "cancelled" });
    await Promise.all(
      running.map(({ process }) => new Promise<void>((resolve) => process.once("exit", () => resolve()))),
    );
  }

  #cancel(task: Task): void {
    const at = this.#waiting.indexOf(task);
    if (at >= 0) {
      this.#waiting.splice(at, 1);
      task.resolve({ kind: "cancelled" });
    } else if (task.hand !== undefined && task.isRunning !== true) {
      this.#end(task.hand, { kind: "cancelled" });
      this.#next();
    }
  }

  /** Gives waiting jobs to idle processes, and starts one where none is idle and there is room. */
  #next(): void {
    while (this.#waiting.length > 0) {
      const idle = [...this.#hands].find(({ task }) => task === undefined);
      const proving = [...this.#hands].filter(
        ({ task }) => task !== undefined && task.isHeld !== true,
      ).length;
      if (proving >= this.#options.size) return;
      const task = this.#waiting.shift();
      if (task !== undefined) this.#give(idle ?? this.#start(), task);
    }
  }

  #give(hand: Hand, task: Task): void {
    hand.task = task;
    hand.jobs++;
    task.hand = hand;
    task.deadline = setTimeout(() => {
      this.#end(hand, { kind: "timeout" });
      this.#next();
    }, this.#options.settings.proveTimeoutMs);
    send(hand, { kind: "job", job: task.job });
  }

  #start(): Hand {
    const { entry, settings } = this.#options;
    const child = fork(entry, [workerCommand], { stdio: ["ignore", 2, 2, "ipc"] });
    const hand: Hand = { process: child, task: undefined, jobs: 0 };
    this.#hands.add(hand);
    child.on("error", () => {});
    child.on("message", (message: FromWorker) => this.#hear(hand, message));
    child.on("exit", () => {
      this.#end(hand, { kind: "ended", isRunning: hand.task?.isRunning === true });
      if (!this.#isClosed) this.#next();
    });
    send(hand, { kind: "setup", settings });
    return hand;
  }

  #hear(hand: Hand, message: FromWorker): void {
    const { task } = hand;
    if (task === undefined || message.kind === "ready") return;
    if (message.kind === "stage") {
      clearTimeout(task.deadline);
      task.isHeld = true;
      task.isRunning ||= message.stage.kind === "running";
      task.onStage(message.stage);
      this.#next();
      return;
    }
    clearTimeout(task.deadline);
    hand.task = undefined;
    task.resolve({ kind: "answered", answer: message.answer });
    // A run may leave behind what its tools have opened, so its process is not used again.
    const isSpent = task.job.kind === "run" && !isUnproved(message.answer);
    if (isSpent || hand.jobs >= mostJobs || this.#isClosed) this.#end(hand, { kind: "cancelled" });
    // The next job finds a warm process.
    if (!this.#isClosed && this.#hands.size === 0) this.#start();
    this.#next();
  }

  #end(hand: Hand, outcome: JobOutcome): void {
    if (!this.#hands.delete(hand)) return;
    const { task } = hand;
    hand.task = undefined;
    clearTimeout(task?.deadline);
    hand.process.kill("SIGKILL");
    task?.resolve(outcome);
  }
}

function isUnproved(answer: JobAnswer): boolean {
  return answer.kind === "run" && answer.answer.status === "not proved";
}

/** A process that is gone says so itself. */
function send({ process }: Hand, message: ToWorker): void {
  process.send(message, () => {});
}
