/**
 * Recognizes prefix-closed formulas from their form: if they hold on a trace, they hold on every prefix. SOUNDNESS:
 * an unknown form is assumed to depend on everything later. With concurrent calls a prefix may lack a call that came
 * before others: one that failed without effect, while other branches continued. So a form is accepted only if it
 * holds with any calls missing, or if none of the calls that it orders are concurrent. Part of what must be trusted.
 */
import type { AggregateExpr, Expr, PerKeyExpr, QuantifierExpr, Relation, Selection } from "../../ir/index.ts";

/** The monotonicity of a value in the trace: it only grows (false to true), only shrinks, or is constant. */
interface Trend {
  readonly grows: boolean;
  readonly shrinks: boolean;
}

const stays: Trend = { grows: false, shrinks: false };
const mayGrow: Trend = { grows: true, shrinks: false };
const mayShrink: Trend = { grows: false, shrinks: true };
const anything: Trend = { grows: true, shrinks: true };

/** Returns true if no addend of the aggregate is negative; asked only outside all quantifiers. */
export type OnlyAdds = (sum: AggregateExpr) => boolean;

/** Returns true if all calls of the tool come before any of the relation, in every run of the program. */
export type ComesFirst = (tool: string, relation: Relation) => boolean;

/** Returns whether no call of the one relations is ever under way together with one of the others. */
export type IsApart = (these: readonly Relation[], those: readonly Relation[]) => boolean;

/** Facts from the program about the calls in question. */
export interface Seen {
  readonly onlyAdds: OnlyAdds;
  readonly comesFirst: ComesFirst;
  readonly isApart: IsApart;
}

/** Returns true if the formula is prefix-closed. */
export function holdsBefore(formula: Expr, seen: Seen): boolean {
  return !trendOf(formula, { ...seen, trends: new Map(), earlier: new Set(), around: [] }).grows;
}

interface Names {
  readonly trends: ReadonlyMap<string, Trend>;
  /** Variables of calls that came before another one. */
  readonly earlier: ReadonlySet<string>;
  /** Relations of the bound rows. */
  readonly around: readonly Relation[];
  readonly comesFirst: ComesFirst;
  readonly isApart: IsApart;
  /** Undefined below something that binds a name. */
  readonly onlyAdds?: OnlyAdds;
}

/** The names below a quantifier, a function or a name of its own. */
function below({ onlyAdds: _, ...names }: Names, name?: string, trend: Trend = stays): Names {
  return name === undefined ? names : { ...names, trends: new Map(names.trends).set(name, trend) };
}

function trendOf(expr: Expr, names: Names): Trend {
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
    case "precedes":
    // What may flow where is known from the program.
    case "flows":
    case "influenced":
      return stays;
    // The more was returned, the fewer may read it.
    case "mayRead":
      return together([mayShrink, unlessStays(trendOf(expr.reader, names))]);
    case "var":
      return names.trends.get(expr.name) ?? stays;
    case "op":
      return ofOperator(expr.op, expr.args, names);
    case "lambda":
      return unlessStays(trendOf(expr.body, below(names)));
    case "list":
      return unlessStays(together(expr.items.map((item) => trendOf(item, names))));
    case "record":
      return unlessStays(together(expr.fields.map(({ value }) => trendOf(value, names))));
    case "field":
      return unlessStays(trendOf(expr.of, names));
    case "let":
      return trendOf(expr.body, below(names, expr.name, trendOf(expr.value, names)));
    case "cell":
      return expr.at === "initial" ? unlessStays(trendOf(expr.key, names)) : anything;
    case "quantifier": {
      const isOver = isEarlier(expr) && names.isApart([expr.over.in], names.around);
      const inner = binding(expr.over, names, isOver);
      const chosen = isOver ? ofCondition(expr.over, inner) : ofRows(expr.over, inner);
      const body = trendOf(expr.body, below(inner));
      return expr.quantifier === "forall" ? together([opposite(chosen), body]) : together([chosen, body]);
    }
    case "aggregate":
      return ofAggregate(expr, binding(expr.over, names));
    case "perKey":
      return ofKeys(expr, binding(expr.over, names));
    case "distinct": {
      const inner = binding(expr.over, names);
      const key = unlessStays(trendOf(expr.key, below(inner)));
      return together([opposite(ofRows(expr.over, inner)), key]);
    }
    // SOUNDNESS: a call after which another was made is over, and what it returned does not change any more.
    case "result":
      return names.earlier.has(expr.call) ? stays : anything;
    case "always":
      return anything;
    case "automaton": {
      // What it read once it has read, and an error state that was entered was entered.
      const conditions = expr.on.map(({ over }) => unlessStays(ofCondition(over, names)));
      const read = expr.on.map(({ over }) => over.in);
      return names.isApart(read, read) ? together([mayShrink, ...conditions]) : anything;
    }
  }
}

