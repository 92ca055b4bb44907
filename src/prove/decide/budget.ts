/**
 * Budget of a proof about loops: each goal has its own fixed number of steps, independent of the goals before it. A
 * goal that is undecided within it is unknown, with that reason. The unit is work, including the solver's, so that a
 * verdict is the same on every machine; the clock ends only what is far beyond that, with another reason. Part of
 * what must be trusted.
 */
import type { Effort } from "../terms/effort.ts";
import type { ProofLimits } from "../verdict.ts";
import { type Solver, type SolverAnswer, type SolverLimits, unknown } from "./solver/port.ts";

/** LIMIT: of the steps of one claim, for each millisecond of the time limit. */
const stepsPerMs = 500;
/** LIMIT: the clock ends a proof after so many times the time limit, which the steps of its claims seldom take. */
const timesOver = 6;
/** Cost of a query: a fixed part, and a part per solver step. */
const stepsPerQuestion = 8_000;
const stepsPerResource = 10;
/** Assumed solver steps for a solver that does not count them. */
const usualResources = 5_000;

/** The time that a whole proof has. */
export class Clock {
  readonly #now: () => number;
  readonly #end: number;
  readonly #seconds: number;

  constructor({ timeoutMs }: Pick<ProofLimits, "timeoutMs">, now = () => performance.now()) {
    this.#now = now;
    this.#seconds = (timesOver * timeoutMs) / 1000;
    this.#end = now() + timesOver * timeoutMs;
  }

  get leftMs(): number {
    return Math.max(0, Math.ceil(this.#end - this.#now()));
  }

  /** Why there is no more. */
  get spent(): string | undefined {
    if (this.#now() < this.#end) return undefined;
    return `stopped after ${this.#seconds} s: the machine is too slow or too busy to do the work that is allowed; prove it again when it is less busy, or with a longer \`--timeout\``;
  }
}

export class Budget {
  readonly #solver: () => Promise<Solver>;
  readonly #effort: Effort;
  readonly #clock: Clock;
  /** Steps of each goal. */
  readonly #steps: number;
  #until = 0;

  constructor(
    solver: () => Promise<Solver>,
    effort: Effort,
    { timeoutMs, workMs = timeoutMs }: Pick<ProofLimits, "timeoutMs" | "workMs">,
    clock: Clock,
  ) {
    this.#solver = solver;
    this.#effort = effort;
    this.#clock = clock;
    this.#steps = workMs * stepsPerMs;
    this.next();
  }

  /** Another claim is looked at. */
  next(): void {
    this.#until = this.#effort.steps + this.#steps;
    this.#effort.allow(this.#steps);
  }

  /** Does a part of the work of a claim with no more than a share of all that it may take: the rest is for other parts. */
  async atMost<T>(share: number, work: () => Promise<T>): Promise<T> {
    const until = this.#until;
    const { steps } = this.#effort;
    this.#until = Math.min(until, steps + Math.ceil(share * this.#steps));
    this.#effort.allow(this.#until - steps);
    try {
      return await work();
    } finally {
      this.#until = until;
      this.#effort.allow(Math.max(0, until - this.#effort.steps));
    }
  }

  get isSpent(): boolean {
    return this.spent !== undefined;
  }

  /** Why there is no more. */
  get spent(): string | undefined {
    const done = this.#effort.steps >= this.#until ? workIsDone : undefined;
    return done ?? this.#clock.spent;
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
    const timeoutMs = Math.max(1, this.#clock.leftMs);
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

/** Why a claim is not decided. */
const workIsDone = "the work that one claim about loops may take is done";
