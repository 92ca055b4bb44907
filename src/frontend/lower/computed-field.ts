/** `of[key]` where the key is one of a few known words: the field that it names, whichever that is. */
import type { Expr } from "../../ir/index.ts";
import { op, text } from "../build.ts";
import { fieldTy, type Ty } from "../ty.ts";
import { type DataVal, data, undefinedVal, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { typedField } from "./data.ts";
import { mergeValues } from "./merge.ts";

type At = { readonly start: number; readonly end: number };

/** The words that the key can be; undefined if it can be any. */
export function wordsOf({
  expr,
  type,
}: {
  readonly expr: Expr;
  readonly type: Ty;
}): readonly string[] | undefined {
  if (type.kind === "enum") return type.values;
  if (expr.kind === "string") return [expr.value];
  if (expr.kind !== "op" || expr.op !== "if") return undefined;
  const found = expr.args.slice(1).map((one) => wordsOf({ expr: one, type }));
  return found.every((one) => one !== undefined) ? [...new Set(found.flat())] : undefined;
}

/** Every object has these, whoever made it. */
const inherited = new Set([
  "__proto__",
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
]);

/** What the field holds; `undefined` for a word that names none. Undefined where this is not about fields. */
export function readField(low: Lowering, of: Val, key: DataVal, node: At): Val | undefined {
  const words = wordsOf(key);
  const values = words?.map((word) => [word, fieldOf(low, of, word)] as const);
  if (values === undefined || values.some(([word, value]) => value === undefined || inherited.has(word)))
    return undefined;
  const [last, ...others] = [...values].reverse();
  return others.reduce<Val>(
    (rest, [word, value]) =>
      mergeValues(low, op("==", key.expr, text(word)), value ?? undefinedVal, rest, node, word),
    last?.[1] ?? undefinedVal,
  );
}

function fieldOf(low: Lowering, of: Val, name: string): Val | undefined {
  if (of.kind === "ref" && of.shape.kind === "object") {
    const slot = of.shape.fields.get(name);
    return slot === undefined ? undefinedVal : low.read(slot);
  }
  if (of.kind !== "data" || of.type.kind !== "record" || of.type.tuple) return undefined;
  const type = fieldTy(of.type, name);
  return type === undefined ? undefinedVal : data(typedField(of.expr, name, type), type);
}

/** Sets the field that the key names. False where the object lacks one of them. */
export function setField(low: Lowering, of: Val, key: DataVal, value: Val, node: At): boolean {
  if (of.kind !== "ref" || of.shape.kind !== "object") return false;
  const { fields } = of.shape;
  const words = wordsOf(key);
  if (words === undefined || !words.every((word) => fields.has(word))) return false;
  for (const word of words) {
    const slot = fields.get(word);
    if (slot === undefined) continue;
    const chosen = op("==", key.expr, text(word));
    low.write(slot, mergeValues(low, chosen, value, low.read(slot), node, word), node);
  }
  return true;
}
