/** Object and array literals. */
import type { Argument, ArrayExpression, Expression, ObjectExpression, PropertyKey } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { op, text } from "../build.ts";
import type { Scope } from "../scope.ts";
import { bare } from "../syntax.ts";
import { isNothing, isText, mapTy, never, tyText } from "../ty.ts";
import { type DataVal, data, type RefVal, undefinedVal, type Val } from "../value.ts";
import {
  appended,
  arrayItems,
  charactersOf,
  concatenated,
  listOf,
  newArray,
  newList,
  newObject,
} from "./access.ts";
import { plainFields } from "./class.ts";
import { isPresent } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { present, reify, typedField } from "./data.ts";
import { asDict, dictSet, emptyMap, joinedMaps, keyText, mapOfVal, newDict } from "./dict.ts";
import { condition, expression } from "./expression.ts";
import { spreadable } from "./generator.ts";
import { branch, mergeValues } from "./merge.ts";
import { slug } from "./names.ts";
import { letGo, ownSlot, share, storeAt } from "./own.ts";

type At = { readonly start: number; readonly end: number };

/** The name of a property; computed ones only if they are constant. */
export function keyOf(
  low: Lowering,
  scope: Scope,
  property: { readonly key: PropertyKey; readonly computed: boolean },
): string {
  const { key, computed } = property;
  if (!computed && key.type === "Identifier") return key.name;
  if (key.type === "Literal" && (typeof key.value === "string" || typeof key.value === "number"))
    return String(key.value);
  if (computed && key.type !== "PrivateIdentifier") {
    // SAFETY: a computed key is an expression.
    const value = expression(low, scope, key as Expression);
    if (value.kind === "data" && value.expr.kind === "string") return value.expr.value;
  }
  return low.refuse(
    key,
    "FC2320",
    "the name of a field must be known here",
    "write the name out, or use a `Map`",
  );
}

export function objectLiteral(low: Lowering, scope: Scope, node: ObjectExpression): Val {
  const fields = new Map<string, Val>();
  const literal = new DictLiteral(low);
  for (const property of node.properties) {
    if (property.type === "SpreadElement") {
      const spread = spreadValue(low, scope, property.argument);
      const map = mapOfVal(low, spread);
      if (map !== undefined || literal.isDict) {
        literal.spread(fields, map ?? spread, property);
        continue;
      }
      for (const [name, value] of spreadFields(low, spread, property)) {
        fields.set(name, overlay(low, fields.get(name), value, property));
      }
      continue;
    }
    if (property.kind !== "init")
      low.refuse(
        property,
        "FC2320",
        "getters and setters are not part of the language",
        "use a plain field or a function",
      );
    const key = keyIn(low, scope, property);
    const words = typeof key === "string" || literal.isDict ? undefined : wordsOf(key);
    if (typeof key !== "string" && words?.every((word) => fields.has(word))) {
      // One of a few fields that are there is set.
      const value = expression(low, scope, property.value);
      for (const word of words) {
        const before = fields.get(word) ?? undefinedVal;
        fields.set(word, mergeValues(low, op("==", key, text(word)), value, before, property, word));
      }
      continue;
    }
    if (typeof key !== "string" || literal.isDict) {
      const word = typeof key === "string" ? text(key) : key;
      literal.set(fields, word, expression(low, scope, property.value), property);
      continue;
    }
    if (key === "__proto__") low.refuse(property, "FC2320", "`__proto__` cannot be set");
    const value = expression(low, scope, property.value, key);
    // A field that is given again keeps its place.
    fields.set(key, value);
  }
  return literal.isDict ? literal.value : newObject(low, fields);
}

/** LIMIT: fields that a computed key may name. */
const mostWords = 8;

/** The words that a choice between words can be. */
function wordsOf(expr: Expr): readonly string[] | undefined {
  if (expr.kind === "string") return [expr.value];
  const [, a, b] = expr.kind === "op" && expr.op === "if" ? expr.args : [];
  const [yes, no] = [a && wordsOf(a), b && wordsOf(b)];
  const all = yes && no ? [...new Set([...yes, ...no])] : undefined;
  return all !== undefined && all.length <= mostWords ? all : undefined;
}

/** The name of a property, or the expression of one that is only known in the run: looked at once, since it may have effects. */
function keyIn(
  low: Lowering,
  scope: Scope,
  property: { readonly key: PropertyKey; readonly computed: boolean },
): string | Expr {
  const { key, computed } = property;
  if (!computed || key.type === "Literal" || key.type === "PrivateIdentifier")
    return keyOf(low, scope, property);
  // SAFETY: a computed key is an expression.
  const value = expression(low, scope, key as Expression);
  return value.kind === "data" && value.expr.kind === "string" ? value.expr.value : keyText(low, value, key);
}

/** An object literal that turns out to be a map: its keys are set one after the other. */
class DictLiteral {
  readonly #low: Lowering;
  #dict: RefVal | undefined;

  constructor(low: Lowering) {
    this.#low = low;
  }

  get isDict(): boolean {
    return this.#dict !== undefined;
  }

  get value(): Val {
    return this.#dict ?? undefinedVal;
  }

