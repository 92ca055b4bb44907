/** Functions that are handed to methods, relations and the like. */
import type { Node } from "oxc-parser";
import { type Command, type Expr, partsOf } from "../../ir/index.ts";
import { field, op, variable } from "../build.ts";
import { Refusal } from "../refusal.ts";
import { int, type Ty } from "../ty.ts";
import { type DataVal, data, type Val } from "../value.ts";
import type { listOf } from "./access.ts";
import { callValue } from "./call.ts";
import { Impure, type Lowering } from "./core.ts";
import { describe } from "./data.ts";
import { noteKeys } from "./dict.ts";
import { branch } from "./merge.ts";
import { clockReading, forgetReading, NeedsClock } from "./reading.ts";

type List = NonNullable<ReturnType<typeof listOf>>;

/** Functions of the language that look at one argument only. */
const takesOne: ReadonlySet<string> = new Set([
  "Boolean",
  "Number",
  "String",
  "parseFloat",
  "isNaN",
  "isFinite",
  "Array.isArray",
  "Math.abs",
  "Math.ceil",
  "Math.floor",
  "Math.round",
  "Math.sign",
  "Math.trunc",
  "Date.parse",
  "Number.isFinite",
  "Number.isInteger",
  "Number.isNaN",
  "Number.isSafeInteger",
  "Object.entries",
  "Object.fromEntries",
  "Object.keys",
  "Object.values",
]);

/** Calls it with as many of the arguments as it takes. An `await` of the method's result does not await its callback. */
export function invoke(
  low: Lowering,
  callback: Val,
  args: readonly Val[],
  node: Node,
  isAwaited = false,
): Val {
  const before = low.atOnce.delete(node);
  if (isAwaited) low.atOnce.add(node);
  try {
    return invoked(low, callback, args, node);
  } finally {
    low.atOnce.delete(node);
    if (before) low.atOnce.add(node);
  }
}

/** A parameter that JavaScript would fill otherwise is refused. */
function invoked(low: Lowering, callback: Val, args: readonly Val[], node: Node): Val {
  if (callback.kind === "function") {
    const { params } = callback.node;
    if (params.length > args.length || params.some((param) => param.type === "RestElement"))
      return low.refuse(
        node,
        "FC2314",
        `this function takes more than the ${args.length === 1 ? "one argument" : `${args.length} arguments`} that it is given here`,
        "remove the other parameters",
      );
    return callValue(low, callback, args.slice(0, params.length), node);
  }
  if (callback.kind === "choice")
    return branch(
      low,
      callback.condition,
      node,
      "chosen",
      () => invoked(low, callback.yes, args, node),
      () => invoked(low, callback.no, args, node),
    );
  if (callback.kind === "builtin" && args.length > 1 && !takesOne.has(callback.name))
    return low.refuse(
      node,
      "FC2314",
      `\`${callback.name}\` would be given the position as well as the element here`,
      `write \`(x) => ${callback.name}(x)\``,
    );
  if (callback.kind === "tool" || callback.kind === "builtin")
    return callValue(low, callback, args.slice(0, 1), node);
  return low.refuse(
    node,
    "FC2308",
    `${describe(callback)} is not a function`,
    "pass a function such as `(x) => x.name`",
  );
}

/** The name that the source gives to a parameter. */
export function paramName(callback: Val, i: number): string | undefined {
  if (callback.kind !== "function") return undefined;
  const param = callback.node.params[i];
  return param?.type === "Identifier" ? param.name : undefined;
}

export interface Lambda {
  readonly lambda: Expr;
  readonly over: Expr;
  readonly body: DataVal;
  /** The list goes over elements with their positions. */
  readonly indexed: boolean;
  /** Puts what the body named around an expression. */
  readonly wrap: (expr: Expr) => Expr;
}

