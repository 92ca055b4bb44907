/** Statements, in the order in which JavaScript runs them. */

import type {
  BindingPattern,
  Expression,
  IfStatement,
  Node,
  Statement,
  TryStatement,
  VariableDeclaration,
  VariableDeclarator,
} from "oxc-parser";
import { append } from "../../ir/index.ts";
import { anyOf } from "../build.ts";
import { Refusal } from "../refusal.ts";
import { Scope } from "../scope.ts";
import { objectionTo } from "../subset.ts";
import { bare, type Module } from "../syntax.ts";
import { poison, undefinedVal, type Val } from "../value.ts";
import { annotatedType } from "./annotation.ts";
import { answerOf } from "./answer.ts";
import { named } from "./assign.ts";
import { atOnce, handsOn } from "./at-once.ts";
import { type Catching, catchingFor, caughtIn, throwing } from "./caught.ts";
import { declaredClass } from "./class.ts";
import type { Exit, Lowering } from "./core.ts";
import { hinted } from "./data.ts";
import { condition, expression, waitFor } from "./expression.ts";
import { endGenerator, isInGenerator } from "./generator.ts";
import { forIn, forLoop, forOf, whileLoop } from "./iterate.ts";
import { breakable, jump, labelled } from "./labels.ts";
import { branch, mergeAll } from "./merge.ts";
import { slug } from "./names.ts";
import { bindPattern, constantBinding, variableSlot } from "./pattern.ts";
import { changedRoots, placing } from "./placed.ts";
import { rejoin, takeExits } from "./rejoin.ts";
import { isForSettled } from "./settled.ts";
import { switchStatement } from "./switch.ts";

/** Function declarations can be called before they stand; other names exist but have no value yet. */
export function hoist(
  low: Lowering,
  body: readonly Node[],
  scope: Scope,
  module: Module,
  params?: Scope,
): void {
  const isTaken = (name: string) => scope.names.has(name) || params?.names.has(name) === true;
  for (const node of body) {
    if (node.type === "FunctionDeclaration" && node.id) {
      if (isTaken(node.id.name))
        low.refuse(node.id, "FC2404", `\`${node.id.name}\` is declared twice`, "choose another name");
      scope.set(node.id.name, {
        kind: "const",
        value: { kind: "function", node, scope, module, name: node.id.name },
      });
    } else if (node.type === "ClassDeclaration" && node.id) {
      if (isTaken(node.id.name))
        low.refuse(node.id, "FC2404", `\`${node.id.name}\` is declared twice`, "choose another name");
      scope.set(node.id.name, { kind: "later" });
    } else if (node.type === "VariableDeclaration") {
      for (const one of node.declarations)
        for (const name of boundNames(one.id)) {
          if (isTaken(name))
            low.refuse(one.id, "FC2404", `\`${name}\` is declared twice`, "choose another name");
          scope.set(name, { kind: "later" });
        }
    }
  }
}

