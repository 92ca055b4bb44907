/** Tool calls that are made more than once with the same parameters, whatever the order of their keys. */
import { quoted } from "../../ir/index.ts";
import type { Finding } from "../findings.ts";
import type { Action } from "../plan.ts";
import { valueText } from "../values.ts";

interface Calls {
  readonly first: number;
  second: number;
  times: number;
  safe: boolean;
}

/** A call that may be repeated safely may be meant; of the others nobody can tell, so it is a warning and no more. */
export function repeatedCalls(actions: readonly Action[]): Finding[] {
  const calls = new Map<string, Calls>();
  for (const i of lookalikes(actions)) {
    const action = actions[i];
    if (action?.tool === undefined) continue;
    const text = `${action.tool.length}:${action.tool}${valueText(action.parameters)}`;
    const known = calls.get(text);
    if (known === undefined) calls.set(text, { first: i, second: i, times: 1, safe: action.idempotent });
    else {
      if (known.times++ === 1) known.second = i;
      known.safe &&= action.idempotent;
    }
  }
  const findings: Finding[] = [];
  for (const { first, second, times, safe } of calls.values()) {
    if (times < 2 || safe) continue;
    const tool = actions[first]?.tool ?? "";
    const message = `${quoted(tool)} is called ${times} times with the same parameters`;
    findings.push({
      actionId: actions[second]?.id ?? "",
      severity: "warning",
      message,
      code: "FC3108",
      tier: "heuristic",
      path: ["actions", second],
      help: `it was called by ${quoted(actions[first]?.id ?? "")} before; say \`"idempotent": true\` if that does no harm`,
    });
  }
  return findings;
}

/**
 * Calls that share a tool, the names of their parameters and one string among them with another call. To write out all
 * parameters of all calls would cost more than everything else.
 */
function lookalikes(actions: readonly Action[]): number[] {
  /** By tool and mark the number of the first call, below 0 (its complement) once there was a second. */
  const seen = new Map<string, Map<string, number>>();
  const found: number[] = [];
  for (let i = 0; i < actions.length; i++) {
    const action = actions[i];
    if (action?.type !== "tool_call" || action.tool === undefined) continue;
    let ofTool = seen.get(action.tool);
    if (ofTool === undefined) {
      ofTool = new Map();
      seen.set(action.tool, ofTool);
    }
    const mark = markOf(action);
    const first = ofTool.get(mark);
    if (first === undefined) ofTool.set(mark, i);
    else {
      if (first >= 0) {
        found.push(first);
        ofTool.set(mark, ~first);
      }
      found.push(i);
    }
  }
  return found.sort((a, b) => a - b);
}

/** The same for equal parameters, and most likely another for others: the string under the first name that has one. */
function markOf({ parameters }: Action): string {
  let least: string | undefined;
  for (const name in parameters) {
    if (typeof parameters[name] === "string" && (least === undefined || name < least)) least = name;
  }
  const mark = least === undefined ? undefined : parameters[least];
  return typeof mark === "string" ? mark : "";
}
