/**
 * Elements that a program takes out of a list to change them there: `const last = list.at(-1); last.end = …`. They keep their
 * place in the list. Only where the program changes what it takes out, since a place costs a name in the document.
 */
import type { Node } from "oxc-parser";
import { op } from "../build.ts";
import type { Module } from "../syntax.ts";
import { data, type Val } from "../value.ts";
import { arrayItems, asElement, listAt } from "./access.ts";
import { arrayMethod } from "./array.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { childNodes } from "./iterate.ts";
import { isChanging } from "./mutation.ts";
import { inside, isMutable } from "./own.ts";
import { fromEnd, integer } from "./text-method.ts";

const known = new WeakMap<Module, ReadonlySet<string>>();

/** Names of which something in the module changes a part. */
export function changedRoots(module: Module): ReadonlySet<string> {
  const before = known.get(module);
  if (before !== undefined) return before;
  const names = new Set<string>();
  const pending: Node[] = [module.source.program];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const name = changedRoot(node);
    if (name !== undefined) names.add(name);
    for (const child of childNodes(node)) pending.push(child);
  }
  known.set(module, names);
  return names;
}

const collectionChanges = new Set(["add", "set", "delete", "clear"]);

function changedRoot(node: Node): string | undefined {
  const target =
    node.type === "AssignmentExpression"
      ? node.left
      : node.type === "UpdateExpression" || (node.type === "UnaryExpression" && node.operator === "delete")
        ? node.argument
        : node.type === "CallExpression" && isChange(node.callee)
          ? node.callee
          : undefined;
  return target === undefined ? undefined : rootOf(target);
}

/** Returns true if it is a method that changes what it is called on. */
export function isChange(callee: Node): boolean {
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return false;
  return isChanging(callee.property.name) || collectionChanges.has(callee.property.name);
}

/** The variable that a chain of fields begins with. */
export function rootOf(node: Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type === "MemberExpression") return rootOf(node.object);
  if (
    node.type === "TSNonNullExpression" ||
    node.type === "ParenthesizedExpression" ||
    node.type === "TSAsExpression" ||
    node.type === "ChainExpression"
  )
    return rootOf(node.expression);
  return undefined;
}

/** Returns true if the program changes a part of what the expression gives. */
export function isPlacing(low: Lowering, node: { readonly start: number; readonly end: number }): boolean {
  const { placing } = low;
  return placing !== undefined && placing.start <= node.start && node.end <= placing.end;
}

/** `at` and `find` of a list whose elements can be changed there; undefined for all others. */
export function placedElement(
  low: Lowering,
  of: Val,
  name: string,
  args: readonly Val[],
  node: Node,
): Val | undefined {
  const [first] = args;
  if (!isPlacing(low, node) || low.mode.kind !== "program" || first === undefined || args.length !== 1)
    return undefined;
  const before = arrayItems(low, of) === undefined ? listAt(low, of) : undefined;
  if (before?.place === undefined || !isMutable(before.type.element) || before.type.element.kind === "option")
    return undefined;
  if (name === "at") {
    const at = low.named(fromEnd(before.expr, integer(low, first, node)), "position", node);
    return inside(
      before,
      { kind: "index", at },
      data(op("at", before.expr, at), asElement(before.type.element)),
    );
  }
  if (name !== "find") return undefined;
  const index = arrayMethod(low, of, "findIndex", args, node);
  const at = low.named(reify(low, index, node).expr, "position", node);
  // The function may have changed the list.
  const list = listAt(low, of);
  if (list?.place === undefined || list.expr !== before.expr) return undefined;
  return inside(list, { kind: "index", at }, data(op("at", list.expr, at), asElement(list.type.element)));
}

/** Compiles what a program changes a part of, so that elements which it takes out of lists keep their places. */
export function placing<T>(low: Lowering, node: Node, isChanged: boolean, body: () => T): T {
  const before = low.placing;
  if (isChanged) low.placing = node;
  try {
    return body();
  } finally {
    low.placing = before;
  }
}
