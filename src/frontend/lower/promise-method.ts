/**
 * `.then`, `.catch` and `.finally` of a call: compiled as the `async` function that does the same with `await` and `try`.
 * SOUNDNESS: only of a call that is written there. A promise that a variable holds was started before, and what catches
 * its failure begins later.
 */
import type { ArrowFunctionExpression, CallExpression, Expression, MemberExpression, Node } from "oxc-parser";
import { parseText } from "../parser.ts";
import type { Scope } from "../scope.ts";
import { bare } from "../syntax.ts";
import type { Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { callFunction } from "./function.ts";

type At = { readonly start: number; readonly end: number };

/** By the method: the function, in which `CALL` and `GIVEN` stand for the call and the argument. */
const templates: ReadonlyMap<string, string> = new Map([
  ["then", "async () => await (GIVEN)(await CALL)"],
  ["catch", "async () => { try { return await CALL; } catch (caught$) { return await (GIVEN)(caught$); } }"],
  ["finally", "async () => { try { return await CALL; } finally { await (GIVEN)(); } }"],
]);

/** Calls whose value must be a promise: anything else has no such method. */
const promised = new WeakSet<Node>();

/** The functions by the calls that they stand for, so that each is one however often it is compiled. */
const written = new WeakMap<CallExpression, ArrowFunctionExpression>();

/** Lowers such a method call; undefined for other methods. */
export function promiseMethod(
  low: Lowering,
  scope: Scope,
  node: CallExpression,
  callee: MemberExpression,
): Val | undefined {
  if (callee.computed || callee.optional || node.optional || low.mode.kind === "formula") return undefined;
  const name = callee.property.name;
  const template = templates.get(name);
  if (template === undefined || callee.property.type === "PrivateIdentifier") return undefined;
  const of = bare(callee.object);
  const [given, ...more] = node.arguments;
  if (of.type !== "CallExpression" && of.type !== "NewExpression") return undefined;
  if (given === undefined || given.type === "SpreadElement") return undefined;
  if (more.length > 0)
    return low.refuse(
      node,
      "FC2311",
      `\`.${name}\` of a promise takes one function here`,
      "use `await`, and `try` with `catch`",
    );
  const code = written.get(node) ?? functionFor(template, of, given, node);
  written.set(node, code);
  return callFunction(low, { kind: "function", node: code, scope, module: low.module, name }, [], node);
}

/** Refuses a call that gives no promise where a method of promises is called on what it gives. */
export function checkPromised(low: Lowering, node: Expression, val: Val): void {
  if (!promised.has(node) || val.kind === "promise") return;
  low.refuse(node, "FC2309", "this is no promise, and has no such method", "call the method on a promise");
}

function functionFor(template: string, call: Expression, given: Expression, at: At): ArrowFunctionExpression {
  promised.add(call);
  const parsed = parseText("then.ts", template, { lang: "ts" });
  const [statement] = parsed?.program.body ?? [];
  const code = statement?.type === "ExpressionStatement" ? statement.expression : undefined;
  if (code?.type !== "ArrowFunctionExpression") throw new TypeError("a template that is no function");
  const holes = new Map<string, Node>().set("CALL", call).set("GIVEN", given);
  // SAFETY: a copy of an arrow function with other nodes in the place of names is an arrow function.
  return filled(code, holes, at) as ArrowFunctionExpression;
}

/** A copy at another place, with nodes in the place of names. */
function filled(part: unknown, holes: ReadonlyMap<string, Node>, at: At): unknown {
  if (Array.isArray(part)) return part.map((one) => filled(one, holes, at));
  if (typeof part !== "object" || part === null) return part;
  const name: unknown = Reflect.get(part, "type") === "Identifier" ? Reflect.get(part, "name") : undefined;
  const hole = typeof name === "string" ? holes.get(name) : undefined;
  if (hole !== undefined) return hole;
  const fields = Object.entries(part).map(([key, value]) => [key, filled(value, holes, at)] as const);
  return { ...Object.fromEntries(fields), ...("start" in part && { start: at.start, end: at.end }) };
}
