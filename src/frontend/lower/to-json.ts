/** From values of the run to JSON values. The order of fields is that of JavaScript, which a JSON text shows. */
import type { Expr } from "../../ir/index.ts";
import { choose, field, listExpr, none, op, recordExpr, text, variable } from "../build.ts";
import { isOptional, type RecordTy, type Ty } from "../ty.ts";
import type { Lowering } from "./core.ts";
import { typedField } from "./data.ts";

/** The value as a JSON value; undefined where it has no JSON form of its own. */
export function toJson(low: Lowering, expr: Expr, type: Ty): Expr | undefined {
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
    case "settled":
      return undefined;
    case "option":
      return optionToJson(low, expr, type.value);
    case "list":
      return listToJson(low, expr, type.element);
    case "map":
      return mapToJson(low, expr, type.value);
    case "record":
      return type.tuple ? tupleToJson(low, expr, type) : recordToJson(low, expr, type);
  }
}

/** Returns whether the operator `json` alone gives what JavaScript gives. */
function isPlain(type: Ty): boolean {
  switch (type.kind) {
    case "bigint":
    case "map":
    case "settled":
      return false;
    case "option":
      return isPlain(type.value);
    case "list":
      return isPlain(type.element);
    case "record":
      return !type.tuple && isInOrder(type) && type.fields.every((one) => isPlain(one.type));
    default:
      return true;
  }
}

/** The operator `json` takes the fields of a record in the order of their names. */
function isInOrder(type: RecordTy): boolean {
  return areInOrder(type.fields.map((one) => one.name));
}

export function areInOrder(names: readonly string[]): boolean {
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
  const entries: Entry[] = [];
  for (const { name, type: field } of type.fields) {
    const part = typedField(expr, name, field);
    const value = isOptional(field) ? toJson(low, op("value", part), field.value) : toJson(low, part, field);
    if (value === undefined) return undefined;
    entries.push(isOptional(field) ? { name, value, when: op("isSome", part) } : { name, value });
  }
  return orderedObject(entries);
}

/** A field of a JSON object, which is there if the condition holds. */
export interface Entry {
  readonly name: string;
  readonly value: Expr;
  readonly when?: Expr;
}

/** The JSON object with these fields in this order. */
export function orderedObject(entries: readonly Entry[]): Expr {
  const parts: Expr[] = [];
  let sure: Expr[] = [];
  for (const { name, value, when } of entries) {
    const entry = recordExpr([
      { name: "key", value: text(name) },
      { name: "value", value },
    ]);
    if (when === undefined) {
      sure.push(entry);
      continue;
    }
    if (sure.length > 0) parts.push(listExpr(sure));
    sure = [];
    parts.push(choose(when, listExpr([entry]), listExpr([])));
  }
  if (sure.length > 0 || parts.length === 0) parts.push(listExpr(sure));
  const [first = listExpr([])] = parts;
  return op("jsonObject", parts.length === 1 ? first : { kind: "op", op: "++", args: parts });
}
