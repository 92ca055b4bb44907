/**
 * Finds the restricted results whose data a value may carry, and for results of loops whether it is only data of the
 * same iteration, or of the element of that iteration. Part of what must be trusted.
 */
import type { Expr, MayReadExpr } from "../document.ts";
import { exprsIn, variablesOf } from "../visit.ts";
import type { Asked, Ends, Flow } from "./flow.ts";
import { constant, type Edge } from "./graph.ts";
import type { CallFlow } from "./program.ts";
import { type Names, scopesIn } from "./scopes.ts";
import { nodesOf } from "./shape.ts";
import { Origins } from "./sources.ts";

/** A call whose readers must be looked at. */
export interface Need {
  readonly call: CallFlow;
  /** Only where it was made in the same iterations of so many of the outer loops as the call that is asked about. */
  readonly shared: number;
  /** Only the row at the position of the asking call in this loop, counted from the outermost. */
  readonly row?: number;
  /** The value may carry the text of its failure, which nobody is known to be a reader of. */
  readonly isTextOfFailure?: true;
}

/**
 * The results whose data the value may carry. `asking` is the variable of the one call that the value mentions, if
 * there is one.
 */
export interface Needs {
  readonly asking: string | undefined;
  readonly needs: readonly Need[];
}

export function needsOf(flow: Flow, expr: MayReadExpr, asked: Asked): Needs {
  const ends = flow.ends(expr.value, expr, asked);
  const asking = onlyCall(expr.value, scopesIn(asked.formula).get(expr) ?? new Map());
  const loops = asking === undefined ? [] : flow.call(asked.call(asking)).loops;
  const needs: Need[] = [];
  for (const call of flow.program.calls.values()) {
    if (call.tool.readers === undefined || call.tool.result === undefined) continue;
    const starts = startsOf(call);
    if (!flow.goes(starts, ends)) continue;
    const isText = call.reason !== constant && flow.goes(textOf(call), ends);
    const need = needOf(flow, call, starts, ends, loops);
    needs.push(isText ? { ...need, isTextOfFailure: true } : need);
  }
  return { asking, needs };
}

function startsOf({ tool, result, failed, reason }: CallFlow): Origins["all"] {
  const origins = new Origins();
  if (tool.result !== undefined) origins.result(tool.name, result, tool.result);
  origins.failure(tool.name, failed);
  if (reason !== constant) origins.failure(tool.name, reason);
  return origins.all;
}

function textOf({ tool, reason }: CallFlow): Origins["all"] {
  const origins = new Origins();
  origins.failure(tool.name, reason);
  return origins.all;
}

/** SOUNDNESS: only if no way leads from one iteration of a loop around both to another is it the same iteration. */
function needOf(
  flow: Flow,
  call: CallFlow,
  starts: Origins["all"],
  ends: Ends,
  loops: readonly string[],
): Need {
  const shared = call.loops.filter((loop, i) => loop === loops[i]);
  const around = new Set(shared);
  const isTurn = ({ turns }: Edge) => turns !== undefined && around.has(turns);
  if (flow.goes(starts, ends, undefined, isTurn)) return { call, shared: 0 };
  const row = call.result.kind === "list" ? ownRow(flow, call, starts, ends, loops) : undefined;
  return row === undefined ? { call, shared: shared.length } : { call, shared: shared.length, row };
}

/** The loop that goes through the result, if data comes in only as its element, and only in the same iteration. */
function ownRow(
  flow: Flow,
  { result }: CallFlow,
  starts: Origins["all"],
  ends: Ends,
  loops: readonly string[],
): number | undefined {
  const own = new Set(result.kind === "list" ? nodesOf(result.element) : []);
  const found = loops.findIndex((loop) => {
    const isOther = ({ from, visits }: Edge) => visits !== loop || !own.has(from);
    if (flow.goes(starts, ends, isOther)) return false;
    return !flow.goes(starts, ends, undefined, ({ turns }) => turns === loop);
  });
  return found < 0 ? undefined : found;
}

/** The variable of the call that the value speaks of, if there is one alone and nothing else. */
function onlyCall(value: Expr, names: Names): string | undefined {
  const calls = new Set<string>();
  let others = false;
  const visit = (expr: Expr): void => {
    for (const name of [...variablesOf(expr), ...resultsIn(expr)]) {
      const binder = names.get(name);
      if (binder?.kind === "call") calls.add(name);
      else if (binder?.kind === "let") visit(binder.value);
      else if (binder !== undefined) others = true;
    }
  };
  visit(value);
  const [only] = calls;
  return calls.size === 1 && !others ? only : undefined;
}

/** The variables of the calls whose results it reads. */
function resultsIn(expr: Expr): string[] {
  const found: string[] = [];
  for (const one of exprsIn(expr)) if (one.kind === "result") found.push(one.call);
  return found;
}
