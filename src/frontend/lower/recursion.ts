/**
 * Functions that call themselves. Where a number that is known grows or shrinks from call to call, the calls are written out like
 * those of any other function. Otherwise the function is compiled once, for any arguments, and becomes
 * [a loop over its activations](activations.ts). What it changes outside itself is passed into each call and out of it.
 */
import type { Node } from "oxc-parser";
import type { Argument, Expr } from "../../ir/index.ts";
import { field, not, op, text, variable, yes } from "../build.ts";
import type { FunctionNode } from "../syntax.ts";
import {
  isNothing,
  joinTy,
  never,
  reordered,
  sameForm,
  string,
  type Ty,
  toIr,
  tyText,
  undefinedTy,
} from "../ty.ts";
import { type DataVal, data, type FunctionVal, undefinedVal, type Val } from "../value.ts";
import { asActivations, outcomeType, resultField } from "./activations.ts";
import { annotatedType, writtenType } from "./annotation.ts";
import { type Catching, caughtIn, lose, throwing } from "./caught.ts";
import type { Exit, Frame, Lowering } from "./core.ts";
import { asType, hinted, reify } from "./data.ts";
import { childNodes } from "./iterate.ts";
import { carriedValue, loopOf, reifyIn, type Taken } from "./loop.ts";

type At = { readonly start: number; readonly end: number };

/** Thrown where a function turns out to call itself: the program is compiled again with that known. */
export class CallsItself extends Error {
  readonly code: FunctionNode;
  constructor(code: FunctionNode) {
    super("a function calls itself");
    this.code = code;
  }
}

/** A function that is being compiled for any arguments. */
export interface Recursion {
  readonly fn: FunctionVal;
  /** Stands for the function in calls of itself. */
  readonly tool: string;
  /** Number of enclosing functions. */
  readonly depth: number;
  readonly params: Param[];
  result: Ty;
  taken: Taken;
  /** True if a pass has found other types or arguments than it began with. */
  hasMore: boolean;
  /** Values of the slots at the outermost call. */
  readonly start: Lowering["state"];
  /** Holds what is thrown out of a call, if a `catch` looks at it. */
  readonly catching: Catching | undefined;
  /** True if some call of it is made inside a `try`, which then catches its failures. */
  isTried: boolean;
}

/** The same in every call, or a value of a type. */
type Param =
  | { readonly kind: "same"; readonly name: string; readonly value: Val }
  | { readonly kind: "data"; readonly name: string; type: Ty; readonly first: Val };

const help =
  "keep what is left to do in a list: `const left = [first]; while (left.length > 0) { const one = left.pop(); … left.push(next) }`";

/** LIMIT: how deep calls are written out that count up or down. */
const deepest = 6;

/**
 * Returns how a call of the function is compiled: written out, for any arguments, or as a call of the activation that is being
 * compiled.
 */
export function recursionOf(
  low: Lowering,
  fn: FunctionVal,
  args: readonly Val[],
  node: At,
): "none" | "whole" | Recursion {
  const { node: code, name } = fn;
  const around = low.recursions.findLast((one) => one.fn.node === code);
  if (around !== undefined) return around;
  if (low.recursive.has(code)) return "whole";
  const frames = low.stack.slice(low.recursions.at(-1)?.depth ?? 0).filter((one) => one.node === code);
  const last = frames.at(-1);
  if (last === undefined) return "none";
  if (low.mode.kind === "formula") return low.refuse(node, "FC2307", `\`${name}\` calls itself`, help);
  if (frames.length < deepest && counts(last, args)) return "none";
  throw new CallsItself(code);
}

/** Returns whether a number that is known is another one than in the call before. */
function counts(last: Frame, args: readonly Val[]): boolean {
  return args.some((arg, i) => {
    const before = last.args[i];
    if (arg.kind !== "data" || arg.expr.kind !== "number") return false;
    return before?.kind !== "data" || before.expr.kind !== "number" || before.expr.value !== arg.expr.value;
  });
}

