/**
 * A solver made of several engines: each is started when it is first needed, solves one script at a time, and is
 * stopped for good when it misses its deadline or says anything odd. The next script gets a new one.
 */
import { availableParallelism } from "node:os";
import { answerTo, converse, type Engine } from "./engine.ts";
import { type Script, type Solver, type SolverAnswer, type SolverLimits, unknown } from "./port.ts";
import { problemOf } from "./script.ts";

export interface PoolOptions {
  /** Number of concurrent engines; by default the number of cores, and at most four. */
  readonly engines?: number;
}

/** LIMIT: an engine can take some 200 MB before it has anything to solve. */
export function defaultEngines(): number {
  return Math.min(4, availableParallelism());
}

export class SolverPool implements Solver {
  readonly name: string;
  readonly #start: () => Promise<Engine>;
  /** Engines that may be added to those that are busy. */
  #free: number;
  /** The last used last, and used first: as few engines are started as the load needs. */
  readonly #idle: Engine[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #checks = new Map<Promise<unknown>, Interruption>();
  #closed = false;

  constructor(name: string, start: () => Promise<Engine>, engines: number) {
    this.name = name;
    this.#start = start;
    this.#free = engines;
  }

  async version(): Promise<string> {
    if (this.#closed) throw new Error(closed.detail);
    let version: string | undefined;
    const failure = await this.#withEngine(new Interruption(), async (engine) => {
      version = engine.version;
    });
    if (failure !== undefined) throw failure.error;
    if (version === undefined) throw new Error(closed.detail);
    return version;
  }

  async check(script: Script, limits: SolverLimits): Promise<SolverAnswer> {
    checkLimits(limits);
    const problem = problemOf(script);
    if (problem !== undefined) return unknown("error", problem);
    if (this.#closed) return closed;
    const interruption = new Interruption();
    const cancel = () => interruption.interrupt(unknown("cancelled", "the answer is no longer needed"));
    if (limits.signal?.aborted) cancel();
    limits.signal?.addEventListener("abort", cancel);
    try {
      return await Promise.race([interruption.answer, this.#solve(script, limits, interruption)]);
    } finally {
      limits.signal?.removeEventListener("abort", cancel);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const interruption of this.#checks.values()) interruption.interrupt(closed);
    await Promise.all([...this.#checks.keys(), ...this.#idle.splice(0).map((engine) => engine.stop())]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #solve(script: Script, limits: SolverLimits, interruption: Interruption): Promise<SolverAnswer> {
    let answer: SolverAnswer | undefined;
    const failure = await this.#withEngine(interruption, async (engine) => {
      const late = () =>
        interruption.interrupt(unknown("timeout", `no answer within ${limits.timeoutMs} ms`));
      const deadline = setTimeout(late, limits.timeoutMs);
      try {
        answer = await converse(engine, script, limits);
      } finally {
        clearTimeout(deadline);
      }
    });
    return failure === undefined ? (answer ?? interruption.answer) : answerTo(failure.error);
  }

  /** Gives the work an engine of its own; the engine lives on only if the work was done and not interrupted. */
  #withEngine(
    interruption: Interruption,
    work: (engine: Engine) => Promise<void>,
  ): Promise<{ readonly error: unknown } | undefined> {
    const done = this.#turn(interruption, work).catch((error: unknown) => ({ error }));
    this.#checks.set(done, interruption);
    return done.finally(() => this.#checks.delete(done));
  }

  async #turn(interruption: Interruption, work: (engine: Engine) => Promise<void>): Promise<undefined> {
    await this.#enter();
    try {
      if (interruption.happened) return;
      const engine = this.#idleEngine() ?? (await this.#start());
      engine.hold(true);
      let kept = false;
      try {
        if (!interruption.happened) await Promise.race([work(engine), interruption.answer]);
        kept = !interruption.happened && engine.alive;
      } finally {
        if (kept) {
          engine.hold(false);
          this.#idle.push(engine);
        } else await engine.stop();
      }
    } finally {
      this.#leave();
    }
  }

  #idleEngine(): Engine | undefined {
    for (let engine = this.#idle.pop(); engine !== undefined; engine = this.#idle.pop()) {
      if (engine.alive) return engine;
    }
    return undefined;
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}

const closed = { kind: "unknown", reason: "error", detail: "the solver has been closed" } as const;

/** An answer that comes from elsewhere than the solver: a deadline, a caller who gave up, the end of it all. */
class Interruption {
  happened = false;
  readonly answer: Promise<SolverAnswer>;
  #resolve: (answer: SolverAnswer) => void = () => {};

  constructor() {
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  interrupt(answer: SolverAnswer): void {
    this.happened = true;
    this.#resolve(answer);
  }
}

const maxTimeoutMs = 2 ** 31 - 1;
const maxResources = 2 ** 32 - 1;

function checkLimits({ timeoutMs, resources, memoryMb = 1 }: SolverLimits): void {
  // LIMIT: beyond these, timers fire at once and solvers take a count for none.
  within("timeoutMs", timeoutMs, maxTimeoutMs);
  within("resources", resources, maxResources);
  within("memoryMb", memoryMb, maxResources);
}

function within(name: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new RangeError(`the limit ${name} must be an integer from 1 to ${most}, not ${value}`);
  }
}
