/**
 * One worker of the browser with Z3 in it, in the place of `prove/decide/solver/wasm-engine.ts`: the same solver, the same
 * parameters and the same conversation.
 */
import { type Engine, EngineLost } from "../../prove/decide/solver/engine.ts";
import type { Script, SolverLimits } from "../../prove/decide/solver/port.ts";
import type { Request, Response } from "../../prove/decide/solver/wasm-worker.ts";
import { z3Parameters } from "../../prove/decide/solver/z3-parameters.ts";
import { compileFrom, type Module } from "./web-assembly.ts";
import { WebWorker } from "./web-worker.ts";

/** Addresses of what the solver consists of. */
export interface WasmFiles {
  /** The program of its worker. */
  readonly worker: string;
  /** The emscripten module. */
  readonly script: string;
  readonly wasm: string;
  /** The package and its version. */
  readonly from: string;
}

/** The first message to the worker. */
export interface Start {
  readonly script: string;
  readonly wasm: Module;
}

let files: WasmFiles | undefined;
let compiled: Promise<Module> | undefined;
let heard: (module: Module) => void = () => {};

/** Says where the solver is, and who hears of its compiled module; an earlier worker may have compiled it. */
export function setSolver(where: WasmFiles, known: Module | undefined, hear: (module: Module) => void): void {
  files = where;
  compiled = known && Promise.resolve(known);
  heard = hear;
}

export function z3Files(): WasmFiles {
  if (files === undefined) throw new Error("the solver is not known");
  return files;
}

/** Compiling takes most of the time of a start, and what it gives can be shared by all workers. */
export async function compile({ wasm }: WasmFiles): Promise<object> {
  if (compiled !== undefined) return compiled;
  compiled = compileFrom(wasm);
  heard(await compiled);
  return compiled;
}

/** LIMIT: a worker that is not ready by then never will be. */
const startLimitMs = 60_000;

export async function startWasmEngine(where: WasmFiles, wasm: object): Promise<Engine> {
  // SAFETY: only `compile` makes what is handed on here.
  const engine = new WebEngine(where, wasm as Module);
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

class WebEngine implements Engine {
  version = "";
  readonly ready: Promise<void>;
  readonly #worker: WebWorker;
  #pending: Pending | undefined;
  #lost: EngineLost | undefined;

  constructor({ worker, script, from }: WasmFiles, wasm: Module) {
    this.#worker = new WebWorker(worker);
    // SAFETY: its program sends nothing else.
    this.#worker.onmessage = ({ data }) => this.#receive(data as Response);
    this.#worker.onerror = (event) => this.lose(event.message ?? "its worker failed");
    this.ready = this.#next().then((version) => {
      this.version = `${version} (${from})`;
    });
    const start: Start = { script, wasm };
    this.#worker.postMessage(start);
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

  /** Nothing here waits for the end of a process. */
  hold(): void {}

  async stop(): Promise<void> {
    this.lose("the solver was stopped");
    this.#worker.terminate();
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
