/** One worker or process that solves one script at a time, and the conversation that every kind of them has. */
import { decodeReason, decodeValues, sat, unexpected } from "./decode.ts";
import { type Script, type SolverAnswer, type SolverLimits, unknown } from "./port.ts";

export interface Engine {
  readonly version: string;
  /** False once it can answer no more. */
  readonly alive: boolean;
  /** Makes ready for a script: nothing of an earlier one is left, and these limits hold. */
  begin(script: Script, limits: SolverLimits): Promise<void>;
  /** Gives commands to the solver and waits for all that it says to them. Rejects when the engine is lost. */
  ask(commands: string): Promise<string>;
  /** Frees what the script took. */
  end(): Promise<void>;
  /** Keeps the process alive while the engine works. */
  hold(on: boolean): void;
  /** Ends it at once, whatever it is doing. */
  stop(): Promise<void>;
}

/** The engine gives no answer, to this question or any later one. */
export class EngineLost extends Error {
  readonly reason: "crashed" | "memory" | "error";
  constructor(reason: EngineLost["reason"], detail: string) {
    super(detail);
    this.name = "EngineLost";
    this.reason = reason;
  }
}

export async function converse(engine: Engine, script: Script, limits: SolverLimits): Promise<SolverAnswer> {
  await engine.begin(script, limits);
  const answer = await askAll(engine, script);
  if (limits.used !== undefined) await tellUsed(engine, limits.used);
  await engine.end();
  return answer;
}

/** A solver that does not count says something else, which is no matter. */
async function tellUsed(engine: Engine, used: (resources: number) => void): Promise<void> {
  const count = /^\(:rlimit (\d+)\)\s*$/.exec(await engine.ask("(get-info :rlimit)"))?.[1];
  if (count !== undefined) used(Number(count));
}

async function askAll(engine: Engine, script: Script): Promise<SolverAnswer> {
  // SOUNDNESS: an assertion that the solver could not read is ignored by it, so nothing may be said about any.
  const complaint = await engine.ask(script.text);
  if (complaint.trim() !== "") return unexpected(complaint);
  const verdict = await engine.ask("(check-sat)");
  switch (verdict.trim()) {
    case "unsat":
      return { kind: "unsat" };
    case "sat": {
      if (script.values.length === 0) return sat(new Map(), new Map());
      const terms = script.values.map(({ name, term }) => term ?? name);
      return decodeValues(await engine.ask(`(get-value (${terms.join(" ")}))`), script.values);
    }
    case "unknown":
      return decodeReason(await engine.ask("(get-info :reason-unknown)"));
    default:
      return unexpected(verdict);
  }
}

/** Turns any thrown failure into an answer. */
export function answerTo(failure: unknown): SolverAnswer {
  if (failure instanceof EngineLost) return unknown(failure.reason, failure.message);
  return unknown("error", failure instanceof Error ? failure.message : String(failure));
}
