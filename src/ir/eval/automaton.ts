/**
 * Runs an automaton on the calls of a trace. A failed call may or may not have been made, so what is kept is every state
 * that the automaton may be in; what was in an error state once is not followed any further.
 * Part of what must be trusted.
 */
import type { Checked } from "../check/index.ts";
import type { AutomatonExpr, Relation, Selection } from "../document.ts";
import { labelRow, labelRowType } from "../label-row.ts";
import type { RecordValue } from "../value.ts";
import type { Known } from "./evaluate.ts";
import type { Resolution } from "./formula.ts";
import { Unknown } from "./partly.ts";
import type { TraceEntry } from "./trace.ts";

/** Decides if the selection takes the call; may be unknown. */
export type Takes = (over: Selection, entry: TraceEntry) => Known;

/** Decides if no error state is ever entered. An initial error state counts as entered. */
export function runAutomaton(
  automaton: AutomatonExpr,
  trace: readonly TraceEntry[],
  resolution: Resolution | undefined,
  takes: Takes,
): boolean | Unknown {
  const errors = new Set(automaton.error);
  if (errors.has(automaton.start)) return false;
  let states: ReadonlySet<string> = new Set([automaton.start]);
  let mayHaveFailed = false;
  for (const entry of trace) {
    const took = entry.outcome.kind === "returned" || resolution?.took(entry.position);
    if (took === false) continue;
    const next = new Set<string>();
    for (const state of states) {
      if (took === undefined) next.add(state);
      for (const to of statesAfter(automaton, state, entry, takes)) {
        if (errors.has(to)) mayHaveFailed = true;
        else next.add(to);
      }
    }
    if (next.size === 0) return false;
    states = next;
  }
  return mayHaveFailed
    ? new Unknown("a call failed, and may or may not have led the automaton into an error state")
    : true;
}

/** The call as a row of the relation; undefined if it is none of it. */
export function rowOf(checked: Checked, relation: Relation, entry: TraceEntry): RecordValue | undefined {
  if (relation.kind === "calls") return relation.tool === entry.tool ? entry.args : undefined;
  if (relation.kind !== "label") throw new TypeError("an automaton reads calls");
  const tools = checked.labels.get(relation.label) ?? [];
  const isOne = tools.some(({ name }) => name === entry.tool);
  return isOne ? labelRow(entry.args, labelRowType(tools)) : undefined;
}

/** Returns the successor states; several only if the transition is unknown. */
function statesAfter({ on }: AutomatonExpr, state: string, entry: TraceEntry, takes: Takes): string[] {
  const found: string[] = [];
  for (const { from, over, to } of on) {
    if (from !== state) continue;
    const taken = takes(over, entry);
    if (taken === false) continue;
    found.push(to);
    if (taken === true) return found;
  }
  return [...found, state];
}
