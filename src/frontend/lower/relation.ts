/** Contracts: what is said of relations, fluents and values, as formulas of the IR. */
import type { Node } from "oxc-parser";
import { aggregates, answerLabel, type Expr, type Selection } from "../../ir/index.ts";
import { allOf, and, not, variable, yes } from "../build.ts";
import { bool, int, isNumber, real, tyText } from "../ty.ts";
import {
  type DataVal,
  data,
  type PerKeyNumberVal,
  type RelationVal,
  type ToolInfo,
  type Val,
} from "../value.ts";
import { computed, invoke, paramName, withoutThrow } from "./callback.ts";
import { statementOf, strictEqual } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { describe, reify } from "./data.ts";
import { fluentMethod, stateMethod, use } from "./fluent.ts";
import { answerTools } from "./own-tools.ts";

const relationNames = new Set([
  "all",
  "some",
  "none",
  "where",
  "count",
  "sum",
  "min",
  "max",
  "distinct",
  "perKey",
  "sharesValue",
  "before",
  "precedes",
  "neverAfter",
]);
const perKeyNames: ReadonlySet<string> = new Set(aggregates.keys());
const stateNames = new Set(["get", "all", "some", "none", "count"]);

/** `send.rows`, `doorLocked.final`. */
export function relationMember(low: Lowering, of: Val, name: string, node: Node): Val | undefined {
  if (of.kind === "tool" && name === "rows") return rowsOf(low, of.tool, node);
  if (of.kind === "fluent" && (name === "final" || name === "always" || name === "initial")) {
    inTrace(low, node);
    use(low, of.fluent);
    return { kind: "state", fluent: of.fluent, at: name };
  }
  if (of.kind === "tool" && relationNames.has(name)) inTrace(low, node);
  if (of.kind === "tool" || of.kind === "relation" || of.kind === "perKey")
    return low.refuse(
      node,
      "FC2205",
      `a relation has no \`${name}\``,
      `it has ${words(of.kind === "perKey" ? perKeyNames : relationNames)}${of.kind === "tool" ? ", and `rows`" : ""}`,
    );
  if (of.kind === "fluent" || of.kind === "state")
    return low.refuse(
      node,
      "FC2206",
      `a fluent has no \`${name}\` here`,
      "it has `get`, `set`, `final`, `always` and `initial`",
    );
  return undefined;
}

function words(names: Iterable<string>): string {
  return [...names].map((name) => `\`${name}\``).join(", ");
}

function rowsOf(low: Lowering, tool: ToolInfo, node: Node): Val {
  inTrace(low, node);
  low.usedTools.set(tool.tool.name, tool);
  if (tool.result?.kind !== "list")
    return low.refuse(node, "FC2205", `\`${tool.tool.name}\` has no rows, because it does not return a list`);
  const { element } = tool.result;
  return {
    kind: "relation",
    relation: { kind: "rows", tool: tool.tool.name },
    row: element,
    where: [],
    hint: "row",
  };
}

export function inTrace(low: Lowering, node: Node): void {
  if (low.mode.kind === "formula" && low.mode.view === "trace") return;
  low.refuse(
    node,
    "FC2208",
    "only a contract can describe the calls and states of a whole run",
    "move this into a `contract(…)` of a tool module",
  );
}

export function isRelationMethod(of: Val, name: string): boolean {
  switch (of.kind) {
    case "tool":
    case "relation":
      return relationNames.has(name);
    case "perKey":
      return perKeyNames.has(name);
    case "fluent":
      return name === "get" || name === "set";
    case "state":
      return stateNames.has(name);
    default:
      return false;
  }
}

export function relationMethod(low: Lowering, of: Val, name: string, args: readonly Val[], node: Node): Val {
  switch (of.kind) {
    case "fluent":
      return fluentMethod(low, of.fluent, name, args, node);
    case "state":
      return stateMethod(low, of, name, args, node);
    case "perKey": {
      const [value] = args;
      if ((name === "count") === (value !== undefined))
        return low.refuse(
          node,
          "FC2314",
          `\`.perKey(…).${name}\` ${name === "count" ? "takes nothing" : "needs a function that gives a number"}`,
        );
      // SAFETY: only the four names of `perKeyNames` come here.
      const aggregate = name as PerKeyNumberVal["aggregate"];
      return value === undefined
        ? { kind: "perKeyNumber", of, aggregate }
        : { kind: "perKeyNumber", of, aggregate, value };
    }
    default:
      return overRelation(low, asRelation(low, of, node), name, args, node);
  }
}

