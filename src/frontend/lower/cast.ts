/**
 * Checked casts: from a JSON value to one of a declared type. The run verifies the shape and keeps the named fields;
 * where the shape differs the program throws a `TypeError`, and never continues with a value of another type.
 */
import type { Expr, Num } from "../../ir/index.ts";
import { and, choose, no, none, not, num, op, or, recordExpr, some, text, variable, yes } from "../build.ts";
import {
  asOptional,
  int,
  isNothing,
  isNumber,
  isOptional,
  json,
  listTy,
  mapTy,
  type OptionTy,
  optionTy,
  type RecordTy,
  real,
  sameTy,
  type Ty,
  tyText,
} from "../ty.ts";
import { type DataVal, data } from "../value.ts";
import { isAtom, type Lowering } from "./core.ts";
import { typedField } from "./data.ts";
import { is, isJson, itemsOf, throwUnless } from "./json.ts";
import { toJson } from "./to-json.ts";

type At = { readonly start: number; readonly end: number };

/** Returns whether the type tells something about a JSON value that the run can verify. */
export function canCast(type: Ty): boolean {
  switch (type.kind) {
    case "bigint":
    case "regex":
    case "settled":
    case "never":
      return false;
    case "list":
      return type.as === undefined && canCast(type.element);
    case "map":
      return canCast(type.value);
    case "option":
      return isNothing(type) || canCast(type.value);
    case "record":
      return type.fields.every((one) => canCast(one.type));
    case "json":
      return type.of === undefined || type.of.every(canCast);
    default:
      return true;
  }
}

/** The JSON value as one of the type; throws where it is none. `what` names it in the message. */
export function cast(low: Lowering, val: DataVal, type: Ty, node: At): DataVal {
  const wanted = readable(type);
  if (val.type.kind === "option") return castOption(low, val, val.type, type, node);
  const expr = low.named(val.expr, "json", node);
  throwUnless(low, fits(low, expr, type), "TypeError", `expected ${shortText(type)}`, node);
  return data(low.named(read(low, expr, wanted), "checked", node), wanted);
}

/** Casts an optional value: it stays optional if the type allows it. */
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
  const wanted = readable(type.value);
  const value = choose(present, some(read(low, held.expr, wanted)), none);
  return data(low.named(value, "checked", node), optionTy(wanted, from.absent));
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
  if (type.kind === "json" && type.of === undefined) return undefined;
  if (isJson(val.type) && canCast(type))
    return sameTy(val.type, type) ? undefined : cast(low, val, type, node);
  if (!canCast(type) || isUpcast(val.type, type) || !mayBe(val, type)) return undefined;
  const given = toJson(low, val.expr, val.type);
  return given && cast(low, data(given, json), type, node);
}

/** Returns whether the value may be one of the type. Where it cannot, it stays what it is, as in JavaScript. */
function mayBe({ expr, type: from }: DataVal, to: Ty): boolean {
  if (from.kind === "string" && to.kind === "enum")
    return expr.kind !== "string" || to.values.includes(expr.value);
  if (isNumber(from) && isNumber(to)) return true;
  return from.kind === to.kind && (from.kind === "enum" || from.kind === "list" || from.kind === "record");
}