/** The names where a row is bound; the same name may have been bound outside, to another call. */
function binding({ var: name, in: relation }: Selection, names: Names, isOver = false): Names {
  const earlier = new Set(names.earlier);
  if (isOver) earlier.add(name);
  else earlier.delete(name);
  return { ...names, earlier, around: [...names.around, relation] };
}

/**
 * Returns true if the formula mentions only calls before another one. SOUNDNESS: that one is in the trace, so all
 * earlier calls are too, however the trace is extended.
 */
function isEarlier({ quantifier, over, body }: QuantifierExpr): boolean {
  if (quantifier !== "exists" || (over.in.kind !== "calls" && over.in.kind !== "label")) return false;
  const parts = body.kind === "op" && body.op === "and" ? body.args : [body];
  return parts.some(
    (part) => part.kind === "precedes" && part.first === over.var && part.second !== over.var,
  );
}

function ofCondition({ where }: Selection, names: Names): Trend {
  return where === undefined ? stays : trendOf(where, below(names));
}

/**
 * The rows that are chosen: more of them as the trace gets longer.
 * SOUNDNESS: where a call is bound that comes after all calls of the tool, all that it returns was returned.
 */
function ofRows(over: Selection, names: Names): Trend {
  const { in: relation, where } = over;
  if (relation.kind === "cells") return anything;
  if (relation.kind === "rows" && names.around.some((one) => names.comesFirst(relation.tool, one)))
    return ofCondition(over, names);
  return together([mayGrow, where === undefined ? stays : trendOf(where, below(names))]);
}

function ofAggregate(expr: AggregateExpr, names: Names): Trend {
  const rows = ofRows(expr.over, names);
  if (expr.aggregate === "count") return rows;
  const value = expr.value === undefined ? stays : trendOf(expr.value, below(names));
  const adds = expr.aggregate === "sum" && names.onlyAdds?.(expr) === true;
  return adds ? together([rows, value]) : anything;
}

function ofKeys(expr: PerKeyExpr, names: Names): Trend {
  const rows = ofRows(expr.over, names);
  const key = unlessStays(trendOf(expr.key, below(names)));
  const number = expr.aggregate === "count" ? together([rows, key]) : anything;
  const body = trendOf(expr.body, below(names, expr.name, number));
  return expr.quantifier === "forall" ? together([opposite(rows), key, body]) : together([rows, key, body]);
}

function ofOperator(op: string, args: readonly Expr[], names: Names): Trend {
  const trends = args.map((arg) => trendOf(arg, names));
  if (op === "==") return ofEqual(args, trends);
  const [first = stays, second = stays, third = stays] = trends;
  switch (op) {
    case "and":
    case "or":
    case "+":
    case "min":
    case "max":
      return together(trends);
    case "not":
    case "negate":
      return opposite(first);
    case "implies":
    case "<":
    case "<=":
      return together([opposite(first), second]);
    case "-":
    case ">":
    case ">=":
      return together([first, opposite(second)]);
    case "if":
      return together([unlessStays(first), second, third]);
    default:
      return unlessStays(together(trends));
  }
}

/** SOUNDNESS: a count is never below zero, so that it is zero means that it is at most zero. */
function ofEqual(args: readonly Expr[], trends: readonly Trend[]): Trend {
  const isZero = (arg: Expr | undefined) => arg?.kind === "number" && arg.value === 0n;
  const isCount = (arg: Expr | undefined) => arg?.kind === "aggregate" && arg.aggregate === "count";
  const [left, right] = args;
  const [first = stays, second = stays] = trends;
  if (isCount(left) && isZero(right)) return opposite(first);
  if (isZero(left) && isCount(right)) return opposite(second);
  return unlessStays(together(trends));
}

function together(trends: readonly Trend[]): Trend {
  return {
    grows: trends.some((trend) => trend.grows),
    shrinks: trends.some((trend) => trend.shrinks),
  };
}

function opposite({ grows, shrinks }: Trend): Trend {
  return { grows: shrinks, shrinks: grows };
}

function unlessStays(trend: Trend): Trend {
  return trend.grows || trend.shrinks ? anything : stays;
}
