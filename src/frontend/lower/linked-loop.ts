/**
 * `for (const group of groups.values())` where the body changes `group`: the same object is in the `Map`. So the loop goes over the
 * keys, and each turn takes the value of its key out of the `Map` as it is then; a change of it is written there too.
 */
import type { BindingPattern, Expression, ForOfStatement, Node } from "oxc-parser";
import { op } from "../build.ts";
import { Scope } from "../scope.ts";
import { bare } from "../syntax.ts";
import { int } from "../ty.ts";
import { type DataVal, data, type RefVal, type Val } from "../value.ts";
import { arrayItems, listAt, listOf } from "./access.ts";
import { invoke } from "./callback.ts";
import { withoutAbsent } from "./coerce.ts";
import { mapMethod } from "./collection.ts";
import type { Lowering } from "./core.ts";
import { dictGet, dictParts, mapOfVal } from "./dict.ts";
import { expression } from "./expression.ts";
import { childNodes } from "./iterate.ts";
import { dynamicLoop } from "./loop.ts";
import { inside, isMutable } from "./own.ts";
import { boundNames, declare, statement } from "./statement.ts";

interface Parts {
  /** The `Map` or the object. */
  readonly of: Expression;
  readonly isObject: boolean;
  readonly key?: BindingPattern;
  readonly value: BindingPattern;
  /** The pattern is that of what a list holds, and not of an entry. */
  readonly isWhole?: boolean;
}

/** Compiles the loop if it is one over values that its body changes; returns whether it is. */
export function linkedLoop(low: Lowering, scope: Scope, node: ForOfStatement): boolean {
  const parts = low.mode.kind === "program" && !node.await ? partsOf(node) : undefined;
  // It is looked at before it is known whether this is such a loop, so looking at it must do nothing.
  if (parts === undefined || rootOf(parts.of) === undefined) return false;
  if (!changes(node.body, new Set(boundNames(parts.value)))) return false;
  const of = expression(low, scope, parts.of);
  if (parts.of.type === "Identifier" && overOwnList(low, scope, of, node, parts)) return true;
  if (parts.isWhole) return false;
  if (of.kind !== "ref" || of.shape.kind !== (parts.isObject ? "dict" : "map")) return false;
  const { slot } = of.shape;
  const held = low.state.get(slot);
  if (held?.kind !== "data" || low.goneOver.has(slot)) return false;
  const keys = keysOf(low, of, slot, node);
  if (keys === undefined) return false;
  dynamicLoop(low, keys, { item: "key" }, node, (key) => {
    const value = valueAt(low, of, slot, key, node);
    low.goneOver.add(slot);
    try {
      const inner = new Scope(scope);
      const { left } = node;
      const declaration = left.type === "VariableDeclaration" ? left : undefined;
      if (parts.key !== undefined) declare(low, inner, declaration, parts.key, key);
      declare(low, inner, declaration, parts.value, value);
      statement(low, inner, node.body);
    } finally {
      low.goneOver.delete(slot);
    }
  });
  return true;
}

/**
 * `for (const one of list)` where the body changes `one`, which nobody else holds: it is the element in the list. The loop goes
 * over the positions, and the list may not be looked at in the body.
 */
function overOwnList(low: Lowering, scope: Scope, of: Val, node: ForOfStatement, parts: Parts): boolean {
  const isEntries = parts.key !== undefined && parts.isWhole === undefined && !parts.isObject;
  if (!parts.isWhole && !isEntries) return false;
  const { left } = node;
  return eachElement(low, of, node, (value, index) => {
    const inner = new Scope(scope);
    const declaration = left.type === "VariableDeclaration" ? left : undefined;
    if (parts.key !== undefined) declare(low, inner, declaration, parts.key, index);
    declare(low, inner, declaration, parts.value, value);
    statement(low, inner, node.body);
  });
}

/** Goes over a list whose elements can be changed where they are; returns whether it is one. */
export function eachElement(
  low: Lowering,
  of: Val,
  node: Node,
  body: (value: Val, index: Val) => void,
): boolean {
  const isList =
    of.kind === "ref" ? of.shape.kind === "array" : of.kind === "data" && of.type.kind === "list";
  const before = isList && arrayItems(low, of) === undefined ? listAt(low, of) : undefined;
  const slot = before?.place?.slot;
  if (before?.place === undefined || slot === undefined || low.goneOver.has(slot)) return false;
  const { element } = before.type;
  if (!isMutable(element) || element.kind === "option" || low.mode.kind !== "program") return false;
  const length = low.named(op("length", before.expr), "length", node);
  const positions = data(op("range", length), { kind: "list", element: int });
  dynamicLoop(
    low,
    { ...positions, type: { kind: "list", element: int } },
    { item: "position" },
    node,
    (at) => {
      const list = listAt(low, again(low, of));
      if (list?.place === undefined || at.kind !== "data")
        return low.refuse(
          node,
          "FC2312",
          "this changes elements of a list that may be held elsewhere too, which would not see the change",
          "build a new list: `list.map((item) => ({ ...item, field: value }))`",
        );
      const found = data(op("value", op("at", list.expr, at.expr)), list.type.element);
      const value = inside(list, { kind: "index", at: at.expr }, found);
      low.goneOver.add(slot);
      try {
        body(value, at);
      } finally {
        low.goneOver.delete(slot);
      }
    },
  );
  return true;
}

