/** Object and array literals. */
import type { Argument, ArrayExpression, Expression, ObjectExpression, PropertyKey } from "oxc-parser";
import type { Scope } from "../scope.ts";
import { bare } from "../syntax.ts";
import { isNothing, isText, tyText } from "../ty.ts";
import { type DataVal, data, undefinedVal, type Val } from "../value.ts";
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
import { isPresent } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { present, reify, typedField } from "./data.ts";
import { condition, expression } from "./expression.ts";
import { iterated } from "./json.ts";
import { branch } from "./merge.ts";
import { slug } from "./names.ts";

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
  for (const property of node.properties) {
    if (property.type === "SpreadElement") {
      for (const [name, value] of spreadFields(low, spreadValue(low, scope, property.argument), property)) {
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
    const name = keyOf(low, scope, property);
    if (name === "__proto__") low.refuse(property, "FC2320", "`__proto__` cannot be set");
    const value = expression(low, scope, property.value, name);
    // A field that is given again keeps its place.
    fields.set(name, value);
  }
  return newObject(low, fields);
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

function spreadFields(
  low: Lowering,
  of: Val,
  node: { start: number; end: number },
): Iterable<readonly [string, Val]> {
  if (of.kind === "ref" && of.shape.kind === "object")
    return [...of.shape.fields].map(([name, slot]) => [name, low.read(slot)] as const);
  const record = reify(low, of, node);
  if (isNothing(record.type)) return [];
  if (record.type.kind === "option") return spreadOption(low, record, node);
  const { type } = record;
  if (type.kind !== "record" || type.tuple)
    return low.refuse(node, "FC2315", `a \`${tyText(type)}\` cannot be spread into an object`);
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
    return low.refuse(node, "FC2315", "this cannot be spread into an object");
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
  return collected(low, scope, node.elements, node);
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
    const spread = iterated(low, expression(low, scope, element.argument), element.argument);
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
