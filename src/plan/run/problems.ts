/** Refuses runs of plans that cannot work, before anything is proved. */
import { quoted } from "../../ir/index.ts";
import { isKeptKey } from "../../run/index.ts";
import { decidedError as error, type Finding } from "../findings.ts";
import { type Action, keyOf, type Plan } from "../plan.ts";
import { eachString, referenceIn } from "../references.ts";
import { runLimits } from "./limits.ts";

export function runFindings(plan: Plan): Finding[] {
  const { actions } = plan;
  const { actions: most } = runLimits;
  const findings: Finding[] = [];
  if (actions.length > most) {
    const message = `a run takes up to ${most} actions, and the plan has ${actions.length}`;
    findings.push(error("FC3306", actions[0]?.id ?? "plan", message, ["actions"]));
  }
  const ids = new Set(actions.map(({ id }) => id));
  for (const [i, action] of actions.entries()) {
    findings.push(...boundsOf(action, i), ...keysOf(action, i), ...compensationOf(plan, action, i, ids));
  }
  return findings;
}

function boundsOf({ id, maxRetries, timeoutMs, failureBehavior }: Action, i: number): Finding[] {
  const findings: Finding[] = [];
  const { retries, timeoutMs: longest } = runLimits;
  if (failureBehavior === "retry" && maxRetries > retries) {
    const message = `${quoted(id)} asks for ${maxRetries} retries, and a run makes up to ${retries}`;
    findings.push(error("FC3306", id, message, ["actions", i, "max_retries"]));
  }
  if (timeoutMs !== undefined && !(timeoutMs >= 1 && timeoutMs <= longest)) {
    const message = `the time of ${quoted(id)} is ${timeoutMs} ms, and a run takes 1 to ${longest}`;
    findings.push(error("FC3306", id, message, ["actions", i, "timeout_ms"]));
  }
  return findings;
}

/** SOUNDNESS: a plan that set a mark, or what was taken of a limit, would say what only runs and policies know. */
function keysOf(action: Action, i: number): Finding[] {
  const { id, type, expectedEffects, writeSet } = action;
  const written = [
    ...(type === "state_write" ? [keyOf(action) ?? ""] : []),
    ...expectedEffects.map(({ key }) => key),
    ...writeSet,
  ];
  const kept = written.find(isKeptKey);
  if (kept === undefined) return [];
  const message = `${quoted(id)} sets ${quoted(kept)}, which is reserved for runs and policies`;
  return [error("FC3306", id, message, ["actions", i])];
}

/** Returns whether a compensation could be carried out at all. */
function compensationOf(
  { actions }: Plan,
  { id, type, compensation }: Action,
  i: number,
  ids: ReadonlySet<string>,
): Finding[] {
  if (compensation === undefined) return [];
  const findings: Finding[] = [];
  const path = ["actions", i, "compensation"];
  const wrong = (message: string): void => {
    findings.push(error("FC3303", id, `the compensation of ${quoted(id)} ${message}`, path));
  };
  const by =
    compensation.type === "tool" ? compensation : actions.find((one) => one.id === compensation.actionId);
  if (type !== "tool_call") wrong(`has no use: a \`${type}\` is rolled back exactly`);
  else if (by?.tool === undefined) wrong("is an action that calls no tool");
  eachString(by?.parameters ?? null, (text) => {
    const reference = referenceIn(text);
    if (reference !== undefined && !ids.has(reference.id))
      wrong(`refers to the output of ${quoted(reference.id)}, which is not in the plan`);
  });
  return findings;
}
