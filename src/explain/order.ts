/** Statements about two relations: what comes before what, what never comes after, and what has something in common. */
import type { Expr, QuantifierExpr, Selection } from "../ir/index.ts";
import { clause } from "./clause.ts";
import { bracketed, filtered, phrase, predicateOf } from "./predicate.ts";
import { mentions } from "./rename.ts";
import { bindRow, fieldWord, happens, inline, type Row, type Scene, singular } from "./scene.ts";
import { pathOf } from "./term.ts";
import { say, type Text } from "./text.ts";

export function ordered(expr: QuantifierExpr, scene: Scene): Text | undefined {
  const { body: inner } = expr;
  if (inner.kind !== "quantifier" || isState(expr.over) || isState(inner.over)) return undefined;
  if (expr.quantifier === "forall")
    return inner.quantifier === "exists" ? before(expr, inner, scene) : neverAfter(expr, inner, scene);
  return inner.quantifier === "exists" ? sharesValue(expr, inner, scene) : undefined;
}

const isState = ({ in: relation }: Selection): boolean => relation.kind === "cells";

interface Two {
  readonly outer: Row;
  readonly inner: Row;
  readonly scene: Scene;
  readonly outerRows: Text;
  readonly innerRows: Text;
}

function bindBoth(first: Selection, second: Selection, given: Scene): Two {
  const { row: outer, inner: once } = bindRow(inline(given), first);
  const { row: inner, inner: scene } = bindRow(once, second);
  return {
    outer,
    inner,
    scene,
    outerRows: filtered(singular(first.in), outer, first, once),
    innerRows: filtered(singular(second.in), inner, second, scene),
  };
}

/** `forall b in B: exists a in A: precedes(a, b) and …` */
function before(expr: QuantifierExpr, some: QuantifierExpr, given: Scene): Text | undefined {
  const { body } = some;
  const [earlier, ...rest] = body.kind === "op" && body.op === "and" ? body.args : [body];
  const isOrder =
    earlier?.kind === "precedes" && earlier.first === some.over.var && earlier.second === expr.over.var;
  if (!isOrder) return undefined;
  const { inner, scene, outerRows, innerRows } = bindBoth(expr.over, some.over, given);
  const head = say`before every ${outerRows}, at least one ${innerRows} ${happens(some.over.in)}`;
  const [only] = rest;
  if (only === undefined) return head;
  const match: Expr = rest.length === 1 ? only : { kind: "op", op: "and", args: rest };
  const said = predicateOf(match, inner, scene);
  if (said !== undefined) return say`${head} that ${phrase(said, "has")}`;
  return say`${head} such that ${bracketed(clause(match, scene))}`;
}

/** `forall a in A: forall b in B: not precedes(b, a)` */
function neverAfter(expr: QuantifierExpr, each: QuantifierExpr, given: Scene): Text | undefined {
  const { body } = each;
  const [order] = body.kind === "op" && body.op === "not" ? body.args : [];
  const isOrder =
    order?.kind === "precedes" && order.first === each.over.var && order.second === expr.over.var;
  // The first name here is bound second there, so it must stand alone.
  if (!isOrder || mentions(each.over.where, expr.over.var)) return undefined;
  const { outerRows, innerRows } = bindBoth(each.over, expr.over, given);
  const done = each.over.in.kind === "label" ? "made" : "called";
  return say`once any ${outerRows} has been ${done}, no later ${innerRows} ${happens(expr.over.in)}`;
}

/** `exists a in A: exists b in B: a.k == b.k` */
function sharesValue(expr: QuantifierExpr, other: QuantifierExpr, given: Scene): Text | undefined {
  const { body } = other;
  if (body.kind !== "op" || body.op !== "==" || mentions(other.over.where, expr.over.var)) return undefined;
  const [a, b] = body.args;
  const [left, right] = [a && pathOf(a, given), b && pathOf(b, given)];
  const names = [expr.over.var, other.over.var];
  if (left === undefined || right === undefined || !isPair([left.name, right.name], names)) return undefined;
  const { steps } = left;
  const alike = steps.length === right.steps.length && steps.every((step, i) => step === right.steps[i]);
  if (!alike || steps.length === 0) return undefined;
  if (left.ofResult || right.ofResult || left.maybe || right.maybe) return undefined;
  const { outerRows, innerRows } = bindBoth(expr.over, other.over, given);
  const same =
    JSON.stringify(expr.over.in) === JSON.stringify(other.over.in) && !isDisjoint(expr.over, other.over);
  const word = expr.over.in.kind === "rows" ? "row" : "call";
  const note = same ? ` (possibly the same ${word})` : "";
  return say`at least one ${outerRows} has the same ${fieldWord(steps)} as at least one ${innerRows}${note}`;
}

function isPair([a, b]: readonly string[], [c, d]: readonly (string | undefined)[]): boolean {
  return (a === c && b === d) || (a === d && b === c);
}

/** Returns whether both choose by one field, and by different strings or whole numbers. */
function isDisjoint(a: Selection, b: Selection): boolean {
  const [first, second] = [choiceOf(a), choiceOf(b)];
  return (
    first !== undefined &&
    second !== undefined &&
    first.field === second.field &&
    first.value !== second.value
  );
}

function choiceOf({ var: name, where }: Selection): { field: string; value: string | bigint } | undefined {
  const [of, constant] = where?.kind === "op" && where.op === "==" ? where.args : [];
  if (of?.kind !== "field" || of.of.kind !== "var" || of.of.name !== name) return undefined;
  const value = constant?.kind === "string" || constant?.kind === "number" ? constant.value : undefined;
  return typeof value === "string" || typeof value === "bigint" ? { field: of.name, value } : undefined;
}