/** The outermost call of a function that calls itself. `body` compiles it for the arguments that it is given. */
export function recursive(
  low: Lowering,
  fn: FunctionVal,
  args: readonly Val[],
  node: At,
  body: (args: readonly Val[]) => Val,
): Val {
  const { node: code, name } = fn;
  if (code.params.some((param) => param.type === "RestElement"))
    low.refuse(node, "FC2307", `\`${name}\` calls itself with any number of arguments`, "pass a list");
  if (!low.isReached) return undefinedVal;
  const declared = resultType(low, fn);
  const recursion: Recursion = {
    fn,
    tool: low.names.fresh(`${name}_again`),
    depth: low.stack.length,
    params: code.params.map((param, i) => ({
      kind: "same",
      // Taken before anything is compiled, so that no pass takes it for something else.
      name: low.names.fresh(param.type === "Identifier" ? param.name : "given"),
      // A cast of what the outermost call is given is made before the loop.
      value: hinted(low, args[i] ?? undefinedVal, parameterType(low, fn, i), node),
    })),
    result: declared ?? never,
    taken: { carried: new Map(), names: new Map(), flags: new Map() },
    hasMore: false,
    catching: catchingOf(low, code),
    start: low.state,
    isTried: low.tries > 0,
  };
  const { path: entry, given } = low;
  const outcome = low.names.fresh(`${name}_value`);
  low.recursions.push(recursion);
  let exits: readonly Exit[] = [];
  try {
    exits = low.collectExits(() =>
      loopOf<DataVal>(low, node, {
        kind: { isParallel: false },
        hasIdleTurns: false,
        turn(_, taken) {
          recursion.taken = taken;
          recursion.hasMore = false;
          low.path = yes;
          low.given = [...given, entry];
          low.outcomes.set(recursion.tool, outcomeOf(recursion));
          const value = insideTry(low, recursion, () => body(recursion.params.map(argumentOf)));
          if (value.kind === "promise" && !code.async)
            low.refuse(
              node,
              "FC2307",
              `\`${name}\` calls itself and gives a promise`,
              "make it `async`, and await each call",
            );
          return widened(
            low,
            recursion,
            reify(low, value.kind === "promise" ? value.of() : value, node, true),
            node,
          );
        },
        needsMore: () => recursion.hasMore,
        commands(head, { carry, body: commands }, flags) {
          const result = isNothing(recursion.result)
            ? undefined
            : { expr: head.expr, type: toIr(recursion.result) };
          return asActivations(
            low,
            {
              tool: recursion.tool,
              name,
              params: recursion.params.flatMap((one) =>
                one.kind === "same"
                  ? []
                  : [{ name: one.name, type: toIr(one.type), init: asParam(low, one.first, one.type, node) }],
              ),
              carry,
              flags,
              body: commands,
              result,
              entry,
            },
            { result: outcome },
            node,
          );
        },
      }),
    );
  } finally {
    low.recursions.pop();
    low.given = given;
  }
  rethrow(low, recursion, exits, node);
  return isNothing(recursion.result) ? undefinedVal : data(variable(outcome), recursion.result);
}

/** Compiles the body as inside a `try` if any call of the function is made inside one. */
function insideTry<T>(low: Lowering, recursion: Recursion, body: () => T): T {
  const { tries, triesAround, catching } = low;
  const wasLost = recursion.catching?.isLost;
  if (recursion.isTried && tries === 0) low.tries = 1;
  low.triesAround = low.tries;
  low.catching = recursion.catching;
  try {
    return body();
  } finally {
    low.tries = tries;
    low.triesAround = triesAround;
    low.catching = catching;
    if (recursion.catching?.isLost !== wasLost) recursion.hasMore = true;
  }
}

function catchingOf(low: Lowering, code: FunctionNode): Catching | undefined {
  if (low.catching === undefined && !looksAtErrors(code)) return undefined;
  return {
    name: low.newSlot(data(text("Error"), string)),
    message: low.newSlot(data(text(""), string)),
    ...low.tasks.around,
    isLost: false,
  };
}

function looksAtErrors(node: Node): boolean {
  return (node.type === "CatchClause" && node.param !== null) || childNodes(node).some(looksAtErrors);
}

/** Rethrows the exits of the outermost call, as of any other. */
function rethrow(low: Lowering, recursion: Recursion, exits: readonly Exit[], node: At): void {
  const after = { path: low.path, state: low.state };
  for (const exit of exits) {
    if (exit.kind !== "throw") {
      low.exits.push(exit);
      continue;
    }
    low.path = exit.guard;
    low.state = exit.state;
    throwOut(low, recursion, node);
  }
  low.path = after.path;
  low.state = after.state;
}

/** Throws what a call was left with. */
function throwOut(low: Lowering, { catching }: Recursion, node: At): void {
  const error = caughtIn(catching, low.state);
  if (error === undefined) lose(low.catching);
  throwing(low, error, node);
}

