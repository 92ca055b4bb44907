/** Solvers that are kept between proofs. The caller owns the pool and closes it. */
import { ok, type Result } from "../../ir/index.ts";
import type { Solver } from "../../prove/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { otherSolver, solverPort, z3Solver } from "../unbundled-imports.ts";

export const solverNames = ["z3", "native:z3", "native:cvc5"] as const;

export type SolverName = (typeof solverNames)[number];

/** LIMIT: a count of the solver's steps, the same on every machine; some seconds of work. */
export const solverResources = 20_000_000;

/** LIMIT: of proofs with one solver; its memory grows with them and is given back only when it ends. */
const mostUses = 500;

/** A solver for one proof. It is started by the first question, so a proof that asks nothing loads nothing. */
export interface PooledSolver {
  readonly get: () => Promise<Solver>;
  /** Returns it to the pool. */
  readonly release: () => Promise<void>;
}

/** One kind of solver, and how many proofs use it now. */
interface Kept {
  solver: Promise<Solver> | undefined;
  uses: number;
  users: number;
}

/**
 * Keeps one solver of each kind, with its engines, and shares it between proofs that run at the same time. Each question
 * gets a context of its own in an engine, and an engine that misses its deadline is ended, so no proof can see or
 * disturb another. An idle engine does not keep the process alive.
 */
export class SolverPool {
  readonly #kept = new Map<SolverName, Kept>();
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  /** Gives a solver, or the reason why there is none. An installed one is looked for before anything is proved. */
  async take(name: SolverName): Promise<Result<PooledSolver, Failure>> {
    if (this.#isClosed) throw new TypeError("the pool of solvers is closed");
    const kept = this.#current(name);
    kept.users++;
    kept.uses++;
    const get = () => {
      kept.solver ??= load(name);
      return kept.solver;
    };
    let isReleased = false;
    const release = async (): Promise<void> => {
      if (isReleased) return;
      isReleased = true;
      kept.users--;
      await this.#endIfSpent(name, kept);
    };
    if (name === "z3") return ok({ get, release });
    try {
      await (await get()).version();
      return ok({ get, release });
    } catch (thrown) {
      // It may be installed by the next time.
      this.#retire(name, kept);
      await release();
      const { SolverUnavailable } = await solverPort();
      if (!(thrown instanceof SolverUnavailable)) throw thrown;
      return plainFailure("FC9005", thrown.message, thrown.help);
    }
  }

  /** Runs work with a solver and returns it afterwards, whatever happens. */
  async using<T>(name: SolverName, work: (solver: PooledSolver) => Promise<T>): Promise<Result<T, Failure>> {
    const solver = await this.take(name);
    if (!solver.ok) return solver;
    try {
      return ok(await work(solver.value));
    } finally {
      await solver.value.release();
    }
  }

  /** Ends all solvers. Proofs under way are answered `unknown`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all([...all.map(end), ...this.#ending]);
  }

  #current(name: SolverName): Kept {
    const known = this.#kept.get(name);
    if (known !== undefined && known.uses < mostUses) return known;
    const kept: Kept = { solver: undefined, uses: 0, users: 0 };
    this.#kept.set(name, kept);
    return kept;
  }

  /** Lets no further proof use it. */
  #retire(name: SolverName, kept: Kept): void {
    if (this.#kept.get(name) === kept) this.#kept.delete(name);
    kept.uses = mostUses;
  }

  async #endIfSpent(name: SolverName, kept: Kept): Promise<void> {
    if (kept.uses < mostUses || kept.users > 0) return;
    this.#retire(name, kept);
    const ending = end(kept);
    this.#ending.add(ending);
    await ending.finally(() => this.#ending.delete(ending));
  }
}

async function end({ solver }: Kept): Promise<void> {
  const started = await solver?.catch(() => undefined);
  await started?.close();
}

async function load(name: SolverName): Promise<Solver> {
  switch (name) {
    case "z3": {
      const { z3Wasm } = await z3Solver();
      return z3Wasm();
    }
    case "native:z3":
    case "native:cvc5": {
      const { nativeSolver } = await otherSolver();
      return nativeSolver(name.slice("native:".length));
    }
  }
}
