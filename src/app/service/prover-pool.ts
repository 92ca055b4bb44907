/**
 * The processes that prove: warm, each for one request at a time, killed when it takes too long. One that takes long
 * gives way to the others, in the order of the system and in the count, so an easy request need not wait for a hard one.
 */
import { type ChildProcess, fork } from "node:child_process";
import { readdirSync } from "node:fs";
import { setPriority } from "node:os";
import {
  BeginAgain,
  type Log,
  type ProofView,
  type Proved,
  type Prover,
  type RequestRecord,
  serviceLimits,
  unprovedResult,
} from "../../approve/index.ts";
import { type FromWorker, type ToWorker, type WorkerSetup, workerCommand } from "./messages.ts";

export interface PoolSettings {
  /** The script that starts a process of the pool. */
  readonly entry: string;
  readonly size: number;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly setup: WorkerSetup;
  readonly log: Log;
}

/** After that a request is a hard one. */
const longMs = 1_000;
/** LIMIT: of requests that one process proves; what a process gathers in memory ends with it. */
const mostJobs = 500;
/** Between two starts of processes that do not come up. */
const againMs = 1_000;
/** The lowest order but a few. */
const behind = 10;

interface Hand {
  readonly process: ChildProcess;
  /** Set while it works: the listeners of its request. */
  work:
    | { hear: (message: FromWorker) => void; ended: (why: string) => void; outdated: () => void }
    | undefined;
  isReady: boolean;
  isLong: boolean;
  jobs: number;
  last: string;
}

