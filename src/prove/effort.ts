/**
 * What finding a proof costs, counted in steps that are the same on every machine: what is given up for the effort is
 * given up however fast the machine is and whatever else it does.
 * Part of what must be trusted.
 */
import { NotFollowed } from "./facts.ts";

/** LIMIT: of steps for one walk and for one formula; formulas in formulas multiply. */
export const mostStepsAtOnce = 5_000_000;

export class Effort {
  #steps = 0;
  #most = Number.POSITIVE_INFINITY;

  get steps(): number {
    return this.#steps;
  }

  spend(steps: number): void {
    this.#steps += steps;
  }

  /** Throws `NotFollowed` where there is no more to spend; called by whatever can take long. */
  check(): void {
    if (this.#steps > this.#most) throw new NotFollowed("what takes so many steps", []);
  }

  /** From now on no more than these. */
  allow(steps: number): void {
    this.#most = this.#steps + steps;
  }

  /** Does the work with no more than these. */
  within<T>(steps: number, work: () => T): T {
    const before = this.#most;
    this.#most = Math.min(before, this.#steps + steps);
    try {
      return work();
    } finally {
      this.#most = before;
    }
  }
}
