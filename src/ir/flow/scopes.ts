/**
 * Bindings of names in flow formulas: a name may stand for a call, which is known only at evaluation; all other names are
 * resolved by form. Part of what must be trusted.
 */
import type { Expr, FlowsExpr, InfluencedExpr, MayReadExpr, Selection } from "../document.ts";

export type FlowExpr = FlowsExpr | InfluencedExpr | MayReadExpr;

export type Binder =
  | { readonly kind: "call" }
  | { readonly kind: "row"; readonly tool: string }
  | { readonly kind: "cell"; readonly fluent: string; readonly initial: boolean }
  | { readonly kind: "let"; readonly value: Expr }
  /** The parameter of a function, a number that was counted, or what is not the same wherever it stands. */
  | { readonly kind: "anything" };

export type Names = ReadonlyMap<string, Binder>;

const none: Names = new Map();
const anything: Binder = { kind: "anything" };
const found = new WeakMap<Expr, ReadonlyMap<FlowExpr, Names>>();

/** The names in sight of every question about flows in the formula. */
export function scopesIn(formula: Expr): ReadonlyMap<FlowExpr, Names> {
  const known = found.get(formula);
  if (known !== undefined) return known;
  const scopes = new Map<FlowExpr, Names>();
  visit(formula, none, scopes);
  found.set(formula, scopes);
  return scopes;
}

function visit(expr: Expr, names: Names, scopes: Map<FlowExpr, Names>): void {
  const inside = (one: Expr | undefined, inner: Names = names) => {
    if (one !== undefined) visit(one, inner, scopes);
  };
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
    case "var":
    case "precedes":
    case "result":
      return;
    case "op":
      for (const arg of expr.args) inside(arg);
      return;
    case "lambda": {
      const params = expr.params.map(({ name }) => [name, anything] as const);
      inside(expr.body, new Map([...names, ...params]));
      return;
    }
    case "list":
      for (const item of expr.items) inside(item);
      return;
    case "record":
      for (const { value } of expr.fields) inside(value);
      return;
    case "field":
      inside(expr.of);
      return;
    case "let":
      inside(expr.value);
      inside(expr.body, bound(names, expr.name, { kind: "let", value: expr.value }));
      return;
    case "cell":
      inside(expr.key);
      return;
    case "quantifier": {
      const inner = selected(names, expr.over);
      inside(expr.over.where, inner);
      inside(expr.body, inner);
      return;
    }
    case "aggregate": {
      const inner = selected(names, expr.over);
      for (const part of [expr.over.where, expr.value]) inside(part, inner);
      inside(expr.otherwise);
      return;
    }
    case "perKey": {
      const inner = selected(names, expr.over);
      for (const part of [expr.over.where, expr.key, expr.value]) inside(part, inner);
      inside(expr.body, bound(names, expr.name, anything));
      return;
    }
    case "distinct": {
      const inner = selected(names, expr.over);
      inside(expr.over.where, inner);
      inside(expr.key, inner);
      return;
    }
    case "always":
      inside(expr.body);
      return;
    case "automaton":
      for (const { over } of expr.on) inside(over.where, selected(names, over));
      return;
    case "flows":
    case "influenced":
    case "mayRead":
      note(expr, names, scopes);
      if (expr.kind !== "influenced") inside(expr.value);
      if (expr.kind === "mayRead") inside(expr.reader);
  }
}

/** SOUNDNESS: one expression object may stand in two places, where one name may stand for two things. */
function note(expr: FlowExpr, names: Names, scopes: Map<FlowExpr, Names>): void {
  const before = scopes.get(expr);
  if (before === undefined) {
    scopes.set(expr, names);
    return;
  }
  const both = new Map(before);
  for (const [name, binder] of names) if (!isSame(before.get(name), binder)) both.set(name, anything);
  for (const name of before.keys()) if (!names.has(name)) both.set(name, anything);
  scopes.set(expr, both);
}

function isSame(a: Binder | undefined, b: Binder): boolean {
  if (a === undefined || a.kind !== b.kind) return false;
  if (a.kind === "row" && b.kind === "row") return a.tool === b.tool;
  if (a.kind === "cell" && b.kind === "cell") return a.fluent === b.fluent && a.initial === b.initial;
  if (a.kind === "let" && b.kind === "let") return false;
  return true;
}

function bound(names: Names, name: string, binder: Binder): Names {
  return new Map(names).set(name, binder);
}

function selected(names: Names, { var: variable, in: relation }: Selection): Names {
  switch (relation.kind) {
    case "calls":
    case "label":
      return bound(names, variable, { kind: "call" });
    case "rows":
      return bound(names, variable, { kind: "row", tool: relation.tool });
    case "cells":
      return bound(names, variable, {
        kind: "cell",
        fluent: relation.fluent,
        initial: relation.at === "initial",
      });
  }
}