function argumentOf(param: Param): Val {
  return param.kind === "same" ? param.value : data(variable(param.name), param.type);
}

function outcomeOf({ result, taken }: Recursion) {
  const carry = [...taken.names].map(([slot, name]) => ({
    name,
    type: toIr(taken.carried.get(slot)?.type ?? never),
    init: yes,
    next: yes,
  }));
  const flags = [...taken.flags.values()].map((name) => ({
    name,
    type: { kind: "bool" as const },
    init: yes,
    next: yes,
  }));
  return outcomeType({ carry: [...carry, ...flags], result: isNothing(result) ? undefined : toIr(result) });
}

/** Returns the declared result type of a function; a promise of it for `async`. */
function resultType(low: Lowering, { node: code, module }: FunctionVal): Ty | undefined {
  let written = code.returnType?.typeAnnotation;
  if (
    written?.type === "TSTypeReference" &&
    written.typeName.type === "Identifier" &&
    written.typeName.name === "Promise"
  )
    written = written.typeArguments?.params[0];
  if (!written || written.type === "TSTypePredicate") return undefined;
  if (written.type === "TSVoidKeyword") return undefinedTy;
  const outer = low.module;
  low.module = module;
  try {
    return writtenType(low, written);
  } finally {
    low.module = outer;
  }
}

/** Widens the function's result to the common type of all its calls. */
function widened(low: Lowering, recursion: Recursion, value: DataVal, node: At): DataVal {
  const fits = low.isReached ? asType(low, value, recursion.result) : value.expr;
  if (fits !== undefined && low.isReached) {
    const ordered = reordered(value.type, recursion.result);
    if (!sameForm(ordered, recursion.result)) recursion.hasMore = true;
    recursion.result = ordered;
    return data(fits, recursion.result);
  }
  const joined = joinTy(recursion.result, value.type);
  if (joined === undefined)
    return low.refuse(
      node,
      "FC2107",
      `\`${recursion.fn.name}\` gives \`${tyText(recursion.result)}\` and \`${tyText(value.type)}\``,
      "give it values of one type on every path",
    );
  if (!sameForm(joined, recursion.result)) {
    recursion.result = joined;
    recursion.hasMore = true;
  }
  return data(asType(low, value, joined) ?? value.expr, joined);
}

/** A call of the function inside itself. */
export function callAgain(
  low: Lowering,
  recursion: Recursion,
  args: readonly Val[],
  node: At,
  fn: FunctionVal,
): Val {
  const { name, node: code } = fn;
  if (fn.scope !== recursion.fn.scope || fn.self !== recursion.fn.self) {
    const again = low.stack.find((one, i) => low.stack.findIndex(({ node }) => node === one.node) < i);
    if (again !== undefined && !low.recursive.has(again.node)) throw new CallsItself(again.node);
    low.refuse(
      node,
      "FC2307",
      `\`${name}\` is made anew by each call of itself`,
      "declare it outside itself",
    );
  }
  if (code.async && !low.atOnce.has(node))
    low.refuse(
      node,
      "FC2307",
      `\`${name}\` calls itself and does not await the call at once`,
      `await one call after the other: \`for (const x of xs) await ${name}(x)\``,
    );
  const { path } = low;
  if (low.tries > 0 && !recursion.isTried) {
    recursion.isTried = true;
    recursion.hasMore = true;
  }
  low.tasks.called(low);
  const given: Argument[] = [];
  recursion.params.forEach((param, i) => {
    const argument = passed(low, recursion, param, args[i] ?? undefinedVal, i, node);
    if (argument !== undefined) given.push(argument);
  });
  for (const argument of states(low, recursion, node)) given.push(argument);
  const bind = low.names.fresh(`${name}_again`);
  const isGuarded = path.kind !== "bool";
  low.emit(
    { kind: "call", id: "", tool: recursion.tool, args: given, bind, ...(isGuarded ? { when: path } : {}) },
    node,
  );
  const outcome: Expr = isGuarded ? op("value", variable(bind)) : variable(bind);
  if (code.async) low.tasks.waited(low, path);
  const { carried, names, flags } = recursion.taken;
  for (const [slot, { type, isArray }] of carried) {
    const now = field(outcome, names.get(slot) ?? "");
    low.write(slot, data(now, type), node, true);
    low.state.set(slot, carriedValue(low, now, type, isArray, recursion.start.get(slot)));
  }
  const thrown = flags.get("throw");
  if (thrown !== undefined) {
    const isThrown = low.named(field(outcome, thrown), "thrown", node);
    low.path = low.narrowed(isThrown, "thrown", node);
    const { state } = low;
    low.state = new Map(state);
    throwOut(low, recursion, node);
    low.state = state;
    low.path = path;
    low.path = low.narrowed(not(isThrown), "going", node);
  }
  return isNothing(recursion.result) ? undefinedVal : data(field(outcome, resultField), recursion.result);
}