export class ProverPool implements Prover {
  readonly #settings: PoolSettings;
  #setup: WorkerSetup;
  readonly #hands = new Set<Hand>();
  readonly #listeners: (() => void)[] = [];
  readonly #ready: Promise<string | undefined>;
  #tellReady: (failure: string | undefined) => void = () => {};
  #isClosed = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#setup = settings.setup;
    this.#ready = new Promise((resolve) => {
      this.#tellReady = resolve;
    });
    for (let i = 0; i < settings.size; i++) this.#start();
  }

  /** Resolves once a process is ready, with what is wrong if none can be. */
  ready(): Promise<string | undefined> {
    return this.#ready;
  }

  hasRoom(): boolean {
    if (this.#isClosed) return false;
    return this.#idle() !== undefined;
  }

  onRoom(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** From now on all is proved and decided by this; what is under way is begun again. */
  renew(setup: WorkerSetup): void {
    this.#setup = setup;
    for (const hand of [...this.#hands]) {
      hand.work?.outdated();
      this.#kill(hand);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { process } of this.#hands) process.kill("SIGKILL");
  }

  prove({ filed }: RequestRecord, signal: AbortSignal): Promise<Proved> {
    const hand = this.#idle();
    if (hand === undefined) return Promise.reject(new BeginAgain("there is no room"));
    const { timeoutMs } = this.#settings;
    return new Promise<Proved>((resolve, reject) => {
      let known: ProofView | undefined;
      const end = (): void => {
        clearTimeout(timer);
        clearTimeout(long);
        signal.removeEventListener("abort", abort);
        hand.work = undefined;
      };
      const give = (proved: Proved): void => {
        end();
        resolve(bounded(proved));
      };
      const abort = (): void => {
        end();
        this.#kill(hand);
        reject(new Error("aborted"));
      };
      const timer = setTimeout(() => {
        give(unprovedResult(`it takes longer than ${timeoutMs / 1000} s`, known));
        this.#kill(hand);
      }, timeoutMs);
      const long = setTimeout(() => this.#giveWay(hand), longMs);
      hand.jobs++;
      hand.work = {
        hear: (message) => {
          if (message.kind === "compiled") known = message.view;
          if (message.kind !== "proved") return;
          give(message.proved);
          this.#free(hand);
        },
        ended: (why) => give(unprovedResult(why, known)),
        outdated: () => {
          end();
          reject(new BeginAgain("the policy has changed"));
        },
      };
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort);
      this.#fillWhereBusy();
      send(hand, { kind: "prove", job: { text: filed.program.text, inputs: filed.inputs } });
    });
  }

  #idle(): Hand | undefined {
    return [...this.#hands].find(({ isReady, work }) => isReady && work === undefined);
  }

  /** Keeps the number of processes that count; one with a hard request does not count, up to twice the number. */
  #fill(): void {
    const { size } = this.#settings;
    const counting = [...this.#hands].filter(({ isLong }) => !isLong).length;
    const more = Math.min(size - counting, 2 * size - this.#hands.size);
    for (let i = 0; i < more && !this.#isClosed; i++) this.#start();
  }

  #giveWay(hand: Hand): void {
    hand.isLong = true;
    for (const thread of threadsOf(hand.process.pid ?? 0)) {
      try {
        setPriority(thread, behind);
      } catch {
        // It has ended, or the system does not know of it: then it is not as fair.
      }
    }
    this.#fillWhereBusy();
  }

  /** Another process takes much to start, so it is started when there is none left for the next request. */
  #fillWhereBusy(): void {
    if (this.#idle() === undefined) this.#fill();
  }

  /** One that gave way cannot be put back in front, and one that is old is replaced. */
  #free(hand: Hand): void {
    if (hand.isLong || hand.jobs >= mostJobs) this.#kill(hand);
    for (const listener of this.#listeners) listener();
  }

  #kill(hand: Hand): void {
    this.#hands.delete(hand);
    hand.process.kill("SIGKILL");
    this.#fill();
  }

  #start(): void {
    const { entry, memoryMb } = this.#settings;
    const setup = this.#setup;
    const process = fork(entry, [workerCommand], {
      execArgv: [`--max-old-space-size=${memoryMb}`],
      // No secret that the service was given with its environment gets there.
      env: { PATH: globalThis.process.env.PATH ?? "" },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const hand: Hand = { process, work: undefined, isReady: false, isLong: false, jobs: 0, last: "" };
    this.#hands.add(hand);
    process.stderr?.on("data", (chunk: Buffer) => {
      hand.last = (hand.last + chunk.toString("utf8")).slice(-2_000);
    });
    process.on("error", () => {});
    process.on("message", (message: FromWorker) => this.#hear(hand, message));
    process.on("exit", () => this.#gone(hand));
    send(hand, { kind: "setup", setup });
  }

  #hear(hand: Hand, message: FromWorker): void {
    if (message.kind === "failed") this.#tellReady(message.message);
    else if (message.kind === "ready") {
      hand.isReady = true;
      this.#tellReady(undefined);
      for (const listener of this.#listeners) listener();
    } else hand.work?.hear(message);
  }

  #gone(hand: Hand): void {
    if (!this.#hands.delete(hand) || this.#isClosed) return;
    const { memoryMb, log } = this.#settings;
    const isMemory = /heap out of memory|Array buffer allocation failed/.test(hand.last);
    const why = isMemory
      ? `it needs more than ${memoryMb} MB of memory`
      : "the process that proved it ended by itself";
    log("warning", "worker ended", { why: isMemory ? why : hand.last.slice(-500) });
    hand.work?.ended(why);
    if (hand.isReady) this.#fill();
    else {
      this.#tellReady(`a process that proves did not start: ${hand.last.slice(-500)}`);
      setTimeout(() => this.#fill(), againMs).unref();
    }
  }
}

/** On Linux each thread has a priority of its own, and a solver has several. */
function threadsOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

/** A process that is gone says so itself. */
function send({ process }: Hand, message: ToWorker): void {
  process.send(message, () => {});
}

/** Gives up on a proof that is too long to be shown: it could not be approved. */
function bounded(proved: Proved): Proved {
  const { found } = proved;
  if (found.kind !== "proof" || JSON.stringify(found.view).length <= serviceLimits.proofBytes) return proved;
  const { hash, modules, ms } = found.view;
  return unprovedResult("what is to be shown of it is too long", { hash, modules, ms });
}
