/** From what the compiler knows to values of the run: arrays and objects as they are now, types as they are wanted. */
import { type Argument, type Expr, inheritedNames } from "../../ir/index.ts";
import { choose, field, listExpr, none, op, recordExpr, same, some, text, variable } from "../build.ts";
import {
  asOptional,
  fieldTy,
  holdsCollection,
  int,
  isMaybeInfinite,
  isNothing,
  isNumber,
  isOptional,
  isText,
  type JsonTy,
  joinTy,
  json,
  listTy,
  matchParts,
  never,
  positionName,
  type RecordTy,
  reordered,
  type SettledTy,
  sameTy,
  string,
  type Ty,
  tupleTy,
  tyText,
} from "../ty.ts";
import { type DataVal, data, type RefVal, type Val } from "../value.ts";
import { canCast, cast, downcast } from "./cast.ts";
import { plainFields } from "./class.ts";
import { heldIn, type Lowering } from "./core.ts";
import { dateJson, dateValue } from "./date.ts";
import { asDict } from "./dict.ts";
import { isJson } from "./json.ts";
import { holdsNaN, withoutNaN } from "./not-a-number.ts";
import { held, inside, letGo, share, shareStored } from "./own.ts";
import { outcomeOf } from "./settled.ts";
import { toJson } from "./to-json.ts";

type At = { readonly start: number; readonly end: number };

/** The value as it is now. `freeze`: it goes on living elsewhere, so the original must not change any more. */
export function reify(low: Lowering, val: Val, node: At, freeze = false): DataVal {
  switch (val.kind) {
    case "data":
      if (val.place === undefined) return val;
      return reify(low, letGo(low, val), node);
    case "ref":
      return reifyRef(low, val, node, freeze);
    case "items":
      return reifyItems(low, val.items, node, freeze);
    case "poison":
      return usePoison(low, val, node);
    case "promise":
      return low.refuse(node, "FC2311", "this is a promise, not yet its value", "write `await` before it");
    case "regex":
      return data(text(val.written), { kind: "regex", options: [val] });
    case "error":
      return low.refuse(node, "FC2318", "an error cannot be used as a value");
    case "perKeyNumber":
      return low.refuse(
        node,
        "FC2210",
        "a number for each key can only be compared",
        "write a comparison such as `send.perKey((e) => e.addr).count() <= 3`",
      );
    default:
      return low.refuse(
        node,
        "FC2319",
        `${describe(val)} cannot be used as a value here`,
        "call it with `()`, or write the value itself",
      );
  }
}

export function usePoison(low: Lowering, val: Val & { kind: "poison" }, node: At): never {
  if (val.why !== undefined) return val.why(low.spot(node));
  return low.refuse(node, "FC2402", "this has no value here");
}

export function describe(val: Val): string {
  switch (val.kind) {
    case "function":
      return `the function \`${val.name}\``;
    case "tool":
      return `the tool \`${val.tool.tool.name}\``;
    case "fluent":
      return `the fluent \`${val.fluent.fluent.name}\``;
    case "contract":
      return `the contract \`${val.contract.name}\``;
    case "builtin":
      return `\`${val.name}\``;
    case "module":
      return `the module \`${val.module.name}\``;
    case "relation":
      return "a relation";
    case "source":
      return "a source of data";
    case "regex":
      return "a regular expression";
    case "generator":
      return `the generator \`${val.fn.name}\``;
    case "choice":
      return "a choice between functions";
    default:
      return "this";
  }
}

