/**
 * Values of type `unknown` and `any`: looked into step by step, as JavaScript does. A step at which JavaScript throws
 * is a throw of the program, so `try` catches it and guarantees are judged there.
 */
import type { Node } from "oxc-parser";
import { type Expr, inheritedNames } from "../../ir/index.ts";
import {
  and,
  choose,
  field,
  no,
  none,
  not,
  num,
  op,
  or,
  recordExpr,
  some,
  text,
  variable,
} from "../build.ts";
import {
  bool,
  isNothing,
  isNumber,
  isText,
  json,
  listTy,
  nullTy,
  optionTy,
  real,
  string,
  type Ty,
  tupleTy,
  tyText,
} from "../ty.ts";
import { type DataVal, data, nullVal, undefinedVal, type Val } from "../value.ts";
import { commonField, mayBeNull } from "./alternatives.ts";
import { throwing } from "./caught.ts";
import type { Lowering } from "./core.ts";
import { branch } from "./merge.ts";

type At = { readonly start: number; readonly end: number };

export const nullJson: Expr = { kind: "op", op: "json", args: [none] };

/** Returns whether the value is JSON, or JSON that may be absent. */
export function isJson(type: Ty): boolean {
  return type.kind === "json" || (type.kind === "option" && isJson(type.value));
}

export function isJsonVal(val: Val): val is JsonVal {
  return val.kind === "data" && isJson(val.type);
}

export type JsonVal = DataVal & { readonly type: Ty & { readonly kind: "json" | "option" } };

/** The conditions that tell kinds of JSON values apart. */
export const is = {
  string: (expr: Expr): Expr => op("isSome", op("jsonString", expr)),
  number: (expr: Expr): Expr => op("isSome", op("jsonNumber", expr)),
  bool: (expr: Expr): Expr => op("isSome", op("jsonBool", expr)),
  list: (expr: Expr): Expr => op("isSome", op("jsonItems", expr)),
  null: (expr: Expr): Expr => op("==", op("jsonKind", expr), text("null")),
  record: (expr: Expr): Expr => op("==", op("jsonKind", expr), text("record")),
};

export const itemsOf = (expr: Expr): Expr => op("value", op("jsonItems", expr));

/** Goes on where the condition holds, and throws where it does not. */
export function throwUnless(
  low: Lowering,
  condition: Expr,
  name: "TypeError" | "SyntaxError",
  message: string,
  node: At,
): void {
  if ((condition.kind === "bool" && condition.value) || low.isKnown(condition)) return;
  if (low.mode.kind === "formula")
    low.refuse(
      node,
      "FC2109",
      `this may throw: ${message}`,
      'look at the value first, such as `typeof x === "string" && …`',
    );
  const thrown: Val = { kind: "error", name, message: data(text(message), string) };
  branch(
    low,
    condition,
    node,
    "fits",
    () => undefinedVal,
    () => {
      throwing(low, thrown, node);
      return undefinedVal;
    },
  );
}

/** The value where a step is taken from it: JavaScript throws if it is `null` or `undefined`. */
export function stepFrom(low: Lowering, val: DataVal, node: At, step: string): DataVal {
  if (val.type.kind === "option") {
    const { absent } = val.type;
    throwUnless(low, op("isSome", val.expr), "TypeError", cannotRead(absent, step), node);
    return stepFrom(low, data(op("value", val.expr), val.type.value), node, step);
  }
  if (val.type.kind !== "json") return val;
  const of = data(low.named(val.expr, "json", node), val.type);
  if (mayBeNull(val.type))
    throwUnless(low, not(is.null(of.expr)), "TypeError", cannotRead("null", step), node);
  return of;
}

const cannotRead = (what: string, step: string): string =>
  `Cannot read properties of ${what} (reading '${step}')`;

/** Names that every object inherits. The IR's table, not the engine's: a document must not depend on the engine that compiles it. */
const inherited: readonly string[] = [...inheritedNames];
const ofLists: ReadonlySet<string> = new Set(
  [...Object.getOwnPropertyNames(Array.prototype), ...Object.getOwnPropertyNames(String.prototype)].filter(
    (name) => name !== "length" && !inherited.includes(name),
  ),
);

