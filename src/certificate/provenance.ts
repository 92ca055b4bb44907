/**
 * Provenance formulas. The possible flows of each call are known from the program; the readers of a tool result
 * depend on the run. Part of what must be trusted.
 */
import {
  type Asked,
  type Expr,
  type Flow,
  type FlowsExpr,
  flowOf,
  type InfluencedExpr,
  type MayReadExpr,
  type Need,
  needsOf,
} from "../ir/index.ts";
import type { Names } from "./compile.ts";
import type { Term } from "./encode.ts";
import { type Call, nowhere, type Walk } from "./symbolic-executor.ts";
import type { Part, Plain } from "./symbolic-value.ts";

/** The calls that a formula speaks of. */
export interface Calls {
  /** The one that a variable is bound to. */
  readonly bound: (variable: string) => Call;
  /** Those that are written out, and of each loop over a list of any length those of a new iteration. */
  readonly all: () => readonly Call[];
  /** Those of the same iteration. */
  readonly mates: (call: Call) => readonly Call[];
}

/** @param formula the whole formula, in which the question stands */
export function flowTerm(
  walk: Walk,
  expr: FlowsExpr | InfluencedExpr | MayReadExpr,
  formula: Expr,
  calls: Calls,
  reader: (expr: Expr) => Plain,
): Term {
  const { checked, at } = walk;
  const flow = flowOf(checked);
  const call = (variable: string) => calls.bound(variable).id;
  const asked: Asked = { formula, types: checked.types, call };
  switch (expr.kind) {
    case "flows":
      return at.terms.bool(flow.flows(expr.value, expr.from, expr, asked) !== undefined);
    case "influenced":
      return at.terms.bool(flow.influenced(call(expr.call), expr.from) !== undefined);
    case "mayRead": {
      const { asking, needs } = needsOf(flow, expr, asked);
      const here = asking === undefined ? undefined : placed(calls.bound(asking), flow);
      const wanted = eachOf(walk, reader(expr.reader));
      const meant = needs.flatMap((need) => callsOf(need, here, calls).map((one) => ({ need, one })));
      return at.terms.all(meant.flatMap(({ need, one }) => meets(walk, need, one, here, wanted)));
    }
  }
}

/** The call, if all loops around it are over lists of any length: only then its place tells its iterations. */
function placed(call: Call, flow: Flow): Call | undefined {
  return call.elements.length === flow.call(call.id).loops.length ? call : undefined;
}

/** Returns the term "every wanted reader may read the call's result, or each relevant row of it". */
function meets(
  walk: Walk,
  need: Need,
  call: Call,
  here: Call | undefined,
  wanted: readonly Part[],
): readonly Term[] {
  const { terms, lists } = walk.at;
  const returned = terms.and(call.happened, terms.not(call.failed));
  const untold = need.isTextOfFailure ? [terms.not(call.failed)] : [];
  const read = rowsOf(walk, need, call, here).flatMap((row) => {
    const readers = readersOf(walk, call, row.value);
    return wanted.map((one) =>
      terms.implies(terms.and(returned, row.present, one.present), lists.contains(readers, one.value)),
    );
  });
  return [...untold, ...read];
}

/**
 * SOUNDNESS: where it cannot be told which are of the same iteration, all are meant; more is asked then, not less. So it
 * is where the call stands in a further loop over a list of any length: its mate is of one iteration of that loop, the
 * same one wherever the formula asks, and what is meant is every iteration, each time it asks.
 */
function callsOf({ call, shared }: Need, here: Call | undefined, calls: Calls): readonly Call[] {
  const isOne = ({ id }: Call) => id === call.id;
  const all = () => calls.all().filter(isOne);
  if (shared === 0 || here === undefined) return all();
  // The number of a loop and that of its iteration, for each loop around both.
  const places = here.order.slice(0, 2 * shared);
  const mates = calls
    .mates(here)
    .filter((one) => isOne(one) && places.every(({ text }, i) => one.order[i]?.text === text));
  return mates.length === 0 || mates.some(({ elements }) => elements.length > shared) ? all() : mates;
}

/** The result, or each of its rows that matters: of those that a loop goes through, the one that the iteration is for. */
function rowsOf(walk: Walk, { row }: Need, call: Call, here: Call | undefined): readonly Part[] {
  const { terms } = walk.at;
  if (call.result === undefined) return [];
  if (call.tool.result?.kind !== "list") return [{ present: terms.true, value: call.result }];
  const own = row === undefined ? undefined : here?.elements[row];
  return own === undefined ? eachOf(walk, call.result) : [{ present: terms.true, value: own }];
}

/** The value itself, or each element of a list; of one of any length, any. */
function eachOf({ at: { terms, lists } }: Walk, value: Plain): readonly Part[] {
  return value.kind === "list" || value.kind === "many"
    ? lists.someOf(value)
    : [{ present: terms.true, value }];
}

function readersOf({ at }: Walk, { tool, args, result }: Call, row: Plain): Plain {
  if (tool.readers === undefined) throw new TypeError(`\`${tool.name}\` says nothing of readers`);
  const names: Names = new Map(
    tool.params.map(({ name, optional }) => [name, at.field(args, name, optional === true)]),
  );
  names.set("row", row);
  if (result !== undefined) names.set("result", result);
  return at.value(tool.readers, names, nowhere);
}