function reifyRef(low: Lowering, val: RefVal, node: At, freeze: boolean): DataVal {
  low.count(node);
  const { shape } = val;
  if (shape.kind === "date") {
    if (freeze) low.freeze(shape.slot);
    return dateValue(reify(low, low.read(shape.slot), node));
  }
  if (shape.kind !== "object") {
    if (shape.kind !== "array" && shape.kind !== "dict" && !freeze)
      low.refuse(
        node,
        "FC2319",
        `a \`${shape.kind === "set" ? "Set" : "Map"}\` cannot be passed on as a value`,
        "spread it into an array first: `[...it]`",
      );
    if (freeze) freezeSlot(low, shape.slot);
    const inner = low.read(shape.slot);
    if (shape.kind === "array" && shape.isTuple && inner.kind === "items") {
      const parts = inner.items.map((item) => reify(low, item, node, freeze));
      if (isTuple(parts)) return tuple(parts);
    }
    // SOUNDNESS: a holder of the value holds the objects in it.
    if (inner.kind === "data") share(low, shape.slot, 1);
    const made = reify(low, inner.kind === "data" ? withoutPlace(inner) : inner, node, freeze);
    const isCollection = shape.kind === "set" || shape.kind === "map";
    if (!isCollection || made.type.kind !== "list") return made;
    return { ...made, type: { kind: "list", element: made.type.element, as: shape.kind } };
  }
  const fields: Argument[] = [];
  const types: { name: string; type: Ty }[] = [];
  for (const [name, slot] of plainFields(low, shape, node)) {
    if (freeze) freezeSlot(low, slot);
    const part = reify(low, low.read(slot), node, freeze);
    // A field that is `undefined` is one that is not there.
    if (isNothing(part.type) && isOptional(part.type)) continue;
    types.push({ name, type: part.type });
    fields.push(namedField(name, part.expr, part.type));
  }
  const type: RecordTy = { kind: "record", fields: types };
  return data(recordExpr(fields), shape.unordered ? { ...type, unordered: true } : type);
}

function freezeSlot(low: Lowering, slot: number): void {
  low.freeze(slot);
  shareStored(low, slot);
}

function reifyItems(low: Lowering, items: readonly Val[], node: At, freeze: boolean): DataVal {
  const parts = items.map((item) => reify(low, item, node, freeze));
  let element: Ty | undefined = never;
  for (const part of parts) element = element && joinTy(element, part.type);
  if (element === undefined && isTuple(parts)) return tuple(parts);
  if (element === undefined && parts.every((part) => jsonable(part.type))) element = json;
  if (element === undefined) {
    const kinds = [...new Set(parts.map((part) => `\`${tyText(part.type)}\``))].slice(0, 3).join(" and ");
    low.refuse(node, "FC2107", `a list cannot hold ${kinds}`, "keep values of one type in one list");
  }
  const type = element;
  return data(listExpr(parts.map((part) => convert(low, part, type, node).expr)), listTy(element));
}

/** Elements of different types, none of which may be `undefined`, because a field could not hold it. */
function isTuple(parts: readonly DataVal[]): boolean {
  return parts.length >= 2 && parts.length <= 16 && !parts.some(({ type }) => isOptional(type));
}

export function tuple(parts: readonly DataVal[]): DataVal {
  const type = tupleTy(parts.map((part) => part.type));
  const fields = parts.map(({ expr }, i) => ({ name: positionName(i, parts.length), value: expr }));
  return data(recordExpr(fields), type);
}

/** The value as one of the type; refuses what is not. Nothing is lost on the way. */
export function convert(low: Lowering, val: Val, type: Ty, node: At, what = "this"): DataVal {
  const from = reify(low, val, node);
  const expr = passing(low, () => converted(low, from.expr, from.type, type));
  if (expr !== undefined) return data(expr, type);
  const isOpen = holdsJson(from.type) || (holdsJson(type) && ["list", "record"].includes(from.type.kind));
  const checked = isOpen ? checkedPart(low, from, type, node) : undefined;
  if (checked !== undefined) return checked;
  const isOther = type.kind !== "option" || (from.type.kind === "option" && from.type.absent !== type.absent);
  if (from.type.kind === "option" && !isNothing(from.type) && isOther) {
    return convert(low, present(low, from, node, what), type, node, what);
  }
  const whole = everyPresent(low, from, type, node, what);
  if (whole !== undefined) return convert(low, whole, type, node, what);
  if (type.kind === "int" && from.type.kind === "real") return integer(low, from, node, what);
  const sure = withoutNaN(low, from, node, what);
  if (sure !== undefined) return convert(low, sure, type, node, what);
  return low.refuse(
    node,
    "FC2105",
    `${what} must be \`${tyText(type)}\` and is \`${tyText(from.type)}\``,
    missingOrExtra(from.type, type),
  );
}

function passing<T>(low: Lowering, body: () => T): T {
  const { isPassing } = low;
  low.isPassing = true;
  try {
    return body();
  } finally {
    low.isPassing = isPassing;
  }
}

