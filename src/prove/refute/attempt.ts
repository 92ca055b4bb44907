/**
 * From a model to a run that breaks a claim.
 * SOUNDNESS: a run breaks something only if it can be made, with values that can be passed and returned.
 * Part of what must be trusted.
 */
import { type Checked, type Expr, judge, type RecordedRun } from "../../ir/index.ts";
import type { Model, SolverAnswer } from "../decide/solver/port.ts";
import { type Obligation, obligationCodes } from "../symbolic/call-events.ts";
import { hasParallel } from "../symbolic/parallel.ts";
import type { Replayed } from "./counterexample.ts";
import { type Integers, performed } from "./performed.ts";
import { rounded } from "./plain-values.ts";
import { type Schedule, someOrder } from "./schedules.ts";

/** Makes the run that a model speaks of, and says whether it breaks what is claimed. */
export type Attempt = (model: Model, integers?: Integers) => Promise<Attempted>;

export interface Attempted {
  readonly recorded: RecordedRun;
  readonly broken: boolean;
  readonly why: string;
  /** True if the run would break it, but its values cannot be passed. */
  readonly unreal?: true;
}

type Look = (made: Replayed) => Pick<Attempted, "broken" | "why">;

export function attempting(
  checked: Checked,
  replay: (model: Model, schedule?: Schedule) => Promise<Replayed>,
  look: Look,
): Attempt {
  const isParallel = hasParallel(checked);
  return async (model, integers = "number") => {
    let supposed = await replay(model);
    let said = look(supposed);
    const first = { recorded: supposed.recorded, ...said };
    if (!said.broken && !isParallel) return first;
    const order = said.broken
      ? undefined
      : await someOrder(async (schedule) => {
          supposed = await replay(model, schedule);
          said = look(supposed);
          return said.broken;
        });
    if (!said.broken) return first;
    const real = await performed(checked, supposed, integers, order?.());
    if (real.kind === "made") return { recorded: real.made.recorded, ...look(real.made) };
    const why = `no run that breaks it was found: in the one that would, ${real.why}`;
    return { recorded: supposed.recorded, broken: false, why, unreal: true };
  };
}

/** Recognizes a run that stops because this obligation fails. */
export function stopsAt(obligation: Obligation): Look {
  return ({ run }) => {
    const stopped = run.outcome.kind === "stopped" ? run.outcome.problem : undefined;
    const broken =
      stopped?.code === obligationCodes[obligation.kind] && samePath(stopped.path, obligation.path);
    return { broken, why: stopped?.message ?? "the run completes" };
  };
}

/** Recognizes a completed run that violates the formula. */
export function violates(checked: Checked, formula: Expr): Look {
  return ({ run, recorded }) => {
    const broken = run.outcome.kind === "completed" && judge(checked, formula, recorded).kind === "violated";
    return {
      broken,
      why: broken ? "the run breaks it" : "the solver's run does not break it when it is made",
    };
  };
}

/**
 * Another run that breaks it, with values that can be passed, where those of the solver cannot be.
 *
 * @param ask for a model of plain values
 */
export async function anotherRun(
  attempt: Attempt,
  model: Model,
  ask: () => Promise<SolverAnswer> | undefined,
): Promise<{ readonly run: RecordedRun; readonly why: string } | undefined> {
  const near = await attempt(rounded(model));
  if (near.broken) return { run: near.recorded, why: near.why };
  const answer = await ask();
  const other = answer?.kind === "sat" ? await attempt(answer.model) : undefined;
  if (other?.broken) return { run: other.recorded, why: other.why };
  // As a last resort integers of any size, which tools and inputs can take as a `bigint`.
  const big = await attempt(model, "bigint");
  return big.broken ? { run: big.recorded, why: big.why } : undefined;
}

export function samePath(a: readonly (string | number)[], b: readonly (string | number)[]): boolean {
  return a.length === b.length && a.every((step, i) => step === b[i]);
}
