/**
 * Types as the front end sees them: those of the IR, with what JavaScript tells apart and the IR does not.
 * An absent value is `null` or `undefined`; a `bigint` is not a `number`.
 */
import {
  bool as irBool,
  int as irInt,
  json as irJson,
  never as irNever,
  real as irReal,
  string as irString,
  listOf,
  mapOf,
  type Num,
  optionOf,
  recordOf,
  type Type,
} from "../ir/index.ts";
import type { RegexVal } from "./value.ts";

export type Ty =
  | { readonly kind: "never" | "bool" | "bigint" | "string" }
  | NumberTy
  | JsonTy
  | EnumTy
  | ListTy
  | MapTy
  | RecordTy
  | OptionTy
  | DateTy
  | RegexTy
  | SettledTy;

/** @property values the numbers that it can be, where a type writes them out; only what is given to it is checked for them */
export interface NumberTy {
  readonly kind: "int" | "real";
  readonly values?: readonly Num[];
}
/** Any JSON value, or one of some type of these: a union of types of different kinds. */
export interface JsonTy {
  readonly kind: "json";
  readonly of?: readonly Ty[];
}
export interface EnumTy {
  readonly kind: "enum";
  readonly values: readonly string[];
}
export interface ListTy {
  readonly kind: "list";
  readonly element: Ty;
  /** A `Set` as the list of what it holds, or a `Map` as the list of its entries. */
  readonly as?: "set" | "map";
}
/** An object whose keys are only known in the run: `Record<string, T>`. No value of it is `undefined`. */
export interface MapTy {
  readonly kind: "map";
  readonly value: Ty;
}
/** A field that may be `undefined` is an optional field of the IR. */
export interface RecordTy {
  readonly kind: "record";
  readonly fields: readonly TyField[];
  /** An array of known length whose elements differ in type, such as an entry of a `Map`; fields stand for positions. */
  readonly tuple?: true;
  /** The fields may be in another order, as a path or a declared type has it; nobody may look at the order. */
  readonly unordered?: true;
  /** Match info of a regular expression's result, which is an array with fields in JavaScript. */
  readonly match?: MatchInfo;
}
export interface MatchInfo {
  /** The names of the groups, in their order. */
  readonly names: readonly (string | undefined)[];
  /** For each group: true if it holds a text in every match. */
  readonly always: readonly boolean[];
}
export interface TyField {
  readonly name: string;
  readonly type: Ty;
}
export interface OptionTy {
  readonly kind: "option";
  readonly value: Ty;
  /** Its JavaScript value if it is absent. */
  readonly absent: Absent;
}
/** A `Date`: in the IR its time, and an option where it may be an invalid one. */
export interface DateTy {
  readonly kind: "date";
  readonly isValid: boolean;
}
/** One of several regular expressions that are written out: in the IR, as it is written. */
export interface RegexTy {
  readonly kind: "regex";
  readonly options: readonly RegexVal[];
}
/** One result of `Promise.allSettled`. In the IR it is absent where the promise was rejected. */
export interface SettledTy {
  readonly kind: "settled";
  readonly value: Ty;
  /** Known to be fulfilled, and so never absent. */
  readonly isFulfilled: boolean;
  /** In the IR it is a record: the value if there is one, and the name and message of the error otherwise. */
  readonly hasReason?: true;
}
/** A number that is `NaN` or infinite is an option without a value. */
export type Absent = "null" | "undefined" | Unreal;
export type Unreal = "NaN" | "Infinity" | "-Infinity";

export const never: Ty = { kind: "never" };
export const bool: Ty = { kind: "bool" };
export const int: Ty = { kind: "int" };
export const real: Ty = { kind: "real" };
export const bigint: Ty = { kind: "bigint" };
export const string: Ty = { kind: "string" };
export const json: Ty = { kind: "json" };
export const listTy = (element: Ty): ListTy => ({ kind: "list", element });
/** A list of other elements, which is a `Set` or a `Map` where the first is. */
export const listLike = ({ as }: ListTy, element: Ty): ListTy =>
  as === undefined ? listTy(element) : { kind: "list", element, as };
