/** One worker thread with Z3 compiled to WebAssembly in it, called synchronously there. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { type Engine, EngineLost } from "./engine.ts";
import type { Script, SolverLimits } from "./port.ts";
import { type Request, type Response, serve } from "./wasm-worker.ts";
import { z3Parameters } from "./z3-parameters.ts";

export interface WasmFiles {
  /** The emscripten module. */
  readonly script: string;
  readonly wasm: string;
  /** The package and its version; what the solver says of itself is not always the version of the package. */
  readonly from: string;
}

/** Locates the files of the package, as Node resolves it from here. */
export function z3Files(): WasmFiles {
  const require = createRequire(import.meta.url);
  const script = require.resolve("z3-solver/build/z3-built.js");
  const { version }: { version: string } = require("z3-solver/package.json");
  return { script, wasm: join(dirname(script), "z3-built.wasm"), from: `z3-solver ${version}` };
}

// Not in the types of the language or of Node.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

/** Compiling takes most of the time of a start, and what it gives can be shared by all workers. */
export async function compile(files: WasmFiles): Promise<object> {
  return WebAssembly.compile(await readFile(files.wasm));
}

/** LIMIT: a worker that is not ready by then never will be. */
const startLimitMs = 60_000;

export async function startWasmEngine(files: WasmFiles, wasm: object): Promise<Engine> {
  const engine = new WasmEngine(files, wasm);
  const late = setTimeout(() => engine.lose("the solver did not start in time"), startLimitMs);
  try {
    await engine.ready;
    return engine;
  } catch (error) {
    await engine.stop();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

// A worker made from text knows `require`; packages are found by their full paths.
const program = `
const { parentPort, workerData } = require("node:worker_threads");
(${serve})(parentPort, require(workerData.script), workerData.wasm, WebAssembly.instantiate);
`;

class WasmEngine implements Engine {
  version = "";
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  #pending: Pending | undefined;
  #lost: EngineLost | undefined;

  constructor(files: WasmFiles, wasm: object) {
    // Nothing of how this process was started is meant for the worker: no loaders, no inspector, no variables.
    this.#worker = new Worker(program, {
      eval: true,
      workerData: { script: files.script, wasm },
      execArgv: [],
      argv: [],
      env: {},
    });
    this.#worker.on("message", (response: Response) => this.#receive(response));
    this.#worker.on("error", (error) => this.lose(String(error)));
    this.#worker.on("exit", (code) => this.lose(`the solver ended with code ${code}`));
    this.ready = this.#next().then((version) => {
      this.version = `${version} (${files.from})`;
    });
  }

  get alive(): boolean {
    return this.#lost === undefined;
  }

  async begin(script: Script, limits: SolverLimits): Promise<void> {
    await this.#request({ kind: "begin", parameters: z3Parameters(script, limits) });
  }

  ask(commands: string): Promise<string> {
    return this.#request({ kind: "ask", commands });
  }

  async end(): Promise<void> {
    await this.#request({ kind: "end" });
  }

  hold(on: boolean): void {
    if (on) this.#worker.ref();
    else this.#worker.unref();
  }

  async stop(): Promise<void> {
    this.lose("the solver was stopped");
    await this.#worker.terminate();
  }

  /** INVARIANT: the first reason stays, and every question, the open one and later ones, is refused with it. */
  lose(detail: string, reason: EngineLost["reason"] = "crashed"): void {
    this.#lost ??= new EngineLost(reason, detail);
    this.#pending?.reject(this.#lost);
    this.#pending = undefined;
  }

  #request(request: Request): Promise<string> {
    const reply = this.#next();
    if (this.alive) this.#worker.postMessage(request);
    return reply;
  }

  #next(): Promise<string> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
  }

  #receive(response: Response): void {
    switch (response.kind) {
      case "reply":
        this.#pending?.resolve(response.text);
        this.#pending = undefined;
        break;
      case "lost":
        this.lose(response.detail, response.reason);
    }
  }
}

interface Pending {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}
