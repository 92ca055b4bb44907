/**
 * Virtual time, and chance by a seed: what happens next is decided by the seed alone. Processes pause and die, their timers and
 * answers with them; every injected fault is counted.
 */
import { randomFrom } from "../support/random.ts";

/** One life of a process. Once it is dead nothing of it goes on: what it waits for is never answered. */
export interface Process {
  readonly name: string;
  isDead: boolean;
  pausedUntilMs: number;
  /** Hear of the end of this life, to start the process again. */
  readonly onDeath: (() => void)[];
}

interface Event {
  readonly atMs: number;
  readonly number: number;
  readonly process: Process | undefined;
  readonly fire: () => void;
  isOff: boolean;
}

/** LIMIT: events of one history; one that has more does not end. */
const mostEvents = 200_000;

const real = {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  dateNow: Date.now,
};

export class World {
  readonly random: () => number;
  readonly problems: string[] = [];
  readonly faults: Record<string, number> = {};
  nowMs = 1_000;
  /** A factor on the rate of every fault. */
  rate: number;
  readonly #events: Event[] = [];
  /** INVARIANT: all that follows from an event in its turn is of the process of that event. */
  #process: Process | undefined;
  #number = 0;

  constructor(seed: number, rate = 1) {
    this.random = randomFrom(seed);
    this.rate = rate;
  }

  /** True now and then, and counted. */
  chance(rate: number, fault: string): boolean {
    if (this.random() >= rate * this.rate) return false;
    this.count(fault);
    return true;
  }

  count(fault: string): void {
    this.faults[fault] = (this.faults[fault] ?? 0) + 1;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.random() * list.length)];
    if (found === undefined) throw new TypeError("nothing to pick from");
    return found;
  }

  /** Reports what must not be. */
  blame(problem: string): void {
    if (this.problems.length < 20) this.problems.push(problem);
  }

  // ── processes ────────────────────────────────────────────────────────────────────────────────────────────

  start(name: string, work: (process: Process) => Promise<void>): Process {
    const process: Process = { name, isDead: false, pausedUntilMs: 0, onDeath: [] };
    const begin = (): void => {
      work(process).catch((error: unknown) => {
        this.blame(
          `${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
      });
    };
    this.later(begin, 0, process);
    return process;
  }

  /** The process that goes on now. */
  get process(): Process | undefined {
    return this.#process;
  }

  kill(process: Process, fault: string): void {
    if (process.isDead) return;
    this.count(fault);
    process.isDead = true;
    for (const hear of process.onDeath) hear();
  }

  /** Stops a process for a while: its timers and all that it waits for come late. */
  freeze(process: Process, ms: number): void {
    if (process.isDead) return;
    this.count("process paused");
    process.pausedUntilMs = Math.max(process.pausedUntilMs, this.nowMs + ms);
  }

  // ── time ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Something that happens later to a process, in an order that the seed decides. */
  later(fire: () => void, afterMs = this.random() * 10, process = this.#process): Event {
    const event = { atMs: this.nowMs + afterMs, number: ++this.#number, process, fire, isOff: false };
    this.#push(event);
    return event;
  }

  /** Something that happens to the world, and not to a process. */
  happens(fire: () => void, afterMs: number): void {
    this.#push({
      atMs: this.nowMs + afterMs,
      number: ++this.#number,
      process: undefined,
      fire,
      isOff: false,
    });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.later(resolve, ms));
  }

  /** Does everything until nothing is left to happen. Timers and clocks of Node are those of the world meanwhile. */
  async run(main: () => void): Promise<void> {
    const restore = this.#takeOver();
    try {
      main();
      await turn();
      for (let steps = 0; ; steps++) {
        const event = this.#pop();
        if (event === undefined) return;
        if (steps > mostEvents) return this.blame("the simulation does not end");
        const { process } = event;
        if (event.isOff || process?.isDead === true) continue;
        if (process !== undefined && process.pausedUntilMs > event.atMs) {
          this.#push({ ...event, atMs: process.pausedUntilMs, number: ++this.#number });
          continue;
        }
        this.nowMs = Math.max(this.nowMs, event.atMs);
        this.#process = process;
        event.fire();
        // All that follows from it in this turn.
        await turn();
      }
    } finally {
      this.#process = undefined;
      restore();
    }
  }

  #takeOver(): () => void {
    const kept = { ...real, performanceNow: performance.now };
    const timer = (fire: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const event = this.later(() => fire(...args), Math.max(0, ms));
      return Object.assign(event, { unref: () => event, ref: () => event, hasRef: () => true });
    };
    const off = (event: unknown) => {
      // SAFETY: only timers of this world are cleared while it runs; others have no such field, and lose nothing.
      if (typeof event === "object" && event !== null) (event as { isOff: boolean }).isOff = true;
    };
    Object.assign(globalThis, {
      setTimeout: timer,
      clearTimeout: off,
      setImmediate: (fire: (...args: unknown[]) => void, ...args: unknown[]) => timer(fire, 0, ...args),
    });
    Date.now = () => Math.floor(this.nowMs);
    performance.now = () => this.nowMs;
    return () => {
      Object.assign(globalThis, {
        setTimeout: kept.setTimeout,
        clearTimeout: kept.clearTimeout,
        setImmediate: kept.setImmediate,
      });
      Date.now = kept.dateNow;
      performance.now = kept.performanceNow;
    };
  }

  // ── a heap, the earliest event first ─────────────────────────────────────────────────────────────────────

  #push(event: Event): void {
    const heap = this.#events;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = heap[up];
      if (parent === undefined || isBefore(parent, event)) break;
      heap[at] = parent;
      at = up;
    }
    heap[at] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#events;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      let child = heap[down];
      if (child === undefined) break;
      const other = heap[down + 1];
      if (other !== undefined && isBefore(other, child)) [down, child] = [down + 1, other];
      if (isBefore(last, child)) break;
      heap[at] = child;
      at = down;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number);
}

/** Lets every promise that can go on do so. */
function turn(): Promise<void> {
  return new Promise((resolve) => real.setImmediate(resolve));
}
