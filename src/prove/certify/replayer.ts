/** A solver as the checker of certificates asks it. */

import { type Replayer, solverLimits } from "../../certificate/index.ts";
import type { Solver } from "../decide/solver/port.ts";
import { z3Parameters } from "../decide/solver/z3-parameters.ts";

/** One that also tells which of some conditions a solution breaks. */
export interface Finder extends Replayer {
  /** The names of conditions that are false in a solution; all of them where the solver knows none, `none` without one. */
  readonly falseIn: (smtLib: string, conditions: readonly string[]) => Promise<ReadonlySet<string> | "none">;
}

/** Rejects with a `SolverUnavailable` when there is none. */
export async function replayerOf(solver: Pick<Solver, "name" | "version" | "check">): Promise<Finder> {
  return {
    falseIn: async (text, conditions) => {
      // A solution has values for constants, not for what is defined.
      const marks = conditions.map((_, i) => `mark${i}`);
      const meant = marks.map(
        (mark, i) => `(declare-const ${mark} Bool)\n(assert (= ${mark} ${conditions[i]}))\n`,
      );
      const values = marks.map((name) => ({ name, sort: "Bool" as const }));
      const answer = await solver.check({ text: text + meant.join(""), values }, solverLimits);
      if (answer.kind === "unsat") return "none";
      if (answer.kind === "unknown") return new Set(conditions);
      return new Set(conditions.filter((_, i) => answer.model.get(`mark${i}`) === false));
    },
    name: solver.name,
    version: await solver.version(),
    options: optionsOf(solver.name),
    ask: async (text, limits) => (await solver.check({ text, values: [] }, limits)).kind,
  };
}

/** Returns the solver options before each script; resource limits are separate. */
function optionsOf(name: string): string {
  if (name === "cvc5") return "strings-exp strings-alpha-card=65536";
  const limits = new Set(["rlimit"]);
  return z3Parameters({ text: "", values: [] }, solverLimits)
    .filter(([option]) => !limits.has(option))
    .map(([option, value]) => `${option}=${value}`)
    .join(" ");
}
