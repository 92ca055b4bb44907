/** What makes up for an action that really happened, if the plan must be taken back. */
import { type Json, JsonNumber, type JsonObject, quoted } from "../../ir/index.ts";
import type { Action, Plan } from "../plan.ts";
import { eachString, referenceIn } from "../references.ts";
import { kernelName } from "./identity.ts";
import type { PlanTool, RunProblem } from "./options.ts";

export interface Compensation {
  readonly tool: string;
  /** Whether the tool takes its own call back. Then it is known to be made up for, and its charge is given back. */
  readonly isUndo: boolean;
  /** With references that stand for outputs; undefined for what the call itself had. */
  readonly parameters: JsonObject | undefined;
}

export function compensationOf(
  { compensation, type, tool }: Action,
  { actions }: Plan,
  tools: ReadonlyMap<string, PlanTool>,
): Compensation | undefined {
  if (compensation?.type === "tool") {
    return { tool: compensation.tool, isUndo: false, parameters: compensation.parameters };
  }
  if (compensation?.type === "action_ref") {
    const other = actions.find(({ id }) => id === compensation.actionId);
    return { tool: other?.tool ?? "", isUndo: false, parameters: other?.parameters ?? Object.create(null) };
  }
  if (type !== "tool_call" || tool === undefined || tools.get(tool)?.undo === undefined) return undefined;
  return { tool, isUndo: true, parameters: undefined };
}

/** As the kernel keeps it with the action, and performs it after the rollback. */
export function undoAction(id: string, { tool, isUndo, parameters }: Compensation, args: Json): object {
  const what = isUndo ? "undo" : "compensation";
  return { id: `${what} of ${kernelName(id)}`, tool, args: parameters ?? args };
}

/** Whether it could be carried out at all, as far as that can be told beforehand. */
export function compensationProblems(
  plan: Plan,
  numbers: ReadonlyMap<string, number>,
  tools: ReadonlyMap<string, PlanTool>,
): RunProblem[] {
  const problems: RunProblem[] = [];
  for (const [i, action] of plan.actions.entries()) {
    const found = action.compensation === undefined ? undefined : compensationOf(action, plan, tools);
    if (found === undefined) continue;
    const wrong = (message: string): void => {
      problems.push({ code: "FC3303", message, path: ["actions", i, "compensation"], actionId: action.id });
    };
    const whose = `the compensation of ${quoted(action.id)}`;
    if (action.type !== "tool_call")
      wrong(`${whose} is for nothing: a \`${action.type}\` is rolled back exactly`);
    else if (found.tool === "") wrong(`${whose} is an action that calls no tool`);
    else if (!tools.has(found.tool))
      wrong(`${whose} calls ${quoted(found.tool)}, for which there is no handler`);
    eachString(found.parameters ?? null, (text) => {
      const reference = referenceIn(text);
      if (reference !== undefined && !numbers.has(reference.id))
        wrong(`${whose} refers to the output of ${quoted(reference.id)}, which is not in the plan`);
    });
  }
  return problems;
}

/** Whether anything was charged. */
export function isCharge(cost: Json | undefined): boolean {
  if (typeof cost === "string") return /[1-9]/.test(cost);
  if (typeof cost !== "object" || cost === null) return false;
  if (JsonNumber.is(cost)) return cost.value !== 0n;
  return Object.values(cost).some(isCharge);
}
