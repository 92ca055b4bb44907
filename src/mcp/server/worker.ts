/**
 * A process that works for the server: one job after the other. It ends when the server is gone, unless a run is making
 * calls: that one comes to its end first, so that a client which dies leaves nothing half done.
 */
import { randomBytes } from "node:crypto";
import { Worker } from "node:worker_threads";
import {
  type Clock,
  childTools,
  type FileSystem,
  type FormQuestion,
  type FormReply,
  noReply,
  SolverPool,
} from "../../app/index.ts";
import { perform } from "./jobs.ts";
import type { FromWorker, Job, ToWorker } from "./messages.ts";
import type { McpSettings } from "./settings.ts";

/** LIMIT: until a form that nobody answers counts as no. */
const formMs = 10 * 60_000;

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
  /** Forms that nobody has answered yet, by id. */
  readonly #forms = new Map<string, (reply: FormReply) => void>();
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
      if (message.kind === "reply") {
        this.#forms.get(message.id)?.(message.reply);
        return;
      }
      this.#last = this.#last.then(() => this.#hear(message));
      // A fault ends the process, and the server says what became of the job.
      this.#last.catch((thrown: unknown) => {
        tell(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
        process.exit(70);
      });
    });
  }

  /** Asks by form, and takes silence for no. */
  #ask(question: FormQuestion, signal: AbortSignal): Promise<FormReply> {
    const id = randomBytes(12).toString("hex");
    return new Promise<FormReply>((resolve) => {
      const end = (reply: FormReply): void => {
        clearTimeout(timer);
        this.#forms.delete(id);
        say({ kind: "stage", stage: { kind: question.kind === "program" ? "filed" : "running" } });
        resolve(reply);
      };
      const nobody = (): void => end({ ...noReply, by: "nobody" });
      const timer = setTimeout(nobody, formMs);
      signal.addEventListener("abort", nobody, { once: true });
      this.#forms.set(id, end);
      say({ kind: "stage", stage: { kind: "form", id, question } });
    });
  }

  async #hear(message: Exclude<ToWorker, { kind: "reply" }>): Promise<void> {
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
        // The script that started this process starts theirs.
        tools: childTools(process.argv[1] ?? ""),
        reading: () => this.#pool.close(),
        told: tell,
        form: (question, signal) => this.#ask(question, signal),
        credential: job.kind === "run" ? job.credential : undefined,
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
