/**
 * Paths and addresses that are compared by how they begin: `/srv/x` is the beginning of `/srv/x/../y` and of `/srv/xy`.
 * Seen from the form alone, so it is found only where it is plain: the beginning is written as one of a path, or the field
 * is called one.
 */
import type { Expr } from "../../ir/document.ts";
import { visit } from "../spoken.ts";

export interface Beginning {
  /** The field of the call. */
  readonly field: string;
  readonly kind: "path" | "url";
}

// More than what says that it is a path from the root, or an address of some kind: that is all that such a text asks.
const pathLike = /^(?:\/|\.{1,2}\/|~\/|[A-Za-z]:\\)./s;
const urlLike = /^https?:\/\/./is;
const pathName = /(?:^|[a-z_])(?:path|file|filename|folder|directory|dir)$/i;
const urlName = /(?:^|[a-z_])(?:url|uri|href|endpoint)$/i;

export function beginningsIn(exprs: readonly Expr[]): Beginning[] {
  const found = new Map<string, Beginning>();
  const normalised = new Set<string>();
  for (const expr of exprs)
    visit(expr, (node) => {
      // SAFETY: nodes of an expression with these kinds are what they say.
      const part = node as Expr;
      if (part.kind !== "op") return;
      const [text, other] = part.args;
      const field = text && fieldIn(text);
      if (field === undefined || other === undefined) return;
      // What is normalised as well, or must not have `..` in it, was thought of.
      if (part.op === "pathInside" || part.op === "urlInside") normalised.add(field);
      if (part.op === "contains" && other.kind === "string" && other.value.includes(".."))
        normalised.add(field);
      const kind = part.op === "startsWith" ? kindOf(field, other) : undefined;
      if (kind !== undefined) found.set(field, { field, kind });
    });
  return [...found.values()].filter(({ field }) => !normalised.has(field));
}

/** The field of a call that it is, or the parameter of a tool. */
function fieldIn(expr: Expr): string | undefined {
  if (expr.kind === "field" && expr.of.kind === "var") return expr.name;
  if (expr.kind === "var") return expr.name;
  if (expr.kind !== "op" || (expr.op !== "value" && expr.op !== "orElse")) return undefined;
  const [inner] = expr.args;
  return inner && fieldIn(inner);
}

function kindOf(field: string, beginning: Expr): Beginning["kind"] | undefined {
  if (beginning.kind === "string") {
    if (urlLike.test(beginning.value)) return "url";
    if (pathLike.test(beginning.value)) return "path";
    return undefined;
  }
  if (beginning.kind !== "var") return undefined;
  return pathName.test(field) ? "path" : urlName.test(field) ? "url" : undefined;
}