/** `list.forEach((one) => { one.n++; })`. */
export function forEachOwn(low: Lowering, of: Val, callback: Val, node: Node): boolean {
  if (callback.kind !== "function" || callback.node.body === null) return false;
  const [first] = callback.node.params;
  if (first?.type !== "Identifier" || !changes(callback.node.body, new Set([first.name]))) return false;
  return eachElement(low, of, node, (value, index) => {
    if (invoke(low, callback, [value, index], node).kind === "promise")
      low.refuse(node, "FC2311", "`.forEach` does not wait for its calls", "use `for … of` with `await`");
  });
}

/** The present value of a variable. */
function again(low: Lowering, of: Val): Val {
  return of.kind === "data" && of.place !== undefined && of.place.path.length === 0
    ? low.read(of.place.slot)
    : of;
}

function partsOf(node: ForOfStatement): Parts | undefined {
  const { left } = node;
  const [one] = left.type === "VariableDeclaration" ? left.declarations : [];
  if (one === undefined) return undefined;
  const right = bare(node.right);
  const call = right.type === "CallExpression" ? bare(right.callee) : undefined;
  const member = call?.type === "MemberExpression" && !call.computed ? call : undefined;
  if (right.type !== "CallExpression" || member === undefined || member.object.type === "Super") {
    const [key, value] = pairOf(one.id);
    if (right.type !== "Identifier") return undefined;
    return { of: right, isObject: false, ...key, value: value ?? one.id, isWhole: value === undefined };
  }
  const { name } = member.property;
  const isObject = member.object.type === "Identifier" && member.object.name === "Object";
  const [given] = right.arguments;
  const of = isObject ? given : member.object;
  if (!of || of.type === "SpreadElement" || right.arguments.length !== (isObject ? 1 : 0)) return undefined;
  if (name === "values") return { of, isObject, value: one.id };
  const [key, value] = pairOf(one.id);
  return name === "entries" && value ? { of, isObject, ...key, value } : undefined;
}

/** `[key, value]`. */
function pairOf(
  pattern: BindingPattern,
): readonly [{ readonly key?: BindingPattern }, BindingPattern | undefined] {
  if (pattern.type !== "ArrayPattern" || pattern.elements.length !== 2) return [{}, undefined];
  const [key, value] = pattern.elements;
  if (!value || value.type === "RestElement" || key?.type === "RestElement") return [{}, undefined];
  return [key ? { key } : {}, value];
}

const changing = new Set(["push", "pop", "shift", "unshift", "reverse", "sort", "splice", "fill"]);

/** Returns whether something in there changes what one of the names holds. */
function changes(node: Node, names: ReadonlySet<string>): boolean {
  const target =
    node.type === "AssignmentExpression"
      ? node.left
      : node.type === "UpdateExpression"
        ? node.argument
        : node.type === "CallExpression" && isChange(node.callee)
          ? node.callee
          : undefined;
  if (target?.type === "MemberExpression" && names.has(rootOf(target) ?? "")) return true;
  return childNodes(node).some((child) => changes(child, names));
}

function isChange(node: Node): boolean {
  return (
    node.type === "MemberExpression" &&
    node.property.type === "Identifier" &&
    changing.has(node.property.name)
  );
}

function rootOf(node: Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type === "MemberExpression") return rootOf(node.object);
  if (node.type === "TSNonNullExpression" || node.type === "ParenthesizedExpression")
    return rootOf(node.expression);
  return undefined;
}

function keysOf(low: Lowering, of: RefVal, slot: number, node: Node): ReturnType<typeof listOf> {
  const map = of.shape.kind === "dict" ? mapOfVal(low, of) : undefined;
  const keys =
    map === undefined ? mapMethod(low, of, slot, "keys", [], node) : dictParts(low, map, "keys", node);
  const list = listOf(low, keys, node);
  return list?.type.element.kind === "never" ? undefined : list;
}

function valueAt(low: Lowering, of: RefVal, slot: number, key: Val, node: Node): DataVal {
  const map = of.shape.kind === "dict" ? mapOfVal(low, of) : undefined;
  const found =
    map === undefined || key.kind !== "data"
      ? mapMethod(low, of, slot, "get", [key], node)
      : dictGet(low, map, key.expr, node);
  if (found.kind !== "data") throw new TypeError("a key that is there has a value");
  // The key is there: nothing but changes of values happens to it while it is gone over.
  const value = withoutAbsent(found);
  return isMutable(value.type) ? value : data(value.expr, value.type);
}
