/** The solver that was asked for. Loaded when it is first needed, and looked for before anything is proved. */
import type { Solver } from "../../prove/index.ts";
import { otherSolver, solverPort, z3Solver } from "../apart.ts";
import { type Attempt, attained, failedAttempt, plainFailure } from "../failure.ts";

export const solverNames = ["z3", "native:z3", "native:cvc5"] as const;

/** LIMIT: a count of the solver's steps, the same on every machine; some seconds of work. */
export const solverResources = 20_000_000;

export type SolverName = (typeof solverNames)[number];

export interface ChosenSolver {
  readonly get: () => Promise<Solver>;
  readonly close: () => Promise<void>;
}

export async function chooseSolver(name: SolverName): Promise<Attempt<ChosenSolver>> {
  let solver: Solver | undefined;
  const chosen: ChosenSolver = {
    get: async () => {
      solver ??= await load(name);
      return solver;
    },
    close: async () => solver?.close(),
  };
  if (name === "z3") return attained(chosen);
  try {
    await (await chosen.get()).version();
    return attained(chosen);
  } catch (thrown) {
    await chosen.close();
    const { SolverUnavailable } = await solverPort();
    if (!(thrown instanceof SolverUnavailable)) throw thrown;
    return failedAttempt(plainFailure("FC9005", thrown.message, thrown.help));
  }
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