const ofNumbers: ReadonlySet<string> = new Set(["toFixed", "toPrecision", "toExponential"]);

/** `of.name`. */
export function jsonMember(low: Lowering, of: DataVal, name: string, node: At): Val {
  if (inherited.includes(name))
    return low.refuse(
      node,
      "FC2310",
      `every object has \`${name}\`, so it says nothing about this one`,
      `take it with its type: \`(x as { ${name}: string }).${name}\``,
    );
  const { expr, type } = stepFrom(low, of, node, name);
  if (type.kind !== "json") return low.refuse(node, "FC2310", `a \`${tyText(type)}\` has no \`${name}\``);
  const common = commonField(low, expr, type, name);
  if (common !== undefined) return common;
  // The name of a field, and the position of an element or a letter.
  if (/^(?:0|[1-9]\d{0,8})$/.test(name)) return atPosition(low, expr, num(BigInt(name)));
  const found = op("jsonField", expr, text(name));
  if (name === "length") {
    const length = (one: Expr): Expr => some(op("json", op("length", one)));
    return maybe(
      choose(
        is.list(expr),
        length(itemsOf(expr)),
        choose(is.string(expr), length(op("value", op("jsonString", expr))), found),
      ),
    );
  }
  if (ofLists.has(name)) mustHold(low, isPlain(expr), `\`${name}\` is a method of a list or a text`, node);
  if (ofNumbers.has(name)) mustHold(low, not(is.number(expr)), `\`${name}\` is a method of a number`, node);
  return maybe(found);
}

/** Neither a list nor a text, which have fields and methods of their own. */
const isPlain = (expr: Expr): Expr => and(not(is.list(expr)), not(is.string(expr)));

/**
 * Requires what JavaScript does not ask, where it would give something that has no JSON value. A throw in its place would be
 * caught by the program, and JavaScript would not get there.
 */
export function mustHold(low: Lowering, condition: Expr, why: string, node: At): void {
  if (low.isKnown(condition)) return;
  if (low.mode.kind === "formula") throwUnless(low, condition, "TypeError", why, node);
  else low.require(condition, why, node);
}

const maybe = (expr: Expr): DataVal => data(expr, optionTy(json, "undefined"));

/** `of[key]`. */
export function jsonElement(low: Lowering, of: DataVal, key: DataVal, node: At): Val {
  if (isJson(key.type)) {
    const { expr } = stepFrom(low, key, node, low.sourceOf(node));
    return branch(
      low,
      is.number(expr),
      node,
      "number",
      () => jsonElement(low, of, data(op("value", op("jsonNumber", expr)), real), node),
      () => jsonElement(low, of, data(op("jsonPlainText", expr), string), node),
    );
  }
  if (key.expr.kind === "string") return jsonMember(low, of, key.expr.value, node);
  if (isNumber(key.type)) return atPosition(low, stepFrom(low, of, node, low.sourceOf(node)).expr, key.expr);
  if (!isText(key.type)) return low.refuse(node, "FC2108", "a position is a number, and a name is a text");
  const { expr } = stepFrom(low, of, node, low.sourceOf(node));
  const found = op("jsonField", expr, key.expr);
  const names = { kind: "list", items: inherited.map(text) } as const;
  const isOwn = or(op("isSome", found), not(op("contains", names, key.expr)));
  mustHold(low, and(isPlain(expr), isOwn), "this may be no name of a field", node);
  return maybe(found);
}

function atPosition(low: Lowering, expr: Expr, position: Expr): DataVal {
  const unit = low.names.fresh("unit");
  const letter: Expr = {
    kind: "let",
    name: unit,
    value: op("at", op("value", op("jsonString", expr)), position),
    body: choose(op("isSome", variable(unit)), some(op("json", op("value", variable(unit)))), none),
  };
  return maybe(
    choose(
      is.list(expr),
      op("at", itemsOf(expr), position),
      choose(is.string(expr), letter, op("jsonField", expr, op("textOf", position))),
    ),
  );
}

