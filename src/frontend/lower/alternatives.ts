/**
 * Values of a union of types: which of its types they may still be, by what the path says of them.
 * INVARIANT: whatever has such a type was checked to be of one of its types, by the run or by its own type.
 */
import type { Expr } from "../../ir/index.ts";
import { none, not, op, some, text } from "../build.ts";
import {
  fieldTy,
  isNothing,
  isNumber,
  isOptional,
  isText,
  type JsonTy,
  real,
  sameTy,
  string,
  type Ty,
  tyText,
} from "../ty.ts";
import { type DataVal, data } from "../value.ts";
import { cast, read } from "./cast.ts";
import type { Lowering } from "./core.ts";
import { is } from "./json.ts";
import { madeWithin } from "./to-json.ts";

type At = { readonly start: number; readonly end: number };

/** The value as one of the only type that it can still be of. */
export function onlyAlternative(low: Lowering, expr: Expr, type: JsonTy): DataVal | undefined {
  if (type.of === undefined) return undefined;
  const [only, ...others] = remaining(low, expr, type.of);
  return only === undefined || others.length > 0 ? undefined : data(read(low, expr, only), only);
}

/** The field, where every type that is left has one of that name and of one type. */
export function commonField(low: Lowering, expr: Expr, type: JsonTy, name: string): DataVal | undefined {
  if (type.of === undefined) return undefined;
  const tag = tagOf(expr, type.of, name);
  if (tag !== undefined) return tag;
  const fields = remaining(low, expr, type.of).map((one) =>
    one.kind === "record" && !one.tuple ? fieldTy(one, name) : undefined,
  );
  const [first] = fields;
  if (first === undefined || !fields.every((one) => one !== undefined && sameTy(one, first)))
    return undefined;
  const found = op("jsonField", expr, text(name));
  if (!isOptional(first)) return data(read(low, op("value", found), first), first);
  const held = read(low, op("value", found), first.value);
  return data(op("if", op("isSome", found), some(held), none), first);
}

/** The field that is one of a few words in every type of the union. */
function tagOf(expr: Expr, of: readonly Ty[], name: string): DataVal | undefined {
  const values = new Set<string>();
  for (const one of of) {
    const type = one.kind === "record" && !one.tuple ? fieldTy(one, name) : undefined;
    if (type?.kind !== "enum") return undefined;
    for (const value of type.values) values.add(value);
  }
  const word = op("value", op("jsonString", op("value", op("jsonField", expr, text(name)))));
  const words = [...values];
  return data(op("oneOf", word, ...words.map(text)), { kind: "enum", values: words });
}

/** Returns whether a value of the union can be `null`. */
export function mayBeNull(type: JsonTy): boolean {
  return (
    type.of === undefined ||
    type.of.some((one) => one.kind === "json" || isNothing(one) || one.kind === "option")
  );
}

/**
 * A JSON value as the number or text that is needed; throws where it is none. SOUNDNESS: that is for data from outside.
 * Refuses a value of several kinds between which the program itself chose, since JavaScript computes with it.
 */
export function castAs(low: Lowering, val: DataVal, wanted: "number" | "text", node: At): DataVal {
  const [type, word] = wanted === "number" ? [real, "number"] : [string, "string"];
  const isKnown = low.isKnown(wanted === "number" ? is.number(val.expr) : is.string(val.expr));
  const other = isKnown
    ? undefined
    : madeWithin(low, val.expr).find(({ of, type: made }) => {
        const kind = kindOf(made);
        const isWord = op("==", op("jsonString", val.expr), some(of));
        if (of.kind === "string" && low.isKnown(not(isWord))) return false;
        return kind !== undefined && kind !== word && !low.isKnown(not(is[kind](val.expr)));
      });
  if (other !== undefined)
    low.refuse(
      node,
      "FC2108",
      `a ${wanted} is needed here, and \`${low.sourceOf(node)}\` may be \`${tyText(other.type)}\``,
      `check it first, as \`typeof x === "${word}"\` does, or give it one type on every path`,
    );
  return cast(low, val, type, node);
}

function remaining(low: Lowering, expr: Expr, of: readonly Ty[]): readonly Ty[] {
  return of.filter((one) => !isRuledOut(low, expr, one, of));
}

function isRuledOut(low: Lowering, expr: Expr, type: Ty, of: readonly Ty[]): boolean {
  const kind = kindOf(type);
  if (kind === undefined) return false;
  if (low.isKnown(not(is[kind](expr)))) return true;
  if (kinds.some((other) => other !== kind && low.isKnown(is[other](expr)))) return true;
  if (type.kind !== "record" || type.tuple) return false;
  return type.fields.some(({ name, type: field }) => {
    const tag = field.kind === "enum" ? tagOf(expr, of, name) : undefined;
    if (tag?.type.kind !== "enum" || field.kind !== "enum") return false;
    const isWord = (value: string): Expr => op("==", tag.expr, text(value));
    return (
      tag.type.values.some((value) => !field.values.includes(value) && low.isKnown(isWord(value))) ||
      field.values.every((value) => low.isKnown(not(isWord(value))))
    );
  });
}

const kinds = ["string", "number", "bool", "list", "null", "record"] as const;

/** The kind of JSON value that a value of the type is; undefined where it can be several. */
export function kindOf(type: Ty): (typeof kinds)[number] | undefined {
  if (isText(type)) return "string";
  if (isNumber(type)) return "number";
  if (type.kind === "bool") return "bool";
  if (type.kind === "list" || (type.kind === "record" && type.tuple)) return "list";
  if (type.kind === "record") return "record";
  return type.kind === "option" && isNothing(type) && type.absent === "null" ? "null" : undefined;
}
