/**
 * Checked casts: from a JSON value to one of a declared type. The run verifies the shape and keeps the named fields;
 * where the shape differs the program throws a `TypeError`, and never goes on with a value of another type.
 */
import type { Expr } from "../../ir/index.ts";
import { and, choose, no, none, not, num, op, or, recordExpr, some, text, variable, yes } from "../build.ts";
import {
  asOptional,
  isNothing,
  isOptional,
  json,
  listTy,
  type OptionTy,
  optionTy,
  type RecordTy,
  sameTy,
  type Ty,
  tyText,
} from "../ty.ts";
import { type DataVal, data, type Val } from "../value.ts";
import { isAtom, type Lowering } from "./core.ts";
import { is, isJson, itemsOf, throwUnless } from "./json.ts";
import { toJson } from "./to-json.ts";

type At = { readonly start: number; readonly end: number };

/** Returns whether the type tells something about a JSON value that the run can verify. */
export function canCast(type: Ty): boolean {
  switch (type.kind) {
    case "bigint":
    case "settled":
    case "never":
      return false;
    case "list":
      return canCast(type.element);
    case "option":
      return isNothing(type) || canCast(type.value);
    case "record":
      return type.fields.every((one) => canCast(one.type));
    default:
      return true;
  }
}

/** The JSON value as one of the type; throws where it is none. `what` names it in the message. */
export function cast(low: Lowering, val: DataVal, type: Ty, node: At): DataVal {
  const wanted = readable(type);
  if (val.type.kind === "option") return castOption(low, val, val.type, wanted, node);
  const expr = low.named(val.expr, "json", node);
  throwUnless(low, fits(low, expr, wanted), "TypeError", `expected ${shortText(type)}`, node);
  return data(low.named(read(low, expr, wanted), "checked", node), wanted);
}

/** What may be absent: where the type lets it be, it stays so. */
function castOption(low: Lowering, val: DataVal, from: OptionTy, type: Ty, node: At): DataVal {
  const expr = low.named(val.expr, "json", node);
  const present = op("isSome", expr);
  const held = data(op("value", expr), from.value);
  if (type.kind !== "option" || (type.absent !== from.absent && !isOptionOf(type.value, from.absent))) {
    throwUnless(low, present, "TypeError", `expected ${shortText(type)}`, node);
    return cast(low, held, type, node);
  }
  if (isNothing(type)) {
    throwUnless(low, not(present), "TypeError", `expected ${shortText(type)}`, node);
    return data(none, type);
  }
  if (held.type.kind !== "json") return cast(low, data(asJson(low, val) ?? expr, json), type, node);
  throwUnless(
    low,
    or(not(present), fits(low, held.expr, type.value)),
    "TypeError",
    `expected ${shortText(type)}`,
    node,
  );
  const value = choose(present, some(read(low, held.expr, type.value)), none);
  return data(low.named(value, "checked", node), optionTy(type.value, from.absent));
}

function isOptionOf(type: Ty, absent: OptionTy["absent"]): boolean {
  return type.kind === "option" && (type.absent === absent || isOptionOf(type.value, absent));
}

function asJson(low: Lowering, val: DataVal): Expr | undefined {
  return toJson(low, val.expr, val.type);
}

/**
 * A typed value as one of a type that it may or may not be of: a `string` as one of a few words, or rows of JSON values as
 * rows of a type. Undefined where the value already is what the type says, and where there is nothing to verify.
 */
export function downcast(low: Lowering, val: DataVal, type: Ty, node: At): DataVal | undefined {
  if (isJson(val.type) && type.kind !== "json" && canCast(type)) return cast(low, val, type, node);
  if (!canCast(type) || isUpcast(val.type, type) || !mayBe(val, type)) return undefined;
  const given = toJson(low, val.expr, val.type);
  return given && cast(low, data(given, json), type, node);
}

/** Returns whether the value may be one of the type. Where it cannot, it stays what it is, as in JavaScript. */
function mayBe({ expr, type: from }: DataVal, to: Ty): boolean {
  if (from.kind === "string" && to.kind === "enum")
    return expr.kind !== "string" || to.values.includes(expr.value);
  return from.kind === to.kind && (from.kind === "enum" || from.kind === "list" || from.kind === "record");
}

/** Returns whether every value of the first type can be read as one of the second as it stands. */
function isUpcast(from: Ty, to: Ty): boolean {
  if (sameTy(from, to) || from.kind === "never" || to.kind === "json") return true;
  if (from.kind === "option")
    return isNothing(from) || isUpcast(from.value, to.kind === "option" ? to.value : to);
  if (to.kind === "option") return isUpcast(from, to.value);
  if (from.kind === "int" || from.kind === "real") return to.kind === "real" || to.kind === "int";
  if (from.kind === "enum" && to.kind === "enum") return from.values.every((one) => to.values.includes(one));
  if (from.kind === "enum") return to.kind === "string";
  if (from.kind === "list" && to.kind === "list") return isUpcast(from.element, to.element);
  if (from.kind !== "record" || to.kind !== "record" || from.tuple !== to.tuple) return false;
  return to.fields.every(({ name, type }) => {
    const mine = from.fields.find((one) => one.name === name);
    return mine === undefined ? isOptional(type) : isUpcast(mine.type, type);
  });
}

