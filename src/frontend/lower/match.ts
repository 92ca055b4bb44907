/** A match of a regular expression: in JavaScript an array of texts with an index. */
import type { Expr } from "../../ir/index.ts";
import { field, none, num, op, recordExpr } from "../build.ts";
import { int, type MatchInfo, optionTy, type RecordTy, string, type Ty } from "../ty.ts";
import { type DataVal, data, undefinedVal, type Val } from "../value.ts";

/** The whole match, then the groups. */
export function matchItems(match: Expr, { always }: MatchInfo): readonly DataVal[] {
  return [whole(match), ...always.map((_, i) => group(match, i, always))];
}

export function matchMember(match: Expr, info: MatchInfo, name: string): Val | undefined {
  if (name === "index") return data(field(match, "index"), int);
  if (name === "length") return data(num(BigInt(info.always.length + 1)), int);
  if (name === "groups") return namedGroups(match, info);
  return undefined;
}

/** `undefined` where no group has a name. */
export function namedGroups(match: Expr, { names, always }: MatchInfo): Val {
  const fields: { name: string; value: Expr; optional?: true }[] = [];
  const types: { name: string; type: Ty }[] = [];
  names.forEach((name, i) => {
    if (name === undefined) return;
    const { expr, type } = group(match, i, always);
    types.push({ name, type });
    fields.push(type.kind === "option" ? { name, value: expr, optional: true } : { name, value: expr });
  });
  if (fields.length === 0) return undefinedVal;
  const type: RecordTy = { kind: "record", fields: types };
  return data(recordExpr(fields), type);
}

function whole(match: Expr): DataVal {
  return data(op("value", part(match, 0)), string);
}

/** A group that holds a text in every match is no option. */
function group(match: Expr, i: number, always: readonly boolean[]): DataVal {
  const held = part(match, i + 1);
  return always[i] ? data(op("value", held), string) : data(held, optionTy(string, "undefined"));
}

function part(match: Expr, position: number): Expr {
  return op("orElse", op("at", field(match, "parts"), num(BigInt(position))), none);
}
