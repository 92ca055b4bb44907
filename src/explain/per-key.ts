/** Numbers for each key: for each `to`, the sum of `amount` over the calls with that `to` is at most 500. */
import type { Expr, PerKeyExpr } from "../ir/index.ts";
import { type Clause, clause } from "./clause.ts";
import { chosen, filtered } from "./predicate.ts";
import { comparisonWords, turned } from "./relation.ts";
import { mentions } from "./rename.ts";
import { about, bindRow, bindThing, inline, plain, plural, type Scene } from "./scene.ts";
import { isField, keyWords, operand } from "./term.ts";
import { refer, say, type Text } from "./text.ts";

export function perKey(expr: PerKeyExpr, scene: Scene, yes: boolean): Clause {
  const { over, key, value, name } = expr;
  const { row, inner } = bindRow(inline(plain(scene)), over);
  const own = about(chosen(inner, over), row);
  const rows = filtered(plural(over.in), row, over, inner);
  const each = (expr.quantifier === "forall") === yes ? "each" : "at least one";
  const what = keyWords(key, own);
  const head = say`for ${each} ${what} among the ${rows}`;
  // Said twice only if it is short: a long key has no second time.
  const again = isShort(key, own) ? say`that ${what}` : "that value";
  const added = value === undefined ? "" : operand(value, own, 1);
  const compared = value === undefined || isField(value, own) ? added : say`value of ${added}`;
  const number = aggregate(expr, added, compared, again);
  const is = comparison(expr.body, name, scene, yes);
  if (is !== undefined) return { text: say`${head}, ${number} is ${is}`, open: true };
  const { thing, inner: named } = bindThing(scene, name);
  const body = clause(expr.body, yes ? named : inline(named), yes);
  return { text: say`${head}, with ${refer(thing)} standing for ${number}, ${body.text}`, open: true };
}

function isShort(key: Expr, scene: Scene): boolean {
  if (key.kind === "list") return key.items.every((item) => isShort(item, scene));
  if (key.kind === "record") return key.fields.every((field) => isShort(field.value, scene));
  return isField(key, scene);
}

function aggregate({ aggregate: kind, over }: PerKeyExpr, what: Text, which: Text, key: Text): Text {
  const noun = { calls: "calls", label: "calls", rows: "rows", cells: "keys" }[over.in.kind];
  const those = say`those ${noun} with ${key}`;
  switch (kind) {
    case "count":
      return say`the number of ${those}`;
    case "sum":
      return say`the sum of ${what} over ${those}`;
    case "min":
      return say`the least ${which} of ${those}`;
    case "max":
      return say`the greatest ${which} of ${those}`;
  }
}

/** If the body compares the number with something else: the words for it. */
function comparison(body: Expr, name: string, scene: Scene, yes: boolean): Text | undefined {
  if (body.kind === "op" && body.op === "not" && body.args[0] !== undefined)
    return comparison(body.args[0], name, scene, !yes);
  if (body.kind !== "op" || body.args.length !== 2) return undefined;
  const [a, b] = body.args;
  if (a === undefined || b === undefined) return undefined;
  const isNumber = (side: Expr) => side.kind === "var" && side.name === name;
  const { left, op, right } = turned(a, body.op, b, yes, isNumber);
  const words = comparisonWords[op];
  if (!isNumber(left) || mentions(right, name) || words === undefined) return undefined;
  return say`${words} ${operand(right, scene)}`;
}