/** The type of what a cast gives: a field of an unknown type may be missing, since `undefined` is of every such type. */
function readable(type: Ty): Ty {
  switch (type.kind) {
    case "list":
      return listTy(readable(type.element));
    case "option":
      return type.value.kind === "json" && type.absent === "null"
        ? json
        : optionTy(readable(type.value), type.absent);
    case "record":
      return {
        ...type,
        fields: type.fields.map(({ name, type: field }) => ({
          name,
          type: field.kind === "json" && !type.tuple ? asOptional(field) : readable(field),
        })),
      };
    default:
      return type;
  }
}

/** The condition under which the JSON value is one of the type. */
function fits(low: Lowering, expr: Expr, type: Ty): Expr {
  switch (type.kind) {
    case "json":
      return yes;
    case "string":
      return is.string(expr);
    case "bool":
      return is.bool(expr);
    case "real":
      return is.number(expr);
    case "int":
      return and(is.number(expr), op("isInteger", op("value", op("jsonNumber", expr))));
    case "enum":
      return or(...type.values.map((one) => op("==", op("jsonString", expr), some(text(one)))));
    case "option": {
      const absent = type.absent === "null" ? is.null(expr) : no;
      return isNothing(type) ? absent : or(absent, fits(low, expr, type.value));
    }
    case "list":
      return and(is.list(expr), everyItem(low, itemsOf(expr), type.element));
    case "record":
      return type.tuple ? fitsTuple(low, expr, type) : fitsRecord(low, expr, type);
    case "never":
    case "bigint":
    case "settled":
    case "date":
      return no;
  }
}

function everyItem(low: Lowering, items: Expr, element: Ty): Expr {
  if (element.kind === "json") return yes;
  const name = low.names.fresh("item");
  const body = fits(low, variable(name), element);
  return op("every", items, { kind: "lambda", params: [{ name }], body });
}

function fitsRecord(low: Lowering, expr: Expr, type: RecordTy): Expr {
  return and(
    is.record(expr),
    ...type.fields.map(({ name, type: field }) => {
      const found = op("jsonField", expr, text(name));
      if (!isOptional(field))
        return and(
          op("isSome", found),
          bound(low, op("value", found), (one) => fits(low, one, field)),
        );
      if (field.value.kind === "json") return yes;
      return or(
        not(op("isSome", found)),
        bound(low, op("value", found), (one) => fits(low, one, field.value)),
      );
    }),
  );
}

function fitsTuple(low: Lowering, expr: Expr, type: RecordTy): Expr {
  const items = itemsOf(expr);
  return and(
    is.list(expr),
    op("==", op("length", items), num(BigInt(type.fields.length))),
    ...type.fields.map((one, i) =>
      bound(low, op("value", op("at", items, num(BigInt(i)))), (item) => fits(low, item, one.type)),
    ),
  );
}

/** The value of the type that a JSON value is, where it is one. */
function read(low: Lowering, expr: Expr, type: Ty): Expr {
  switch (type.kind) {
    case "string":
      return op("value", op("jsonString", expr));
    case "bool":
      return op("value", op("jsonBool", expr));
    case "real":
      return op("value", op("jsonNumber", expr));
    case "int":
      return op("truncate", op("value", op("jsonNumber", expr)));
    case "enum":
      return op("oneOf", op("value", op("jsonString", expr)), ...type.values.map(text));
    case "option":
      if (isNothing(type)) return none;
      if (type.absent === "undefined") return some(read(low, expr, type.value));
      return choose(is.null(expr), none, some(read(low, expr, type.value)));
    case "list": {
      if (type.element.kind === "json") return itemsOf(expr);
      const name = low.names.fresh("item");
      const body = read(low, variable(name), type.element);
      return op("map", itemsOf(expr), { kind: "lambda", params: [{ name }], body });
    }
    case "record":
      return recordExpr(
        type.fields.map(({ name, type: field }, i) => {
          if (type.tuple) {
            const item = op("value", op("at", itemsOf(expr), num(BigInt(i))));
            return { name, value: bound(low, item, (one) => read(low, one, field)) };
          }
          const found = op("jsonField", expr, text(name));
          if (!isOptional(field))
            return { name, value: bound(low, op("value", found), (one) => read(low, one, field)) };
          const held = bound(low, op("value", found), (one) => read(low, one, field.value));
          const isAsItIs = field.value.kind === "json";
          return {
            name,
            value: isAsItIs ? found : choose(op("isSome", found), some(held), none),
            optional: true,
          };
        }),
      );
    default:
      return expr;
  }
}

/** Puts a name around what is not as short as one, since the body mentions it often. */
function bound(low: Lowering, value: Expr, body: (name: Expr) => Expr): Expr {
  if (isAtom(value)) return body(value);
  const name = low.names.fresh("part");
  const inner = body(variable(name));
  return inner.kind === "bool" ? inner : { kind: "let", name, value, body: inner };
}

/** LIMIT: the type of a wide row is cut, since it stands in a message. */
function shortText(type: Ty): string {
  const whole = tyText(type);
  return whole.length <= 120 ? whole : `${whole.slice(0, 119)}…`;
}

/** What something must be of the type, where JavaScript would go on with whatever it is. */
export function expected(low: Lowering, val: Val, type: Ty, node: At): Val {
  if (val.kind !== "data" || !isJson(val.type) || !canCast(type)) return val;
  return cast(low, val, type, node);
}
