/**
 * The processes that prove for the editor. Two are warm: while one is busy with a text that was changed meanwhile, the
 * other proves the new one, and the first is ended if it does not finish soon.
 */
import { type ChildProcess, fork } from "node:child_process";
import type { EditorProof, FromWorker, Job, ToWorker } from "./proof.ts";
import { workerCommand } from "./proof.ts";

export interface ProverOptions {
  /** The script that starts a process. */
  readonly entry: string;
  /** The limit for one program. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly told: (text: string) => void;
}

export type Outcome =
  | { readonly kind: "proved"; readonly proof: EditorProof }
  /** Nothing is known of the program, for this reason. */
  | { readonly kind: "unproved"; readonly why: string }
  /** Another text took its place. */
  | { readonly kind: "outdated" };

interface Task {
  readonly job: Job;
  readonly resolve: (outcome: Outcome) => void;
  deadline?: NodeJS.Timeout;
}

interface Hand {
  readonly process: ChildProcess;
  task: Task | undefined;
  jobs: number;
  last: string;
}

const size = 2;
/** LIMIT: of programs that one process proves; what it gathers in memory ends with it. */
const mostJobs = 500;
/** The time that an outdated proof has before its process is ended. */
const graceMs = 500;

export class Prover {
  readonly #options: ProverOptions;
  readonly #hands = new Set<Hand>();
  /** By file: a later text of the same file takes the place of an earlier one. */
  readonly #waiting = new Map<string, Task>();
  #isClosed = false;

  constructor(options: ProverOptions) {
    this.#options = options;
    for (let i = 0; i < size; i++) this.#start();
  }

  prove(job: Job): Promise<Outcome> {
    this.forget(job.file);
    return new Promise((resolve) => {
      this.#waiting.set(job.file, { job, resolve });
      this.#assign();
    });
  }

  /** Nobody waits any more for what is known of this file. */
  forget(file: string): void {
    this.#waiting.get(file)?.resolve({ kind: "outdated" });
    this.#waiting.delete(file);
    for (const hand of this.#hands) {
      const { task } = hand;
      if (task?.job.file !== file) continue;
      task.resolve({ kind: "outdated" });
      clearTimeout(task.deadline);
      task.deadline = setTimeout(() => this.#end(hand), graceMs).unref();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { process, task } of this.#hands) {
      clearTimeout(task?.deadline);
      process.kill("SIGKILL");
    }
    for (const { resolve } of this.#waiting.values()) resolve({ kind: "outdated" });
  }

  /** Gives waiting programs to idle processes. */
  #assign(): void {
    for (const hand of this.#hands) {
      if (hand.task !== undefined) continue;
      const [next] = this.#waiting.values();
      if (next === undefined) return;
      this.#waiting.delete(next.job.file);
      this.#give(hand, next);
    }
  }

  #give(hand: Hand, task: Task): void {
    const { timeoutMs } = this.#options;
    hand.task = task;
    hand.jobs++;
    task.deadline = setTimeout(() => {
      task.resolve({ kind: "unproved", why: `proving takes longer than ${timeoutMs / 1000} s` });
      this.#end(hand);
    }, timeoutMs).unref();
    const message: ToWorker = { kind: "prove", job: task.job };
    hand.process.send(message, () => {}); // a process that is gone says so itself
  }

  #end(hand: Hand): void {
    clearTimeout(hand.task?.deadline);
    this.#hands.delete(hand);
    hand.process.kill("SIGKILL");
    if (!this.#isClosed) this.#start();
    this.#assign();
  }

  #start(): void {
    const { entry, memoryMb } = this.#options;
    const process = fork(entry, [workerCommand], {
      execArgv: [`--max-old-space-size=${memoryMb}`],
      env: { PATH: globalThis.process.env.PATH ?? "" },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const hand: Hand = { process, task: undefined, jobs: 0, last: "" };
    this.#hands.add(hand);
    process.stderr?.on("data", (chunk: Buffer) => {
      hand.last = (hand.last + chunk.toString("utf8")).slice(-2_000);
    });
    process.on("error", () => {});
    process.on("message", (message: FromWorker) => {
      if (message.kind === "proved") this.#proved(hand, message.proof);
    });
    process.on("exit", () => this.#gone(hand));
  }

  #proved(hand: Hand, proof: EditorProof): void {
    const { task } = hand;
    hand.task = undefined;
    clearTimeout(task?.deadline);
    task?.resolve({ kind: "proved", proof });
    if (hand.jobs >= mostJobs) this.#end(hand);
    else this.#assign();
  }

  #gone(hand: Hand): void {
    if (!this.#hands.delete(hand) || this.#isClosed) return;
    const { memoryMb, told } = this.#options;
    const isMemory = /heap out of memory|Array buffer allocation failed/.test(hand.last);
    const why = isMemory
      ? `proving needs more than ${memoryMb} MB of memory`
      : "the process that proved it ended";
    told(`${why}: ${hand.last.slice(-500)}`);
    clearTimeout(hand.task?.deadline);
    hand.task?.resolve({ kind: "unproved", why });
    // One that never worked would end again at once.
    if (hand.jobs > 0) this.#start();
    this.#assign();
  }
}