/** A list none of whose elements is `undefined`, where one of solid elements is wanted: `list[i]` may always be. */
export function everyPresent(
  low: Lowering,
  from: DataVal,
  type: Ty,
  node: At,
  what: string,
): DataVal | undefined {
  const wanted = type.kind === "option" ? type.value : type;
  const list = from.type.kind === "list" ? from.type : undefined;
  if (list === undefined || wanted.kind !== "list" || !isOptional(list.element)) return undefined;
  if (list.as !== undefined || wanted.as !== undefined) return undefined;
  if (isNothing(list.element) || wanted.element.kind === "option") return undefined;
  if (low.mode.kind === "formula") return undefined;
  const name = low.names.fresh("item");
  const all = low.named(from.expr, "list", node);
  const lambda = (body: Expr): Expr => ({ kind: "lambda", params: [{ name }], body });
  low.require(
    op("every", all, lambda(op("isSome", variable(name)))),
    `an element of ${what} may be \`undefined\``,
    node,
  );
  return data(op("map", all, lambda(op("value", variable(name)))), listTy(list.element.value));
}

/**
 * Checks that a value with parts of an unknown type has the type. Fields that the type does not name would be lost.
 */
function checkedPart(low: Lowering, from: DataVal, type: Ty, node: At): DataVal | undefined {
  if (!canCast(type) || hasMore(from.type, type)) return undefined;
  if (isJson(from.type)) return asDeclared(low, cast(low, from, type, node), type);
  const given = toJson(low, from.expr, from.type);
  return given && asDeclared(low, cast(low, data(given, json), type, node), type);
}

/** A cast lets fields of an unknown type be absent, where the type of a tool does not. */
function asDeclared(low: Lowering, val: DataVal, type: Ty): DataVal | undefined {
  const expr = converted(low, val.expr, val.type, type);
  return expr && data(expr, type);
}

function hasMore(from: Ty, to: Ty): boolean {
  if (from.kind === "option") return hasMore(from.value, to);
  if (to.kind === "option") return hasMore(from, to.value);
  if (from.kind === "list" && to.kind === "list") return hasMore(from.element, to.element);
  if (from.kind !== "record" || to.kind !== "record" || from.tuple || to.tuple) return false;
  return from.fields.some(({ name, type }) => {
    const other = fieldTy(to, name);
    return other === undefined || hasMore(type, other);
  });
}

function integer(low: Lowering, from: DataVal, node: At, what: string): DataVal {
  if (low.mode.kind === "formula")
    low.refuse(
      node,
      "FC2105",
      `${what} must be an integer here`,
      "round it with `Math.floor` or `Math.round`",
    );
  low.require(op("isInteger", from.expr), `${what} must be an integer`, node);
  return data(op("truncate", from.expr), int);
}

function missingOrExtra(from: Ty, to: Ty): string | undefined {
  if (isMaybeInfinite(from)) return "give a finite number, such as `Number.MAX_SAFE_INTEGER`";
  if (to.kind === "enum") return `write one of them, such as \`${JSON.stringify(to.values[0])}\``;
  if (to.kind === "string" && from.kind === "date") return "write its text: `.toISOString()`";
  if (to.kind === "string" && isNumber(from)) return "write it as a text: `String(x)`";
  if (isNumber(to) && isText(from)) return "convert it, and say what else: `Number(x) || 0`";
  if (to.kind === "record" && from.kind !== "record")
    return `write an object with its fields: \`{ ${to.fields.map(({ name }) => name).join(", ")} }\``;
  if (from.kind !== "record" || to.kind !== "record") return undefined;
  const extra = from.fields.find(({ name }) => fieldTy(to, name) === undefined);
  if (extra !== undefined)
    return `the field \`${extra.name}\` is not part of it; write out the fields that are meant`;
  const lacking = to.fields.find(({ name, type }) => !isOptional(type) && fieldTy(from, name) === undefined);
  return lacking && `add the field \`${lacking.name}\``;
}

/** The value as one of the type, if it is one as it stands. */
export function asType(low: Lowering, val: DataVal, type: Ty): Expr | undefined {
  return converted(low, val.expr, val.type, type);
}

