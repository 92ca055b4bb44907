/** How often something happens: `email.send` is called at most 3 times. */
import type { Expr } from "../ir/index.ts";
import { bare, filtered, predicateOf } from "./predicate.ts";
import { amountWords, turned } from "./relation.ts";
import { bindRow, inline, momentOf, nameWord, plain, plural, type Scene } from "./scene.ts";
import { intro, say, type Text } from "./text.ts";

/** A count against a whole number; anything else is a number like others. */
export function counted(expr: Expr, scene: Scene, yes: boolean): Text | undefined {
  if (expr.kind !== "op" || expr.args.length !== 2) return undefined;
  const [a, b] = expr.args;
  if (a === undefined || b === undefined) return undefined;
  const { left, op, right } = turned(a, expr.op, b, yes, (side) => side.kind === "aggregate");
  if (left.kind !== "aggregate" || left.aggregate !== "count" || right.kind !== "number") return undefined;
  const amount = amountWords[op];
  if (amount === undefined || typeof right.value !== "bigint" || right.value < 0n) return undefined;
  const one = right.value === 1n;
  const { over } = left;
  const never = op === "==" && right.value === 0n;
  const number = never ? "no" : `${amount} ${right.value}`;
  const { row, inner } = bindRow(inline(plain(scene)), over);
  const moment = momentOf(over.in);
  if (over.where !== undefined) {
    const said = predicateOf(over.where, row, inner);
    const noun = plural(over.in, one);
    if (said === undefined)
      return say`${moment}there ${one ? "is" : "are"} ${number} ${filtered(noun, row, over, inner)}`;
    return say`${moment}${number} ${noun}${intro(row)} ${one ? "has" : "have"} ${bare(said)}`;
  }
  switch (over.in.kind) {
    case "calls":
      if (never) return say`${nameWord(over.in.tool)} is never called`;
      return say`${nameWord(over.in.tool)} is called ${one && op !== "<" ? `${amount} once` : `${number} times`}`;
    case "label":
      return say`${number} ${plural(over.in, one)} ${one ? "is" : "are"} made`;
    case "rows":
      return say`${nameWord(over.in.tool)} returns ${number} row${one ? "" : "s"} in all`;
    case "cells":
      return say`${moment}there ${one ? "is" : "are"} ${number} ${plural(over.in, one)}`;
  }
}
