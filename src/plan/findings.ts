/** Result of verifying a plan, in the same shape for both modes. */
import type { Diagnostic, Json, Path } from "../ir/index.ts";
import type { PlanCode } from "./codes.ts";
import type { State } from "./plan.ts";

export type Severity = "error" | "warning" | "info";

/**
 * Evidence for a finding. `decided`: it follows from the plan and the state. `heuristic`: it depends on an action's
 * own description of a tool, or it is only a sign of a mistake.
 */
export type Tier = "decided" | "heuristic";

export interface Finding extends Diagnostic<PlanCode> {
  readonly actionId: string;
  readonly severity: Severity;
  readonly tier: Tier;
  /** The key of the state that it is about. */
  readonly key?: string;
  readonly witness?: Witness;
}

/** An error that follows from the plan. */
export function decidedError(code: PlanCode, actionId: string, message: string, path: Path): Finding {
  return { code, actionId, severity: "error", message, tier: "decided", path };
}

/** A run that fails as the finding says. */
export interface Witness {
  /** The state at the start, as far as the schedule looks at it: keys that are not there are absent. */
  readonly state: State;
  /** The actions, one after the other; the last one fails. */
  readonly schedule: readonly string[];
  /** Those of them whose tool fails. */
  readonly failed: readonly string[];
  /** Values that tools write to keys that the plan does not mention. */
  readonly written: readonly { readonly actionId: string; readonly key: string; readonly value?: Json }[];
}

export interface Conflict {
  readonly key: string;
  readonly writers: readonly string[];
}

export interface Verification {
  readonly valid: boolean;
  readonly findings: readonly Finding[];
  /** Keys whose value at the end is known. */
  readonly state: State;
  readonly levels: readonly (readonly string[])[];
  readonly conflicts: readonly Conflict[];
  /** `heuristic` if what holds, holds only as far as the claims below are true. */
  readonly tier: Tier;
  /** Effects that actions claim of tools, and that something was decided with. */
  readonly claims: readonly { readonly actionId: string; readonly key: string }[];
}