/** @param inList whether it is the element of a list, which is left as it stands where it may be */
function converted(low: Lowering, expr: Expr, from: Ty, to: Ty, inList = false): Expr | undefined {
  if (from === to || sameTy(from, to) || from.kind === "never") return expr;
  if (to.kind === "json" && from.kind === "date" && to.of === undefined)
    return op("json", dateJson(expr, from.isValid));
  if (to.kind === "json") return fitsOneOf(low, expr, from, to) ? toJson(low, expr, from) : undefined;
  if (to.kind === "option") {
    if (from.kind !== "option") {
      const inside = converted(low, expr, from, to.value, inList);
      return inside && some(inside);
    }
    if (from.absent !== to.absent) {
      // `null` where `null | undefined` is meant: present outside, absent inside.
      const inside = converted(low, expr, from, to.value, inList);
      return inside && some(inside);
    }
    if (isNothing(from)) return expr;
    const words = to.value.kind === "enum" ? convertedWords(expr, from.value, to.value.values) : undefined;
    if (words !== undefined) return words;
    const inside = converted(low, op("value", expr), from.value, to.value, inList);
    if (inside === undefined) return undefined;
    return same(inside, op("value", expr)) ? expr : choose(op("isSome", expr), some(inside), none);
  }
  if (from.kind === "date" && to.kind === "date") return to.isValid ? undefined : some(expr);
  if (from.kind === "settled" && to.kind === "settled") return convertedSettled(low, expr, from, to);
  if (from.kind === "regex" && to.kind === "regex")
    return sameTy(joinTy(from, to) ?? from, to) ? expr : undefined;
  if (from.kind === "int" && to.kind === "real") return expr;
  if (from.kind === "int" && to.kind === "bigint" && expr.kind === "number") return undefined;
  if (isText(from) && to.kind === "string") return expr;
  if (to.kind === "enum") return convertedEnum(expr, from, to.values);
  if (from.kind === "map" && to.kind === "map") return convertedMap(low, expr, from.value, to.value);
  if (from.kind === "list" && to.kind === "list")
    return from.as === to.as ? convertedList(low, expr, from.element, to.element) : undefined;
  if (from.kind === "record" && from.match && to.kind === "list" && to.as === undefined)
    return converted(low, field(expr, "parts"), matchParts, to, inList);
  if (from.kind === "record" && to.kind === "record") return convertedRecord(low, expr, from, to, inList);
  if (from.kind === "list" && from.as === undefined && to.kind === "record")
    return asTuple(low, expr, from.element, to);
  // SOUNDNESS: only for what leaves the program. Of an object that a tool gave, the order of keys is not known.
  if (from.kind === "record" && to.kind === "map" && low.isPassing)
    return recordAsMap(low, expr, from, to.value);
  if (from.kind === "record" && from.tuple && to.kind === "list" && to.as === undefined) {
    const items = from.fields.map(({ name, type }) =>
      converted(low, typedField(expr, name, type), type, to.element),
    );
    return items.every((item) => item !== undefined) ? listExpr(items) : undefined;
  }
  return undefined;
}

/** An object with known fields as one whose keys are only known in the run, in the order in which it was made. */
function recordAsMap(low: Lowering, expr: Expr, from: RecordTy, to: Ty): Expr | undefined {
  if (from.tuple || from.match || from.unordered) return undefined;
  const parts: Expr[] = [];
  for (const { name, type } of from.fields) {
    const part = typedField(expr, name, type);
    const held = isOptional(type) ? op("value", part) : part;
    const value = converted(low, held, isOptional(type) ? type.value : type, to);
    if (value === undefined || inheritedNames.has(name)) return undefined;
    const entry = listExpr([
      recordExpr([
        { name: "key", value: text(name) },
        { name: "value", value },
      ]),
    ]);
    parts.push(isOptional(type) ? choose(op("isSome", part), entry, listExpr([])) : entry);
  }
  const [first = listExpr([])] = parts;
  const isWritten = parts.every((part) => part.kind === "list");
  const all = isWritten
    ? listExpr(parts.flatMap((part) => (part.kind === "list" ? part.items : [])))
    : parts.length === 1
      ? first
      : ({ kind: "op", op: "++", args: parts } as const);
  return op("mapOf", all);
}

/** Returns whether it is a JSON value, and, of a union, one of a type of it. */
function fitsOneOf(low: Lowering, expr: Expr, from: Ty, to: JsonTy): boolean {
  if (!jsonable(from)) return false;
  if (to.of === undefined) return true;
  return to.of.some((one) => isPlainFit(from, one) && converted(low, expr, from, one) !== undefined);
}

