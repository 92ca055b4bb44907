/**
 * `while ((m = re.exec(text)) !== null) …` with the flag `g`: a loop over all matches. The expression remembers where it
 * stopped, so it is one only if nothing else uses it and no turn leaves the loop early.
 */
import type { CallExpression, Expression, Node, WhileStatement } from "oxc-parser";
import { field, num, op } from "../build.ts";
import { Scope } from "../scope.ts";
import { bare } from "../syntax.ts";
import { data, nullVal, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { assigns, childNodes, overValues } from "./iterate.ts";
import { lookUp } from "./lookup.ts";
import { matchMethod } from "./regex.ts";
import { statement } from "./statement.ts";

/** Returns false if it is no such loop. */
export function execLoop(low: Lowering, scope: Scope, node: WhileStatement): boolean {
  const found = execOf(node.test);
  if (found === undefined || low.mode.kind !== "program") return false;
  const { name, call, pattern } = found;
  const [searched] = call.arguments;
  const target = scope.get(name);
  const regex = scope.get(pattern.name) === undefined ? undefined : lookUp(low, scope, pattern);
  if (regex?.kind !== "regex" || !regex.expression.flags.isGlobal) return false;
  if (target?.kind !== "let" || target.isConstant || searched?.type !== "Identifier") return false;
  const isLocal = low.module.scope.get(pattern.name) === undefined;
  if (assigns(node.body, name) || assigns(node.body, searched.name)) return false;
  if (usesOf(low.module.source.program, pattern.name) !== 2 || leavesEarly(low, node.body, isLocal))
    return false;
  const text = reify(low, lookUp(low, scope, searched), searched);
  const matches = matchMethod(low, text, "matchAll", [regex], call);
  overValues(low, matches, false, name, node, (item: Val) => {
    const { expr } = reify(low, item, node);
    const whole = op("value", op("at", field(expr, "parts"), num(0n)));
    // JavaScript would find an empty match at the same place again and again.
    low.require(
      op(">", op("length", op("value", whole)), num(0n)),
      "an empty match would be found again",
      node,
    );
    const inner = new Scope(scope);
    inner.set(name, { kind: "const", value: item });
    statement(low, inner, node.body);
  });
  low.write(target.slot, data(nullVal.expr, nullVal.type), node);
  return true;
}

interface Exec {
  readonly name: string;
  readonly call: CallExpression;
  readonly pattern: { readonly name: string; readonly start: number; readonly end: number };
}

function execOf(test: Expression): Exec | undefined {
  const inner = bare(test);
  const isCompared =
    inner.type === "BinaryExpression" &&
    (inner.operator === "!==" || inner.operator === "!=") &&
    inner.right.type === "Literal" &&
    inner.right.value === null &&
    !("regex" in inner.right);
  const set = isCompared ? bare(inner.left) : inner;
  if (set.type !== "AssignmentExpression" || set.operator !== "=" || set.left.type !== "Identifier")
    return undefined;
  const call = bare(set.right);
  if (call.type !== "CallExpression" || call.arguments.length !== 1) return undefined;
  const callee = bare(call.callee);
  if (callee.type !== "MemberExpression" || callee.computed || callee.property.name !== "exec")
    return undefined;
  const { object } = callee;
  return object.type === "Identifier" ? { name: set.left.name, call, pattern: object } : undefined;
}

function usesOf(node: Node, name: string): number {
  const own = node.type === "Identifier" && node.name === name ? 1 : 0;
  return childNodes(node).reduce((sum, child) => sum + usesOf(child, name), own);
}

/** Returns true if a turn may end the loop, so that the expression would go on from there the next time. */
function leavesEarly(low: Lowering, node: Node, isLocal: boolean): boolean {
  switch (node.type) {
    case "BreakStatement":
    case "ThrowStatement":
      return true;
    case "ReturnStatement":
      if (!isLocal) return true;
      break;
    case "AwaitExpression":
      if (!isLocal || low.tries > 0) return true;
      break;
    default:
  }
  return childNodes(node).some((child) => leavesEarly(low, child, isLocal));
}
