/** From values of the run to JSON values. The order of fields is that of JavaScript, which a JSON text shows. */
import type { Expr } from "../../ir/index.ts";
import { choose, field, listExpr, none, op, recordExpr, text, variable } from "../build.ts";
import { isOptional, type RecordTy, type Ty } from "../ty.ts";
import type { Lowering } from "./core.ts";
import { typedField } from "./data.ts";
import { dateJson } from "./date.ts";

/** The values that JSON values were made of. */
const madeOf = new WeakMap<Expr, Made>();

/** A value that a JSON value was made of. */
export interface Made {
  readonly of: Expr;
  readonly type: Ty;
}

/** The value as a JSON value; undefined where it has no JSON form of its own. */
export function toJson(low: Lowering, expr: Expr, type: Ty): Expr | undefined {
  const made = jsonOf(low, expr, type);
  if (made !== undefined && type.kind !== "json" && made.kind === "op") madeOf.set(made, { of: expr, type });
  return made;
}

/**
 * Returns the values that the JSON value is one of, as far as the program itself made it of them: the two of `c ? 1 : "a"`.
 * LIMIT: choices that are looked through.
 */
export function madeWithin(low: Lowering, expr: Expr, fuel = 16): readonly Made[] {
  if (fuel <= 0) return [];
  if (expr.kind === "var") {
    const made = low.definitions.get(expr.name);
    return made === undefined ? [] : madeWithin(low, made, fuel - 1);
  }
  const known = madeOf.get(expr);
  if (known !== undefined) return [known];
  if (expr.kind !== "op" || expr.op !== "if") return [];
  return expr.args.slice(1).flatMap((one) => madeWithin(low, one, fuel - 1));
}

function jsonOf(low: Lowering, expr: Expr, type: Ty): Expr | undefined {
  switch (type.kind) {
    case "json":
      return expr;
    case "bool":
    case "int":
    case "real":
    case "string":
    case "enum":
    case "never":
      return op("json", expr);
    case "bigint":
    case "regex":
    case "settled":
      return undefined;
    case "date":
      return op("json", dateJson(expr, type.isValid));
    case "option":
      return optionToJson(low, expr, type.value);
    case "list":
      if (type.as !== undefined) return undefined;
      return listToJson(low, expr, type.element);
    case "map":
      return mapToJson(low, expr, type.value);
    case "record":
      if (type.match) return op("json", field(expr, "parts"));
      return type.tuple ? tupleToJson(low, expr, type) : recordToJson(low, expr, type);
  }
}

/** Returns whether the operator `json` alone gives what JavaScript gives. */
function isPlain(type: Ty): boolean {
  switch (type.kind) {
    case "bigint":
    case "map":
    case "regex":
    case "settled":
    case "date":
      return false;
    case "option":
      return isPlain(type.value);
    case "list":
      return type.as === undefined && isPlain(type.element);
    case "record":
      return (
        !type.tuple &&
        !type.match &&
        isInOrder(type.fields.map((one) => one.name)) &&
        type.fields.every((one) => isPlain(one.type))
      );
    default:
      return true;
  }
}

/** The operator `json` takes the fields of a record in the order of their names. */
export function isInOrder(names: readonly string[]): boolean {
  const inOrder = (given: readonly string[]): string[] =>
    Object.keys(Object.fromEntries(given.map((name) => [`${name}`, 0])));
  const [mine, sorted] = [inOrder(names), inOrder(names.toSorted())];
  return mine.every((name, i) => name === sorted[i]);
}

function optionToJson(low: Lowering, expr: Expr, held: Ty): Expr | undefined {
  if (isPlain(held)) return op("json", expr);
  const inside = toJson(low, op("value", expr), held);
  return inside && choose(op("isSome", expr), inside, op("json", none));
}

function listToJson(low: Lowering, expr: Expr, element: Ty): Expr | undefined {
  if (isPlain(element)) return op("json", expr);
  if (expr.kind === "list") {
    const items = expr.items.map((item) => toJson(low, item, element));
    return items.every((item) => item !== undefined) ? op("json", listExpr(items)) : undefined;
  }
  const name = low.names.fresh("item");
  const body = toJson(low, variable(name), element);
  return body && op("json", op("map", expr, { kind: "lambda", params: [{ name }], body }));
}

export function mapToJson(low: Lowering, expr: Expr, held: Ty): Expr | undefined {
  const name = low.names.fresh("entry");
  const value = toJson(low, field(variable(name), "value"), held);
  if (value === undefined) return undefined;
  const body = recordExpr([
    { name: "key", value: field(variable(name), "key") },
    { name: "value", value },
  ]);
  return op("jsonObject", op("map", op("mapEntries", expr), { kind: "lambda", params: [{ name }], body }));
}

function tupleToJson(low: Lowering, expr: Expr, type: RecordTy): Expr | undefined {
  const items = type.fields.map((one) => toJson(low, typedField(expr, one.name, one.type), one.type));
  return items.every((item) => item !== undefined) ? op("json", listExpr(items)) : undefined;
}

function recordToJson(low: Lowering, expr: Expr, type: RecordTy): Expr | undefined {
  if (isPlain(type)) return op("json", expr);
  const parts: Expr[] = [];
  let sure: Expr[] = [];
  for (const { name, type: held } of type.fields) {
    const part = typedField(expr, name, held);
    const given = isOptional(held) ? op("value", part) : part;
    const value = toJson(low, given, isOptional(held) ? held.value : held);
    if (value === undefined) return undefined;
    const entry = recordExpr([
      { name: "key", value: text(name) },
      { name: "value", value },
    ]);
    if (!isOptional(held)) {
      sure.push(entry);
      continue;
    }
    if (sure.length > 0) parts.push(listExpr(sure));
    sure = [];
    parts.push(choose(op("isSome", part), listExpr([entry]), listExpr([])));
  }
  if (sure.length > 0 || parts.length === 0) parts.push(listExpr(sure));
  const [first = listExpr([])] = parts;
  return op("jsonObject", parts.length === 1 ? first : { kind: "op", op: "++", args: parts });
}