/** A text that is not known to be one of a few words is none of them. */
function isPlainFit(from: Ty, to: Ty): boolean {
  if (from.kind === "json") return false;
  return (
    from.kind === to.kind ||
    from.kind === "list" ||
    to.kind === "option" ||
    (isNumber(from) && isNumber(to)) ||
    (isText(from) && isText(to))
  );
}

function convertedSettled(low: Lowering, expr: Expr, from: SettledTy, to: SettledTy): Expr | undefined {
  if (isNothing(from.value) !== isNothing(to.value)) return undefined;
  const outcome = outcomeOf(expr, from);
  const held = from.isFulfilled ? expr : op("value", outcome);
  const inside = isNothing(from.value) ? held : converted(low, held, from.value, to.value);
  if (inside === undefined || (to.isFulfilled && !from.isFulfilled)) return undefined;
  if (to.hasReason) {
    if (!from.hasReason) return undefined;
    const value = same(inside, held) ? outcome : choose(op("isSome", outcome), some(inside), none);
    return recordExpr([
      { name: "message", value: field(expr, "message") },
      { name: "name", value: field(expr, "name") },
      { name: "value", value, optional: true },
    ]);
  }
  if (from.isFulfilled) return to.isFulfilled ? inside : some(inside);
  return same(inside, held) ? outcome : choose(op("isSome", outcome), some(inside), none);
}

function isPartOf(some: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all);
  return some.every((value) => known.has(value));
}

function convertedEnum(expr: Expr, from: Ty, values: readonly string[]): Expr | undefined {
  if (expr.kind === "string") return values.includes(expr.value) ? text(expr.value) : undefined;
  if (from.kind === "enum" && isPartOf(from.values, values)) return expr;
  if (expr.kind !== "op" || expr.op !== "if") return undefined;
  const [condition, a, b] = expr.args;
  if (condition === undefined || a === undefined || b === undefined) return undefined;
  const [first, second] = [convertedEnum(a, from, values), convertedEnum(b, from, values)];
  return first && second && choose(condition, first, second);
}

/** A choice between words and nothing, as one between values of an enum and nothing. */
function convertedWords(expr: Expr, from: Ty, values: readonly string[]): Expr | undefined {
  if (expr.kind === "none") return expr;
  if (expr.kind !== "op") return undefined;
  const [first, a, b] = expr.args;
  if (first === undefined) return undefined;
  if (expr.op === "some") {
    const inside = convertedEnum(first, from, values);
    return inside && some(inside);
  }
  if (expr.op !== "if" || a === undefined || b === undefined) return undefined;
  const [yes, no] = [convertedWords(a, from, values), convertedWords(b, from, values)];
  return yes && no && choose(first, yes, no);
}

/** An empty list or map under a name has elements of no type in the document, and is written out again. */
function emptyOf(low: Lowering, expr: Expr): Expr | undefined {
  const made = expr.kind === "var" ? low.definitions.get(expr.name) : expr;
  const list = made?.kind === "op" && made.op === "mapOf" ? made.args[0] : made;
  return list?.kind === "list" && list.items.length === 0 ? made : undefined;
}

function convertedList(low: Lowering, expr: Expr, from: Ty, to: Ty): Expr | undefined {
  const empty = emptyOf(low, expr);
  if (empty !== undefined) return empty;
  if (expr.kind === "list") {
    const items = expr.items.map((item) => converted(low, item, from, to));
    return items.every((item) => item !== undefined) ? listExpr(items) : undefined;
  }
  const name = low.names.fresh("item");
  const inside = converted(low, variable(name), from, to, true);
  if (inside === undefined) return undefined;
  if (inside.kind === "var") return expr;
  return op("map", expr, { kind: "lambda", params: [{ name }], body: inside });
}

/** A list that is written out, as a tuple of its length. */
function asTuple(low: Lowering, expr: Expr, from: Ty, to: RecordTy): Expr | undefined {
  if (!to.tuple || expr.kind !== "list" || expr.items.length !== to.fields.length) return undefined;
  const values = to.fields.map(({ type }, i) => converted(low, expr.items[i] ?? none, from, type));
  if (!values.every((value) => value !== undefined)) return undefined;
  return recordExpr(to.fields.map(({ name }, i) => ({ name, value: values[i] ?? none })));
}

