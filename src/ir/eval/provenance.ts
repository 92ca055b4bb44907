/**
 * Evaluates provenance formulas on a recorded run: the trace gives the calls, the program the flows. Part of what
 * must be trusted.
 */
import type { Checked } from "../check/index.ts";
import type { Expr, FlowsExpr, InfluencedExpr, MayReadExpr } from "../document.ts";
import { type Asked, type FlowPath, flowOf } from "../flow/flow.ts";
import { type Need, needsOf } from "../flow/readers.ts";
import { isList, type Value, valueKey } from "../value.ts";
import { callEnvironment } from "./clauses.ts";
import { type Environment, evaluate, type Known } from "./evaluate.ts";
import { isPartly, Unknown, unknownFrom } from "./partly.ts";
import type { State } from "./state.ts";
import type { TraceEntry } from "./trace.ts";

type FlowExpr = FlowsExpr | InfluencedExpr | MayReadExpr;

/** Told of each flow that there is, and of each result that a reader may not read. */
export type Noted = (path: FlowPath | undefined) => void;

/** A recorded run, as far as it is looked at. */
export interface Recorded {
  readonly checked: Checked;
  /** The whole formula. */
  readonly formula: Expr;
  readonly trace: readonly TraceEntry[];
  /** The call that a variable is bound to. */
  readonly call: (variable: string) => TraceEntry;
  readonly state: State;
  readonly noted: Noted | undefined;
}

/** Provenance of the values of a run. */
export class Provenance {
  readonly #past: Recorded;
  #fits: boolean | undefined;

  constructor(past: Recorded) {
    this.#past = past;
  }

  look(expr: FlowExpr, environment: Environment): Known {
    const past = this.#past;
    this.#fits ??= isOfProgram(past);
    if (!this.#fits) return new Unknown("the trace is not one of this program");
    const call = (variable: string) => past.call(variable).id;
    const asked: Asked = { formula: past.formula, types: environment.types, call };
    if (expr.kind === "mayRead") return mayRead(expr, past, asked, environment);
    const flow = flowOf(past.checked);
    const path =
      expr.kind === "flows"
        ? flow.flows(expr.value, expr.from, expr, asked)
        : flow.influenced(call(expr.call), expr.from);
    if (path !== undefined) past.noted?.(path);
    return path !== undefined;
  }
}

/** SOUNDNESS: what is known of the program says nothing about calls that it does not make. */
function isOfProgram({ checked, trace }: Recorded): boolean {
  const { calls } = flowOf(checked).program;
  return trace.every(({ id, tool, indices }) => {
    const call = calls.get(id);
    return call?.tool.name === tool && call.loops.length === indices.length;
  });
}

// ── readers ──────────────────────────────────────────────────────────────────────────────────────────────

/** Decides if each of the readers may read every result whose data the value may carry. */
function mayRead(expr: MayReadExpr, past: Recorded, asked: Asked, environment: Environment): Known {
  const reader = evaluate(expr.reader, environment);
  if (isPartly(reader)) return unknownFrom(reader);
  const wanted = (isList(reader) ? reader : [reader]).map((one) => valueKey(one));
  const { asking, needs } = needsOf(flowOf(past.checked), expr, asked);
  const here = asking === undefined ? undefined : past.call(asking);
  for (const need of needs) {
    // A call that failed has returned nothing that anyone could read, but for the text of its failure.
    for (const entry of past.trace) {
      const isTold = need.isTextOfFailure === true && entry.outcome.kind === "failed";
      if (isTold && isOfCall(need, entry, here)) return false;
      if (entry.outcome.kind !== "returned" || !isOfCall(need, entry, here)) continue;
      const allowed = readersOf(need, entry, here, past, environment);
      if (allowed instanceof Unknown) return allowed;
      if (allowed.every((names) => wanted.every((name) => names.has(name)))) continue;
      if (past.noted !== undefined) {
        const from = { kind: "tool", tool: entry.tool } as const;
        past.noted(flowOf(past.checked).flows(expr.value, from, expr, asked));
      }
      return false;
    }
  }
  return true;
}

function isOfCall({ call, shared }: Need, entry: TraceEntry, here: TraceEntry | undefined): boolean {
  if (entry.id !== call.id) return false;
  return entry.indices.slice(0, shared).every((index, i) => index === here?.indices[i]);
}

/** Returns the readers of the result, or of each relevant row. */
function readersOf(
  { call, row }: Need,
  { args, outcome }: TraceEntry,
  here: TraceEntry | undefined,
  { checked, state }: Recorded,
  { meter }: Environment,
): ReadonlySet<string>[] | Unknown {
  const { tool } = call;
  const result = outcome.kind === "returned" ? outcome.result : undefined;
  if (tool.readers === undefined || result === undefined) return [];
  const found: ReadonlySet<string>[] = [];
  for (const one of tool.result?.kind === "list" && isList(result) ? rowsIn(result, row, here) : [result]) {
    const environment = callEnvironment(checked, tool, args, state, meter, result);
    environment.names.set("row", one);
    const readers = evaluate(tool.readers, environment);
    if (isPartly(readers)) return unknownFrom(readers);
    found.push(new Set((isList(readers) ? readers : []).map((name) => valueKey(name))));
  }
  return found;
}

function rowsIn(
  result: readonly Value[],
  row: number | undefined,
  here: TraceEntry | undefined,
): readonly Value[] {
  if (row === undefined) return result;
  const own = result[here?.indices[row] ?? -1];
  return own === undefined ? result : [own];
}
