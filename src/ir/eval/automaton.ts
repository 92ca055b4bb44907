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

/** The parts of a call that an automaton reads. */
export type AutomatonCall = Pick<TraceEntry, "tool" | "args">;

/** Decides if the selection takes the call; may be unknown. */
export type Takes = (over: Selection, entry: AutomatonCall) => Known;

/** Possible states of an automaton after some calls. */
export interface AutomatonPlace {
  /** Empty if an error state was entered for certain. */
  readonly states: ReadonlySet<string>;
  /** True if an error state may have been entered. */
  readonly mayHaveFailed: boolean;
}

/** Returns the initial states. An initial error state counts as entered. */
export function automatonStart({ start, error }: AutomatonExpr): AutomatonPlace {
  const isError = error.includes(start);
  return { states: new Set(isError ? [] : [start]), mayHaveFailed: isError };
}

/**
 * Returns the possible states after another call.
 * @param took whether the call was made; undefined if that is unknown
 */
export function automatonAfter(
  automaton: AutomatonExpr,
  { states, mayHaveFailed }: AutomatonPlace,
  entry: AutomatonCall,
  took: boolean | undefined,
  takes: Takes,
): AutomatonPlace {
  if (took === false) return { states, mayHaveFailed };
  const next = new Set<string>();
  let isOpen = mayHaveFailed;
  for (const state of states) {
    if (took === undefined) next.add(state);
    for (const to of statesAfter(automaton, state, entry, takes)) {
      if (automaton.error.includes(to)) isOpen = true;
      else next.add(to);
    }
  }
  return { states: next, mayHaveFailed: isOpen };
}

/** Decides if no error state was entered. */
export function automatonHolds({ states, mayHaveFailed }: AutomatonPlace): boolean | Unknown {
  if (states.size === 0) return false;
  return mayHaveFailed
    ? new Unknown("a call failed, and may or may not have led the automaton into an error state")
    : true;
}

/** Decides if no error state is ever entered. */
export function runAutomaton(
  automaton: AutomatonExpr,
  trace: readonly TraceEntry[],
  resolution: Resolution | undefined,
  takes: (over: Selection, entry: TraceEntry) => Known,
): boolean | Unknown {
  let place = automatonStart(automaton);
  for (const entry of trace) {
    if (place.states.size === 0) return false;
    const took = entry.outcome.kind === "returned" || resolution?.took(entry.position);
    place = automatonAfter(automaton, place, entry, took, (over) => takes(over, entry));
  }
  return automatonHolds(place);
}

/** The call as a row of the relation; undefined if it is none of it. */
export function rowOf(checked: Checked, relation: Relation, entry: AutomatonCall): RecordValue | undefined {
  if (relation.kind === "calls") return relation.tool === entry.tool ? entry.args : undefined;
  if (relation.kind !== "label") throw new TypeError("an automaton reads calls");
  const tools = checked.labels.get(relation.label) ?? [];
  const isOne = tools.some(({ name }) => name === entry.tool);
  return isOne ? labelRow(entry.args, labelRowType(tools)) : undefined;
}

/** Returns the successor states; several only if the transition is unknown. */
function statesAfter({ on }: AutomatonExpr, state: string, entry: AutomatonCall, takes: Takes): string[] {
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