function convertedMap(low: Lowering, expr: Expr, from: Ty, to: Ty): Expr | undefined {
  const empty = emptyOf(low, expr);
  if (empty !== undefined) return empty;
  const name = low.names.fresh("entry");
  const value = field(variable(name), "value");
  const inside = converted(low, value, from, to, true);
  if (inside === undefined) return undefined;
  if (same(inside, value)) return expr;
  const body = recordExpr([
    { name: "key", value: field(variable(name), "key") },
    { name: "value", value: inside },
  ]);
  return op("mapOf", op("map", op("mapEntries", expr), { kind: "lambda", params: [{ name }], body }));
}

function convertedRecord(
  low: Lowering,
  expr: Expr,
  from: RecordTy,
  to: RecordTy,
  inList: boolean,
): Expr | undefined {
  if (from.tuple !== to.tuple || from.match !== undefined || to.match !== undefined) return undefined;
  if (from.fields.some(({ name }) => fieldTy(to, name) === undefined)) return undefined;
  const fields: Argument[] = [];
  // A value that is not written out has the fields of its own type, and who reads it later asks for those of the other.
  const mayWiden = inList || expr.kind === "record";
  let asIs = true;
  for (const { name, type } of to.fields) {
    const mine = fieldTy(from, name);
    if (mine === undefined) {
      if (!isOptional(type)) return undefined;
      if (!mayWiden) fields.push({ name, value: none, optional: true });
      asIs &&= mayWiden;
      continue;
    }
    const part = typedField(expr, name, mine);
    const value = converted(low, part, mine, type, inList);
    if (value === undefined) return undefined;
    if (value !== part && !same(value, part))
      asIs =
        mayWiden &&
        asIs &&
        isOptional(type) &&
        !isOptional(mine) &&
        value.kind === "op" &&
        value.op === "some" &&
        value.args[0] === part;
    fields.push(namedField(name, value, type));
  }
  return asIs ? expr : recordExpr(fields);
}

/** A field as a value of its type: one that may be missing is an option, also if the record is written out. */
export function typedField(of: Expr, name: string, type: Ty): Expr {
  if (of.kind !== "record" || !isOptional(type)) return field(of, name);
  const found = of.fields.find((one) => one.name === name);
  if (found === undefined) return none;
  return found.optional === true ? found.value : some(found.value);
}

/** A present value of an optional field is written without its `some`. */
export function namedField(name: string, value: Expr, type: Ty): Argument {
  if (!isOptional(type)) return { name, value };
  const inside = value.kind === "op" && value.op === "some" ? value.args[0] : undefined;
  return inside === undefined ? { name, value, optional: true } : { name, value: inside };
}

/** Named values for the fields of a record type: what a call passes. */
export function argumentsFor(type: RecordTy, record: DataVal): readonly Argument[] {
  if (record.expr.kind === "record") return record.expr.fields;
  return type.fields.map(({ name, type: part }) =>
    isOptional(part)
      ? { name, value: field(record.expr, name), optional: true }
      : { name, value: field(record.expr, name) },
  );
}

function jsonable(type: Ty): boolean {
  // An absent field would be omitted, an absent element would be `null`: only `undefined` alone cannot be said.
  if (holdsSettled(type) || holdsNaN(type) || holdsCollection(type)) return false;
  return !(type.kind === "option" && type.absent === "undefined") && type.kind !== "bigint";
}

/** Returns whether a part of it is not in the IR what it is in JavaScript. */
function holdsSettled(type: Ty): boolean {
  switch (type.kind) {
    case "settled":
    case "date":
    case "regex":
      return true;
    case "list":
      return holdsSettled(type.element);
    case "map":
    case "option":
      return holdsSettled(type.value);
    case "record":
      return type.match !== undefined || type.fields.some((field) => holdsSettled(field.type));
    default:
      return false;
  }
}

