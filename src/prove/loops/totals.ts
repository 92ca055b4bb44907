/**
 * Running totals of a formula: counts and sums of calls, those of the calls with one arbitrary key, and numbers of
 * calls with a property. Part of what must be trusted.
 */
import {
  type Additive,
  type AutomatonExpr,
  type Checked,
  type Expr,
  exprsIn,
  isAdditive,
  printExpr,
  type Selection,
  type TraceExpr,
} from "../../ir/index.ts";
import { statesOf } from "../goals/automata.ts";
import { earlierCalls, speaksOf } from "../goals/earlier-calls.ts";
import { orderAutomaton } from "../goals/order-automata.ts";
import { sortOf } from "../symbolic/symbolic-value.ts";
import type { Sort } from "../terms/term.ts";

/** Either is the same for expressions that mean the same: all that they speak of is the call and the inputs. */
export type Total = Counted | InState;

/** A boolean "the automaton is in this non-error state". */
export interface InState {
  readonly kind: "state";
  readonly id: string;
  readonly automaton: AutomatonExpr;
  /** Its place among those. */
  readonly place: number;
}

export interface Counted {
  readonly kind: "counted";
  readonly id: string;
  readonly over: Selection;
  /** Additional conditions on a counted call. */
  readonly only?: readonly Expr[];
  /** Excluding condition of a counted call. */
  readonly unless?: Expr;
  /** The summed value; without it calls are counted. */
  readonly value?: Expr;
  readonly key?: TotalKey;
}

/**
 * Only calls with this key are counted.
 * SOUNDNESS: for every run there is a key for which what is said of every key, or of some key, comes to the same as what
 * is said of this one. So what holds for every choice of it holds, on whichever side of a negation it stands.
 */
export interface TotalKey {
  readonly of: Expr;
  readonly name: string;
  readonly sort: Sort;
}

export function totalId(expr: TraceExpr, what: Additive = "count"): string {
  return `${what} ${printExpr(expr)}`;
}

/** Returns true if the formula contains an automaton. */
export function speaksOfAutomata(formula: Expr | undefined): boolean {
  return [...exprsIn(formula)].some(({ kind }) => kind === "automaton");
}

export function stateIds(automaton: AutomatonExpr): readonly string[] {
  const text = printExpr(automaton);
  return statesOf(automaton).map((_, place) => `state ${place} of ${text}`);
}

export function totalsIn(checked: Checked, formula: Expr): readonly Total[] {
  const { document, types } = checked;
  const inputs = new Set(document.program.inputs.map(({ name }) => name));
  const found = new Map<string, Total>();
  const add = (given: Omit<Counted, "kind">) => {
    const total: Counted = { ...given, kind: "counted" };
    const parts = [total.over.where, ...(total.only ?? []), total.unless, total.value, total.key?.of];
    const { in: relation, var: row } = total.over;
    if (relation.kind === "rows") return;
    // Of cells only how many there are in the end is kept, by what each write changes of it.
    const isCount = ![total.key, total.only, total.unless, total.value].some((part) => part !== undefined);
    if (relation.kind === "cells" && (relation.at !== "final" || !isCount)) return;
    if (parts.every((part) => part === undefined || speaksOf(part, row, inputs))) found.set(total.id, total);
  };
  const addStates = (automaton: AutomatonExpr) =>
    stateIds(automaton).forEach((id, place) => {
      found.set(id, { kind: "state", id, automaton, place });
    });
  const keyOf = (expr: TraceExpr, of: Expr): TotalKey | undefined => {
    const type = types.get(of);
    const sort = type && sortOf(type);
    return sort && { of, name: `key@${printExpr(expr)}`, sort };
  };
  const visit = (expr: Expr, positive: boolean): void => {
    switch (expr.kind) {
      case "aggregate": {
        const { aggregate, over, value } = expr;
        if (aggregate === "count") add({ id: totalId(expr), over });
        if (aggregate === "sum" && value !== undefined) add({ id: totalId(expr, "sum"), over, value });
        return;
      }
      case "distinct": {
        const key = keyOf(expr, expr.key);
        if (key !== undefined) add({ id: totalId(expr), over: expr.over, key });
        return;
      }
      case "perKey": {
        const { over, value, aggregate } = expr;
        const key = keyOf(expr, expr.key);
        if (key === undefined || !isAdditive(aggregate)) return;
        add({ id: totalId(expr), over, key });
        if (aggregate === "sum" && value !== undefined) add({ id: totalId(expr, "sum"), over, value, key });
        return;
      }
      case "quantifier": {
        const earlier = earlierCalls(expr, inputs, types);
        if (earlier !== undefined && positive) add(earlier.total);
        const order = hasAutomaton ? orderAutomaton(checked, expr) : undefined;
        if (order !== undefined) addStates(order);
        // What is shown of some call is shown by their number; what is denied of every one needs none, unless a state
        // depends on it.
        if (expr.quantifier === "exists" && (positive || hasAutomaton))
          add({ id: totalId(expr), over: expr.over, only: [expr.body] });
        if (expr.quantifier === "forall" && hasAutomaton)
          add({ id: totalId(expr), over: expr.over, unless: expr.body });
        return;
      }
      case "automaton":
        if (expr.on.some(({ over: { where, var: row } }) => where && !speaksOf(where, row, inputs))) return;
        addStates(expr);
        return;
      case "op":
        expr.args.forEach((arg, i) => {
          const flips = expr.op === "not" || (expr.op === "implies" && i === 0);
          visit(arg, flips ? !positive : positive);
        });
        return;
      case "let":
        visit(expr.value, positive);
        visit(expr.body, positive);
        return;
      default:
        return;
    }
  };
  const hasAutomaton = speaksOfAutomata(formula);
  visit(formula, true);
  return [...found.values()];
}
