/** Counts of calls in words: `email.send` is called at most 3 times. */
import type { Expr } from "../ir/index.ts";
import { bare, filtered, predicateOf } from "./predicate.ts";
import { amountWords, turned } from "./relation.ts";
import { bindRow, inline, momentOf, nameWord, plain, plural, type Scene } from "./scene.ts";
import { intro, joined, say, type Text } from "./text.ts";

/** A count against a whole number; anything else is a number like others. */
export function counted(expr: Expr, scene: Scene, yes: boolean): Text | undefined {
  if (expr.kind !== "op" || expr.args.length !== 2) return undefined;
  const [a, b] = expr.args;
  if (a === undefined || b === undefined) return undefined;
  const isCount = (side: Expr) => side.kind === "aggregate" || toolsCounted(side) !== undefined;
  const { left, op, right } = turned(a, expr.op, b, yes, isCount);
  const tools = toolsCounted(left);
  if (tools !== undefined) return together(tools, op, right);
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

/** The tools of a sum of counts, `count(a) + count(b)`, if each is counted once and whole. */
function toolsCounted(expr: Expr): readonly string[] | undefined {
  if (expr.kind !== "op" || expr.op !== "+") return undefined;
  const tools = new Set<string>();
  for (const part of expr.args) {
    if (part.kind !== "aggregate" || part.aggregate !== "count") return undefined;
    const { in: relation, where } = part.over;
    if (relation.kind !== "calls" || where !== undefined) return undefined;
    tools.add(relation.tool);
  }
  return tools.size === expr.args.length && tools.size > 1 ? [...tools] : undefined;
}

function together(tools: readonly string[], op: string, right: Expr): Text | undefined {
  const amount = amountWords[op];
  if (amount === undefined || right.kind !== "number") return undefined;
  if (typeof right.value !== "bigint" || right.value < 0n) return undefined;
  const often = right.value === 1n && op !== "<" ? `${amount} once` : `${amount} ${right.value} times`;
  return say`${joined(tools.map(nameWord), ", ", " and ")} are called ${often} together`;
}