export const mapTy = (value: Ty): MapTy => ({ kind: "map", value });
export const optionTy = (value: Ty, absent: Absent): OptionTy => ({ kind: "option", value, absent });
export const dateTy = (isValid: boolean): DateTy => ({ kind: "date", isValid });
export const settledTy = (value: Ty, isFulfilled: boolean): SettledTy => ({
  kind: "settled",
  value,
  isFulfilled,
});
export function tupleTy(elements: readonly Ty[]): RecordTy {
  const fields = elements.map((type, i) => ({ name: positionName(i, elements.length), type }));
  return { kind: "record", fields, tuple: true };
}

/** The type of what a regular expression found: where, and its parts. */
export function matchTy(match: MatchInfo): RecordTy {
  const fields = [
    { name: "index", type: int },
    { name: "parts", type: matchParts },
  ];
  return { kind: "record", fields, match };
}

/** Returns the name of a tuple position for readers of the document. */
export function positionName(i: number, length: number): string {
  return length === 2 ? (i === 0 ? "key" : "value") : `item${i}`;
}

/** The type of `undefined`, and of a call that returns nothing. */
export const undefinedTy: Ty = optionTy(never, "undefined");
export const nullTy: Ty = optionTy(never, "null");
export const nanTy: Ty = optionTy(never, "NaN");

/** True of absences that stand for a number: only `null` and `undefined` are nothing. */
export function isUnreal(absent: Absent): absent is Unreal {
  return absent !== "null" && absent !== "undefined";
}

/** A number, or one that is infinite in one direction. */
export function isMaybeInfinite(type: Ty): type is OptionTy & { readonly absent: "Infinity" | "-Infinity" } {
  return type.kind === "option" && (type.absent === "Infinity" || type.absent === "-Infinity");
}

/** The type of the parts of a match: the whole of it, then its groups. */
export const matchParts: Ty = listTy(optionTy(string, "undefined"));

export function isNumber(type: Ty): type is NumberTy {
  return type.kind === "int" || type.kind === "real";
}

export function isText(type: Ty): boolean {
  return type.kind === "string" || type.kind === "enum";
}

/** No value but the absent one. */
export function isNothing(type: Ty): boolean {
  return type.kind === "option" && type.value.kind === "never";
}

export function fieldTy(type: RecordTy, name: string): Ty | undefined {
  return type.fields.find((field) => field.name === name)?.type;
}

const known = new WeakMap<Ty, Type>();

export function toIr(type: Ty): Type {
  const before = known.get(type);
  if (before !== undefined) return before;
  const made = convert(type);
  known.set(type, made);
  return made;
}

function convert(type: Ty): Type {
  switch (type.kind) {
    case "never":
      return irNever;
    case "bool":
      return irBool;
    case "int":
    case "bigint":
      return irInt;
    case "real":
      return irReal;
    case "string":
    case "regex":
      return irString;
    case "json":
      return irJson;
    case "enum":
      return { kind: "enum", values: type.values };
    case "list":
      return listOf(toIr(type.element));
    case "map":
      return mapOf(toIr(type.value));
    case "option":
      return optionOf(toIr(type.value));
    case "date":
      return type.isValid ? irInt : optionOf(irInt);
    case "settled": {
      // There is no value of the type of nothing, so something stands for it.
      const held = isNothing(type.value) ? irBool : toIr(type.value);
      if (type.hasReason)
        return recordOf([
          { name: "message", type: irString },
          { name: "name", type: irString },
          { name: "value", type: held, optional: true },
        ]);
      return type.isFulfilled ? held : optionOf(held);
    }
    case "record":
      return recordOf(
        type.fields.map(({ name, type: field }) =>
          isOptional(field) ? { name, type: toIr(field.value), optional: true } : { name, type: toIr(field) },
        ),
      );
  }
}

export function isOptional(type: Ty): type is OptionTy {
  return type.kind === "option" && type.absent === "undefined";
}

/** The least type that has the values of both, if there is one. */
export function joinTy(a: Ty, b: Ty): Ty | undefined {
  const joined = joinedTy(a, b);
  return joined && reordered(a, reordered(b, joined));
}

