/**
 * Formulas about the order of two kinds of calls, as an automaton: one before the other, or never after it. In a
 * product with other automata their joint states are known. Beside other automata it is then known together with them
 * in which states they are. SOUNDNESS: a call that is of both kinds is not earlier than itself. Part of what must be
 * trusted.
 */
import type { AutomatonExpr, Checked, Expr, QuantifierExpr, Selection } from "../../ir/index.ts";
import { earlierCalls, speaksOf } from "./earlier-calls.ts";

/** Undefined where it depends on what two calls have in common. */
export function orderAutomaton(
  { document, types }: Checked,
  expr: QuantifierExpr,
): AutomatonExpr | undefined {
  const inputs = new Set(document.program.inputs.map(({ name }) => name));
  const found = earlierCalls(expr, inputs, types);
  const { over: later } = expr;
  if (found === undefined || found.key !== undefined) return undefined;
  if (later.in.kind === "rows" || later.in.kind === "cells") return undefined;
  if (later.where !== undefined && !speaksOf(later.where, later.var, inputs)) return undefined;
  const { total, said } = found;
  const earlier = withOne(total.over, total.only ?? []);
  if (earlier === undefined || earlier.in.kind === "rows" || earlier.in.kind === "cells") return undefined;
  const on =
    said.quantifier === "exists"
      ? [
          { from: "none", over: later, to: "bad" },
          { from: "none", over: earlier, to: "some" },
        ]
      : [
          { from: "none", over: earlier, to: "some" },
          { from: "some", over: later, to: "bad" },
        ];
  return { kind: "automaton", states: ["none", "some", "bad"], start: "none", on, error: ["bad"] };
}

/** With the condition, if there is no more than one. */
function withOne(over: Selection, [where, ...more]: readonly Expr[]): Selection | undefined {
  if (more.length > 0 || over.where !== undefined) return undefined;
  return where === undefined ? over : { ...over, where };
}