function passed(
  low: Lowering,
  recursion: Recursion,
  param: Param,
  arg: Val,
  i: number,
  node: At,
): Argument | undefined {
  if (param.kind === "same") {
    if (isSame(param.value, arg)) return undefined;
    const first = asGiven(low, recursion, param.value, i, node, recursion.start);
    const joined = joined1(low, first.type, asGiven(low, recursion, arg, i, node).type, node);
    recursion.params[i] = { kind: "data", name: param.name, type: joined, first };
    recursion.hasMore = true;
    return undefined;
  }
  const value = asGiven(low, recursion, arg, i, node);
  const type = joined1(low, param.type, value.type, node);
  if (!sameForm(type, param.type)) {
    param.type = type;
    recursion.hasMore = true;
  }
  return { name: param.name, value: asParam(low, value, type, node) };
}

function joined1(low: Lowering, a: Ty, b: Ty, node: At): Ty {
  return (
    joinTy(a, b) ??
    low.refuse(
      node,
      "FC2107",
      `the function is given \`${tyText(a)}\` and \`${tyText(b)}\` for the same parameter`,
      "give it values of one type",
    )
  );
}

/** The type that a parameter is declared with. */
function parameterType(low: Lowering, fn: FunctionVal, i: number): Ty | undefined {
  const param = fn.node.params[i];
  const pattern = param?.type === "AssignmentPattern" ? param.left : param;
  const outer = low.module;
  low.module = fn.module;
  const type =
    pattern === undefined || pattern.type === "RestElement" || pattern.type === "TSParameterProperty"
      ? undefined
      : annotatedType(low, pattern);
  low.module = outer;
  return type;
}

/** An argument as data, of the type that the parameter is declared with where that says more. */
function asGiven(
  low: Lowering,
  { fn }: Recursion,
  arg: Val,
  i: number,
  node: At,
  state: Lowering["state"] = low.state,
): DataVal {
  const type = parameterType(low, fn, i);
  const before = low.state;
  low.state = state;
  try {
    return reify(low, hinted(low, arg, type, node), node, true);
  } finally {
    low.state = before;
  }
}

function asParam(low: Lowering, value: Val, type: Ty, node: At): Expr {
  const given = reify(low, value, node);
  return asType(low, given, type) ?? low.refuse(node, "FC2107", `this is passed on as \`${tyText(type)}\``);
}

/** Returns the current values of the outer state that the function changes. */
function states(low: Lowering, recursion: Recursion, node: At): Argument[] {
  const { carried, names } = recursion.taken;
  return [...carried].map(([slot, one]) => {
    const now = reifyIn(low, low.state, low.state.get(slot) ?? undefinedVal, node);
    const type = joined1(low, one.type, now.type, node);
    if (!sameForm(type, one.type)) {
      one.type = type;
      recursion.hasMore = true;
    }
    return { name: names.get(slot) ?? "", value: asParam(low, now, type, node) };
  });
}

/** Returns whether both are the same thing, whatever it holds. */
function isSame(a: Val, b: Val): boolean {
  if (a === b) return true;
  if (a.kind === "data" && b.kind === "data") return sameForm(a.type, b.type) && isSameExpr(a.expr, b.expr);
  if (a.kind === "function" && b.kind === "function")
    return a.node === b.node && a.scope === b.scope && a.self === b.self;
  if (a.kind !== "ref" || b.kind !== "ref") return false;
  const [x, y] = [a.shape, b.shape];
  if (x.kind === "object" || y.kind === "object")
    return x.kind === "object" && y.kind === "object" && x.of === y.of && hasSameFields(x.fields, y.fields);
  return x.kind === y.kind && x.slot === y.slot;
}

function hasSameFields(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return a.size === b.size && [...a].every(([name, slot]) => b.get(name) === slot);
}

function isSameExpr(a: Expr, b: Expr): boolean {
  return (
    a === b ||
    (a.kind === "var" && b.kind === "var" && a.name === b.name) ||
    (a.kind === "none" && b.kind === "none")
  );
}
