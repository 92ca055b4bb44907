/** Plans that are not lowered, and why. */

import { type Fluent, quoted } from "../../ir/index.ts";
import { undoRetries } from "../../run/index.ts";
import { decidedError as error, type Finding } from "../findings.ts";
import { type Action, keyOf, type Plan } from "../plan.ts";
import type { Structure } from "../strict/structure.ts";
import type { ReadCall, ToolBook } from "../strict/tool-book.ts";

type Sound = Extract<Structure, { readonly kind: "sound" }>;

export function unprovable(
  plan: Plan,
  { calls }: Sound,
  book: ToolBook,
  fluents: readonly Fluent[],
  mostCalls: number,
): Finding[] {
  const names = new Set(fluents.map(({ name }) => name));
  const findings: Finding[] = [];
  let made = 0;
  for (const [i, action] of plan.actions.entries()) {
    made += triesOf(action) + (action.compensation === undefined ? 0 : mostUndoTries);
    const sets = new Set(calls.get(i)?.writes);
    for (const { key, field } of writtenBy(action)) {
      // What a tool says that it sets is believed in place of the claim.
      if (!sets.has(key) && isCell(key, names)) findings.push(ownedFinding(action, i, key, field));
    }
    const { compensation } = action;
    if (compensation?.type !== "tool") continue;
    const read = book.read(compensation);
    if (read.kind !== "modelled") findings.push(undoFinding(action, i, compensation.tool, read));
  }
  if (made > mostCalls) findings.push(tooManyFinding(plan, made, mostCalls));
  return findings;
}

/** Returns the maximum number of tool calls of an action. */
export function triesOf({ type, failureBehavior, maxRetries }: Action): number {
  if (type !== "tool_call") return 0;
  return failureBehavior === "retry" ? 1 + maxRetries : 1;
}

/** Maximum number of calls of a compensation; it repeats only idempotent tools. */
export const mostUndoTries = 1 + undoRetries;

function writtenBy(action: Action): { readonly key: string; readonly field: readonly string[] }[] {
  const own = action.type === "state_write" ? keyOf(action) : undefined;
  return [
    ...(own === undefined ? [] : [{ key: own, field: ["parameters", "key"] }]),
    ...action.writeSet.map((key) => ({ key, field: ["write_set"] })),
    ...action.expectedEffects.map(({ key }) => ({ key, field: ["expected_effects", key] })),
  ];
}

/** `bank.balance[bob]`, where `bank.balance` is a fluent. */
function isCell(key: string, fluents: ReadonlySet<string>): boolean {
  const bracket = key.indexOf("[");
  return bracket > 0 && fluents.has(key.slice(0, bracket));
}

function ownedFinding({ id }: Action, i: number, key: string, field: readonly string[]): Finding {
  const message = `${quoted(id)} writes ${quoted(key)}, which only a tool may set in a plan that is proved`;
  const help = "leave it to the tools, or use another key";
  return { ...error("FC3411", id, message, ["actions", i, ...field]), key, help };
}

function undoFinding(
  { id }: Action,
  i: number,
  tool: string,
  read: Exclude<ReadCall, { readonly kind: "modelled" }>,
): Finding {
  const path = ["actions", i, "compensation"];
  switch (read.kind) {
    case "unknown tool": {
      const message = `${quoted(id)} is compensated with ${quoted(tool)}, which is not a known tool`;
      const found = error("FC3412", id, message, [...path, "tool"]);
      return read.near === undefined ? found : { ...found, help: `did you mean ${quoted(read.near)}?` };
    }
    case "misfit":
      return error(
        "FC3412",
        id,
        `what compensates ${quoted(id)} does not fit ${quoted(tool)}: ${read.message}`,
        [...path, "parameters"],
      );
    case "unclear":
      return error(
        "FC3412",
        id,
        `what compensates ${quoted(id)} uses ${quoted(read.cell)}, and which key that is depends on the run`,
        [...path, "parameters"],
      );
  }
}

function tooManyFinding({ actions }: Plan, made: number, most: number): Finding {
  const message = `the plan may make ${made} calls, counting retries, and the limit is ${most}`;
  const help = "split the plan, or lower `max_retries`";
  return { ...error("FC3413", actions[0]?.id ?? "plan", message, ["actions"]), help };
}