/** `typeof`. */
export function jsonTypeName(expr: Expr): Expr {
  return choose(
    is.string(expr),
    text("string"),
    choose(is.number(expr), text("number"), choose(is.bool(expr), text("boolean"), text("object"))),
  );
}

export function jsonTruthy(expr: Expr): Expr {
  return and(
    not(is.null(expr)),
    not(op("==", op("jsonBool", expr), some(no))),
    not(op("==", op("jsonNumber", expr), some(num(0n)))),
    not(op("==", op("jsonString", expr), some(text("")))),
  );
}

/** `===` of a JSON value with something else; undefined where that would ask for identity. */
export function jsonEqual(of: Expr, other: DataVal): Expr | undefined {
  const { expr, type } = other;
  if (type.kind === "option") {
    const absent = type.absent === "null" ? is.null(of) : no;
    if (isNothing(type)) return absent;
    const held = jsonEqual(of, data(op("value", expr), type.value));
    return held && choose(op("isSome", expr), held, absent);
  }
  if (isText(type)) return op("==", op("jsonString", of), some(expr));
  if (isNumber(type)) return op("==", op("jsonNumber", of), some(expr));
  if (type.kind === "bool") return op("==", op("jsonBool", of), some(expr));
  return type.kind === "bigint" ? no : undefined;
}

/** Returns true if it is a union of texts, numbers, booleans and `null`. */
export function isScalarJson(type: Ty): boolean {
  const isScalar = (one: Ty): boolean =>
    isText(one) ||
    isNumber(one) ||
    one.kind === "bool" ||
    (one.kind === "option" && one.absent === "null" && (isNothing(one) || isScalar(one.value)));
  return type.kind === "json" && type.of !== undefined && type.of.every(isScalar);
}

/** `===` of two JSON values, one of which is no object and no list. */
export function scalarsEqual(low: Lowering, left: Expr, right: Expr, node: At): Expr {
  const [a, b] = [low.named(left, "json", node), low.named(right, "json", node)];
  const same = (reader: string): Expr =>
    and(op("isSome", op(reader, a)), op("==", op(reader, a), op(reader, b)));
  return or(same("jsonString"), same("jsonNumber"), same("jsonBool"), and(is.null(a), is.null(b)));
}

/** The value as something narrower, where the path says of which kind it is. */
export function narrowedJson(low: Lowering, expr: Expr): DataVal | undefined {
  for (const [reader, type] of readers) {
    const found = op(reader, expr);
    if (low.isKnown(op("isSome", found))) return data(op("value", found), type);
  }
  return low.isKnown(is.null(expr)) ? data(nullVal.expr, nullTy) : undefined;
}

const readers = [
  ["jsonString", string],
  ["jsonNumber", real],
  ["jsonBool", bool],
  ["jsonItems", listTy(json)],
] as const;

/** The elements of what is looped over, spread or taken apart. */
export function iterated(low: Lowering, val: Val, node: At): Val {
  if (!isJsonVal(val)) return val;
  const what = low.sourceOf(node);
  const of = withoutUndefined(low, val, node, `${what} is not iterable`);
  const expr = low.named(of.expr, "json", node);
  if (low.isKnown(is.list(expr))) return data(itemsOf(expr), listTy(json));
  throwUnless(low, or(is.list(expr), is.string(expr)), "TypeError", `${what} is not iterable`, node);
  return data(
    choose(is.list(expr), itemsOf(expr), letters(low, op("characters", textIn(expr)))),
    listTy(json),
  );
}

const textIn = (expr: Expr): Expr => op("value", op("jsonString", expr));

/** The texts as JSON values. */
function letters(low: Lowering, texts: Expr): Expr {
  const name = low.names.fresh("letter");
  return op("map", texts, { kind: "lambda", params: [{ name }], body: op("json", variable(name)) });
}

