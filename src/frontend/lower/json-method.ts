/** Methods of JSON values: those of the kind that has them. Of any other kind JavaScript throws. */
import type { Node } from "oxc-parser";
import { type Expr, inheritedNames } from "../../ir/index.ts";
import { no, op, or, text, yes } from "../build.ts";
import { json, listTy, real, sameTy, string } from "../ty.ts";
import { type DataVal, data, type Val } from "../value.ts";
import { arrayMethod, known as methodsOfLists } from "./array.ts";
import { textOf } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { is, itemsOf, mustHold, stepFrom, throwUnless } from "./json.ts";
import { branch } from "./merge.ts";
import { numberMethod, stringMethod } from "./text-method.ts";
import { toJson } from "./to-json.ts";

const ofLists: ReadonlySet<string> = new Set(methodsOfLists.split(" "));
const ofTexts: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(String.prototype));

export function jsonMethod(low: Lowering, of: DataVal, name: string, args: readonly Val[], node: Node): Val {
  const { expr } = stepFrom(low, of, node, name);
  if (name === "toString" && args.length === 0) return data(textOf(low, data(expr, json), node), string);
  const onList = (): Val => {
    only(low, is.list(expr), name, node);
    return arrayMethod(low, data(itemsOf(expr), listTy(json)), name, args, node);
  };
  const onText = (): Val => {
    only(low, is.string(expr), name, node);
    return stringMethod(low, data(op("value", op("jsonString", expr)), string), name, args, node);
  };
  if (ofLists.has(name) && ofTexts.has(name) && !low.isKnown(is.list(expr)))
    return branch(
      low,
      is.string(expr),
      node,
      "text",
      () => mixable(low, onText(), node),
      () => mixable(low, onList(), node),
    );
  if (ofLists.has(name)) return onList();
  if (ofTexts.has(name)) return onText();
  // Every value has this method.
  if (name === "toLocaleString")
    mustHold(low, is.number(expr), `\`${calleeText(low, node)}\` may be none of a number`, node);
  else only(low, is.number(expr), name, node);
  return numberMethod(low, data(op("value", op("jsonNumber", expr)), real), name, args, node);
}

/** Returns the condition under which JavaScript finds something at `of.name`: what `of.name?.(…)` asks. */
export function hasMember(low: Lowering, of: DataVal, name: string, node: Node): Expr {
  const { expr } = stepFrom(low, of, node, name);
  return or(
    op("isSome", op("jsonField", expr, text(name))),
    namesOfLists.has(name) ? is.list(expr) : no,
    ofTexts.has(name) ? is.string(expr) : no,
    namesOfNumbers.has(name) ? is.number(expr) : no,
    inheritedNames.has(name) ? yes : no,
  );
}

const namesOfLists: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Array.prototype));
const namesOfNumbers: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Number.prototype));

function only(low: Lowering, condition: Parameters<typeof throwUnless>[1], name: string, node: Node): void {
  throwUnless(low, condition, "TypeError", `${calleeText(low, node)} is not a function`, node);
  void name;
}

function calleeText(low: Lowering, node: Node): string {
  return node.type === "CallExpression" ? low.sourceOf(node.callee) : low.sourceOf(node);
}

/** Returns an operand that can mix with the other: a text on one side and a list on the other become JSON values. */
function mixable(low: Lowering, val: Val, node: Node): Val {
  const { expr, type } = reify(low, val, node, true);
  if (!sameTy(type, string) && type.kind !== "list") return data(expr, type);
  const given = toJson(low, expr, type);
  return given === undefined ? data(expr, type) : data(given, json);
}