/** The callback as a function of the IR over the elements; undefined if it does more than compute. */
export function lambdaOver(
  low: Lowering,
  list: List,
  callback: Val,
  node: Node,
  finish: (value: Val) => DataVal,
  held?: { readonly name: string; readonly type: Ty },
): Lambda | undefined {
  const position = held === undefined ? 1 : 2;
  const indexed = callback.kind === "function" && callback.node.params.length > position;
  const before = low.names.copy();
  const name = low.names.fresh(
    indexed ? "entry" : (paramName(callback, held === undefined ? 0 : 1) ?? "item"),
  );
  const element = list.type.element;
  if (!indexed) noteKeys(low, list.expr, name);
  const item = indexed ? data(field(variable(name), "value"), element) : data(variable(name), element);
  const index = data(field(variable(name), "index"), int);
  const args = held === undefined ? [item, index] : [data(variable(held.name), held.type), item, index];
  const call = () => invoke(low, callback, args, node);
  const result = computed(low, () =>
    finish(low.mode.kind === "formula" ? withoutThrow(low, node, call) : call()),
  );
  if (result === undefined) {
    low.names = before;
    return undefined;
  }
  const { value, wrap } = result;
  return {
    lambda: { kind: "lambda", params: [{ name }], body: wrap(value.expr) },
    over: indexed ? op("entries", list.expr) : list.expr,
    body: value,
    indexed,
    wrap,
  };
}

/** SOUNDNESS: where something is thrown nothing is said, and what is not said must not count as said. */
export function withoutThrow<T>(
  low: Lowering,
  node: { readonly start: number; readonly end: number },
  body: () => T,
): T {
  let found: { readonly value: T } | undefined;
  const exits = low.collectExits(() => {
    found = { value: body() };
  });
  if (exits.length > 0 || found === undefined)
    return low.refuse(
      node,
      "FC2209",
      "this may throw, and where it throws it says nothing",
      "give `false` where it must not hold",
    );
  return found.value;
}

/**
 * Runs `body` where it may only compute; what it names on the way is put around what it gives. `only`: there is no
 * other way to compile it, so what is wrong with it is reported.
 */
export function computed(low: Lowering, body: () => DataVal, only = false): ReturnType<typeof computedOnce> {
  const around = low.standing;
  try {
    return computedOnce(low, body, only);
  } catch (thrown) {
    if (!(thrown instanceof NeedsClock) || low.mode.kind !== "program") throw thrown;
    low.standing = clockReading(low, thrown.node).expr;
    const result = computedOnce(low, body, only);
    if (result === undefined) forgetReading(low);
    return result;
  } finally {
    low.standing = around;
  }
}

function computedOnce(
  low: Lowering,
  body: () => DataVal,
  only: boolean,
): { readonly value: DataVal; readonly wrap: (expr: Expr) => Expr } | undefined {
  const outer = { mode: low.mode, buffer: low.buffer, state: low.state, path: low.path, exits: low.exits };
  const tasks = low.tasks.snapshot();
  const lets: Command[] = [];
  // A function inside another must not change what is the other's either.
  const firstSlot = low.nextSlot;
  low.mode = low.mode.kind === "formula" ? { ...low.mode, firstSlot } : { kind: "lambda", firstSlot };
  low.buffer = lets;
  low.state = new Map(low.state);
  low.exits = [];
  try {
    const value = body();
    if (low.exits.length > 0) throw new Impure();
    return { value, wrap: (expr) => wrapped(lets, expr) };
  } catch (thrown) {
    // In a program another way is tried, which then reports what is wrong; in a formula there is no other way.
    const another =
      thrown instanceof Impure || (thrown instanceof Refusal && !only && outer.mode.kind === "program");
    if (another && outer.mode.kind === "program") return undefined;
    throw thrown;
  } finally {
    low.mode = outer.mode;
    low.buffer = outer.buffer;
    low.state = outer.state;
    low.path = outer.path;
    low.exits = outer.exits;
    low.tasks.restore(tasks);
  }
}

/** The expression with the names that it uses put around it. */
export function wrapped(lets: readonly Command[], expr: Expr): Expr {
  return lets.reduceRight<Expr>((body, one) => {
    if (one.kind !== "let" || !mentions(body, one.name)) return body;
    if (body.kind === "var") return one.value;
    return { kind: "let", name: one.name, value: one.value, body };
  }, expr);
}

export function mentions(expr: Expr, name: string): boolean {
  return (expr.kind === "var" && expr.name === name) || partsOf(expr).some((part) => mentions(part, name));
}