export function asRelation(low: Lowering, val: Val, node: Node): RelationVal {
  inTrace(low, node);
  if (val.kind === "relation") return val;
  if (val.kind !== "tool")
    return low.refuse(
      node,
      "FC2205",
      `${describe(val)} is not a relation`,
      "give a tool, `tool.where(…)`, `tool.rows` or `labelled(…)`",
    );
  const { tool, params } = val.tool;
  low.usedTools.set(tool.name, val.tool);
  const hint = (tool.name.split(".").at(-1) ?? "call").slice(0, 1);
  return { kind: "relation", relation: { kind: "calls", tool: tool.name }, row: params, where: [], hint };
}

// ── relations ────────────────────────────────────────────────────────────────────────────────────────────

interface Row {
  readonly over: Selection;
  readonly row: DataVal;
}

/** Binds a row; the filters of `.where` become its condition. */
export function bindRow(
  low: Lowering,
  of: RelationVal,
  callback: Val | undefined,
  node: Node,
  position = 0,
): Row {
  const hint = callback === undefined ? undefined : paramName(callback, position);
  const name = low.names.fresh(hint ?? of.hint);
  low.rows.add(name);
  const row = data(variable(name), of.row);
  const calls = callsIn(low, of);
  if (calls === undefined) low.callsBound.delete(name);
  else low.callsBound.set(name, calls);
  const where = allOf(of.where.map((filter) => holds(low, filter, [row], node)));
  const over = { var: name, in: of.relation };
  return { over: where.kind === "bool" && where.value ? over : { ...over, where }, row };
}

function callsIn(low: Lowering, { relation }: RelationVal): readonly ToolInfo[] | undefined {
  if (relation.kind === "label")
    return relation.label === answerLabel ? answerTools : low.labelled(relation.label);
  const tool = relation.kind === "calls" ? low.usedTools.get(relation.tool) : undefined;
  return tool && [tool];
}

/** Returns a callback's result for a row, as a closed expression. */
export function given(low: Lowering, callback: Val, args: readonly Val[], node: Node): DataVal {
  const call = () => invoke(low, callback, args, node);
  const found = computed(low, () => reify(low, withoutThrow(low, node, call), node));
  if (found === undefined) return low.refuse(node, "FC2209", "this function must only compute");
  return data(found.wrap(found.value.expr), found.value.type);
}

function holds(low: Lowering, callback: Val, args: readonly Val[], node: Node): Expr {
  const call = () => invoke(low, callback, args, node);
  const found = computed(low, () =>
    data(statementOf(low, withoutThrow(low, node, call), node, "what the function gives"), bool),
  );
  if (found === undefined) return low.refuse(node, "FC2209", "this function must only compute");
  return found.wrap(found.value.expr);
}

export function overRelation(
  low: Lowering,
  of: RelationVal,
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  const [first, second] = args;
  const needed = (val: Val | undefined): Val =>
    val ?? low.refuse(node, "FC2314", `\`.${name}\` needs an argument`, example(name));
  switch (name) {
    case "where":
      return { ...of, where: [...of.where, needed(first)] };
    case "all":
    case "some":
    case "none": {
      if (name === "all") needed(first);
      const { over, row } = bindRow(low, of, first, node);
      const body = first === undefined ? yes : holds(low, first, [row], node);
      if (name === "none")
        return data({ kind: "quantifier", quantifier: "forall", over, body: not(body) }, bool);
      return data({ kind: "quantifier", quantifier: name === "all" ? "forall" : "exists", over, body }, bool);
    }
    case "count": {
      const chosen = first === undefined ? of : { ...of, where: [...of.where, first] };
      return data(
        { kind: "aggregate", aggregate: "count", over: bindRow(low, chosen, first, node).over },
        int,
      );
    }
    case "sum":
    case "min":
    case "max": {
      const { over, row } = bindRow(low, of, needed(first), node);
      const value = numeric(low, given(low, needed(first), [row], node), node);
      if (name === "sum")
        return data({ kind: "aggregate", aggregate: name, over, value: value.expr }, value.type);
      const otherwise = numeric(low, reify(low, needed(second), node), node);
      return data(
        { kind: "aggregate", aggregate: name, over, value: value.expr, otherwise: otherwise.expr },
        real,
      );
    }
    case "distinct": {
      const { over, row } = bindRow(low, of, needed(first), node);
      return data({ kind: "distinct", over, key: given(low, needed(first), [row], node).expr }, bool);
    }
    case "perKey":
      return { kind: "perKey", of, key: needed(first) };
    default:
      return betweenRelations(low, of, name, needed(first), second, node);
  }
}