  set(before: Map<string, Val>, key: Expr, value: Val, node: At): void {
    const dict = this.#start(before);
    const map = mapOfVal(this.#low, dict);
    if (map !== undefined) dictSet(this.#low, map, key, value, node, true);
  }

  spread(before: Map<string, Val>, given: Val, node: At): void {
    const low = this.#low;
    const dict = this.#start(before);
    const held = mapOfVal(low, dict);
    const more = given.kind === "data" && given.type.kind === "map" ? given : this.#record(given, node);
    if (held?.place === undefined || more === undefined) return;
    const plain = letGo(low, more, 1);
    const joined = joinedMaps(low, held, reify(low, plain, node), node);
    storeAt(low, held.place, joined, node);
    share(low, held.place.slot, 1);
  }

  #record(given: Val, node: At): DataVal | undefined {
    const low = this.#low;
    const object = newObject(low, spreadFields(low, given, node));
    const dict = asDict(low, object, mapTy(never));
    const map = mapOfVal(low, dict);
    if (map === undefined)
      return low.refuse(
        node,
        "FC2107",
        "an object with computed keys holds values of one type",
        "keep the fields in an object of their own",
      );
    return map;
  }

  #start(before: Map<string, Val>): RefVal {
    if (this.#dict !== undefined) return this.#dict;
    const low = this.#low;
    const made = asDict(low, newObject(low, before), mapTy(never));
    this.#dict =
      made.kind === "ref" && made.shape.kind === "dict" ? made : newDict(low, data(emptyMap, mapTy(never)));
    if (this.#dict !== made)
      for (const [name, value] of before) {
        const map = mapOfVal(low, this.#dict);
        if (map !== undefined) dictSet(low, map, text(name), value, { start: 0, end: 0 }, true);
      }
    return this.#dict;
  }
}

/** `...(go && { … })`: whatever is not true has no fields. */
function spreadValue(low: Lowering, scope: Scope, node: Expression): Val {
  const inner = bare(node);
  if (inner.type !== "LogicalExpression" || inner.operator !== "&&") return expression(low, scope, node);
  return branch(
    low,
    condition(low, scope, inner.left),
    inner,
    slug(low.sourceOf(inner.left), "given"),
    () => spreadValue(low, scope, inner.right),
    () => undefinedVal,
  );
}

/** A field that may be absent in what is spread keeps the value from before where it is. */
function overlay(
  low: Lowering,
  before: Val | undefined,
  value: Val,
  node: { start: number; end: number },
): Val {
  if (
    before === undefined ||
    value.kind !== "data" ||
    value.type.kind !== "option" ||
    value.type.absent !== "undefined"
  )
    return value;
  if (isNothing(value.type)) return value;
  return low.refuse(
    node,
    "FC2301",
    "a field that may be absent is spread over another one",
    "write the field out with `??`",
  );
}

export function spreadFields(
  low: Lowering,
  of: Val,
  node: { start: number; end: number },
): Iterable<readonly [string, Val]> {
  if (of.kind === "ref" && of.shape.kind === "object")
    return [...plainFields(low, of.shape, node)].map(([name, slot]) => [name, low.read(slot)] as const);
  const record = reify(low, of, node);
  if (isNothing(record.type)) return [];
  if (record.type.kind === "option") return spreadOption(low, record, node);
  const { type } = record;
  if (type.kind !== "record" || type.tuple)
    return low.refuse(
      node,
      "FC2315",
      `a \`${tyText(type)}\` cannot be spread into an object`,
      "write out the fields that are meant",
    );
  return type.fields.map(
    ({ name, type: part }) => [name, data(typedField(record.expr, name, part), part)] as const,
  );
}

function spreadOption(
  low: Lowering,
  record: DataVal,
  node: { start: number; end: number },
): Iterable<readonly [string, Val]> {
  const held = record.type.kind === "option" ? record.type.value : record.type;
  if (held.kind !== "record" || held.tuple)
    return low.refuse(
      node,
      "FC2315",
      "this cannot be spread into an object",
      "write out the fields that are meant",
    );
  return held.fields.map(({ name }) => [
    name,
    branch(
      low,
      isPresent(record),
      node,
      "given",
      () => {
        const whole = present(low, record, node, "what is spread");
        const part = held.fields.find((one) => one.name === name);
        return part === undefined ? undefinedVal : data(typedField(whole.expr, name, part.type), part.type);
      },
      () => undefinedVal,
    ),
  ]);
}

export function arrayLiteral(low: Lowering, scope: Scope, node: ArrayExpression): Val {
  const made = collected(low, scope, node.elements, node);
  if (node.elements.length === 0 && made.kind === "ref" && made.shape.kind === "array") {
    low.ownArrays.add(made.shape.slot);
    ownSlot(low, made.shape.slot);
  }
  return made;
}

/** The values of an array literal or of an argument list, in an array. */
export function collected(
  low: Lowering,
  scope: Scope,
  elements: readonly (Argument | null)[],
  node: { readonly start: number; readonly end: number },
): Val {
  let held: Val = { kind: "items", items: [] };
  for (const element of elements) {
    if (element === null)
      return low.refuse(node, "FC2323", "an array literal has a gap", "write `undefined`");
    if (element.type !== "SpreadElement") {
      held = appended(low, held, [expression(low, scope, element)], element);
      continue;
    }
    const spread = spreadable(low, expression(low, scope, element.argument), element.argument);
    const items = arrayItems(low, spread);
    if (items !== undefined) {
      held = appended(low, held, items, element);
      continue;
    }
    const whole = spread.kind === "data" ? present(low, spread, element, "what is spread") : spread;
    const isString = whole.kind === "data" && isText(whole.type);
    const list = listOf(low, isString ? charactersOf(whole.expr) : whole, element);
    if (list === undefined) return low.refuse(element, "FC2315", "only a list can be spread here");
    held = concatenated(low, reify(low, held, element, true), list, element);
  }
  return held.kind === "items" ? newArray(low, held.items) : newList(low, reify(low, held, node));
}
