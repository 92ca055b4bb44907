/** `new Promise((resolve) => setTimeout(resolve, ms))`, the one promise that a program makes by hand: a pause. */
import type {
  ArrowFunctionExpression,
  Expression,
  Function as FunctionNode,
  NewExpression,
  Node,
} from "oxc-parser";
import { num } from "../build.ts";
import type { Scope } from "../scope.ts";
import { int } from "../ty.ts";
import { data, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { expression } from "./expression.ts";
import { childNodes } from "./iterate.ts";
import { pausing } from "./reading.ts";

export function newPromise(low: Lowering, scope: Scope, node: NewExpression): Val {
  const [made, ...more] = node.arguments;
  const timer = more.length > 0 ? undefined : timerIn(made);
  if (timer === undefined || scope.get("setTimeout") !== undefined)
    return low.refuse(
      node,
      "FC2304",
      "`new Promise` makes only pauses",
      "`await` what tools give; a pause is `await new Promise((resolve) => setTimeout(resolve, 1000))`",
    );
  const { ms } = timer;
  return pausing(low, ms === undefined ? data(num(0n), int) : expression(low, scope, ms), node);
}

/** The delay, if the function does nothing but set one timer that keeps the promise. */
function timerIn(made: Node | undefined): { readonly ms: Expression | undefined } | undefined {
  if (made?.type !== "ArrowFunctionExpression" && made?.type !== "FunctionExpression") return undefined;
  const names = made.params.map((param) => (param.type === "Identifier" ? param.name : undefined));
  const [resolve] = names;
  if (resolve === undefined || names.length > 2 || names.includes(undefined)) return undefined;
  if (made.async || made.generator) return undefined;
  const call = onlyExpression(made);
  if (call?.type !== "CallExpression" || call.callee.type !== "Identifier" || call.optional) return undefined;
  const [then, ms, ...rest] = call.arguments;
  if (call.callee.name !== "setTimeout" || names.includes("setTimeout") || rest.length > 0) return undefined;
  if (then === undefined || ms?.type === "SpreadElement" || !keeps(then, resolve)) return undefined;
  // The delay is computed where the names of the function are not there.
  return ms !== undefined && mentionsAny(ms, names) ? undefined : { ms };
}

/** `resolve`, or `() => resolve()`. */
function keeps(then: Node, resolve: string): boolean {
  if (then.type === "Identifier") return then.name === resolve;
  if (then.type !== "ArrowFunctionExpression" || then.params.length > 0 || then.async) return false;
  const call = onlyExpression(then);
  if (call?.type !== "CallExpression" || call.callee.type !== "Identifier") return false;
  const givesNothing = call.arguments.every((one) => one.type === "Identifier" && one.name === "undefined");
  return call.callee.name === resolve && givesNothing;
}

/** The one expression that the function consists of. */
function onlyExpression({ body }: ArrowFunctionExpression | FunctionNode): Expression | undefined {
  if (body === null) return undefined;
  if (body.type !== "BlockStatement") return body;
  const [only, ...more] = body.body;
  if (more.length > 0) return undefined;
  if (only?.type === "ExpressionStatement") return only.expression;
  return only?.type === "ReturnStatement" ? (only.argument ?? undefined) : undefined;
}

function mentionsAny(node: Node, names: readonly (string | undefined)[]): boolean {
  if (node.type === "Identifier" && names.includes(node.name)) return true;
  return childNodes(node).some((child) => mentionsAny(child, names));
}
