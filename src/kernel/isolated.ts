/**
 * Functions in a worker, asked synchronously: the kernel waits for the answer and ends the worker at the time limit. A
 * worker has its own heap and event loop, is no sandbox, and does not keep the process alive. There is one for each
 * module; what it is asked comes one after the other.
 * Part of what must be trusted.
 */
import { Worker } from "node:worker_threads";
import { type Why, why } from "./reasons.ts";
import type { Plain } from "./values/plain.ts";

/** The location of a function that a worker loads. */
export interface Isolated {
  /** The address of a module (`file:` or `data:`) that Node can load as it is. */
  readonly module: string;
  /** Name of the export; `default` by default. */
  readonly export?: string;
  /** Timeout of one evaluation in milliseconds; 1 to 60,000. */
  readonly timeoutMs: number;
  /** The keys that it may read; by default all, which are then copied for every evaluation. */
  readonly keys?: readonly string[];
}

type Cells = readonly (readonly [string, Plain])[];

/** LIMIT: how long a worker may take to start and load its module, and its memory. */
const startMs = 5_000;
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };

/** Status codes that the worker writes into the shared cell. */
const codes = { waiting: 0, ready: 1, holds: 2, fails: 3, other: 4, threw: 5, noFunction: 6, noModule: 7 };

interface Running {
  readonly worker: Worker;
  readonly cell: Int32Array;
}

const running = new Map<string, Running>();

/** Undefined if the function answered `true`, and otherwise why that is a violation. */
export function askWorker(
  { module, export: name = "default", timeoutMs, keys }: Isolated,
  after: Cells,
  before: Cells,
  action: Plain,
): Why | undefined {
  const found = running.get(module) ?? start(module);
  if (found === undefined) return why("no module");
  const { worker, cell } = found;
  Atomics.store(cell, 0, codes.waiting);
  worker.postMessage({ name, after, before, action, keys });
  Atomics.wait(cell, 0, codes.waiting, timeoutMs);
  switch (Atomics.load(cell, 0)) {
    case codes.holds:
      return undefined;
    case codes.fails:
      return why("does not hold");
    case codes.other:
      return why("worker answered");
    case codes.threw:
      return why("function threw");
    case codes.noFunction:
      return why("no such function");
    default:
      // It hangs, or its worker is gone: whatever it says from now on, nobody listens.
      end(module, worker);
      return why("no answer in time", { timeoutMs });
  }
}

export function isNoAnswer(answer: Why | undefined): boolean {
  return answer?.reason === "no module" || answer?.reason === "no answer in time";
}

function start(module: string): Running | undefined {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(source, {
    eval: true,
    workerData: { module, cell, codes },
    resourceLimits,
    // Nothing of this process: no arguments, no environment, no streams.
    argv: [],
    env: {},
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
  });
  worker.unref();
  worker.on("error", () => forget(module, worker));
  worker.on("exit", () => forget(module, worker));
  Atomics.wait(cell, 0, codes.waiting, startMs);
  if (Atomics.load(cell, 0) !== codes.ready) {
    void worker.terminate();
    return undefined;
  }
  const started = { worker, cell };
  running.set(module, started);
  return started;
}

function end(module: string, worker: Worker): void {
  forget(module, worker);
  void worker.terminate();
}

function forget(module: string, worker: Worker): void {
  if (running.get(module)?.worker === worker) running.delete(module);
}

/** The worker's program. It is a text, so that any bundler keeps it. */
const source = `
const { parentPort, workerData } = require("node:worker_threads");
const { module: address, cell, codes } = workerData;
// Nobody reads what it prints, and to wait for that would keep the process alive.
process.stdout.write = process.stderr.write = () => true;
const answer = (code) => {
  Atomics.store(cell, 0, code);
  Atomics.notify(cell, 0);
};
const frozen = (value) => {
  if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) frozen(part);
    Object.freeze(value);
  }
  return value;
};
const viewOf = (cells, keys) => {
  const map = new Map(frozen(cells));
  const known = keys && new Set(keys);
  const seen = (key) => {
    if (known && !known.has(key)) throw new Error("a key that was not asked for");
    return key;
  };
  return Object.freeze({
    get: (key) => map.get(seen(String(key))),
    has: (key) => map.has(seen(String(key))),
    keys: () => [...map.keys()].sort(),
  });
};
const judge = (check, { after, before, action, keys }) => {
  try {
    const given = check(viewOf(after, keys), viewOf(before, keys), frozen(action));
    return given === true ? codes.holds : given === false ? codes.fails : codes.other;
  } catch {
    return codes.threw;
  }
};
import(address).then((module) => {
  parentPort.on("message", (asked) => {
    const check = module[asked.name];
    answer(typeof check === "function" ? judge(check, asked) : codes.noFunction);
  });
  answer(codes.ready);
}, () => answer(codes.noModule));
`;
