/** `of[key]` where the key is one of a few known words: the field that it names, whichever that is. */

import type { MemberExpression } from "oxc-parser";
import { type Expr, inheritedNames } from "../../ir/index.ts";
import { anyOf, listExpr, no, none, op, text, yes } from "../build.ts";
import { bool, fieldTy, isOptional, isText, joinTy, never, optionTy, type Ty } from "../ty.ts";
import { type DataVal, data, undefinedVal, type Val } from "../value.ts";
import { withoutAbsent } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { asType, present, reify, typedField, withPlainWords } from "./data.ts";
import { entryExpr, noteStored } from "./dict.ts";
import { mergeValues } from "./merge.ts";
import { depthOf, isMutable, rebuilt, sharedDepth, storeAt } from "./own.ts";

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

/** LIMIT: the fields that a text is compared with one by one. */
const mostFields = 32;

/** `of[key]` of an object that was written out, where the key is a text that is only known in the run. */
export function lookedUp(low: Lowering, of: Val, key: DataVal, node: At): Val | undefined {
  if (of.kind !== "ref" || of.shape.kind !== "object" || of.shape.of || !isText(key.type)) return undefined;
  const fields = [...of.shape.fields].map(([name, slot]) => [name, low.read(slot)] as const);
  const scalars = fields.map(([name, value]) => (isScalar(value) ? { name, value } : undefined));
  if (fields.length === 0 || fields.length > mostFields || wordsOf(key) !== undefined) return undefined;
  if (!scalars.every((one) => one !== undefined)) {
    const word = amongFields(low, of, key, node);
    return word && readField(low, of, word, node);
  }
  let type: Ty | undefined = never;
  for (const { value } of scalars) type = type && joinTy(type, withPlainWords(value).type);
  if (type === undefined) return undefined;
  const whole = type;
  const entries = scalars.map(({ name, value }) => {
    const expr = asType(low, value, whole);
    return expr && entryExpr(text(name), expr);
  });
  if (!entries.every((one) => one !== undefined)) return undefined;
  // SOUNDNESS: as of every object, a key that all objects inherit stops the run there.
  const map = low.named(op("mapOf", listExpr(entries)), "fields", node);
  return data(op("mapGet", map, key.expr), optionTy(whole, "undefined"));
}

function isScalar(value: Val): value is DataVal {
  return value.kind === "data" && !isMutable(value.type) && value.type.kind !== "option";
}

/** The key, which must be the name of one of the fields. */
export function amongFields(low: Lowering, of: Val, key: DataVal, node: At): DataVal | undefined {
  if (of.kind !== "ref" || of.shape.kind !== "object" || low.mode.kind !== "program") return undefined;
  const names = [...of.shape.fields.keys()];
  if (!isText(key.type) || names.length === 0 || names.length > mostFields || wordsOf(key) !== undefined)
    return undefined;
  const word = low.named(key.expr, "key", node);
  const isOne = anyOf(names.map((name) => op("==", word, text(name))));
  low.require(isOne, `\`${low.sourceOf(node)}\` may be \`undefined\``, node);
  return data(word, { kind: "enum", values: names });
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

/** Lowers the test for a field of that name; `isOwn`: not one that every object inherits. */
export function hasField(low: Lowering, of: Val, key: DataVal, node: At, isOwn: boolean): Val {
  const fields = knownFields(low, of, node);
  const isPlain = of.kind !== "ref" || of.shape.kind !== "object" || of.shape.of === undefined;
  if (wordsOf(key) === undefined && isText(key.type) && isPlain && fields.size <= mostFields) {
    const word = low.named(key.expr, "key", node);
    const names = isOwn ? [...fields] : [...new Set([...fields, ...inheritedNames])];
    return data(anyOf(names.map((name) => op("==", word, text(name)))), bool);
  }
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

/** The same of a value of the run that can be changed where it is. */
function setPlaced(low: Lowering, of: DataVal, key: DataVal, value: Val, node: At): boolean {
  const { place, type } = of;
  const words = wordsOf(key);
  if (place === undefined || type.kind !== "record" || type.tuple || words === undefined) return false;
  const depth = sharedDepth(low, value);
  let whole = of;
  for (const word of words) {
    const mine = fieldTy(type, word);
    if (mine === undefined) return false;
    const before = data(typedField(of.expr, word, mine), mine);
    const part = mergeValues(low, op("==", key.expr, text(word)), value, before, node, word);
    whole = rebuilt(low, whole, [{ kind: "field", name: word }], reify(low, part, node, true), node);
  }
  storeAt(low, place, whole, node);
  noteStored(low, place.slot, value, depthOf(place.path) + 1 + depth);
  return true;
}

/** Sets the field that the key names. False where the object lacks one of them. */
export function setField(low: Lowering, of: Val, key: DataVal, value: Val, node: At): boolean {
  if (of.kind === "data") return setPlaced(low, present(low, of, node, "what is changed"), key, value, node);
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
