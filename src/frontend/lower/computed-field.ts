/** `of[key]` where the key is one of a few known words: the field that it names, whichever that is. */

import type { MemberExpression } from "oxc-parser";
import { type Expr, inheritedNames } from "../../ir/index.ts";
import { anyOf, no, none, op, text, yes } from "../build.ts";
import { bool, fieldTy, isOptional, type Ty } from "../ty.ts";
import { type DataVal, data, undefinedVal, type Val } from "../value.ts";
import { withoutAbsent } from "./coerce.ts";
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

/** Reads a computed field; `undefined` for a word that names none. Undefined if this is not about fields. */
export function readField(low: Lowering, of: Val, key: DataVal, node: At): Val | undefined {
  const words = wordsOf(key);
  const values = words?.map((word) => [word, fieldOf(low, of, word)] as const);
  if (values === undefined || values.some(([word, value]) => value === undefined || inheritedNames.has(word)))
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

/** Lowers the test for an own field of that name. */
export function hasField(low: Lowering, of: Val, key: DataVal, node: At): Val {
  const fields = knownFields(low, of, node);
  if (wordsOf(key) === undefined)
    return low.refuse(
      node,
      "FC2320",
      "the name of a field must be known here",
      "keep the values in a `Record<string, …>` or a `Map`",
    );
  return data(fieldTest(low, fields, key.expr, node), bool);
}

function fieldTest(low: Lowering, fields: Set<string>, key: Expr, node: At): Expr {
  if (key.kind === "string" && inheritedNames.has(key.value) && !fields.has(key.value))
    return low.refuse(node, "FC2320", `every object has \`${key.value}\``, "use another key");
  if (key.kind === "string") return fields.has(key.value) ? yes : no;
  return anyOf([...fields].map((name) => op("==", key, text(name))));
}

/** The fields that are there for certain; one that may be absent is refused, since `undefined` may have been set. */
function knownFields(low: Lowering, of: Val, node: At): Set<string> {
  const record = of.kind === "data" ? withoutAbsent(of) : undefined;
  const fields =
    of.kind === "ref" && of.shape.kind === "object"
      ? [...of.shape.fields].map(([name, slot]) => ({ name, value: low.read(slot) }))
      : record?.type.kind === "record" && !record.type.tuple
        ? record.type.fields.map(({ name, type }) => ({ name, value: data(none, type) }))
        : low.refuse(node, "FC2315", "only an object has keys to look for");
  const unsure = fields.find(({ value }) => value.kind === "data" && isOptional(value.type));
  if (unsure !== undefined)
    return low.refuse(
      node,
      "FC2309",
      `whether the object has the field \`${unsure.name}\` is not known here`,
      "compare the field with `undefined`",
    );
  return new Set(fields.map(({ name }) => name));
}

/** `delete object.field`, where the field may be absent. */
export function deletedField(low: Lowering, of: Val, node: MemberExpression, at: At): Val {
  const name = node.computed ? undefined : node.property.name;
  if (name === undefined || of.kind !== "ref" || of.shape.kind !== "object")
    return low.refuse(
      at,
      "FC2317",
      "`delete` takes a key of an object with computed keys here",
      "build a new object without the field: `const { field, ...rest } = object`",
    );
  const slot = of.shape.fields.get(name);
  const held = slot === undefined ? undefined : low.read(slot);
  if (slot !== undefined) {
    if (held?.kind !== "data" || !isOptional(held.type))
      return low.refuse(
        at,
        "FC2317",
        `\`${name}\` is not an optional field`,
        "build a new object without the field: `const { field, ...rest } = object`",
      );
    low.write(slot, data(none, held.type), at);
  }
  return data(yes, bool);
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
