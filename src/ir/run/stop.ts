/** Leaves a run from any depth; caught where the run started, and reported as data. Part of what must be trusted. */
import type { Code, Diagnostic, Trail } from "../diagnostic.ts";

/** No `Error`: nobody sees where in the interpreter it came from, and to note that costs more than many a run. */
export class Stop {
  readonly problem: Diagnostic;
  constructor(code: Code, trail: Trail, message: string, help?: string) {
    const path = trail.path();
    this.problem = help === undefined ? { code, message, path } : { code, message, path, help };
  }
}

/** Ends the whole run: branches that run beside the one it comes from start no further call. */
export class FinalStop extends Stop {}

/** LIMIT: what a tool or a hook says about its failure is kept short. */
export function reasonOf(thrown: unknown): string {
  const text =
    thrown instanceof Error ? thrown.message : typeof thrown === "string" ? thrown : "no reason given";
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
