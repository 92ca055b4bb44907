/** Destructuring: patterns in declarations, parameters and assignments. */

import type { AssignmentTarget, BindingIdentifier, BindingPattern, Node } from "oxc-parser";
import { append } from "../../ir/index.ts";
import { op } from "../build.ts";
import type { Binding, Scope } from "../scope.ts";
import type { FunctionNode } from "../syntax.ts";
import { isText } from "../ty.ts";
import { data, type Val } from "../value.ts";
import { arrayItems, elementAt, memberOf, newArray, newList, newObject } from "./access.ts";
import { annotatedType } from "./annotation.ts";
import { plainFields } from "./class.ts";
import { withoutAbsent } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { hinted, present, reify, typedField } from "./data.ts";
import { expression } from "./expression.ts";
import { childNodes } from "./iterate.ts";
import { iterated } from "./json.ts";
import { branch } from "./merge.ts";
import { keyOf } from "./object.ts";
import { homeOf, isMutable, letGo } from "./own.ts";

type ObjectPattern = Extract<BindingPattern, { type: "ObjectPattern" }>;
type Bind = (name: string, value: Val, node: Node) => void;

export function bindParameter(
  low: Lowering,
  scope: Scope,
  pattern: BindingPattern,
  value: Val,
  code: FunctionNode,
): void {
  bindPattern(low, scope, pattern, value, (name, val, node) => {
    if (scope.names.has(name))
      low.refuse(node, "FC2404", `\`${name}\` is declared twice`, "choose another name");
    // Most parameters are never assigned to, and a variable costs something at every branch.
    if (assignedNames(code).has(name)) scope.set(name, variableSlot(low, name, val));
    else scope.set(name, constantBinding(low, name, val));
  });
}

const assigned = new WeakMap<FunctionNode, ReadonlySet<string>>();

/** Names that something in the function assigns to. */
function assignedNames(code: FunctionNode): ReadonlySet<string> {
  const known = assigned.get(code);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const pending: Node[] = [code];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const target =
      node.type === "AssignmentExpression" || node.type === "ForOfStatement" || node.type === "ForInStatement"
        ? node.left
        : node.type === "UpdateExpression"
          ? node.argument
          : undefined;
    if (target !== undefined) addTargets(target, names);
    append(pending, childNodes(node));
  }
  assigned.set(code, names);
  return names;
}

/** Every name in the target, also those that are only read there: too many is safe. */
function addTargets(target: Node, names: Set<string>): void {
  if (target.type === "Identifier") names.add(target.name);
  for (const child of childNodes(target)) addTargets(child, names);
}

/** A name for a value; one that can be changed in place has a slot. */
export function constantBinding(low: Lowering, name: string, value: Val): Binding {
  const slot = homeOf(low, value);
  if (slot === undefined) return { kind: "const", value };
  low.slotNames.set(slot, name);
  return { kind: "let", slot, isConstant: true };
}

export function variableSlot(low: Lowering, name: string, val: Val): Binding {
  const slot = homeOf(low, val) ?? low.newSlot(val);
  low.slotNames.set(slot, name);
  return { kind: "let", slot };
}

export function bindPattern(
  low: Lowering,
  scope: Scope,
  pattern: BindingPattern,
  value: Val,
  bind: Bind,
): void {
  switch (pattern.type) {
    case "Identifier":
      bindName(low, pattern, hinted(low, value, annotatedType(low, pattern), pattern), bind);
      return;
    case "AssignmentPattern":
      bindPattern(low, scope, pattern.left, withDefault(low, scope, value, pattern.right), bind);
      return;
    case "ObjectPattern":
      objectPattern(low, scope, pattern, hinted(low, value, annotatedType(low, pattern), pattern), bind);
      return;
    case "ArrayPattern":
      arrayPattern(
        low,
        scope,
        pattern,
        iterated(low, hinted(low, value, annotatedType(low, pattern), pattern), pattern),
        bind,
      );
  }
}

function arrayPattern(
  low: Lowering,
  scope: Scope,
  pattern: Extract<BindingPattern, { type: "ArrayPattern" }>,
  value: Val,
  bind: Bind,
): void {
  notText(low, value, pattern);
  pattern.elements.forEach((element, i) => {
    if (element === null) return;
    if (element.type === "RestElement")
      bindPattern(low, scope, element.argument, restOfArray(low, value, i, pattern), bind);
    else bindPattern(low, scope, element, elementAt(low, value, i, pattern), bind);
  });
}

function bindName(low: Lowering, pattern: BindingIdentifier, value: Val, bind: Bind): void {
  if (value.kind === "ref") low.shared.add(value);
  bind(pattern.name, value, pattern);
}

function objectPattern(low: Lowering, scope: Scope, pattern: ObjectPattern, given: Val, bind: Bind): void {
  const taken: string[] = [];
  const hasRest = pattern.properties.some((one) => one.type === "RestElement");
  const value =
    hasRest && given.kind === "data" ? present(low, given, pattern, "what is taken apart") : given;
  const isOwn = isTakenApart(low, value, pattern);
  for (const property of pattern.properties) {
    if (property.type === "RestElement") {
      bindPattern(low, scope, property.argument, restOfObject(low, value, taken, pattern), bind);
      continue;
    }
    const name = keyOf(low, scope, property);
    taken.push(name);
    const part = memberOf(low, value, name, property.key);
    bindPattern(low, scope, property.value, isOwn ? ownPart(part) : part, bind);
  }
}

