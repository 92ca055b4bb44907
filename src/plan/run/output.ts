/** What `plan run` prints with `--json`, as data. */
import { type OutputJson, type OutputObject, stateToJson } from "../output.ts";
import type { ActionRun, PlanRun, RunProblem } from "./options.ts";

export function planRunToJson(run: PlanRun): OutputJson {
  const { kind, runId, digest, actions, endedBy, problems, inDoubt, stillDone, state } = run;
  return {
    outcome: kind,
    run: runId,
    plan: digest,
    actions: actions.map(actionToJson),
    ended_by: endedBy === undefined ? null : problemToJson(endedBy),
    problems: problems.map(problemToJson),
    in_doubt: inDoubt.map(({ actionId, receipt, key }) => ({ action_id: actionId, receipt, key })),
    still_done: stillDone,
    state: stateToJson(state),
  };
}

function actionToJson({
  actionId,
  status,
  attempts,
  before,
  output,
  problem,
  receipt,
}: ActionRun): OutputObject {
  return {
    action_id: actionId,
    status,
    attempts,
    before,
    ...(output !== undefined && { output }),
    ...(problem && { problem: problemToJson(problem) }),
    ...(receipt !== undefined && { receipt }),
  };
}

function problemToJson({ code, message, actionId, help }: RunProblem): OutputObject {
  return {
    code,
    message,
    action_id: actionId ?? null,
    ...(help !== undefined && { help }),
  };
}
