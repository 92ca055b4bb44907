/** `JSON.parse` and `JSON.stringify`, and questions that `Array` answers about JSON values. */
import type { Node } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { and, choose, none, op, some, text } from "../build.ts";
import {
  isNothing,
  isNumber,
  isOptional,
  isText,
  isUnordered,
  json,
  optionTy,
  string,
  tyText,
} from "../ty.ts";
import { type DataVal, data, undefinedVal, type Val } from "../value.ts";
import { textOf } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { is, throwUnless } from "./json.ts";
import { toJson } from "./to-json.ts";

export function parseJson(low: Lowering, given: Val, node: Node): Val {
  const found = low.named(op("parseJson", textOf(low, given, node)), "parsed", node);
  throwUnless(low, op("isSome", found), "SyntaxError", "the text is not valid JSON", node);
  return data(op("value", found), json);
}

export function stringify(low: Lowering, args: readonly Val[], node: Node): Val {
  const [value, replacer, space] = args;
  if (value === undefined || args.length > 3)
    return low.refuse(node, "FC2314", "`JSON.stringify` takes a value, `null` and an indent");
  if (replacer !== undefined && !isAbsent(replacer))
    return low.refuse(
      node,
      "FC2309",
      "`JSON.stringify` takes no replacer here",
      "build the object that is meant, and write `JSON.stringify(value, null, 2)`",
    );
  const indent = space === undefined || isAbsent(space) ? undefined : indentOf(low, space, node);
  const { expr, type } = reify(low, value, node);
  if (isNothing(type) && isOptional(type)) return undefinedVal;
  if (isUnordered(type))
    return low.refuse(
      node,
      "FC2309",
      "the fields of this are in different orders on different paths or in its declared type, which the text would show",
      "write the fields in the order of the type everywhere",
    );
  const held = isOptional(type) ? data(op("value", expr), type.value) : data(expr, type);
  const given = toJson(low, held.expr, held.type);
  if (given === undefined)
    return low.refuse(
      node,
      "FC2108",
      `\`${tyText(type)}\` has no JSON text`,
      "name the fields that are meant",
    );
  const written = indent === undefined ? op("jsonText", given) : op("jsonText", given, indent);
  if (!isOptional(type)) return data(written, string);
  return data(choose(op("isSome", expr), some(written), none), optionTy(string, "undefined"));
}

function isAbsent(val: Val): boolean {
  return val.kind === "data" && isNothing(val.type);
}

function indentOf(low: Lowering, space: Val, node: Node): Expr {
  const { expr, type } = reify(low, space, node);
  if (isText(type)) return expr;
  if (isNumber(type) && expr.kind === "number" && typeof expr.value === "bigint")
    return text(" ".repeat(Math.max(0, Math.min(10, Number(expr.value)))));
  return low.refuse(
    node,
    "FC2309",
    "the indent of `JSON.stringify` must be known here",
    "write `JSON.stringify(value, null, 2)`",
  );
}

/** `Array.isArray`. */
export function isListIn({ expr, type }: DataVal): Expr {
  if (type.kind === "json") return is.list(expr);
  if (type.kind === "list") return { kind: "bool", value: type.as === undefined };
  if (type.kind !== "option") return { kind: "bool", value: type.kind === "record" && type.tuple === true };
  if (isNothing(type)) return { kind: "bool", value: false };
  return and(op("isSome", expr), isListIn(data(op("value", expr), type.value)));
}