export function boundNames(pattern: BindingPattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "AssignmentPattern":
      return boundNames(pattern.left);
    case "ObjectPattern":
      return pattern.properties.flatMap((one) =>
        boundNames(one.type === "RestElement" ? one.argument : one.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((one) =>
        one === null ? [] : boundNames(one.type === "RestElement" ? one.argument : one),
      );
  }
}

/** One after the other. A statement with a problem is reported, and the next ones are still looked at. */
export function statements(low: Lowering, scope: Scope, body: readonly Statement[]): void {
  for (const node of body) {
    if (!low.isReached) return;
    const tasks = low.tasks.snapshot();
    const { buffer } = low;
    try {
      statement(low, scope, node);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      low.tasks.restore(tasks);
      low.buffer = buffer;
      // Where a problem is only a sign to try another way, the caller must see it.
      if (low.mode.kind === "lambda") throw thrown;
      low.problems.add(thrown.diagnostic);
      for (const name of declaredIn(node))
        if (scope.names.get(name)?.kind === "later") scope.set(name, { kind: "const", value: reported });
    }
  }
}

function declaredIn(node: Statement): readonly string[] {
  if (node.type === "ClassDeclaration") return node.id ? [node.id.name] : [];
  return node.type === "VariableDeclaration" ? node.declarations.flatMap((one) => boundNames(one.id)) : [];
}

/** Stands for what could not be compiled: using it says nothing new. */
const reported: Val = {
  kind: "poison",
  why: () => {
    throw new Refusal(undefined);
  },
};

export function statement(low: Lowering, scope: Scope, node: Statement): void {
  if (!low.isReached) return;
  low.deeper(node, () => lower(low, scope, node));
}

function lower(low: Lowering, scope: Scope, node: Statement): void {
  switch (node.type) {
    case "EmptyStatement":
    case "TSTypeAliasDeclaration":
    case "TSInterfaceDeclaration":
      return;
    case "FunctionDeclaration":
      return;
    case "ClassDeclaration":
      declaredClass(low, node, scope);
      return;
    case "ExpressionStatement":
      expressionStatement(low, scope, node);
      return;
    case "VariableDeclaration":
      for (const one of node.declarations) {
        declare(low, scope, node, one.id, initial(low, scope, one));
      }
      return;
    case "BlockStatement":
      block(low, new Scope(scope), node.body);
      return;
    case "IfStatement":
      ifStatement(low, scope, node);
      return;
    case "ReturnStatement":
      if (isInGenerator(low)) {
        if (node.argument) waitFor(low, expression(low, scope, node.argument), node);
        endGenerator(low, node);
        return;
      }
      low.leave("return", node.argument ? returned(low, scope, node.argument, node) : undefinedVal);
      return;
    case "ThrowStatement":
      throwing(low, expression(low, scope, node.argument), node);
      return;
    case "BreakStatement":
    case "ContinueStatement":
      jump(low, node.type === "BreakStatement" ? "break" : "continue", node.label?.name, node);
      return;
    case "LabeledStatement": {
      const { label, body } = labelled(low, node);
      breakable(low, true, label, body, () => loop(low, scope, body));
      return;
    }
    case "ForOfStatement":
    case "ForInStatement":
    case "ForStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      breakable(low, true, undefined, node, () => loop(low, scope, node));
      return;
    case "TryStatement":
      tryStatement(low, scope, node);
      return;
    case "SwitchStatement":
      breakable(low, false, undefined, node, () => switchStatement(low, scope, node));
      return;
    default:
      low.refuse(node, ...(objectionTo(node) ?? notAStatement));
      return;
  }
}

function loop(low: Lowering, scope: Scope, node: Node): void {
  if (node.type === "ForOfStatement") forOf(low, scope, node);
  else if (node.type === "ForInStatement") forIn(low, scope, node);
  else if (node.type === "ForStatement") forLoop(low, scope, node);
  else if (node.type === "WhileStatement" || node.type === "DoWhileStatement") whileLoop(low, scope, node);
}

const notAStatement = [
  "FC2301",
  "this statement is not part of the language",
  "use `const`, `let`, `if`, loops, functions and calls of tools",
] as const;

function returned(low: Lowering, scope: Scope, argument: Expression, node: Node): Val {
  const value = handedOn(low, scope, argument, node);
  return low.stack.at(-1)?.node === low.answering && low.finallies === 0 ? answerOf(low, value, node) : value;
}

/** Lowers a returned promise without `await`: it fails where it is awaited, outside this `try`. */
function handedOn(low: Lowering, scope: Scope, argument: Expression, node: Node): Val {
  const given = () => expression(low, scope, argument);
  const value = handsOn(low) ? atOnce(low, argument, given) : given();
  if (value.kind === "promise" && low.tries > low.triesAround)
    low.refuse(node, "FC2311", "this `try` does not wait for what it returns", "write `return await …`");
  if (value.kind !== "promise" || !low.stack.at(-1)?.node.async) return value;
  // The promise of an `async` function is that of what it returns.
  return waitFor(low, value, node);
}

function initial(low: Lowering, scope: Scope, { id, init }: VariableDeclarator): Val {
  if (!init) return undefinedVal;
  const name = id.type === "Identifier" ? id.name : "";
  const inner = bare(init);
  const call = inner.type === "AwaitExpression" ? bare(inner.argument) : inner;
  if (name !== "" && call.type === "CallExpression") low.resultName = { node: call, name };
  return placing(low, init, changedRoots(low.module).has(name), () =>
    low.tasks.settling(isForSettled(low, name), () => expression(low, scope, init, name)),
  );
}

function block(low: Lowering, scope: Scope, body: readonly Statement[]): void {
  hoist(low, body, scope, low.module);
  statements(low, scope, body);
}

function expressionStatement(
  low: Lowering,
  scope: Scope,
  node: Extract<Statement, { type: "ExpressionStatement" }>,
): void {
  const inner = bare(node.expression);
  if (inner.type === "ConditionalExpression") {
    // Nobody uses what it gives, so the two need not fit together.
    const name = slug(low.sourceOf(inner.test), "chosen");
    const side = (part: Expression) => () => {
      expressionStatement(low, scope, { ...node, expression: part });
      return undefinedVal;
    };
    const test = condition(low, scope, inner.test);
    branch(low, test, node, name, side(inner.consequent), side(inner.alternate));
    return;
  }
  low.unused = inner;
  const value = expression(low, scope, node.expression);
  if (value.kind === "promise") {
    low.refuse(node, "FC2311", "this call is not awaited", "write `await` before it");
  }
  if (value.kind === "poison") {
    if (value.why !== undefined && value !== poison) return;
  }
}

/** `of`: the declaration that the pattern is part of, or none for a constant. */
export function declare(
  low: Lowering,
  scope: Scope,
  of: VariableDeclaration | undefined,
  pattern: BindingPattern,
  value: Val,
): void {
  // At the whole declaration, as where the syntax of a program is checked: a problem at one place is reported once.
  const objection = of && objectionTo(of);
  if (of !== undefined && objection !== undefined) low.refuse(of, ...objection);
  bindPattern(low, scope, pattern, value, (name, val, node) => {
    const before = scope.names.get(name);
    if (before !== undefined && before.kind !== "later")
      low.refuse(node, "FC2404", `\`${name}\` is declared twice`, "choose another name");
    const own = named(low, val, name, node);
    if (of === undefined || of.kind === "const") {
      scope.set(name, constantBinding(low, name, own));
      return;
    }
    const type = pattern.type === "Identifier" ? annotatedType(low, pattern) : undefined;
    const binding = variableSlot(low, name, hinted(low, own, type, node));
    scope.set(name, binding.kind === "let" && type !== undefined ? { ...binding, type } : binding);
  });
}

function ifStatement(low: Lowering, scope: Scope, node: IfStatement): void {
  const test = condition(low, scope, node.test);
  branch(
    low,
    test,
    node.test,
    slug(low.sourceOf(node.test), "condition"),
    () => {
      statement(low, scope, node.consequent);
      return undefinedVal;
    },
    () => {
      if (node.alternate) statement(low, scope, node.alternate);
      return undefinedVal;
    },
  );
}

// ── try ──────────────────────────────────────────────────────────────────────────────────────────────────

function tryStatement(low: Lowering, scope: Scope, node: TryStatement): void {
  if (node.finalizer) {
    withFinally(low, scope, node);
    return;
  }
  withCatch(low, scope, node);
  return;
}

function withCatch(low: Lowering, scope: Scope, node: TryStatement): void {
  const { handler } = node;
  const catching = handler === null ? low.catching : catchingFor(low, handler);
  const exits = guarded(low, catching, () => block(low, new Scope(scope), node.block.body));
  if (handler === null) {
    append(low.exits, exits);
    return;
  }
  const entered = low.path;
  const thrown = takeExits(low, exits, ["throw"]);
  if (thrown.length === 0) return;
  const normal = { path: entered, state: low.state, reached: low.isReached };
  const values = thrown.map((exit) => exit.value ?? caughtIn(catching, exit.state));
  // Where one of them is not known, none is: nobody can tell which it was.
  const isKnown = values.every((value) => value !== undefined);
  const merged = mergeAll(
    low,
    thrown.map(({ guard, state }, i) => {
      const value = isKnown ? values[i] : undefined;
      return value ? { guard, state, value } : { guard, state };
    }),
    node,
    "thrown",
  );
  low.state = merged?.state ?? low.state;
  low.path = low.named(anyOf(thrown.map((exit) => exit.guard)), "caught", handler);
  const inner = new Scope(scope);
  if (handler.param) {
    bindPattern(low, inner, handler.param, merged?.value ?? unknownError(low), (name, value) =>
      inner.set(name, { kind: "const", value }),
    );
  }
  block(low, inner, handler.body.body);
  if (!normal.reached) return;
  if (!low.isReached) {
    low.path = normal.path;
    low.state = normal.state;
    return;
  }
  // The handler went on, and so did the block where nothing was thrown: they meet here.
  const handled: Exit = { kind: "throw", guard: low.path, state: low.state };
  low.path = normal.path;
  low.state = normal.state;
  rejoin(low, [handled], undefined, node);
}

function guarded(low: Lowering, catching: Catching | undefined, body: () => void): Exit[] {
  const outer = low.catching;
  low.tries++;
  low.catching = catching;
  try {
    return low.collectExits(body);
  } finally {
    low.tries--;
    low.catching = outer;
  }
}

function unknownError(low: Lowering): Val {
  return {
    kind: "poison",
    why: (spot) =>
      low.refuse(
        spot,
        "FC2318",
        "what was thrown is not known here, because several calls at the same time may have thrown it",
        "write `catch {` and decide without it, or put a `try` into each of the functions",
      ),
  };
}

/** `finally` runs however the block was left, and then goes on as it was. */
function withFinally(low: Lowering, scope: Scope, node: TryStatement): void {
  const entry = low.path;
  const exits = beforeFinally(low, () =>
    guarded(low, low.catching, () => withCatch(low, scope, { ...node, finalizer: null })),
  );
  const normal = low.isReached ? [{ guard: low.path, state: low.state }] : [];
  const ways = [...exits.map(({ guard, state }) => ({ guard, state })), ...normal];
  const merged = mergeAll(low, ways, node, "left");
  if (merged === undefined || node.finalizer === null) return;
  low.state = merged.state;
  low.path = entry;
  const after = low.collectExits(() => block(low, new Scope(scope), node.finalizer?.body ?? []));
  append(low.exits, after);
  // An exit of `finally` itself takes the place of the one that led to it.
  const whole = after.length === 0;
  const still = low.path;
  if (!low.isReached) return;
  for (const exit of exits) {
    const guard = whole ? exit.guard : bothHold(low, exit.guard, still, node);
    low.exits.push({ ...exit, guard, state: new Map(low.state) });
  }
  const [on] = normal;
  if (on === undefined) low.path = { kind: "bool", value: false };
  else low.path = whole ? on.guard : bothHold(low, on.guard, still, node);
}

function beforeFinally<T>(low: Lowering, body: () => T): T {
  low.finallies++;
  try {
    return body();
  } finally {
    low.finallies--;
  }
}

function bothHold(low: Lowering, a: Exit["guard"], b: Exit["guard"], node: Node): Exit["guard"] {
  const before = low.path;
  low.path = a;
  const both = low.narrowed(b, "going", node);
  low.path = before;
  return both;
}
