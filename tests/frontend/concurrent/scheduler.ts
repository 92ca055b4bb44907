/** Mock tools whose calls end when a scheduler says so, in an order that depends on the seed alone. */
import { Mocks } from "../lab.ts";

interface Pending {
  readonly at: number;
  readonly end: () => void;
}

/** Priority of a call among the started ones: the lower number first. */
export type Rank = (at: number) => number;

export class Scheduler {
  readonly #mocks: Mocks;
  readonly #rank: Rank;
  #pending: Pending[] = [];
  /** The calls in the order in which they ended, and those of them after which nothing was started. */
  readonly ended: number[] = [];
  readonly silent = new Set<number>();

  constructor(seed: number, rank: Rank = (at) => rankIn(seed, at)) {
    this.#mocks = new Mocks(seed);
    this.#rank = rank;
  }

  /** The calls in the order in which they were started. */
  get calls() {
    return this.#mocks.calls;
  }

  /** Makes a call; its result depends on the number of calls started before it. */
  call(tool: string, args: unknown): Promise<unknown> {
    const at = this.#mocks.calls.length;
    const outcome = attempt(() => this.#mocks.call(tool, args));
    return new Promise((resolve, reject) => {
      const end = () => ("value" in outcome ? resolve(outcome.value) : reject(outcome.thrown));
      this.#pending.push({ at, end });
    });
  }

  /** Ends one call after the other, and lets everything that waits for it go on before the next. */
  async drain(): Promise<void> {
    let started = 0;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const last = this.ended.at(-1);
      if (last !== undefined && this.calls.length === started) this.silent.add(last);
      started = this.calls.length;
      const next = this.#next();
      if (next === undefined) return;
      this.#pending = this.#pending.filter((one) => one !== next);
      this.ended.push(next.at);
      next.end();
    }
  }

  /** The order is one of the calls themselves, so that it is the same if more of them are under way. */
  #next(): Pending | undefined {
    return this.#pending.toSorted((a, b) => this.#rank(a.at) - this.#rank(b.at))[0];
  }
}

function rankIn(seed: number, at: number): number {
  if (seed % 4 === 0) return at;
  if (seed % 4 === 1) return -at;
  return Math.imul(at + 1, 2654435761 + seed * 40503) >>> 4;
}

function attempt(body: () => unknown): { readonly value: unknown } | { readonly thrown: unknown } {
  try {
    return { value: body() };
  } catch (thrown) {
    return { thrown };
  }
}
