/**
 * Paths and addresses that are compared by how they begin: `/srv/x` is the beginning of `/srv/x/../y` and of `/srv/xy`.
 * Seen from the form alone, so it is found only where it is plain: the beginning is written as one of a path, or the field
 * is called one.
 */

import { type Expr, exprsIn, type OpExpr } from "../ir/index.ts";

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
  const normalized = new Set<string>();
  for (const part of exprsIn(...exprs)) {
    if (part.kind !== "op") continue;
    const [text, other] = part.args;
    const whole = text && fieldIn(text);
    // A field that is normalized as well, or must not have `..` in it, was thought of.
    const isThought =
      part.op === "pathInside" ||
      part.op === "urlInside" ||
      (part.op === "contains" && other?.kind === "string" && other.value.includes(".."));
    if (isThought && whole !== undefined) normalized.add(whole);
    const asked = beginningIn(part);
    const field = asked && fieldIn(asked.of);
    const kind = field === undefined ? undefined : kindOf(field, asked?.beginning);
    if (field !== undefined && kind !== undefined) found.set(field, { field, kind });
  }
  return [...found.values()].filter(({ field }) => !normalized.has(field));
}

interface Asked {
  readonly of: Expr;
  readonly beginning: Expr;
}

/** The ways to ask how a text begins. */
function beginningIn({ op, args: [a, b] }: OpExpr): Asked | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (op === "startsWith") return { of: a, beginning: b };
  if (op === "matches") return byPattern(a, b);
  if (op !== "==") return undefined;
  return byComparison(a, b) ?? byComparison(b, a);
}

/** `text.indexOf(start) === 0`, and `text.slice(0, n) === start`. */
function byComparison(made: Expr, other: Expr): Asked | undefined {
  if (made.kind !== "op") return undefined;
  const [of, second] = made.args;
  if (of === undefined || second === undefined) return undefined;
  if (made.op === "indexOf" && isZero(other)) return { of, beginning: second };
  return made.op === "slice" && isZero(second) ? { of, beginning: other } : undefined;
}

function isZero(expr: Expr): boolean {
  return expr.kind === "number" && expr.value === 0n;
}

/** A pattern that says how the text begins, and leaves open how it goes on. */
function byPattern(of: Expr, pattern: Expr): Asked | undefined {
  if (pattern.kind !== "string" || !pattern.value.startsWith("^")) return undefined;
  const rest = pattern.value.slice(1);
  const isOpen = !/(?<!\\)\$$/.test(rest) || /(?<!\\)\.[*+{]/.test(rest);
  if (!isOpen) return undefined;
  const plain = /^(?:\\[^A-Za-z0-9]|[^\\^$.*+?()[\]{}|])*/.exec(rest)?.[0] ?? "";
  return { of, beginning: { kind: "string", value: plain.replace(/\\(.)/g, "$1") } };
}

/** The field of a call that it is, or the parameter of a tool. */
function fieldIn(expr: Expr): string | undefined {
  if (expr.kind === "field" && (expr.of.kind === "var" || expr.of.kind === "field")) return expr.name;
  if (expr.kind === "var") return expr.name;
  if (expr.kind !== "op" || !sameText.has(expr.op)) return undefined;
  const [inner] = expr.args;
  return inner && fieldIn(inner);
}

/** Operators that keep a text unnormalized. */
const sameText: ReadonlySet<string> = new Set(["value", "orElse", "toLowerCase", "toUpperCase", "trim"]);

function kindOf(field: string, beginning: Expr | undefined): Beginning["kind"] | undefined {
  if (beginning === undefined) return undefined;
  const first = firstPart(beginning);
  if (first.kind === "string") {
    if (urlLike.test(first.value)) return "url";
    if (pathLike.test(first.value)) return "path";
  }
  // A text that is written out and looks like neither asks for something else.
  if (beginning.kind === "string") return undefined;
  return pathName.test(field) ? "path" : urlName.test(field) ? "url" : undefined;
}

/** `"/srv/" ++ user` begins as `"/srv/"` does. */
function firstPart(expr: Expr): Expr {
  const [first] = expr.kind === "op" && expr.op === "++" ? expr.args : [];
  return first === undefined ? expr : firstPart(first);
}
