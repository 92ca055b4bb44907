/** Names in expressions: which there are, and others in their place. */
import type { Expr } from "../ir/index.ts";

/** Every name that is read or bound. */
export function namesIn(expr: Expr): Set<string> {
  const found = new Set<string>();
  visit(expr, (node) => {
    for (const slot of nameSlots) {
      const name = node[slot];
      if (typeof name === "string") found.add(name);
    }
  });
  return found;
}

/** Whether the expression reads the name, also as that of a call. */
export function mentions(expr: Expr | undefined, name: string): boolean {
  if (expr === undefined) return false;
  let found = false;
  visit(expr, (node) => {
    if (node.kind === "var") found ||= node.name === name;
    else if (node.kind === "precedes") found ||= node.first === name || node.second === name;
    else if (node.kind === "result" || node.kind === "influenced") found ||= node.call === name;
  });
  return found;
}

/** How many parts an expression has; what is beyond `most` is not counted. Elements of lists of constants are free. */
export function sizeOf(expr: Expr, most: number): number {
  let size = 0;
  const waiting: unknown[] = [expr];
  for (let node = waiting.pop(); node !== undefined && size <= most; node = waiting.pop()) {
    if (typeof node !== "object" || node === null) continue;
    const kind = Reflect.get(node, "kind");
    if (kind === "string" || kind === "number" || kind === "bool") continue;
    size++;
    for (const part of Object.values(node)) waiting.push(part);
  }
  return size;
}

/** The expression with other names for what is bound outside of it. No name hides another, so none is in the way. */
export function renamed(expr: Expr, names: ReadonlyMap<string, string>): Expr {
  if (names.size === 0) return expr;
  const other = (name: unknown): unknown => (typeof name === "string" ? (names.get(name) ?? name) : name);
  const copy = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(copy);
    if (!isNode(node)) return node;
    if (node.kind === "var") return { ...node, name: other(node.name) };
    if (node.kind === "precedes") return { ...node, first: other(node.first), second: other(node.second) };
    if (node.kind === "result" || node.kind === "influenced") return { ...node, call: other(node.call) };
    return Object.fromEntries(Object.entries(node).map(([slot, part]) => [slot, copy(part)]));
  };
  // SAFETY: a copy with the same kinds and slots, and strings where there were strings.
  return copy(expr) as Expr;
}

const nameSlots = ["name", "var", "first", "second", "call"];

type Node = Readonly<Record<string, unknown>>;

function isNode(node: unknown): node is Node {
  return typeof node === "object" && node !== null;
}

function visit(node: unknown, look: (node: Node) => void): void {
  if (Array.isArray(node)) for (const part of node) visit(part, look);
  else if (isNode(node)) {
    look(node);
    for (const part of Object.values(node)) if (typeof part === "object") visit(part, look);
  }
}
