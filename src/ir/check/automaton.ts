/** Checks automata: their states, and transitions that read one call each. Part of what must be trusted. */
import type { Trail } from "../diagnostic.ts";
import type { AutomatonExpr, Transition } from "../document.ts";
import { bool, type Type } from "../type.ts";
import { variablesOf } from "../visit.ts";
import { expect, type Place } from "./expr.ts";
import { rowOf } from "./formula.ts";
import { looksBeyond } from "./provenance.ts";

export function inferAutomaton(place: Place, expr: AutomatonExpr, trail: Trail): Type | undefined {
  const { context } = place;
  const before = context.problems.length;
  const states = new Set<string>();
  expr.states.forEach((state, i) => {
    const at = trail.at("states", i);
    context.name(state, at);
    if (states.has(state)) context.problem("FC1221", at, `the state \`${state}\` is given twice`);
    states.add(state);
  });
  const known = (state: string, at: Trail): void => {
    if (!states.has(state)) context.unknown("FC1222", "state", state, states, at);
  };
  known(expr.start, trail.at("start"));
  checkErrors(place, expr, known, trail);
  expr.on.forEach((transition, i) => {
    const at = trail.at("on", i);
    known(transition.from, at.at("from"));
    known(transition.to, at.at("to"));
    checkTransition(place, transition, at);
  });
  if (context.problems.length === before) checkReached(place, expr, trail);
  return context.problems.length === before ? bool : undefined;
}

function checkErrors(
  { context }: Place,
  { error }: AutomatonExpr,
  known: (state: string, at: Trail) => void,
  trail: Trail,
): void {
  if (error.length === 0)
    context.problem("FC1222", trail, "an automaton without an error state rules nothing out");
  const seen = new Set<string>();
  error.forEach((state, i) => {
    const at = trail.at("error", i);
    known(state, at);
    if (seen.has(state)) context.problem("FC1221", at, `the error state \`${state}\` is given twice`);
    seen.add(state);
  });
}

/** Its condition reads the call, constants and inputs, so that one step depends on nothing but the call and the state. */
function checkTransition(place: Place, { over }: Transition, trail: Trail): void {
  const { context, scope } = place;
  const at = trail.at("over");
  if (over.in.kind !== "calls" && over.in.kind !== "label") {
    const help = "write a tool or `label`";
    context.problem("FC1319", at.at("in"), "an automaton reads calls, not rows or cells", help);
    return;
  }
  const row = rowOf(place, over.in, at.at("in"));
  if (row === undefined) return;
  scope.inside(() => {
    context.declare(scope, over.var, row, at.at("var"));
    const { where } = over;
    // Only what has a type is known to be small enough to be looked through.
    if (where === undefined || !expect(place, where, bool, at.at("where"), "the condition")) return;
    const outer = [...variablesOf(where)].find(
      (name) => name !== over.var && scope.get(name) !== undefined && !context.inputs.has(name),
    );
    if (outer === undefined && !looksBeyond(where, "names")) return;
    context.problem(
      "FC1319",
      at.at("where"),
      `the condition of a transition looks at its call alone, and this reads ${outer === undefined ? "more" : `\`${outer}\``}`,
      "use the arguments of the call, constants and inputs",
    );
  });
}

/** A transition that no run can take is most likely one whose state is misspelt. */
function checkReached({ context }: Place, { start, on }: AutomatonExpr, trail: Trail): void {
  const after = new Map<string, string[]>();
  for (const { from, to } of on) {
    const found = after.get(from);
    if (found === undefined) after.set(from, [to]);
    else found.push(to);
  }
  const reached = new Set([start]);
  for (const state of reached) for (const next of after.get(state) ?? []) reached.add(next);
  on.forEach(({ from }, i) => {
    if (reached.has(from)) return;
    const message = `no transition leads to the state \`${from}\`, so none leads on from it`;
    context.problem("FC1321", trail.at("on", i, "from"), message, "lead to it, or leave this one out");
  });
}
