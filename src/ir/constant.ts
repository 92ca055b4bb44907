/** Constants: what stands in `args` of a guarantee and as the initial value of a fluent. */
import type { Expr } from "./document.ts";

export function isConstant(expr: Expr): boolean {
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
      return true;
    case "list":
      return expr.items.every(isConstant);
    case "record":
      return expr.fields.every((one) => isConstant(one.value));
    case "op":
      return expr.op === "some" && expr.args.every(isConstant);
    default:
      return false;
  }
}