/** Unwraps the option, which must be present. */
export function present(low: Lowering, val: DataVal, node: At, what: string): DataVal {
  if (val.type.kind !== "option") return val;
  if (isNothing(val.type) || val.expr.kind === "none") {
    return low.refuse(node, "FC2109", `${what} is \`${val.type.absent}\` here`, "give it a value first");
  }
  const known = op("isSome", val.expr);
  const sure = (known.kind === "bool" && known.value) || low.isKnownPresent(val.expr, same);
  if (!sure) {
    const why = `${what} may be \`${val.type.absent}\``;
    if (low.mode.kind === "formula") {
      const check = val.type.absent === "NaN" ? "!Number.isNaN(x)" : `x !== ${val.type.absent}`;
      low.refuse(node, "FC2109", why, `check it first, such as \`${check} && …\``);
    }
    low.require(known, why, node);
  }
  return inside(val, held, data(sure ? heldIn(val.expr) : op("value", val.expr), val.type.value));
}

/** Values of different kinds are JSON values together. */
export function mixed(a: Ty, b: Ty): Ty | undefined {
  if (a.kind === "option" && isOptional(a)) return mixedOption(a.value, b);
  if (b.kind === "option" && isOptional(b)) return mixedOption(b.value, a);
  return jsonable(a) && jsonable(b) ? json : undefined;
}

function mixedOption(held: Ty, other: Ty): Ty | undefined {
  const inside = mixed(held, other);
  return inside && asOptional(inside);
}

/** A word that is written out is one of the few that the other can be. */
function wordType(word: DataVal, other: DataVal): Ty | undefined {
  const few = other.type.kind === "option" ? other.type.value : other.type;
  const isOne = word.expr.kind === "string" && few.kind === "enum" && few.values.includes(word.expr.value);
  return isOne ? other.type : undefined;
}

/**
 * The value as a document knows its type: a word that is written out is one of a few only where something says so, which
 * is not said of a part of what an operator takes.
 */
export function withPlainWords(val: DataVal): DataVal {
  const type = plainWords(val.expr, val.type);
  return type === val.type ? val : { ...val, type };
}

function plainWords(expr: Expr, type: Ty): Ty {
  if (expr.kind === "string") return type.kind === "enum" ? string : type;
  if (expr.kind === "list" && type.kind === "list") {
    const element = expr.items
      .map((item) => plainWords(item, type.element))
      .find((one) => one !== type.element);
    return element === undefined ? type : { ...type, element };
  }
  if (expr.kind === "record" && type.kind === "record") {
    const fields = type.fields.map((one) => {
      const value = expr.fields.find(({ name }) => name === one.name)?.value;
      const plain = value === undefined ? one.type : plainWords(value, one.type);
      return plain === one.type ? one : { ...one, type: plain };
    });
    return fields.every((one, i) => one === type.fields[i]) ? type : { ...type, fields };
  }
  if (expr.kind !== "op") return type;
  const [first, second, third] = expr.args;
  if (expr.op === "some" && first !== undefined && type.kind === "option") {
    const value = plainWords(first, type.value);
    return value === type.value ? type : { ...type, value };
  }
  if (expr.op !== "if" || second === undefined || third === undefined) return type;
  const yes = plainWords(second, type);
  return yes === type ? plainWords(third, type) : yes;
}

/** The value with words that are written out as those of the few that its type names, where an operator takes them. */
export function withKnownWords(val: DataVal): DataVal {
  const expr = plainWords(val.expr, val.type) === val.type ? val.expr : knownWords(val.expr, val.type);
  return expr === val.expr ? val : { ...val, expr };
}

function knownWords(expr: Expr, type: Ty): Expr {
  if (plainWords(expr, type) === type) return expr;
  if (type.kind === "enum") return op("oneOf", expr, ...type.values.map(text));
  if (expr.kind === "list" && type.kind === "list")
    return listExpr(expr.items.map((item) => knownWords(item, type.element)));
  if (expr.kind === "record" && type.kind === "record")
    return recordExpr(
      expr.fields.map((one) => {
        const mine = fieldTy(type, one.name);
        const held = mine !== undefined && isOptional(mine) && one.optional !== true ? mine.value : mine;
        return held === undefined ? one : { ...one, value: knownWords(one.value, held) };
      }),
    );
  const [first, second, third] = expr.kind === "op" ? expr.args : [];
  if (expr.kind !== "op" || first === undefined) return expr;
  if (expr.op === "some" && type.kind === "option") return some(knownWords(first, type.value));
  if (expr.op !== "if" || second === undefined || third === undefined) return expr;
  return choose(first, knownWords(second, type), knownWords(third, type));
}

