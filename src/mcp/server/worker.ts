/**
 * A process that works for the server: one job after the other. It ends when the server is gone, unless a run is making
 * calls: that one comes to its end first, so that a client which dies leaves nothing half done.
 */
import { Worker } from "node:worker_threads";
import { type Clock, type FileSystem, moduleTools, SolverPool } from "../../app/index.ts";
import { perform } from "./jobs.ts";
import type { FromWorker, Job, ToWorker } from "./messages.ts";
import type { McpSettings } from "./settings.ts";

export async function workFor(host: FileSystem & Clock): Promise<void> {
  // Ctrl-C is told to all processes of a terminal; the server says when it is over.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  await new JobProcess(host).ended;
}

class JobProcess {
  readonly #host: FileSystem & Clock;
  readonly #leaving = new AbortController();
  /** 1 while a run makes calls. The thread that watches the server reads it. */
  readonly #busy = new Int32Array(new SharedArrayBuffer(4));
  readonly ended: Promise<void>;
  #settings: McpSettings | undefined;
  #pool = new SolverPool();
  #last: Promise<void> = Promise.resolve();

  constructor(host: FileSystem & Clock) {
    this.#host = host;
    this.ended = new Promise((resolve) => {
      process.once("disconnect", () => {
        this.#leaving.abort();
        if (Atomics.load(this.#busy, 0) === 0) process.exit();
        void this.#last.finally(resolve);
      });
    });
    watchParent(this.#busy);
    process.on("message", (message: ToWorker) => {
      this.#last = this.#last.then(() => this.#hear(message));
      // A fault ends the process, and the server says what became of the job.
      this.#last.catch((thrown: unknown) => {
        tell(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
        process.exit(70);
      });
    });
  }

  async #hear(message: ToWorker): Promise<void> {
    if (message.kind === "setup") {
      this.#settings = message.settings;
      void this.#warm(message.settings);
      say({ kind: "ready" });
    } else await this.#work(message.job);
  }

  async #work(job: Job): Promise<void> {
    const settings = this.#settings;
    if (settings === undefined) throw new TypeError("a job came before the setup");
    const answer = await perform(
      {
        settings,
        host: this.#host,
        pool: this.#pool,
        tools: moduleTools,
        reading: () => this.#pool.close(),
        told: tell,
        signal: this.#leaving.signal,
        reached: (stage) => {
          if (stage.kind === "running") Atomics.store(this.#busy, 0, 1);
          say({ kind: "stage", stage });
        },
      },
      job,
    );
    Atomics.store(this.#busy, 0, 0);
    say({ kind: "answer", answer });
  }

  /** Loads the solver while nobody waits for it. A proof that needs it says what is wrong with it. */
  async #warm({ solver, timeoutMs }: McpSettings): Promise<void> {
    const taken = await this.#pool.take(solver);
    if (!taken.ok) return;
    try {
      const limits = { timeoutMs, resources: 1_000 };
      await (await taken.value.get()).check({ text: "(assert false)", values: [] }, limits);
    } catch {
      // See above.
    } finally {
      await taken.value.release();
    }
  }
}

/** Nobody may listen any more. */
function say(message: FromWorker): void {
  if (process.connected) process.send?.(message, () => {});
}

/** Standard output of this process is the server's standard error, and so is this. */
function tell(text: string): void {
  process.stderr.write(`foreclaim mcp: ${text}\n`);
}

/** A proof can keep this thread busy for long; another one notices that the server is gone. */
function watchParent(busy: Int32Array): void {
  const watch = `const { workerData } = require("node:worker_threads");
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent && Atomics.load(workerData, 0) === 0) process.kill(process.pid, "SIGKILL");
    }, 1000);`;
  new Worker(watch, { eval: true, workerData: busy }).unref();
}
