/** Expressions as texts: equal ones mean the same of whatever they speak about. */
import { type Expr, partsOf } from "../../ir/index.ts";

/** With `•` for each of the subjects, and bound names by where they are bound. */
export function shapeOf(expr: Expr, subjects: readonly string[], bound: readonly string[] = []): string {
  const inner = (one: Expr, more: readonly string[] = []) => shapeOf(one, subjects, [...bound, ...more]);
  switch (expr.kind) {
    case "bool":
      return String(expr.value);
    case "number":
      return typeof expr.value === "bigint" ? `${expr.value}` : `${expr.value.num}/${expr.value.den}`;
    case "string":
      return JSON.stringify(expr.value);
    case "none":
      return "none";
    case "var": {
      const at = bound.lastIndexOf(expr.name);
      if (at >= 0) return `#${at}`;
      return subjects.includes(expr.name) ? "•" : `$${expr.name}`;
    }
    case "op":
      return `${expr.op}(${expr.args.map((arg) => inner(arg)).join(",")})`;
    case "field":
      return `${inner(expr.of)}.${JSON.stringify(expr.name)}`;
    case "list":
      return `[${expr.items.map((item) => inner(item)).join(",")}]`;
    case "record":
      return `{${expr.fields.map((one) => `${JSON.stringify(one.name)}${one.optional ? "?" : ""}:${inner(one.value)}`).join(",")}}`;
    case "lambda": {
      const names = expr.params.map(({ name }) => name);
      return `\\${names.length} ${JSON.stringify(expr.params.map(({ type }) => type ?? null))} ${inner(expr.body, names)}`;
    }
    case "let":
      return `let ${inner(expr.value)} ${inner(expr.body, [expr.name])}`;
    default:
      throw new TypeError("only what computes has a shape");
  }
}

/** Returns true for pure computations that read neither calls nor state. */
export function onlyComputes(expr: Expr): boolean {
  return computing.has(expr.kind) && partsOf(expr).every(onlyComputes);
}

const computing: ReadonlySet<string> = new Set([
  "bool",
  "number",
  "string",
  "none",
  "var",
  "op",
  "field",
  "list",
  "record",
  "lambda",
  "let",
]);
