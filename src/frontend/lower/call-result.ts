/** `resultOf(call)`: what a call returned, in a contract. */
import type { Node } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { choose, op } from "../build.ts";
import { asOptional, isOptional, sameTy, tyText } from "../ty.ts";
import { data, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { inTrace } from "./relation.ts";

/** Absent for a call that failed, since its result is unknown. */
export function resultOfCall(low: Lowering, [call, ...more]: readonly Val[], node: Node): Val {
  inTrace(low, node);
  const name = call?.kind === "data" && call.expr.kind === "var" ? call.expr.name : undefined;
  const tools = name === undefined ? undefined : low.callsBound.get(name);
  if (name === undefined || tools === undefined || more.length > 0)
    return low.refuse(
      node,
      "FC2314",
      "`resultOf` takes a call",
      "write `confirm.precedes(pay, (c, p) => resultOf(c) === true)`, with the whole row of a tool's calls",
    );
  const [first, ...others] = tools;
  const type = first?.result;
  const silent = tools.find((one) => one.result === undefined);
  if (first === undefined || type === undefined || silent !== undefined)
    return low.refuse(node, "FC2205", `\`${(silent ?? first)?.tool.name}\` returns nothing`);
  const other = others.find(({ result }) => result === undefined || !sameTy(result, type));
  if (other?.result !== undefined)
    return low.refuse(
      node,
      "FC2108",
      `\`${first.tool.name}\` returns \`${tyText(type)}\`, and \`${other.tool.name}\` returns \`${tyText(other.result)}\``,
      "use the calls of one tool",
    );
  const result = (): Expr => ({ kind: "result", call: name });
  // What is absent already needs no second way to be so.
  if (isOptional(type))
    return data(choose(op("isSome", result()), op("value", result()), { kind: "none" }), type);
  return data(result(), asOptional(type));
}