/** Returns whether every value of the first type can be read as one of the second as it stands. */
function isUpcast(from: Ty, to: Ty): boolean {
  if (isNumber(to) && to.values !== undefined) return false;
  if (sameTy(from, to) || from.kind === "never") return true;
  if (to.kind === "json") return to.of === undefined || to.of.some((one) => isUpcast(from, one));
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
    case "int":
    case "real":
      return type.kind === "int" ? int : real;
    case "list":
      return listTy(readable(type.element));
    case "map":
      return mapTy(readable(type.value));
    case "option":
      return type.value.kind === "json" && type.absent === "null"
        ? json
        : optionTy(readable(type.value), type.absent);
    case "record":
      return {
        ...type,
        fields: type.fields.map(({ name, type: field }) => ({
          name,
          type: field.kind === "json" && !field.of && !type.tuple ? asOptional(field) : readable(field),
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
      return type.of === undefined ? yes : or(...type.of.map((one) => fits(low, expr, one)));
    case "string":
      return is.string(expr);
    case "bool":
      return is.bool(expr);
    case "real":
      return type.values === undefined ? is.number(expr) : isOneNumber(expr, type.values);
    case "int":
      if (type.values !== undefined) return isOneNumber(expr, type.values);
      return and(is.number(expr), op("isInteger", op("value", op("jsonNumber", expr))));
    case "enum":
      return or(...type.values.map((one) => op("==", op("jsonString", expr), some(text(one)))));
    case "option": {
      const absent = type.absent === "null" ? is.null(expr) : no;
      return isNothing(type) ? absent : or(absent, fits(low, expr, type.value));
    }
    case "list":
      return and(is.list(expr), everyItem(low, itemsOf(expr), type.element));
    case "map": {
      const name = low.names.fresh("key");
      const value = op("value", op("jsonField", expr, variable(name)));
      const body = bound(low, value, (one) => fits(low, one, type.value));
      return and(
        is.record(expr),
        op("every", op("jsonKeys", expr), { kind: "lambda", params: [{ name }], body }),
      );
    }
    case "record":
      return type.tuple ? fitsTuple(low, expr, type) : fitsRecord(low, expr, type);
    case "never":
    case "bigint":
    case "regex":
    case "settled":
    case "date":
      return no;
  }
}

function isOneNumber(expr: Expr, values: readonly Num[]): Expr {
  return or(...values.map((one) => op("==", op("jsonNumber", expr), some(num(one)))));
}

function everyItem(low: Lowering, items: Expr, element: Ty): Expr {
  if (element.kind === "json" && element.of === undefined) return yes;
  const name = low.names.fresh("item");
  const body = fits(low, variable(name), element);
  return op("every", items, { kind: "lambda", params: [{ name }], body });
}

function fitsRecord(low: Lowering, expr: Expr, type: RecordTy): Expr {
  return and(
    is.record(expr),
    ...type.fields.map(({ name, type: field }) => {
      const found = op("jsonField", expr, text(name));
      if (field.kind === "json" && field.of === undefined) return yes;
      if (!isOptional(field))
        return and(
          op("isSome", found),
          bound(low, op("value", found), (one) => fits(low, one, field)),
        );
      if (field.value.kind === "json" && field.value.of === undefined) return yes;
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
export function read(low: Lowering, expr: Expr, type: Ty): Expr {
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
    case "map": {
      const name = low.names.fresh("key");
      const value = op("value", op("jsonField", expr, variable(name)));
      const body = recordExpr([
        { name: "key", value: variable(name) },
        { name: "value", value: bound(low, value, (one) => read(low, one, type.value)) },
      ]);
      return op("mapOf", op("map", op("jsonKeys", expr), { kind: "lambda", params: [{ name }], body }));
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

/**
 * The condition under which a value of the IR type is one of the declared type, where the IR has no type as narrow: unions
 * of different kinds, and numbers that are written out.
 */
export function refined(low: Lowering, expr: Expr, type: Ty, about: "numbers" | "all"): Expr {
  switch (type.kind) {
    case "int":
    case "real":
      return type.values === undefined ? yes : or(...type.values.map((one) => op("==", expr, num(one))));
    case "json":
      return about === "all" ? fits(low, expr, type) : yes;
    case "option": {
      const held = isNothing(type) ? yes : refined(low, op("value", expr), type.value, about);
      return held.kind === "bool" ? held : or(not(op("isSome", expr)), held);
    }
    case "list": {
      const name = low.names.fresh("item");
      const body = refined(low, variable(name), type.element, about);
      return body.kind === "bool" ? body : op("every", expr, { kind: "lambda", params: [{ name }], body });
    }
    case "record":
      return and(
        ...type.fields.map(({ name, type: field }) =>
          refined(low, typedField(expr, name, field), field, about),
        ),
      );
    default:
      return yes;
  }
}
