/** Calls of functions of the source: written out where they are called. */

import type { Expression, Statement } from "oxc-parser";
import { append } from "../../ir/index.ts";
import { anyOf } from "../build.ts";
import { Scope } from "../scope.ts";
import type { FunctionNode, Module } from "../syntax.ts";
import { data, type FunctionVal, promiseOf, undefinedVal, type Val } from "../value.ts";
import { writtenType } from "./annotation.ts";
import { answerOf } from "./answer.ts";
import { atOnce, handsOn } from "./at-once.ts";
import { canCast } from "./cast.ts";
import type { Exit, Lowering } from "./core.ts";
import { hinted } from "./data.ts";
import { expression, waitFor } from "./expression.ts";
import { generatorOf } from "./generator.ts";
import { isJsonVal } from "./json.ts";
import { isFalse, mergeAll } from "./merge.ts";
import { bindParameter } from "./pattern.ts";
import { callAgain, recursionOf, recursive } from "./recursion.ts";
import { settled } from "./settled.ts";
import { hoist, statements } from "./statement.ts";

type At = { readonly start: number; readonly end: number };

/** Inlines a function call. A missing argument is `undefined`. */
export function callFunction(low: Lowering, fn: FunctionVal, args: readonly Val[], node: At): Val {
  const { node: code, name } = fn;
  if (code.generator) return generatorOf(low, fn, args);
  const recursion = recursionOf(low, fn, args, node);
  if (recursion !== "none" && recursion !== "whole") {
    const value = callAgain(low, recursion, args, node, fn);
    return code.async ? promiseOf(value) : value;
  }
  return low.deeper(node, () => {
    const outer = { module: low.module, triesAround: low.triesAround };
    const isAwaited = low.atOnce.has(node);
    const call = (): Val => {
      low.stack.push({ node: code, name, isAwaited, args, firstSlot: low.nextSlot });
      low.module = fn.module;
      low.triesAround = low.tries;
      try {
        const given = (own: readonly Val[]) => returned(low, fn, own, body(low, fn, own, node), node);
        const value = recursion === "whole" ? recursive(low, fn, args, node, given) : given(args);
        return promised(low, fn, value, node);
      } finally {
        low.stack.pop();
        low.module = outer.module;
        low.triesAround = outer.triesAround;
      }
    };
    if (isAwaited) return low.tasks.settling(false, call);
    if (!code.async) return call();
    return low.tasks.start(low, node, (isSettled) => (isSettled ? settled(low, node, call) : call()));
  });
}

/** Wraps the result of an `async` function in a promise; awaits it first if it is one. */
function promised(low: Lowering, { node: code }: FunctionVal, value: Val, node: At): Val {
  if (!code.async) return value;
  if (value.kind !== "promise") return promiseOf(value);
  return promiseOf(waitFor(low, value, node));
}

/** A JSON value becomes one of the type that the function says to give; `x is T` is remembered. */
function returned(
  low: Lowering,
  { node: code }: FunctionVal,
  args: readonly Val[],
  value: Val,
  node: At,
): Val {
  const written = code.returnType?.typeAnnotation;
  // The value of `run` is an answer already, and an annotation changes nothing of it.
  if (!written || value.kind !== "data" || code === low.answering) return value;
  if (written.type !== "TSTypePredicate") return hinted(low, value, writtenType(low, written), node);
  const { parameterName: name, typeAnnotation } = written;
  const at = code.params.findIndex(
    (param) => param.type === "Identifier" && name.type === "Identifier" && param.name === name.name,
  );
  const of = args[at];
  const type = typeAnnotation ? writtenType(low, typeAnnotation.typeAnnotation) : undefined;
  if (of === undefined || !isJsonVal(of) || type === undefined || !canCast(type)) return value;
  const condition = low.named(value.expr, "is", node);
  low.predicates.push({ condition, of: of.expr, type, node });
  return data(condition, value.type);
}

function body(low: Lowering, fn: FunctionVal, args: readonly Val[], node: At): Val {
  const { node: code } = fn;
  const scope = new Scope(fn.scope);
  if (code.type !== "ArrowFunctionExpression")
    scope.set("this", fn.self === undefined ? { kind: "later" } : { kind: "const", value: fn.self });
  bindParameters(low, code, scope, args);
  const { body: block } = code;
  if (block === null) return low.refuse(node, "FC2308", `\`${fn.name}\` has no body`);
  if (block.type !== "BlockStatement") {
    // SAFETY: a body that is no block is the expression of an arrow function.
    const given = block as Expression;
    const value = handsOn(low)
      ? atOnce(low, given, () => expression(low, scope, given))
      : expression(low, scope, given);
    return code === low.answering ? answerOf(low, waitFor(low, value, node), node) : value;
  }
  const entry = low.path;
  let exits: Exit[] = [];
  exits = low.collectExits(() => blockOf(low, block.body, scope, fn.module));
  if (code === low.answering) exits = exits.map((exit) => answering(low, exit, code));
  return finish(low, exits, entry, code, fn.name);
}

/**
 * The statements of a body. Its names are its own: a function in the default of a parameter sees those around, as in JavaScript.
 */
export function blockOf(low: Lowering, body: readonly Statement[], around: Scope, module: Module): void {
  const scope = new Scope(around);
  hoist(low, body, scope, module, around);
  statements(low, scope, body);
}

/** A `return` of the program with its value as an answer, as it is where the body was left. */
function answering(low: Lowering, exit: Exit, node: At): Exit {
  if (exit.kind !== "return" || exit.value === undefined) return exit;
  const before = low.state;
  low.state = exit.state;
  const value = answerOf(low, exit.value, node);
  low.state = before;
  return { ...exit, value };
}

/** All returns and the end of the body, merged; exits of other kinds stay pending. */
function finish(low: Lowering, exits: readonly Exit[], entry: typeof low.path, code: At, name: string): Val {
  const others = exits.filter((exit) => exit.kind !== "return");
  const ways = exits
    .filter((exit) => exit.kind === "return")
    .map((exit) => ({ guard: exit.guard, state: exit.state, value: exit.value ?? undefinedVal }));
  if (!isFalse(low.path)) ways.push({ guard: low.path, state: low.state, value: undefinedVal });
  append(low.exits, others);
  if (ways.length === 0) return undefinedVal;
  const merged = mergeAll(low, ways, code, name);
  low.state = merged?.state ?? low.state;
  low.path = others.length === 0 ? entry : low.named(anyOf(ways.map((way) => way.guard)), "going", code);
  return merged?.value ?? undefinedVal;
}

export function bindParameters(low: Lowering, code: FunctionNode, scope: Scope, args: readonly Val[]): void {
  code.params.forEach((param, i) => {
    if (param.type === "RestElement") {
      const rest: Val = { kind: "items", items: args.slice(i) };
      const ref: Val = { kind: "ref", shape: { kind: "array", slot: low.newSlot(rest) } };
      bindParameter(low, scope, param.argument, ref, code);
    } else if (param.type === "TSParameterProperty") {
      bindParameter(low, scope, param.parameter, args[i] ?? undefinedVal, code);
    } else bindParameter(low, scope, param, args[i] ?? undefinedVal, code);
  });
}
