/** One process of a solver, spoken to over a pipe. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Dialect } from "./dialect.ts";
import { type Engine, EngineLost } from "./engine.ts";
import type { Script, SolverLimits } from "./port.ts";

/** LIMIT: no answer to any of our questions is as long. */
const maxReply = 16 * 1024 * 1024;
const maxStderr = 1000;

/** Exit code of Z3 at its memory limit. */
const outOfMemory = 101;

export class NativeEngine implements Engine {
  readonly version: string;
  readonly #dialect: Dialect;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  /** Printed after each reply, and in none: nobody who wrote a script knew it. */
  readonly #mark = `end-of-reply-${randomUUID()}`;
  /** Output since the last reply, its length, and its last characters. */
  #parts: string[] = [];
  #heard = 0;
  #window = "";
  #complained = "";
  #pending:
    | { readonly resolve: (reply: string) => void; readonly reject: (error: Error) => void }
    | undefined;
  #lost: EngineLost | undefined;

  constructor(command: string, dialect: Dialect, version: string) {
    this.version = version;
    this.#dialect = dialect;
    this.#process = spawn(command, dialect.arguments, { stdio: "pipe", windowsHide: true });
    const { stdin, stdout, stderr } = this.#process;
    stdout.setEncoding("latin1").on("data", (text: string) => this.#hear(text));
    stderr.setEncoding("latin1").on("data", (text: string) => {
      this.#complained = (this.#complained + text).slice(-maxStderr);
    });
    // A process that is gone cannot be written to; that it is gone is said below.
    stdin.on("error", () => {});
    this.#process.on("error", (error) => this.#lose("crashed", error.message));
    this.#ended = new Promise((resolve) => {
      this.#process.on("close", (code, signal) => {
        this.#close(code, signal);
        resolve();
      });
    });
  }

  get alive(): boolean {
    return this.#lost === undefined;
  }

  async begin(script: Script, limits: SolverLimits): Promise<void> {
    const complaint = await this.ask(this.#dialect.begin(script, limits));
    if (complaint.trim() !== "") throw new EngineLost("error", complaint.trim());
  }

  ask(commands: string): Promise<string> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#process.stdin.write(`${commands}\n(echo "${this.#mark}")\n`);
    });
  }

  async end(): Promise<void> {}

  hold(on: boolean): void {
    const { stdin, stdout, stderr } = this.#process;
    for (const held of [this.#process, stdin, stdout, stderr]) {
      // Pipes are sockets, which their types do not say.
      const change: unknown = Reflect.get(held, on ? "ref" : "unref");
      if (typeof change === "function") change.call(held);
    }
  }

  async stop(): Promise<void> {
    this.#lose("crashed", "the solver was stopped");
    this.#process.kill("SIGKILL");
    // Were it a script that started the solver, the solver would still hold the other ends.
    for (const pipe of [this.#process.stdin, this.#process.stdout, this.#process.stderr]) pipe.destroy();
    await this.#ended;
  }

  /** A reply comes in many parts, of which only the last few characters are looked at more than once. */
  #hear(text: string): void {
    this.#parts.push(text);
    this.#heard += text.length;
    const window = this.#window + text;
    const end = new RegExp(`${this.#mark}"?\\r?\\n`).exec(window);
    if (end === null) {
      this.#window = window.slice(-this.#mark.length - 3);
      if (this.#heard > maxReply) this.#lose("error", "the solver says too much");
      return;
    }
    const said = this.#parts.join("");
    const rest = window.slice(end.index + end[0].length);
    // Some solvers print the mark in quotes.
    const reply = said.slice(0, said.length - (window.length - end.index)).replace(/"$/, "");
    this.#window = rest;
    this.#parts = [rest];
    this.#heard = rest.length;
    this.#pending?.resolve(reply);
    this.#pending = undefined;
  }

  #close(code: number | null, signal: string | null): void {
    if (code === outOfMemory) this.#lose("memory", "the solver may use no more memory");
    // Some solvers end after an error; the error is what there is to say, and it is never a verdict.
    const said = this.#parts.join("");
    if (said.startsWith("(error")) {
      this.#pending?.resolve(said);
      this.#pending = undefined;
    }
    const ending = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
    this.#lose("crashed", `the solver ${ending} ${this.#complained}`.trim());
  }

  /** INVARIANT: the first reason stays, and every question, the open one and later ones, is refused with it. */
  #lose(reason: EngineLost["reason"], detail: string): void {
    this.#lost ??= new EngineLost(reason, detail);
    this.#pending?.reject(this.#lost);
    this.#pending = undefined;
  }
}
