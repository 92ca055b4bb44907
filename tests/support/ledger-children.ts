/** Starts processes that append to a ledger, notes what they acknowledge, and holds the log to it. */

import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { ROOT } from "../../scripts/tools.mjs";
import { openLedger } from "../../src/ledger/open.ts";
import type { Stored } from "../../src/ledger/port.ts";
import { textOf, wholeLog } from "./ledger-entries.ts";

interface ChildOptions {
  /** Maximum file size of the process in blocks of 512 bytes: a disk that is soon full. */
  readonly fileBlocks?: number;
  readonly seed?: number;
  /** Besides that of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

export class Children {
  /** Acknowledged entries: sequence number to text. */
  readonly acknowledged = new Map<number, string>();
  readonly #folder: string;
  readonly #running = new Set<ChildProcess>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the program; Node 20 cannot run it as it is. */
  static async prepared(program: "ledger-child" | "kernel-child" = "ledger-child"): Promise<Children> {
    // Below node_modules, so that it finds its packages.
    const folder = join(ROOT, `node_modules/.cache/${program}-${process.pid}`);
    await build({
      input: join(ROOT, `tests/support/${program}.ts`),
      platform: "node",
      external: ["@photostructure/sqlite", "pg"],
      output: { dir: folder, format: "esm", entryFileNames: "child.mjs" },
      logLevel: "silent",
    });
    return new Children(folder);
  }

  start(
    url: string,
    kernel: string,
    name: string,
    count: number,
    { fileBlocks, seed = 0, environment = {} }: ChildOptions = {},
  ): Child {
    const script = join(this.#folder, "child.mjs");
    const command = [process.execPath, script, url, kernel, name, `${count}`, `${seed}`];
    const limit = fileBlocks === undefined ? [] : ["sh", "-c", `ulimit -f ${fileBlocks}; exec "$@"`, "sh"];
    const [program = "", ...args] = [...limit, ...command];
    const process_ = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...environment },
    });
    this.#running.add(process_);
    process_.once("exit", () => this.#running.delete(process_));
    return new Child(process_, (seq, text) => {
      const other = this.acknowledged.get(seq);
      if (other !== undefined) throw new Error(`entry ${seq} was acknowledged to ${other} and to ${text}`);
      this.acknowledged.set(seq, text);
    });
  }

  /**
   * Opens the ledger anew and looks at all of it: no gap, every entry whole, everything acknowledged in its place,
   * nothing twice, and the entries of each process in its order.
   */
  async check(url: string, kernel: string): Promise<readonly Stored[]> {
    const known = [...this.acknowledged];
    const ledger = await openLedger(url, { create: false });
    try {
      const log = await wholeLog(ledger, kernel);
      for (const [seq, text] of known) {
        const found = log[seq - 1];
        if (found === undefined) throw new Error(`entry ${seq} (${text}) was acknowledged and is lost`);
        if (textOf(found) !== text)
          throw new Error(`entry ${seq} is ${textOf(found)}, acknowledged as ${text}`);
      }
      const last = new Map<string, number>();
      for (const stored of log) {
        const [name = "", n] = textOf(stored).split(":");
        if (Number(n) <= (last.get(name) ?? 0)) throw new Error(`entry ${stored.seq} is out of its order`);
        last.set(name, Number(n));
      }
      return log;
    } finally {
      await ledger.close();
    }
  }

  end(): void {
    for (const running of this.#running) running.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export class Child {
  /** Resolves with the exit code, or null if it was killed. */
  readonly ended: Promise<number | null>;
  /** Resolves when something was acknowledged, or it ended. */
  readonly begun: Promise<void>;
  readonly #process: ChildProcess;
  #said = "";

  constructor(child: ChildProcess, acknowledge: (seq: number, text: string) => void) {
    this.#process = child;
    let rest = "";
    let begin = () => {};
    this.begun = new Promise((resolve) => {
      begin = resolve;
    });
    child.stdout?.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) acknowledge(Number(line.split(" ")[0]), line.split(" ")[1] ?? "");
      begin();
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString()).slice(-2000);
    });
    this.ended = new Promise((resolve) => {
      // After `close` nothing more comes out of the pipe.
      child.once("close", (code) => {
        begin();
        resolve(code);
      });
    });
  }

  /** Its complaints. */
  get said(): string {
    return this.#said;
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.ended;
  }
}
