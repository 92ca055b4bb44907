/** Methods: which values have them, and who lowers them. */
import type { Node } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { choose, op, text } from "../build.ts";
import { int, isMaybeNaN, isNothing, isText, listTy, string, tyText } from "../ty.ts";
import { data, type Val } from "../value.ts";
import { arrayItems, newArray, newList } from "./access.ts";
import { arrayMethod } from "./array.ts";
import { builtinMethod } from "./builtin.ts";
import { collectionMethod, mapMethod, setMethod } from "./collection.ts";
import type { Lowering } from "./core.ts";
import { describe, present, reify } from "./data.ts";
import { dateMethod } from "./date.ts";
import { dictMethod, mapOfVal } from "./dict.ts";
import { number } from "./expression.ts";
import { isJson } from "./json.ts";
import { jsonMethod } from "./json-method.ts";
import { formatOf } from "./locale.ts";
import { isChanging } from "./mutation.ts";
import { isMutable } from "./own.ts";
import { overRegexes, regexMethod } from "./regex.ts";
import { isRelationMethod, relationMethod } from "./relation.ts";
import { numberMethod, stringMethod } from "./text-method.ts";

/** Returns true if `of.name(…)` is a method; otherwise it calls the field's value. */
export function isMethod(_low: Lowering, of: Val, name: string): boolean {
  switch (of.kind) {
    case "builtin":
    case "promise":
    case "data":
    case "regex":
      return true;
    case "ref":
      return of.shape.kind !== "object";
    case "tool":
    case "relation":
    case "perKey":
    case "fluent":
    case "state":
      return isRelationMethod(of, name);
    default:
      return false;
  }
}

export function callMethod(low: Lowering, of: Val, name: string, args: readonly Val[], node: Node): Val {
  switch (of.kind) {
    case "builtin":
      if (of.name === "Intl" && name === "NumberFormat")
        return { ...formatOf(low, name, node), format: args };
      if (of.format !== undefined) return formatted(low, of.format, name, args, node);
      if (of.length !== undefined) return unsetMethod(low, of.length, name, args, node);
      return builtinMethod(low, of.name, name, args, node);
    case "promise":
      return low.refuse(
        node,
        "FC2311",
        `\`.${name}\` of a promise is not part of the language`,
        "use `await`, and `try` with `catch`",
      );
    case "tool":
    case "relation":
    case "perKey":
    case "fluent":
    case "state":
      return relationMethod(low, of, name, args, node);
    case "ref":
      if (of.shape.kind === "date") return dateMethod(low, of, name, args, node);
      if (of.shape.kind === "set") return setMethod(low, of, of.shape.slot, name, args, node);
      if (of.shape.kind === "dict") return objectMethod(low, of, name, args, node);
      if (of.shape.kind === "map") return mapMethod(low, of, of.shape.slot, name, args, node);
      return arrayMethod(low, of, name, args, node);
    case "regex":
      return regexMethod(low, of, name, args, node);
    case "data":
      return dataMethod(low, of, name, args, node);
    default:
      return low.refuse(node, "FC2309", `${describe(of)} has no method \`${name}\``);
  }
}

/** `format(x)` of an `Intl.NumberFormat`: the same as `x.toLocaleString(language, options)`. */
function formatted(
  low: Lowering,
  options: readonly Val[],
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  const [value] = args;
  if (name !== "format" || value === undefined || args.length !== 1)
    return low.refuse(
      node,
      "FC2309",
      `an \`Intl.NumberFormat\` has no method \`${name}\` here`,
      "it has `format`",
    );
  return callMethod(low, number(low, value, node), "toLocaleString", options, node);
}

/** A method of `Array(n)`, whose elements are not set yet. */
function unsetMethod(low: Lowering, length: Expr, name: string, args: readonly Val[], node: Node): Val {
  const positions = op("range", length);
  if (name === "keys" && args.length === 0) return newList(low, data(positions, listTy(int)));
  const [given] = args;
  const isFilled = name === "fill" && args.length === 1 && given !== undefined && given.kind !== "items";
  const value = isFilled ? reify(low, given, node) : undefined;
  if (value === undefined || isMutable(value.type))
    return low.refuse(
      node,
      "FC2304",
      "the elements of this array are not set yet",
      "fill it with a text or number, `Array(n).fill(0)`, or use `Array.from({ length: n }, () => …)`",
    );
  const item = low.names.fresh("item");
  const filled = low.named(value.expr, "filled", node);
  const lambda: Expr = { kind: "lambda", params: [{ name: item }], body: filled };
  return newList(low, data(low.named(op("map", positions, lambda), "list", node), listTy(value.type)));
}

function objectMethod(low: Lowering, of: Val, name: string, args: readonly Val[], node: Node): Val {
  const map = mapOfVal(low, of) ?? low.refuse(node, "FC2309", `this has no method \`${name}\``);
  return dictMethod(low, map, name, args, node);
}

/** A tuple of the run has the methods of an array of its length, but those that change it. */
function tupleMethod(
  low: Lowering,
  of: Val & { kind: "data" },
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  if (isChanging(name))
    return low.refuse(
      node,
      "FC2312",
      `\`.${name}\` would change a tuple that comes from elsewhere`,
      "change a copy: `const mine = [...pair]`",
    );
  const items = arrayItems(low, of);
  return items === undefined
    ? low.refuse(node, "FC2309", `a \`${tyText(of.type)}\` has no method \`${name}\``)
    : arrayMethod(low, newArray(low, items), name, args, node);
}

function dataMethod(
  low: Lowering,
  of: Val & { kind: "data" },
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  if (
    isMaybeNaN(of.type) &&
    !isNothing(of.type) &&
    ["toFixed", "toString", "toLocaleString"].includes(name)
  ) {
    const held = numberMethod(low, data(op("value", of.expr), of.type.value), name, args, node);
    const written = reify(low, held, node).expr;
    return data(choose(op("isSome", of.expr), written, text("NaN")), string);
  }
  if (isJson(of.type)) return jsonMethod(low, of, name, args, node);
  if (of.type.kind === "option") {
    const held = present(low, of, node, `what \`.${name}\` is called on`);
    return dataMethod(low, held, name, args, node);
  }
  if (of.type.kind === "regex")
    return overRegexes(low, of, node, (one) => regexMethod(low, one, name, args, node));
  if (isText(of.type)) return stringMethod(low, of, name, args, node);
  if (of.type.kind === "date") return dateMethod(low, of, name, args, node);
  if (of.type.kind === "map") return objectMethod(low, of, name, args, node);
  if (of.type.kind === "record" && of.type.match) return arrayMethod(low, of, name, args, node);
  if (of.type.kind === "record" && of.type.tuple) return tupleMethod(low, of, name, args, node);
  if (of.type.kind === "list" && of.type.as !== undefined)
    return collectionMethod(low, { ...of, type: of.type }, name, args, node);
  if (of.type.kind === "list") return arrayMethod(low, of, name, args, node);
  if (
    of.type.kind === "int" ||
    of.type.kind === "real" ||
    of.type.kind === "bigint" ||
    of.type.kind === "bool"
  )
    return numberMethod(low, of, name, args, node);
  return low.refuse(node, "FC2309", `a \`${tyText(of.type)}\` has no method \`${name}\``);
}
