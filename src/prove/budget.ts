/**
 * What a proof about loops may cost in all: wall time and questions to the solver, in shares, so that a claim that is
 * hard leaves something for the next. What is not decided within its share is unknown, and says so.
 * Part of what must be trusted.
 */
import { type Solver, type SolverAnswer, type SolverLimits, unknown } from "./solver/port.ts";

/** LIMIT: of questions about one claim. */
const mostQuestions = 80;

export const spent = "its share of the time for loops is used";

export class Budget {
  readonly #solver: () => Promise<Solver>;
  readonly #now: () => number;
  /** Of everything. */
  readonly #end: number;
  /** Of the claim that is looked at. */
  #until: number;
  #questions = mostQuestions;

  /** @param limits those of one question, whose wall time is that of all of them */
  constructor(solver: () => Promise<Solver>, { timeoutMs }: SolverLimits, now = () => performance.now()) {
    this.#solver = solver;
    this.#now = now;
    this.#end = now() + timeoutMs;
    this.#until = this.#end;
  }

  /** One of so many claims that are left; what it does not use is for the others. */
  next(claims: number): void {
    const now = this.#now();
    this.#until = now + Math.max(0, this.#end - now) / claims;
    this.#questions = mostQuestions;
  }

  get isSpent(): boolean {
    return this.#questions <= 0 || this.#now() >= this.#until;
  }

  /** The solver, asked within what is left. */
  readonly solver = async (): Promise<Solver> => {
    const real = await this.#solver();
    return {
      name: real.name,
      version: () => real.version(),
      close: () => real.close(),
      [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
      check: async (script, limits): Promise<SolverAnswer> => {
        if (this.isSpent) return unknown("timeout", spent);
        this.#questions--;
        const left = Math.ceil(this.#until - this.#now());
        return real.check(script, { ...limits, timeoutMs: Math.max(1, Math.min(left, limits.timeoutMs)) });
      },
    };
  };
}