function withoutUndefined(low: Lowering, val: DataVal, node: At, message: string): DataVal {
  if (val.type.kind !== "option") return val;
  throwUnless(low, op("isSome", val.expr), "TypeError", message, node);
  return withoutUndefined(low, data(op("value", val.expr), val.type.value), node, message);
}

/** `Object.hasOwn(of, key)`. A list or a text has positions and a length, so such a key is not looked for here. */
export function jsonHasOwn(low: Lowering, of: DataVal, key: Val, node: Node): Val {
  const known = key.kind === "data" && key.expr.kind === "string" ? key.expr.value : undefined;
  if (known === undefined || known === "length" || /^\d+$/.test(known))
    return low.refuse(
      node,
      "FC2317",
      "`Object.hasOwn` takes a known name of a field here",
      "look at the field itself: `x.field !== undefined`",
    );
  const message = "Cannot convert undefined or null to object";
  const { expr: given } = withoutUndefined(low, of, node, message);
  const expr = low.named(given, "json", node);
  throwUnless(low, not(is.null(expr)), "TypeError", message, node);
  return data(and(is.record(expr), op("contains", op("jsonKeys", expr), text(known))), bool);
}

/** `key in of`. */
export function jsonHas(low: Lowering, key: Val, of: DataVal, node: Node): Val {
  if (key.kind !== "data" || key.expr.kind !== "string" || inherited.includes(key.expr.value))
    return low.refuse(
      node,
      "FC2317",
      "`in` takes a known name of a field here",
      "look at the field itself: `x.field !== undefined`",
    );
  const name = key.expr.value;
  const message = `Cannot use 'in' operator to search for '${name}' in this value`;
  const { expr: given } = withoutUndefined(low, of, node, message);
  const expr = low.named(given, "json", node);
  throwUnless(low, or(is.record(expr), is.list(expr)), "TypeError", message, node);
  if (name === "length" || ofLists.has(name) || /^\d+$/.test(name))
    mustHold(low, is.record(expr), `a list has \`${name}\`, or may have it`, node);
  return data(op("isSome", op("jsonField", expr, text(name))), bool);
}

/** `Object.keys`, `values` and `entries`. A list and a text have their positions, and other values have nothing. */
export function jsonParts(low: Lowering, name: string, of: DataVal, node: Node): Val {
  const message = "Cannot convert undefined or null to object";
  const { expr: given } = withoutUndefined(low, of, node, message);
  const expr = low.named(given, "json", node);
  throwUnless(low, not(is.null(expr)), "TypeError", message, node);
  const element = { keys: string, values: json, entries: tupleTy([string, json]) }[name] ?? json;
  const fields = fieldParts(low, name, expr);
  if (low.isKnown(is.record(expr))) return data(fields, listTy(element));
  const items = choose(
    is.list(expr),
    itemsOf(expr),
    choose(is.string(expr), letters(low, op("split", textIn(expr), text(""))), { kind: "list", items: [] }),
  );
  return data(choose(is.record(expr), fields, positionParts(low, name, items)), listTy(element));
}

function fieldParts(low: Lowering, name: string, expr: Expr): Expr {
  const keys = op("jsonKeys", expr);
  if (name === "keys") return keys;
  const key = low.names.fresh("key");
  const held = op("value", op("jsonField", expr, variable(key)));
  const body = name === "values" ? held : pair(variable(key), held);
  return op("map", keys, { kind: "lambda", params: [{ name: key }], body });
}

function positionParts(low: Lowering, name: string, items: Expr): Expr {
  if (name === "values") return items;
  const at = low.names.fresh("at");
  const key = op("textOf", field(variable(at), "index"));
  const body = name === "keys" ? key : pair(key, field(variable(at), "value"));
  return op("map", op("entries", items), { kind: "lambda", params: [{ name: at }], body });
}

const pair = (key: Expr, value: Expr): Expr =>
  recordExpr([
    { name: "key", value: key },
    { name: "value", value },
  ]);
