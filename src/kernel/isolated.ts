/**
 * Functions in a worker. The queue of a kernel asks them ahead, while the process goes on, and decides with their answers;
 * elsewhere they are asked synchronously. A worker is ended at the time limit. It has its own heap and event loop, is no
 * sandbox, and does not keep the process alive. There is one for each module and way of asking; what it is asked comes one
 * after the other.
 * Part of what must be trusted.
 */
import { MessageChannel, Worker } from "node:worker_threads";
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

/** Workers by module: those that are waited for, and those that are asked ahead. */
type Workers = Map<string, Running>;
const running: Workers = new Map();
const asking: Workers = new Map();

/** A question, with all that its answer depends on. */
interface Asked {
  readonly to: Isolated;
  readonly after: Cells;
  readonly before: Cells;
  readonly action: Plain;
}

/** Answers that were asked for ahead, by their questions. */
export class Answers {
  readonly #known = new Map<string, Why | undefined>();

  /** Does something with these answers; throws an `AnswerMissing` at the first question that has none. */
  with<T>(body: () => T): T {
    const before = ahead;
    ahead = this;
    try {
      return body();
    } finally {
      ahead = before;
    }
  }

  has(key: string): boolean {
    return this.#known.has(key);
  }

  get(key: string): Why | undefined {
    return this.#known.get(key);
  }

  /** Gets the answer that was missing. Meanwhile the process goes on. */
  async fetch({ asked, key }: AnswerMissing): Promise<void> {
    this.#known.set(key, await answerOf(asked));
  }
}

let ahead: Answers | undefined;

/** Leaves a decision that needs an answer; caught by the queue, and never seen outside. */
export class AnswerMissing extends Error {
  readonly asked: Asked;
  readonly key: string;
  readonly #mark = true;

  /** Unlike `instanceof`, asks nothing of an object that someone else has thrown. */
  static is(thrown: unknown): thrown is AnswerMissing {
    return typeof thrown === "object" && thrown !== null && #mark in thrown;
  }

  constructor(asked: Asked, key: string) {
    super("a function was not asked yet");
    this.asked = asked;
    this.key = key;
  }
}

/** Undefined if the function answered `true`, and otherwise why that is a violation. */
export function askWorker(to: Isolated, after: Cells, before: Cells, action: Plain): Why | undefined {
  const asked = { to, after, before, action };
  if (ahead !== undefined) {
    const key = JSON.stringify([to.module, to.export, to.timeoutMs, to.keys, after, before, action]);
    if (ahead.has(key)) return ahead.get(key);
    throw new AnswerMissing(asked, key);
  }
  const found = running.get(to.module) ?? started(running, to.module);
  if (found === undefined) return why("no module");
  put(found, asked);
  Atomics.wait(found.cell, 0, codes.waiting, to.timeoutMs);
  return answerIn(running, found, to);
}

/** The last question to each module, since a worker has one at a time. */
const lastAsked = new Map<string, Promise<unknown>>();

function answerOf(asked: Asked): Promise<Why | undefined> {
  const { module } = asked.to;
  const answer = (lastAsked.get(module) ?? Promise.resolve()).then(() => askAhead(asked));
  lastAsked.set(
    module,
    answer.catch(() => undefined),
  );
  return answer;
}

async function askAhead(asked: Asked): Promise<Why | undefined> {
  const { to } = asked;
  const found = asking.get(to.module) ?? (await startedAhead(to.module));
  if (found === undefined) return why("no module");
  put(found, asked);
  await changed(found.cell, to.timeoutMs);
  return answerIn(asking, found, to);
}

function put({ worker, cell }: Running, { to, after, before, action }: Asked): void {
  const { export: name = "default", keys } = to;
  Atomics.store(cell, 0, codes.waiting);
  worker.postMessage({ name, after, before, action, keys });
}

function answerIn(
  workers: Workers,
  { worker, cell }: Running,
  { module, timeoutMs }: Isolated,
): Why | undefined {
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
      forget(workers, module, worker);
      void worker.terminate();
      return why("no answer in time", { timeoutMs });
  }
}

type WaitAsync = (
  cell: Int32Array,
  index: number,
  value: number,
  mostMs: number,
) => {
  readonly async: boolean;
  readonly value: string | Promise<string>;
};
// SAFETY: every Node that we run on has it; the types of our language level do not name it yet.
const { waitAsync } = Atomics as unknown as { readonly waitAsync: WaitAsync };

/** Resolves once the worker has written into the cell, or after the time. */
async function changed(cell: Int32Array, mostMs: number): Promise<void> {
  // Such a wait alone does not keep the process alive, and a port that is listened to does.
  const { port1 } = new MessageChannel();
  port1.on("message", () => {});
  try {
    await waitAsync(cell, 0, codes.waiting, mostMs).value;
  } finally {
    port1.close();
  }
}

export function isNoAnswer(answer: Why | undefined): boolean {
  return answer?.reason === "no module" || answer?.reason === "no answer in time";
}

function started(workers: Workers, module: string): Running | undefined {
  const one = start(workers, module);
  Atomics.wait(one.cell, 0, codes.waiting, startMs);
  return readyOf(workers, module, one);
}

async function startedAhead(module: string): Promise<Running | undefined> {
  const one = start(asking, module);
  await changed(one.cell, startMs);
  return readyOf(asking, module, one);
}

function readyOf(workers: Workers, module: string, one: Running): Running | undefined {
  if (Atomics.load(one.cell, 0) !== codes.ready) {
    void one.worker.terminate();
    return undefined;
  }
  workers.set(module, one);
  return one;
}

function start(workers: Workers, module: string): Running {
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
  worker.on("error", () => forget(workers, module, worker));
  worker.on("exit", () => forget(workers, module, worker));
  return { worker, cell };
}

function forget(workers: Workers, module: string, worker: Worker): void {
  if (workers.get(module)?.worker === worker) workers.delete(module);
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
