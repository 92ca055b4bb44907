/**
 * The effort of a proof, counted in steps that are the same on every machine: a limit is reached independent of the
 * machine's speed and load. Part of what must be trusted.
 */
import { NotFollowed } from "../symbolic/call-events.ts";

/** LIMIT: of steps for one walk and for one formula; formulas in formulas multiply. */
export const mostStepsAtOnce = 5_000_000;

export class Effort {
  #steps = 0;
  #most = Number.POSITIVE_INFINITY;
  #mostAtOnce = Number.POSITIVE_INFINITY;

  get steps(): number {
    return this.#steps;
  }

  /** Throws `NotFollowed` where the work that is done at once has taken all that it may. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#mostAtOnce) throw tooMuch();
  }

  /** Throws `NotFollowed` where there is no more to spend; called by whatever can take long. */
  check(): void {
    if (this.#steps > this.#most) throw tooMuch();
  }

  /** From now on no more than these. */
  allow(steps: number): void {
    this.#most = this.#steps + steps;
  }

  /** Does the work with no more than these, at once: the caller is told by `NotFollowed` that they do not do. */
  within<T>(steps: number, work: () => T): T {
    const [most, mostAtOnce] = [this.#most, this.#mostAtOnce];
    this.#most = Math.min(most, this.#steps + steps);
    this.#mostAtOnce = Math.min(mostAtOnce, this.#steps + steps);
    try {
      return work();
    } finally {
      this.#most = most;
      this.#mostAtOnce = mostAtOnce;
    }
  }
}

function tooMuch(): NotFollowed {
  return new NotFollowed("what takes so many steps", []);
}
