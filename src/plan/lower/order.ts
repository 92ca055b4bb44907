/** What a guarantee speaks of, as far as it matters in which order a plan's calls are made, and when it stops. */
import type { Expr } from "../../ir/index.ts";
import type { Plan } from "../plan.ts";
import type { Graph } from "../strict/graph.ts";

export interface Spoken {
  /** Of the order of calls, or of states on the way. */
  readonly order: boolean;
  /** Of what fluents hold. */
  readonly state: boolean;
  /** Of where values come from. */
  readonly flows: boolean;
}

/**
 * SOUNDNESS: everything that a formula can say is in `TraceExpr` and `CellExpr`. Quantifiers, aggregates, `perKey`,
 * `distinct` and `result` take calls as a set; what a fluent holds at the end is the same for all schedules, since calls
 * that touch one cell are in order.
 */
export function spokenOf(formula: Expr): Spoken {
  const kinds = new Set<unknown>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    kinds.add(Reflect.get(node, "kind"));
    for (const part of Object.values(node)) visit(part);
  };
  visit(formula);
  return {
    order: kinds.has("always") || kinds.has("precedes") || kinds.has("automaton"),
    state: kinds.has("cell") || kinds.has("cells"),
    flows: kinds.has("flows") || kinds.has("influenced") || kinds.has("mayRead"),
  };
}

/** Whether there is only one order in which the calls can be made. */
export function isChain({ actions }: Plan, { order, before }: Graph): boolean {
  const most = new Int32Array(actions.length);
  let [calls, longest] = [0, 0];
  for (const i of order) {
    let longestBefore = 0;
    for (const one of before[i] ?? []) longestBefore = Math.max(longestBefore, most[one] ?? 0);
    const isCall = actions[i]?.type === "tool_call";
    if (isCall) calls++;
    most[i] = longestBefore + (isCall ? 1 : 0);
    longest = Math.max(longest, most[i] ?? 0);
  }
  return longest === calls;
}