/** The two as values of one type, if there is one. */
export function unified(
  low: Lowering,
  a: DataVal,
  b: DataVal,
  _node: At,
): readonly [Expr, Expr, Ty] | undefined {
  const type = wordType(a, b) ?? wordType(b, a) ?? joinTy(a.type, b.type) ?? mixed(a.type, b.type);
  if (type === undefined) return undefined;
  const [x, y] = [converted(low, a.expr, a.type, type), converted(low, b.expr, b.type, type)];
  return x === undefined || y === undefined ? undefined : [x, y, type];
}

/** The value as one of the declared type where that loses nothing; annotations never change what happens. */
export function hinted(low: Lowering, val: Val, type: Ty | undefined, node?: At): Val {
  if (type?.kind === "option" && val.kind === "ref") return hinted(low, val, type.value);
  if (type?.kind === "map" && val.kind === "ref") return asDict(low, val, type);
  if (type?.kind === "record" && type.tuple && val.kind === "ref")
    return asTupleOf(low, val, type.fields.length);
  if (type?.kind === "record" && val.kind === "ref") return withDeclared(low, val, type);
  if (type?.kind === "list" && val.kind === "ref") return withDeclaredElements(low, val, type.element);
  if (type === undefined || val.kind !== "data") return val;
  if (node !== undefined && holdsJson(val.type)) return downcast(low, val, type, node) ?? val;
  // A `number` that is known to be an integer stays one.
  if (!["option", "enum", "list", "map", "record"].includes(type.kind)) return val;
  const expr = converted(low, val.expr, val.type, type);
  if (expr === undefined) return val;
  const ordered = reordered(val.type, type);
  if (same(expr, val.expr)) return { ...val, expr, type: ordered };
  const plain = letGo(low, val);
  return plain.kind === "data" ? { ...plain, expr, type: ordered } : plain;
}

/** An array that is declared to have so many elements, and has them. */
export function asTupleOf(low: Lowering, val: RefVal, length?: number): Val {
  const { shape } = val;
  const held = shape.kind === "array" ? low.state.get(shape.slot) : undefined;
  if (shape.kind !== "array" || held?.kind !== "items" || held.items.length !== (length ?? held.items.length))
    return val;
  return { kind: "ref", shape: { ...shape, isTuple: true } };
}

function withoutPlace<T extends Val>(val: T): T {
  if (val.kind !== "data" || val.place === undefined) return val;
  const { place: _, ...plain } = val;
  // SAFETY: a place is optional, so what is left is of the same type.
  return plain as T;
}

/** Returns whether a part of it is of an unknown type. */
function holdsJson(type: Ty): boolean {
  switch (type.kind) {
    case "json":
      return true;
    case "list":
      return holdsJson(type.element);
    case "map":
    case "option":
      return holdsJson(type.value);
    case "record":
      return type.fields.some((one) => holdsJson(one.type));
    default:
      return false;
  }
}

/** An object knows the optional fields that it was declared with, also those that it was made without. */
function withDeclared(low: Lowering, val: RefVal, type: RecordTy): Val {
  const { shape } = val;
  if (shape.kind !== "object") return val;
  for (const { name, type: part } of type.fields) {
    const slot = shape.fields.get(name);
    const held = slot === undefined ? undefined : low.state.get(slot);
    if (slot === undefined || held?.kind !== "ref") continue;
    const known = hinted(low, held, part);
    if (known !== held) low.state.set(slot, known);
  }
  const missing = type.fields.filter((one) => isOptional(one.type) && !shape.fields.has(one.name));
  if (missing.length === 0) return val;
  const fields = new Map(shape.fields);
  for (const { name, type: part } of missing) {
    const slot = low.newSlot(data(none, part));
    fields.set(name, slot);
    // Someone else knows the object too, and would not see the new field.
    if (low.shared.has(val)) low.freeze(slot);
  }
  return { kind: "ref", shape: { ...shape, fields } };
}

function withDeclaredElements(low: Lowering, val: RefVal, type: Ty): Val {
  const slot = val.shape.kind === "array" ? val.shape.slot : undefined;
  const held = slot === undefined ? undefined : low.state.get(slot);
  if (slot === undefined || held?.kind !== "items") return val;
  const items = held.items.map((item) => (item.kind === "ref" ? hinted(low, item, type) : item));
  if (items.some((item, i) => item !== held.items[i])) low.state.set(slot, { kind: "items", items });
  return val;
}
