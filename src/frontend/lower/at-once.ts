/** Calls that are awaited where they are made: nothing happens beside them. */
import type { Expression } from "oxc-parser";
import { bare } from "../syntax.ts";
import type { Lowering } from "./core.ts";

/** Compiles an expression whose promise is awaited at once. */
export function atOnce<T>(low: Lowering, node: Expression, body: () => T): T {
  const added = callsOf(node).filter((call) => !low.atOnce.has(call));
  for (const call of added) low.atOnce.add(call);
  try {
    return body();
  } finally {
    for (const call of added) low.atOnce.delete(call);
  }
}

/** The calls whose promise the expression may give. */
function callsOf(node: Expression): Expression[] {
  const inner = bare(node);
  switch (inner.type) {
    case "CallExpression":
      return [inner];
    case "ChainExpression":
      return callsOf(inner.expression);
    case "ConditionalExpression":
      return [...callsOf(inner.consequent), ...callsOf(inner.alternate)];
    case "LogicalExpression":
      return callsOf(inner.right);
    case "SequenceExpression":
      return inner.expressions.slice(-1).flatMap(callsOf);
    default:
      return [];
  }
}

/** Returns whether what the function gives is awaited where it is called, or by the function itself. */
export function handsOn(low: Lowering): boolean {
  const frame = low.stack.at(-1);
  return frame !== undefined && (frame.node.async || frame.isAwaited);
}
