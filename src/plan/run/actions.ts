/** Derives the status of each action of a plan from the statuses of its calls. */
import type { CallRun, ProgramRun } from "../../run/index.ts";
import { isOwn } from "../lower/body.ts";
import type { Lowered } from "../lower/lower.ts";
import type { Plan } from "../plan.ts";

export type ActionStatus =
  | "done"
  /** Skipped, because it failed and may. */
  | "skipped"
  /** It ended the plan. */
  | "failed"
  /** It is unknown whether it happened. */
  | "in doubt"
  | "not reached"
  /** It was done, and undone or compensated for. */
  | "rolled back";

export interface ActionRun {
  readonly actionId: string;
  readonly status: ActionStatus;
  /** Tries that were made. */
  readonly attempts: number;
  /** True if it ended in an earlier process. */
  readonly before: boolean;
  readonly reason?: string;
  /** Receipt of the reservation in doubt, or of the step. */
  readonly receipt?: string;
}

/** In the order of the plan. */
export function actionRuns(plan: Plan, lowered: Lowered, { calls }: Pick<ProgramRun, "calls">): ActionRun[] {
  const made: CallRun[][] = plan.actions.map(() => []);
  for (const call of calls) {
    const of = lowered.calls.get(call.call);
    if (of !== undefined) made[of.action]?.push(call);
  }
  return plan.actions.map(({ id, failureBehavior }, i) => {
    const all = made[i] ?? [];
    const last = all.at(-1);
    if (last === undefined) return { actionId: id, status: "not reached", attempts: 0, before: false };
    const { before, reason, receipt } = last;
    return {
      actionId: id,
      status: statusOf(last, failureBehavior === "skip"),
      attempts: all.filter(({ call }) => {
        const of = lowered.calls.get(call);
        return of !== undefined && isOwn(of);
      }).length,
      before,
      ...(reason !== undefined && { reason }),
      ...(receipt !== undefined && { receipt }),
    };
  });
}

function statusOf({ status }: CallRun, isSkip: boolean): ActionStatus {
  switch (status) {
    case "done":
    case "in doubt":
      return status;
    case "undone":
      return "rolled back";
    case "failed":
    case "not done":
      return isSkip ? "skipped" : "failed";
  }
}
