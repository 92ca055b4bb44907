/**
 * Budget of a proof about loops, in shares, so that a hard goal leaves something for the next. A goal that is
 * undecided within its share is unknown, with that reason. The unit is work, including the solver's, so that a
 * verdict is the same on every machine; the clock ends only what is far beyond that. Part of what must be trusted.
 */
import type { Effort } from "../terms/effort.ts";
import type { ProofLimits } from "../verdict.ts";
import { type Solver, type SolverAnswer, type SolverLimits, unknown } from "./solver/port.ts";

/** LIMIT: a third of what a fast machine of today does in that time, and less than a slow one does, so that the clock seldom has a say. */
const stepsPerMs = 800;
/** Cost of a query: a fixed part, and a part per solver step. */
const stepsPerQuestion = 8_000;
const stepsPerResource = 10;
/** Assumed solver steps for a solver that does not count them. */
const usualResources = 5_000;

export class Budget {
  readonly #solver: () => Promise<Solver>;
  readonly #effort: Effort;
  readonly #now: () => number;
  /** Limits of the whole proof: steps, and wall time. */
  readonly #last: number;
  readonly #end: number;
  /** Limit of the current goal. */
  #until: number;

  /** @param limits those of one question, whose wall time is that of all of them */
  constructor(
    solver: () => Promise<Solver>,
    effort: Effort,
    { timeoutMs, workMs = timeoutMs }: Pick<ProofLimits, "timeoutMs" | "workMs">,
    now = () => performance.now(),
  ) {
    this.#solver = solver;
    this.#effort = effort;
    this.#now = now;
    this.#end = now() + timeoutMs;
    this.#last = effort.steps + workMs * stepsPerMs;
    this.#until = this.#last;
    effort.allow(this.#last - effort.steps);
  }

  /** One of so many claims that are left; what it does not use is for the others. */
  next(claims: number): void {
    const { steps } = this.#effort;
    const share = Math.max(0, this.#last - steps) / claims;
    this.#until = steps + share;
    this.#effort.allow(share);
  }

  get isSpent(): boolean {
    return this.spent !== undefined;
  }

  /** Why there is no more. */
  get spent(): string | undefined {
    if (this.#effort.steps >= this.#until) return "its share of the work for loops is done";
    return this.#now() >= this.#end ? "the time for loops is used" : undefined;
  }

  /** The solver, asked within what is left. */
  readonly solver = async (): Promise<Solver> => {
    const real = await this.#solver();
    return {
      name: real.name,
      version: () => real.version(),
      close: () => real.close(),
      [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
      check: (script, limits) => {
        const { spent } = this;
        if (spent !== undefined) return Promise.resolve(unknown("timeout", spent));
        return this.#ask(real, script, limits);
      },
    };
  };

  async #ask(
    real: Solver,
    script: Parameters<Solver["check"]>[0],
    limits: SolverLimits,
  ): Promise<SolverAnswer> {
    const left = Math.floor((this.#until - this.#effort.steps) / stepsPerResource);
    const resources = Math.max(1, Math.min(left, limits.resources));
    const timeoutMs = Math.max(1, Math.min(Math.ceil(this.#end - this.#now()), limits.timeoutMs));
    let used = Math.min(usualResources, resources);
    const answer = await real.check(script, {
      ...limits,
      resources,
      timeoutMs,
      used: (count) => {
        used = count;
        limits.used?.(count);
      },
    });
    this.#effort.spend(stepsPerQuestion + used * stepsPerResource);
    return answer;
  }
}