/** The second type, for values of the first: where it has the fields in another order, their order is not known. */
export function reordered(from: Ty, to: Ty): Ty {
  if (from === to) return to;
  if (from.kind === "option" && to.kind === "option") {
    const value = reordered(from.absent === to.absent ? from.value : from, to.value);
    return value === to.value ? to : { ...to, value };
  }
  if (to.kind === "option") {
    const value = reordered(from, to.value);
    return value === to.value ? to : { ...to, value };
  }
  if (from.kind === "list" && to.kind === "list") {
    const element = reordered(from.element, to.element);
    return element === to.element ? to : listLike(to, element);
  }
  if (from.kind === "map" && to.kind === "map") {
    const value = reordered(from.value, to.value);
    return value === to.value ? to : { ...to, value };
  }
  if (from.kind !== "record" || to.kind !== "record") return to;
  const fields = to.fields.map((field) => {
    const mine = fieldTy(from, field.name);
    const type = mine === undefined ? field.type : reordered(mine, field.type);
    return type === field.type ? field : { ...field, type };
  });
  const shared = fields.filter((field) => fieldTy(from, field.name) !== undefined);
  const mine = from.fields.filter((field) => fieldTy(to, field.name) !== undefined);
  const isMixed =
    !to.tuple && (from.unordered === true || shared.some((field, i) => mine[i]?.name !== field.name));
  const isNoted = !isMixed || to.unordered === true;
  if (isNoted && fields.every((field, i) => field === to.fields[i])) return to;
  return { ...to, fields, ...(isMixed ? { unordered: true as const } : {}) };
}

/** Returns true if nothing more is known or unknown of values of the one than of the other, also of the order of their fields. */
export function sameForm(a: Ty, b: Ty): boolean {
  return sameTy(a, b) && mixed(a) === mixed(b);
}

/** Number of types in it whose fields are in no known order. */
function mixed(type: Ty): number {
  switch (type.kind) {
    case "list":
      return mixed(type.element);
    case "option":
    case "map":
      return mixed(type.value);
    case "record":
      return type.fields.reduce((sum, field) => sum + mixed(field.type), type.unordered === true ? 1 : 0);
    default:
      return 0;
  }
}

/** Returns whether the order of fields is not known somewhere in it. */
export function isUnordered(type: Ty): boolean {
  return mixed(type) > 0;
}

function joinedTy(a: Ty, b: Ty): Ty | undefined {
  if (a === b) return a;
  if (isNumber(a) && isNumber(b)) return a.kind === b.kind ? (a.kind === "int" ? int : real) : real;
  if (sameTy(a, b)) return a;
  if (a.kind === "never") return b;
  if (b.kind === "never") return a;
  if (a.kind === "date" && b.kind === "date") return dateTy(a.isValid && b.isValid);
  if (a.kind === "regex" && b.kind === "regex")
    return { kind: "regex", options: [...a.options, ...b.options.filter((one) => !isOneOf(one, a.options))] };
  if (a.kind === "json" || b.kind === "json") return joinJson(a.kind === "json" ? b : a);
  if (a.kind === "settled" && b.kind === "settled")
    return isNothing(a.value) === isNothing(b.value)
      ? wrapTy(joinTy(a.value, b.value), (value) => ({
          ...settledTy(value, a.isFulfilled && b.isFulfilled),
          ...(a.hasReason && b.hasReason ? { hasReason: true as const } : {}),
        }))
      : undefined;
  if (a.kind === "option" && b.kind === "option") {
    if (a.absent === b.absent) return wrapTy(joinTy(a.value, b.value), (value) => optionTy(value, a.absent));
    // Both ways of being absent: `undefined` outside, `null` inside of it, so that they stay apart.
    const [outer, inner] = isOuter(a.absent, b.absent) ? [a, b] : [b, a];
    return wrapTy(joinTy(outer.value, inner), (value) => optionTy(value, outer.absent));
  }
  if (a.kind === "option") return joinOption(a, b);
  if (b.kind === "option") return joinOption(b, a);
  if (a.kind === "enum" && b.kind === "enum")
    return { kind: "enum", values: [...new Set([...a.values, ...b.values])] };
  if (isText(a) && isText(b)) return string;
  if (a.kind === "list" && b.kind === "list")
    return a.as === b.as
      ? wrapTy(joinTy(a.element, b.element), (element) => listLike(a, element))
      : undefined;
  if (a.kind === "record" && a.match && b.kind === "list" && b.as === undefined) return joinTy(matchParts, b);
  if (b.kind === "record" && b.match && a.kind === "list" && a.as === undefined) return joinTy(a, matchParts);
  if (a.kind === "map" && b.kind === "map") return wrapTy(joinTy(a.value, b.value), mapTy);
  if (a.kind === "record" && a.tuple && b.kind === "list") return joinTupleList(a, b);
  if (b.kind === "record" && b.tuple && a.kind === "list") return joinTupleList(b, a);
  if (a.kind === "record" && b.kind === "record") return joinRecords(a, b);
  return undefined;
}

