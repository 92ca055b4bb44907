/**
 * Decides when calls start and end. Starts and ends of one run happen one at a time: nothing changes between the look
 * at what a call requires and the moment in which its tool is called. Part of what must be trusted.
 */
import type { Trail } from "../diagnostic.ts";
import type { Tool } from "../document.ts";
import type { RecordValue } from "../value.ts";
import type { Strand } from "./strand.ts";

export interface StartingCall {
  readonly id: string;
  readonly indices: readonly number[];
  readonly tool: Tool;
  readonly args: RecordValue;
  readonly trail: Trail;
  readonly strand: Strand;
}

/** A wait; undefined needs no waiting. */
export type Wait = Promise<void> | undefined;

export interface Turns {
  /** Branches that may be under way at a time; with one, each waits for those before it. */
  readonly branches: number;
  /** Before what the call requires is looked at. From then on no other call starts or ends. */
  start(call: StartingCall): Wait;
  /** The call is not made after all. */
  drop(): void;
  /** Returns whether the call, whose result is known, ends at once. */
  endsAtOnce(call: StartingCall, position: number): boolean;
  /** The tool was called: others may start and end. */
  open(): void;
  /** The tool has answered, and before that is looked at. From then on no other call starts or ends. */
  end(call: StartingCall, position: number): Wait;
  /** The call has ended. */
  close(): void;
  /** One more strand runs, that is, does not wait for a call or for other strands. */
  wake(): void;
  rest(): void;
}

/** First come, first served. */
class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  take(): Wait {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Hands the place to the first in the queue, so that no later caller overtakes it. */
  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}

/** Calls start in the order in which they are come to, and end when their tools have answered. */
export class LiveTurns implements Turns {
  readonly branches: number;
  readonly #underWay: Places;
  readonly #moment = new Places(1);

  /** @param concurrency calls that may be under way at a time */
  constructor(concurrency: number) {
    this.branches = concurrency;
    this.#underWay = new Places(concurrency);
  }

  start(): Wait {
    const place = this.#underWay.take();
    return place === undefined ? this.#moment.take() : place.then(() => this.#moment.take());
  }

  drop(): void {
    this.close();
  }

  endsAtOnce(): boolean {
    return true;
  }

  open(): void {
    this.#moment.give();
  }

  end(): Wait {
    return this.#moment.take();
  }

  close(): void {
    this.#moment.give();
    this.#underWay.give();
  }

  wake(): void {}
  rest(): void {}
}
