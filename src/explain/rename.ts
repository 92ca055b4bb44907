/** Names in expressions: which there are, and others in their place. */
import { type Expr, exprsIn, mapNamesRead, mapParts, namesBoundBy, namesReadBy } from "../ir/index.ts";

/** Returns every name that is read or bound. */
export function namesIn(expr: Expr): Set<string> {
  const found = new Set<string>();
  for (const node of exprsIn(expr))
    for (const name of [...namesReadBy(node), ...namesBoundBy(node)]) found.add(name);
  return found;
}

/** Returns whether the expression reads the name, also as that of a call. */
export function mentions(expr: Expr | undefined, name: string): boolean {
  for (const node of exprsIn(expr)) if (namesReadBy(node).includes(name)) return true;
  return false;
}

/** Returns the number of nodes of an expression without constants; counting stops beyond `most`. */
export function sizeOf(expr: Expr, most: number): number {
  let size = 0;
  for (const { kind } of exprsIn(expr)) {
    if (kind === "string" || kind === "number" || kind === "bool") continue;
    if (++size > most) break;
  }
  return size;
}

/** Returns the expression with other names for what is bound outside of it. No name hides another, so none is in the way. */
export function renamed(expr: Expr, names: ReadonlyMap<string, string>): Expr {
  if (names.size === 0) return expr;
  const other = (name: string): string => names.get(name) ?? name;
  const copy = (node: Expr): Expr => mapParts(mapNamesRead(node, other), copy);
  return copy(expr);
}