function isOneOf({ written }: RegexVal, options: readonly RegexVal[]): boolean {
  return options.some((one) => one.written === written);
}

/** Returns true if the first kind of absence wraps the second. */
export function isOuter(a: Absent, b: Absent): boolean {
  const order: readonly Absent[] = ["undefined", "null", "NaN", "Infinity", "-Infinity"];
  return order.indexOf(a) < order.indexOf(b);
}

/** Returns true if a part of it is a `Set` or a `Map`, which have no JSON form. */
export function holdsCollection(type: Ty): boolean {
  switch (type.kind) {
    case "list":
      return type.as !== undefined || holdsCollection(type.element);
    case "map":
    case "option":
    case "settled":
      return holdsCollection(type.value);
    case "record":
      return type.fields.some((field) => holdsCollection(field.type));
    default:
      return false;
  }
}

/** A JSON value has its own `null`, so only `undefined` is told apart. */
function joinJson(other: Ty): Ty | undefined {
  if (["bigint", "settled", "date", "regex"].includes(other.kind)) return undefined;
  if (other.kind === "record" && other.match) return undefined;
  if (holdsCollection(other)) return undefined;
  if (other.kind !== "option") return json;
  // `NaN` and infinite numbers have no JSON value of their own.
  if (isUnreal(other.absent)) return undefined;
  const held = joinJson(other.value);
  return other.absent === "undefined" ? wrapTy(held, asOptional) : held;
}

function joinOption(option: OptionTy, other: Ty): Ty | undefined {
  return wrapTy(joinTy(option.value, other), (value) => optionTy(value, option.absent));
}

function joinRecords(a: RecordTy, b: RecordTy): Ty | undefined {
  if (a.match && b.match) return matchParts;
  if (a.match || b.match) return undefined;
  if (a.tuple || b.tuple) return joinTuples(a, b);
  const fields: TyField[] = [];
  for (const { name, type } of a.fields) {
    const other = fieldTy(b, name);
    const joined = other === undefined ? asOptional(type) : joinTy(type, other);
    if (joined === undefined) return undefined;
    fields.push({ name, type: joined });
  }
  for (const { name, type } of b.fields) {
    if (fieldTy(a, name) === undefined) fields.push({ name, type: asOptional(type) });
  }
  return { kind: "record", fields };
}

/** A tuple beside an array is an array too, if its elements are of one type. */
function joinTupleList(tuple: RecordTy, list: ListTy): Ty | undefined {
  if (list.as !== undefined) return undefined;
  let element: Ty | undefined = list.element;
  for (const { type } of tuple.fields) element = element && joinTy(element, type);
  return wrapTy(element, listTy);
}

function joinTuples(a: RecordTy, b: RecordTy): Ty | undefined {
  if (!a.tuple || !b.tuple || a.fields.length !== b.fields.length) return undefined;
  const joined = a.fields.map(({ type }, i) => joinTy(type, b.fields[i]?.type ?? never));
  return joined.every((type) => type !== undefined) ? tupleTy(joined) : undefined;
}

export function asOptional(type: Ty): Ty {
  return isOptional(type) ? type : optionTy(type, "undefined");
}

