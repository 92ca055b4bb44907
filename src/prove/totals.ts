/**
 * What of a formula can be kept along the walk, call by call: counts and sums of calls, those of the calls with one key
 * that stands for any key, and how many calls there are of which something is true.
 * Part of what must be trusted.
 */
import type { Checked } from "../ir/check/index.ts";
import type { AutomatonExpr, Expr, QuantifierExpr, Selection, TraceExpr } from "../ir/document.ts";
import { printExpr } from "../ir/text/printer.ts";
import type { Type } from "../ir/type.ts";
import { statesOf } from "./automata.ts";
import { sortOf } from "./symbolic.ts";
import type { Sort } from "./term.ts";

/** Either is the same for expressions that mean the same: all that they speak of is the call and the inputs. */
export type Total = Counted | InState;

/** Whether an automaton is in one of its states, which is no error state. */
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
  /** What must be true of a call besides, to be counted. */
  readonly only?: readonly Expr[];
  /** What must not be true of it. */
  readonly unless?: Expr;
  /** What is summed; without it calls are counted. */
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

export function totalId(expr: TraceExpr, what: "count" | "sum" = "count"): string {
  return `${what} ${printExpr(expr)}`;
}

/** Whether it speaks of an automaton anywhere. */
export function speaksOfAutomata(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  return Reflect.get(node, "kind") === "automaton" || Object.values(node).some(speaksOfAutomata);
}

export function stateIds(automaton: AutomatonExpr): readonly string[] {
  const text = printExpr(automaton);
  return statesOf(automaton).map((_, place) => `state ${place} of ${text}`);
}

export function totalsIn({ document, types }: Checked, formula: Expr): readonly Total[] {
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
        if (key === undefined || (aggregate !== "count" && aggregate !== "sum")) return;
        add({ id: totalId(expr), over, key });
        if (aggregate === "sum" && value !== undefined) add({ id: totalId(expr, "sum"), over, value, key });
        return;
      }
      case "quantifier": {
        const earlier = earlierCalls(expr, inputs, types);
        if (earlier !== undefined && positive) add(earlier.total);
        // What is shown of some call is shown by their number; what is denied of every one needs none, unless a state
        // depends on it.
        if (expr.quantifier === "exists" && (positive || hasAutomaton))
          add({ id: totalId(expr), over: expr.over, only: [expr.body] });
        if (expr.quantifier === "forall" && !positive && hasAutomaton)
          add({ id: totalId(expr), over: expr.over, unless: expr.body });
        return;
      }
      case "automaton":
        if (expr.on.some(({ over: { where, var: row } }) => where && !speaksOf(where, row, inputs))) return;
        stateIds(expr).forEach((id, place) => {
          found.set(id, { kind: "state", id, automaton: expr, place });
        });
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

/** How many calls of one kind were made before a call of another, for what is said of the order of the two. */
export interface EarlierCalls {
  readonly total: Omit<Counted, "kind">;
  /** What is said of the order: that there are such calls, or that there are none. */
  readonly said: QuantifierExpr;
  /** Of the later call: what must be the key that is counted. */
  readonly key?: Expr;
}

/** `forall x: exists y: precedes(y, x) and …`, or `forall x: forall y: not (precedes(y, x) and …)`. */
export function earlierCalls(
  expr: QuantifierExpr,
  inputs: ReadonlySet<string>,
  types: ReadonlyMap<Expr, Type>,
): EarlierCalls | undefined {
  const { quantifier, body: said } = expr;
  if (quantifier !== "forall" || said.kind !== "quantifier") return undefined;
  const { var: later } = expr.over;
  const { var: earlier } = said.over;
  const isOrder = (part: Expr) => part.kind === "precedes" && part.first === earlier && part.second === later;
  // SOUNDNESS: of the whole, so that what is said of two kinds of later calls has two keys.
  const id = `before ${printExpr(expr)}`;
  const parts = said.quantifier === "exists" ? conjuncts(said.body) : denied(said.body);
  if (!parts.some(isOrder)) return undefined;
  const { where, ...over } = said.over;
  const only: Expr[] = [];
  let key: { readonly mine: Expr; readonly theirs: Expr } | undefined;
  for (const part of [...(where === undefined ? [] : conjuncts(where)), ...parts]) {
    if (isOrder(part)) continue;
    if (speaksOf(part, earlier, inputs)) {
      only.push(part);
      continue;
    }
    const [a, b] = part.kind === "op" && part.op === "==" ? part.args : [];
    if (key !== undefined || a === undefined || b === undefined) return undefined;
    if (speaksOf(a, earlier, inputs) && speaksOf(b, later, inputs)) key = { mine: a, theirs: b };
    else if (speaksOf(b, earlier, inputs) && speaksOf(a, later, inputs)) key = { mine: b, theirs: a };
    else return undefined;
  }
  if (key === undefined) return { total: { id, over, only }, said };
  const type = types.get(key.mine);
  const sort = type && sortOf(type);
  if (sort === undefined) return undefined;
  const total = { id, over, only, key: { of: key.mine, name: `key@${id}`, sort } };
  return { total, said, key: key.theirs };
}

/** What is said not to be, part by part. */
function denied(expr: Expr): readonly Expr[] {
  const [part] = expr.kind === "op" && expr.op === "not" ? expr.args : [];
  return part === undefined ? [] : conjuncts(part);
}

function conjuncts(expr: Expr): readonly Expr[] {
  return expr.kind === "op" && expr.op === "and" ? expr.args.flatMap(conjuncts) : [expr];
}

function speaksOf(expr: Expr, row: string, inputs: ReadonlySet<string>): boolean {
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
      return true;
    case "var":
      return expr.name === row || inputs.has(expr.name);
    case "op":
      return expr.args.every((arg) => speaksOf(arg, row, inputs));
    case "field":
      return speaksOf(expr.of, row, inputs);
    case "list":
      return expr.items.every((item) => speaksOf(item, row, inputs));
    default:
      return false;
  }
}
