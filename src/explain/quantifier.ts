/** Statements about every row, some row or no row of a relation. */
import type { Expr, QuantifierExpr, Selection } from "../ir/index.ts";
import { type Clause, clause } from "./clause.ts";
import { ordered } from "./order.ts";
import { chosen, filtered, phrase, predicateOf, type Said } from "./predicate.ts";
import {
  bindRow,
  happens,
  inline,
  momentOf,
  nameWord,
  plain,
  type Row,
  type Scene,
  singular,
} from "./scene.ts";
import { say, type Text } from "./text.ts";

export function quantified(expr: QuantifierExpr, scene: Scene, yes: boolean): Clause {
  // No row does is that every row does not.
  if (!yes && expr.quantifier === "exists")
    return quantified({ ...expr, quantifier: "forall", body: negated(expr.body) }, scene, true);
  const idiom = yes ? ordered(expr, scene) : undefined;
  if (idiom !== undefined) return { text: idiom, open: false };
  const merged = yes ? withCondition(expr) : expr;
  const { over, quantifier } = merged;
  const isNone = yes && quantifier === "forall" && isEmptyChoice(merged.body);
  const body = isNone ? noRow : merged.body;
  const { row, inner: bound } = bindRow(plain(scene), over);
  const rows = filtered(singular(over.in), row, over, inline(bound));
  const inner = chosen(bound, over);
  const moment = momentOf(over.in);
  const closed = (text: Text): Clause => ({ text: say`${moment}${text}`, open: false });
  if (yes && body.kind === "bool" && over.in.kind !== "cells") {
    if (quantifier === "forall" && !body.value) return closed(none(over, rows));
    if (quantifier === "exists" && body.value) return closed(any(over, rows));
  }
  const said = saidOf(body, row, inner);
  if (said !== undefined) {
    const { said: what, yes: positive } = said;
    if (quantifier === "exists") {
      const plainly = positive ? what : predicateOf(body, row, inner);
      if (plainly !== undefined) return closed(say`at least one ${rows} ${phrase(plainly, "has")}`);
    } else {
      const who = positive ? (yes ? "every" : "not every") : yes ? "no" : "at least one";
      return closed(say`${who} ${rows} ${phrase(what, "has")}`);
    }
  }
  const who = (quantifier === "forall") === yes ? "every" : "at least one";
  const about = clause(body, yes ? inner : inline(inner), yes);
  return { text: say`${moment}for ${who} ${rows}, ${about.text}`, open: true };
}

const noRow: Expr = { kind: "bool", value: false };

/** `contains([], x)`, of which no value is an element. */
function isEmptyChoice(body: Expr): boolean {
  if (body.kind !== "op" || body.op !== "contains") return false;
  const [list] = body.args;
  return list?.kind === "list" && list.items.length === 0;
}

/** The statement about the row, and its polarity. */
function saidOf(body: Expr, row: Row, inner: Scene): { said: Said; yes: boolean } | undefined {
  if (body.kind === "op" && body.op === "not" && body.args[0] !== undefined) {
    const said = saidOf(body.args[0], row, inner);
    return said && { said: said.said, yes: !said.yes };
  }
  const said = predicateOf(body, row, inner);
  return said && { said, yes: true };
}

/** `forall x: p implies q` is `forall x where p: q`. */
function withCondition(expr: QuantifierExpr): QuantifierExpr {
  const { quantifier, over, body } = expr;
  const [given, then] = body.kind === "op" && body.op === "implies" ? body.args : [];
  if (quantifier !== "forall" || given === undefined || then === undefined) return expr;
  const where: Expr = over.where === undefined ? given : { kind: "op", op: "and", args: [over.where, given] };
  return { ...expr, over: { ...over, where }, body: then };
}

function negated(body: Expr): Expr {
  if (body.kind === "bool") return { kind: "bool", value: !body.value };
  return { kind: "op", op: "not", args: [body] };
}

function none({ in: relation, where }: Selection, rows: Text): Text {
  if (where !== undefined) return say`no ${rows} ${happens(relation)}`;
  if (relation.kind === "calls") return say`${nameWord(relation.tool)} is never called`;
  return relation.kind === "rows"
    ? say`${nameWord(relation.tool)} returns no row at all`
    : say`no ${rows} ${happens(relation)}`;
}

function any({ in: relation, where }: Selection, rows: Text): Text {
  if (where !== undefined) return say`at least one ${rows} ${happens(relation)}`;
  if (relation.kind === "calls") return say`${nameWord(relation.tool)} is called at least once`;
  return relation.kind === "rows"
    ? say`${nameWord(relation.tool)} returns at least one row`
    : say`at least one ${rows} ${happens(relation)}`;
}
