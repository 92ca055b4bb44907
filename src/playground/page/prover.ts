/** The worker that proves, as the page sees it: one proof at a time, and a new worker where an old proof is in the way. */
import type { Compiled, FromProver, ToProver } from "../messages.ts";
import { assets, proverAddress } from "./assets.ts";
import type { Project } from "./share.ts";

export type Done = Extract<FromProver, { kind: "done" }>;

export interface Listener {
  /** The solver is asked. */
  readonly asking: () => void;
  readonly done: (done: Done) => void;
}

interface Current {
  readonly id: number;
  readonly listener: Listener;
}

let worker: Worker | undefined;
let compiled: Compiled = {};
let current: Current | undefined;
let last = 0;

/** Starts the worker, so that it is ready when there is something to prove. */
export function startProver(): Worker {
  worker ??= newWorker();
  return worker;
}

/** Proves. The listener of an earlier proof hears nothing more. */
export function proveProject({ entry, files }: Project, listener: Listener): void {
  stopProof();
  last++;
  current = { id: last, listener };
  post(startProver(), { kind: "prove", id: last, entry, files });
}

/** Ends a proof that is under way, with its worker. */
export function stopProof(): void {
  if (current === undefined) return;
  worker?.terminate();
  worker = undefined;
  current = undefined;
}

function newWorker(): Worker {
  const made = new Worker(proverAddress, { type: "module" });
  made.onmessage = ({ data }: MessageEvent<FromProver>) => hear(made, data);
  made.onerror = ({ message }) => {
    if (worker !== made) return;
    const waiting = current;
    worker = undefined;
    current = undefined;
    made.terminate();
    const outcome = { kind: "failed", message: message || "its worker failed" } as const;
    if (waiting !== undefined)
      waiting.listener.done({ kind: "done", id: waiting.id, outcome, report: null, ms: 0 });
  };
  void parser().then((known) => {
    if (known !== undefined) compiled = { ...compiled, parser: known };
    post(made, { kind: "start", assets, compiled });
  });
  return made;
}

let compiling: Promise<object | undefined> | undefined;

/** Compiles the parser while the worker loads its program. A worker that gets none loads it itself, and says what is wrong. */
function parser(): Promise<object | undefined> {
  compiling ??= WebAssembly.compileStreaming(fetch(assets.parser)).catch(() => undefined);
  return compiling;
}

function post(to: Worker, message: ToProver): void {
  to.postMessage(message);
}

function hear(from: Worker, message: FromProver): void {
  if (message.kind === "compiled") compiled = { ...compiled, ...message.compiled };
  if (from !== worker || !("id" in message) || message.id !== current?.id) return;
  if (message.kind === "asking") {
    current.listener.asking();
    return;
  }
  const { listener } = current;
  current = undefined;
  listener.done(message);
}