/** A part of what nobody has a name for is held by the name that it is given alone. */
function ownPart(part: Val): Val {
  return part.kind === "data" && isMutable(part.type) ? { ...part, hold: "own" } : part;
}

/** Returns whether the value is only here, and each of its parts is taken out once. */
function isTakenApart(low: Lowering, of: Val, { properties }: ObjectPattern): boolean {
  if (of.kind !== "data" || of.hold !== "own" || of.place !== undefined) return false;
  const keys = properties.map((one) =>
    one.type === "RestElement" || one.computed || one.key.type !== "Identifier" ? undefined : one.key.name,
  );
  const isPlain = !keys.includes(undefined) && new Set(keys).size === keys.length;
  return isPlain && low.takeApart(of.expr);
}

/** The default takes the place of `undefined`, and of nothing else. */
export function withDefault(
  low: Lowering,
  scope: Scope,
  value: Val,
  otherwise: Parameters<typeof expression>[2],
): Val {
  if (value.kind !== "data" || value.type.kind !== "option" || value.type.absent !== "undefined")
    return value;
  const held = value.type.value;
  return branch(
    low,
    op("isSome", value.expr),
    otherwise,
    "given",
    () => data(op("value", value.expr), held),
    () => expression(low, scope, otherwise),
  );
}

/** JavaScript takes a string apart by code points, and positions count code units. */
function notText(low: Lowering, value: Val, node: Node): void {
  if (value.kind === "data" && isText(withoutAbsent(value).type))
    low.refuse(node, "FC2323", "a string cannot be taken apart like this", 'use `text.split("")`');
}

function restOfArray(low: Lowering, value: Val, from: number, node: Node): Val {
  const items = arrayItems(low, value);
  if (items !== undefined) return newArray(low, items.slice(from));
  // The rest is a new array of the same elements.
  const list = withoutAbsent(reify(low, letGo(low, value, 1), node));
  if (list.type.kind !== "list" || list.type.as !== undefined)
    return low.refuse(node, "FC2323", "only a list can be taken apart like this");
  const rest = op("slice", list.expr, { kind: "number", value: BigInt(from) }, op("length", list.expr));
  return newList(low, data(rest, list.type));
}

function restOfObject(low: Lowering, value: Val, taken: readonly string[], node: Node): Val {
  if (value.kind === "ref" && value.shape.kind === "object") {
    const left = [...plainFields(low, value.shape, node)].filter(([name]) => !taken.includes(name));
    return newObject(
      low,
      left.map(([name, slot]) => [name, low.read(slot)]),
    );
  }
  const record = reify(low, value, node);
  if (record.type.kind !== "record" || record.type.tuple)
    return low.refuse(node, "FC2323", "only an object can be taken apart like this");
  const left = record.type.fields.filter(({ name }) => !taken.includes(name));
  return newObject(
    low,
    left.map(({ name, type }) => [name, data(typedField(record.expr, name, type), type)]),
  );
}

/** `[a, b] = …` and `({ a } = …)`, as patterns; each target is then assigned on its own. */
export function assignPattern(
  low: Lowering,
  scope: Scope,
  target: AssignmentTarget,
  given: Val,
  assign: (target: AssignmentTarget, value: Val) => void,
): void {
  if (target.type === "ArrayPattern") {
    const value = iterated(low, given, target);
    notText(low, value, target);
    target.elements.forEach((element, i) => {
      if (element === null) return;
      if (element.type === "RestElement") assign(element.argument, restOfArray(low, value, i, target));
      else assignMaybe(low, scope, element, elementAt(low, value, i, target), assign);
    });
  } else if (target.type === "ObjectPattern") {
    const taken: string[] = [];
    for (const property of target.properties) {
      if (property.type === "RestElement") {
        assign(property.argument, restOfObject(low, given, taken, target));
        continue;
      }
      const name = keyOf(low, scope, property);
      taken.push(name);
      // SAFETY: the value of a property of an assignment pattern is a target, with or without a default.
      const inner = property.value as AssignmentTarget;
      assignMaybe(low, scope, inner, memberOf(low, given, name, property.key), assign);
    }
  } else assign(target, given);
}

function assignMaybe(
  low: Lowering,
  scope: Scope,
  target: AssignmentTarget | Extract<BindingPattern, { type: "AssignmentPattern" }> | Node,
  value: Val,
  assign: (target: AssignmentTarget, value: Val) => void,
): void {
  if (target.type === "AssignmentPattern") {
    // SAFETY: the left side of a default inside an assignment is a target.
    assign(target.left as AssignmentTarget, withDefault(low, scope, value, target.right));
    return;
  }
  // SAFETY: without a default it is the target itself.
  assign(target as AssignmentTarget, value);
}