function example(name: string): string {
  if (name === "min" || name === "max")
    return `write \`.${name}((e) => e.amount, 0)\`, with the value for no calls`;
  return name === "sum" ? "write `.sum((e) => e.amount)`" : `write \`.${name}((e) => …)\``;
}

function numeric(low: Lowering, val: DataVal, node: Node): DataVal {
  if (isNumber(val.type) || val.type.kind === "bigint") return val;
  return low.refuse(node, "FC2108", `a number is needed here, and this is \`${tyText(val.type)}\``);
}

function betweenRelations(
  low: Lowering,
  of: RelationVal,
  name: string,
  with1: Val,
  callback: Val | undefined,
  node: Node,
): Val {
  const other = asRelation(low, with1, node);
  if (name === "sharesValue") {
    if (callback === undefined)
      return low.refuse(
        node,
        "FC2314",
        "`.sharesValue` needs another relation and a key",
        "write `.sharesValue(other, (e) => e.body)`",
      );
    const mine = bindRow(low, of, callback, node);
    const theirs = bindRow(low, other, callback, node);
    const same = strictEqual(
      low,
      given(low, callback, [mine.row], node),
      given(low, callback, [theirs.row], node),
      node,
    );
    return data(exists(mine.over, exists(theirs.over, same)), bool);
  }
  if (of.relation.kind === "rows" || other.relation.kind === "rows")
    return low.refuse(
      node,
      "FC2216",
      `rows that a tool returned have no order, so \`.${name}\` says nothing about them`,
      "use the tool's calls",
    );
  if (name === "neverAfter") {
    const mine = bindRow(low, of, undefined, node);
    const theirs = bindRow(low, other, undefined, node);
    const after: Expr = { kind: "precedes", first: theirs.over.var, second: mine.over.var };
    return data(forall(mine.over, forall(theirs.over, not(after))), bool);
  }
  if (name === "precedes" && callback === undefined)
    return low.refuse(
      node,
      "FC2314",
      "`.precedes` needs another relation and a condition",
      "write `.precedes(other, (a, b) => a.id === b.id)`, or use `.before(other)`",
    );
  const mine = bindRow(low, of, callback, node, 0);
  const theirs = bindRow(low, other, callback, node, 1);
  const match = callback === undefined ? yes : holds(low, callback, [mine.row, theirs.row], node);
  const earlier: Expr = { kind: "precedes", first: mine.over.var, second: theirs.over.var };
  return data(forall(theirs.over, exists(mine.over, and(earlier, match))), bool);
}

const exists = (over: Selection, body: Expr): Expr => ({
  kind: "quantifier",
  quantifier: "exists",
  over,
  body,
});
const forall = (over: Selection, body: Expr): Expr => ({
  kind: "quantifier",
  quantifier: "forall",
  over,
  body,
});

/** The comparison `body` of the number `name`, for every key. */
export function perKeyFormula(
  low: Lowering,
  of: PerKeyNumberVal,
  name: string,
  body: Expr,
  node: Node,
): Expr {
  const { key } = of.of;
  const { over, row } = bindRow(low, of.of.of, key, node);
  const keyed = given(low, key, [row], node).expr;
  const value =
    of.value === undefined ? {} : { value: numeric(low, given(low, of.value, [row], node), node).expr };
  return {
    kind: "perKey",
    quantifier: "forall",
    name,
    aggregate: of.aggregate,
    over,
    key: keyed,
    ...value,
    body,
  };
}
