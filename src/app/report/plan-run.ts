/** The outcome of a run of a plan, action by action, as data. */
import type { PlainJson } from "../../ir/index.ts";
import type { ProgramRun } from "../../run/index.ts";
import type { LoadedProgram } from "../load/typescript.ts";

/** Returns nothing for a program that is no plan. */
export async function planReport(
  { plan }: LoadedProgram,
  run: ProgramRun,
): Promise<Readonly<Record<string, PlainJson>>> {
  if (plan === undefined) return {};
  const { actionRuns, planDigest } = await import("../../plan/index.ts");
  return {
    plan: planDigest(plan.plan),
    actions: actionRuns(plan.plan, plan.lowered, run).map(
      ({ actionId, status, attempts, before, reason, receipt }) => ({
        action_id: actionId,
        status,
        attempts,
        before,
        ...(reason !== undefined && { reason }),
        ...(receipt !== undefined && { receipt }),
      }),
    ),
  };
}