/** A number, or `NaN`. */
export function isMaybeNaN(type: Ty): type is OptionTy & { readonly absent: "NaN" } {
  return type.kind === "option" && type.absent === "NaN";
}

function wrapTy(type: Ty | undefined, wrap: (type: Ty) => Ty): Ty | undefined {
  return type === undefined ? undefined : wrap(type);
}

export function sameTy(a: Ty, b: Ty): boolean {
  if (a === b) return true;
  if (a.kind === "enum" && b.kind === "enum")
    return (
      a.values.length === b.values.length && new Set([...a.values, ...b.values]).size === a.values.length
    );
  if (a.kind === "list" && b.kind === "list") return a.as === b.as && sameTy(a.element, b.element);
  if (a.kind === "map" && b.kind === "map") return sameTy(a.value, b.value);
  if (a.kind === "option" && b.kind === "option") return a.absent === b.absent && sameTy(a.value, b.value);
  if (a.kind === "date" && b.kind === "date") return a.isValid === b.isValid;
  if (a.kind === "regex" && b.kind === "regex")
    return a.options.length === b.options.length && a.options.every((one) => isOneOf(one, b.options));
  if (a.kind === "json" && b.kind === "json") return sameAlternatives(a.of, b.of);
  if (a.kind === "settled" && b.kind === "settled")
    return a.isFulfilled === b.isFulfilled && a.hasReason === b.hasReason && sameTy(a.value, b.value);
  if (a.kind === "record" && b.kind === "record") {
    return (
      a.tuple === b.tuple &&
      sameMatch(a.match, b.match) &&
      a.fields.length === b.fields.length &&
      a.fields.every(({ name, type }) => {
        const other = fieldTy(b, name);
        return other !== undefined && sameTy(type, other);
      })
    );
  }
  return a.kind === b.kind && !["enum", "list", "map", "option", "record", "settled"].includes(a.kind);
}

function sameAlternatives(a: readonly Ty[] | undefined, b: readonly Ty[] | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((one, i) => b[i] !== undefined && sameTy(one, b[i]));
}

function sameMatch(a: MatchInfo | undefined, b: MatchInfo | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.names.length === b.names.length &&
    a.names.every((name, i) => name === b.names[i] && a.always[i] === b.always[i])
  );
}

/** As TypeScript would write it; an integer is a `number` unless it is to be called by another name. */
export function tyText(type: Ty, integer = "number"): string {
  switch (type.kind) {
    case "never":
    case "string":
    case "bigint":
      return type.kind;
    case "bool":
      return "boolean";
    case "int":
      return integer;
    case "real":
      return "number";
    case "json":
      return type.of === undefined ? "unknown" : type.of.map((one) => tyText(one, integer)).join(" | ");
    case "enum":
      return type.values.map((value) => JSON.stringify(value)).join(" | ");
    case "list":
      if (type.as === "set") return `Set<${tyText(type.element, integer)}>`;
      if (type.as === "map") return `Map${tyText(type.element, integer).replace(/^\[(.*)\]$/, "<$1>")}`;
      return type.element.kind === "option" ||
        type.element.kind === "enum" ||
        (type.element.kind === "json" && type.element.of !== undefined)
        ? `(${tyText(type.element, integer)})[]`
        : `${tyText(type.element, integer)}[]`;
    case "date":
      return "Date";
    case "regex":
      return "RegExp";
    case "map":
      return `Record<string, ${tyText(type.value, integer)}>`;
    case "settled":
      return `Promise${type.isFulfilled ? "Fulfilled" : "Settled"}Result<${tyText(type.value, integer)}>`;
    case "option":
      return type.value.kind === "never" ? type.absent : `${tyText(type.value, integer)} | ${type.absent}`;
    case "record":
      if (type.match) return "RegExpMatchArray";
      if (type.tuple) return `[${type.fields.map((one) => tyText(one.type)).join(", ")}]`;
      return `{ ${type.fields
        .map(({ name, type: field }) =>
          isOptional(field)
            ? `${name}?: ${tyText(field.value, integer)}`
            : `${name}: ${tyText(field, integer)}`,
        )
        .join("; ")} }`;
  }
}
