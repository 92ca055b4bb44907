/** Loop statements: over known values written out one by one, over lists of the run as one loop. */
import type {
  DoWhileStatement,
  Expression,
  ForInStatement,
  ForOfStatement,
  ForStatement,
  Node,
  Statement,
  WhileStatement,
} from "oxc-parser";
import { visitorKeys } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { field, num, op, same, yes } from "../build.ts";
import { Scope } from "../scope.ts";
import { bare } from "../syntax.ts";
import { int, isText, string } from "../ty.ts";
import { data, type Val } from "../value.ts";
import { arrayItems, charactersOf, listOf, newArray } from "./access.ts";
import { assignTo } from "./assign.ts";
import { builtinMethod } from "./builtin.ts";
import type { Lowering } from "./core.ts";
import { present, reify, usePoison } from "./data.ts";
import { Ends, type LoopStatement } from "./ending.ts";
import { execLoop } from "./exec-loop.ts";
import { condition, expression, number, waitFor } from "./expression.ts";
import { overGenerator } from "./generator.ts";
import { iterated } from "./json.ts";
import { linkedLoop } from "./linked-loop.ts";
import { dynamicLoop, leaveUnless, type Turning, unboundedLoop } from "./loop.ts";
import { callMethod } from "./method.ts";
import { declare, statement } from "./statement.ts";
import { stable, Turns, unroll, unrollLive } from "./turns.ts";

/** LIMIT: how often a loop is written out while its condition is not known. */
const maxGuarded = 64;

export function forOf(low: Lowering, scope: Scope, node: ForOfStatement): void {
  if (linkedLoop(low, scope, node)) return;
  const live = node.await ? undefined : liveCall(node.right);
  if (live !== undefined && low.mode.kind === "program") {
    const of = expression(low, scope, live.object);
    const isLive =
      of.kind === "ref"
        ? ["map", "set", "array"].includes(of.shape.kind)
        : of.kind === "data" && of.type.kind === "list";
    if (isLive) {
      const values = iterated(low, callMethod(low, of, live.name, [], node.right), node.right);
      // SOUNDNESS: JavaScript goes over the `Map`, `Set` or array itself, and sees what the body does to it.
      stable(low, of, node, () =>
        overValues(low, values, false, loopName(node), node, (item) => iteration(low, scope, node, item)),
      );
      return;
    }
  }
  const entries = entriesOf(node.right);
  const given = expression(low, scope, entries ?? node.right);
  if (given.kind === "generator") {
    overGenerator(low, given, node, (item) => iteration(low, scope, node, item));
    return;
  }
  const source = iterated(low, given, node.right);
  const body = (item: Val) => iteration(low, scope, node, node.await ? waitFor(low, item, node) : item);
  overValues(low, source, entries !== undefined, loopName(node), node, body);
}

/** `for (const key in object)`: over the keys that it has at the beginning. */
export function forIn(low: Lowering, scope: Scope, node: ForInStatement): void {
  const source = expression(low, scope, node.right);
  const isList =
    (source.kind === "ref" && !["object", "dict"].includes(source.shape.kind)) ||
    (source.kind === "data" && source.type.kind === "list");
  if (isList)
    low.refuse(
      node,
      "FC2305",
      "`for … in` over a list gives indices as strings",
      "use `for (const item of list)` or `for (const [i, item] of list.entries())`",
    );
  const keys = builtinMethod(low, "Object", "keys", [source], node.right);
  const before = low.deletions;
  overValues(low, keys, false, loopName(node), node, (item) => iteration(low, scope, node, item));
  if (low.deletions !== before)
    low.refuse(
      node,
      "FC2312",
      "this may delete a key that the loop has not come to, which JavaScript would skip",
      "loop over `Object.keys(…)`",
    );
}

/** `map.values()` and `map.keys()`: what the method is called on, and its name. */
function liveCall(node: Expression): { readonly object: Expression; readonly name: string } | undefined {
  const inner = bare(node);
  if (inner.type !== "CallExpression" || inner.arguments.length > 0 || inner.optional) return undefined;
  const callee = bare(inner.callee);
  if (callee.type !== "MemberExpression" || callee.computed || callee.optional) return undefined;
  const { name } = callee.property;
  if ((name !== "values" && name !== "keys") || callee.object.type === "Super") return undefined;
  return callee.object.type === "Identifier" || callee.object.type === "MemberExpression"
    ? { object: callee.object, name }
    : undefined;
}

/** `list.entries()`: the positions with the elements. */
function entriesOf(node: Expression): Expression | undefined {
  const inner = bare(node);
  if (inner.type !== "CallExpression" || inner.arguments.length > 0) return undefined;
  const callee = bare(inner.callee);
  if (callee.type !== "MemberExpression" || callee.computed || callee.property.name !== "entries")
    return undefined;
  return callee.object.type === "Super" ? undefined : callee.object;
}

function loopName(node: ForOfStatement | ForInStatement): string {
  const { left } = node;
  const target = left.type === "VariableDeclaration" ? left.declarations[0]?.id : left;
  return target?.type === "Identifier" ? target.name : "item";
}

export function overValues(
  low: Lowering,
  source: Val,
  entries: boolean,
  name: string,
  node: Node,
  body: (item: Val) => void,
): void {
  const isMap = source.kind === "ref" && source.shape.kind === "map";
  const held = source.kind === "ref" && source.shape.kind === "set" ? low.read(source.shape.slot) : source;
  const items = held.kind === "items" ? held.items : isMap ? undefined : arrayItems(low, held);
  const turn = (item: Val, i: number) =>
    body(entries ? newArray(low, [data(num(BigInt(i)), int), item]) : item);
  if (items !== undefined) {
    if (source.kind === "ref" && source.shape.kind === "array") unrollLive(low, source, node, turn);
    else stable(low, source, node, () => unroll(low, items, node, turn));
    return;
  }
  if (source.kind === "data" && source.expr.kind === "string") {
    const units = [...source.expr.value].map((unit) => data({ kind: "string", value: unit }, string));
    unroll(low, units, node, body);
    return;
  }
  if (source.kind === "poison") usePoison(low, source, node);
  const value = source.kind === "data" ? present(low, source, node, "what is looped over") : source;
  const isString = value.kind === "data" && isText(value.type);
  const list = listOf(low, isString ? charactersOf(value.expr) : value, node);
  if (list === undefined) {
    const help =
      value.kind === "promise" && value.many
        ? "wait for all of them first: `for (const x of await Promise.all(list)) { … }`"
        : "loop over an array, a `Set`, a `Map` or what a tool returned";
    low.refuse(node, "FC2315", "this is not something to loop over", help);
    return;
  }
  // A `Map` without entries has no types yet, and nothing to loop over.
  if (list.type.element.kind === "never") return;
  const hints = entries && !isMap ? { item: name, index: "index" } : { item: name };
  stable(low, source, node, () =>
    dynamicLoop(low, list, hints, node, (item, index) => {
      if (isMap && item.kind === "data" && item.type.kind === "record") {
        const pair = item.type.fields.map((one) => data(field(item.expr, one.name), one.type));
        body(newArray(low, pair));
      } else body(entries ? newArray(low, [index, item]) : item);
    }),
  );
}

function iteration(low: Lowering, scope: Scope, node: ForOfStatement | ForInStatement, item: Val): void {
  const inner = new Scope(scope);
  const { left } = node;
  if (left.type === "VariableDeclaration") {
    const [one] = left.declarations;
    if (one !== undefined) declare(low, inner, left, one.id, item);
  } else assignTo(low, scope, left, item, node);
  statement(low, inner, node.body);
}

// ── loops with a condition ───────────────────────────────────────────────────────────────────────────────

export function forLoop(low: Lowering, scope: Scope, node: ForStatement): void {
  if (counting(low, scope, node)) return;
  const head = new Scope(scope);
  if (node.init?.type === "VariableDeclaration") statement(low, head, node.init);
  else if (node.init) expression(low, head, node.init);
  const make = (): ConditionLoop => {
    // A function made in the head keeps the variables of the head, which no turn changes.
    let inner = fresh(low, head);
    return {
      test: () => (node.test ? condition(low, inner, node.test) : yes),
      body: () => {
        statement(low, new Scope(inner), node.body);
      },
      after: () => {
        // Each turn has a variable of its own, so that a function made in one does not see the next.
        inner = fresh(low, inner);
        if (node.update) expression(low, inner, node.update);
      },
      head: () => inner,
      general: () => forTurns(low, head, node),
    };
  };
  conditionLoop(low, node, make, node.test ? counted(node.test, node) : undefined);
}

/** The same where turns are not written out: what the variables of the head hold goes from turn to turn. */
function forTurns(low: Lowering, head: Scope, node: ForStatement): Turning {
  const held = fresh(low, head);
  let inner = held;
  return {
    test: () => {
      inner = held;
      return node.test ? condition(low, held, node.test) : yes;
    },
    body: () => {
      inner = fresh(low, held);
      statement(low, new Scope(inner), node.body);
    },
    after: () => {
      inner = fresh(low, inner);
      if (node.update) expression(low, inner, node.update);
      for (const [name, binding] of held.names) {
        const now = inner.names.get(name);
        if (binding.kind === "let" && now?.kind === "let")
          low.write(binding.slot, low.read(now.slot), node.update ?? node);
      }
    },
  };
}

function fresh(low: Lowering, scope: Scope): Scope {
  const copy = new Scope(scope.parent);
  for (const [name, binding] of scope.names) {
    copy.set(
      name,
      binding.kind === "let" ? { ...binding, slot: low.newSlot(low.read(binding.slot)) } : binding,
    );
  }
  return copy;
}

export function whileLoop(low: Lowering, scope: Scope, node: WhileStatement | DoWhileStatement): void {
  if (node.type === "WhileStatement" && execLoop(low, scope, node)) return;
  const isLate = node.type === "DoWhileStatement";
  const test = () => condition(low, scope, node.test);
  const body = () => statement(low, new Scope(scope), node.body);
  const make = (): ConditionLoop => {
    let turn = 0;
    return {
      test: () => (isLate && turn++ === 0 ? yes : test()),
      body,
      after: () => {},
      general: () =>
        isLate ? { body, after: () => leaveUnless(low, test(), node) } : { test, body, after: () => {} },
    };
  };
  conditionLoop(low, node, make, counted(node.test, node));
}

/** Loops as they are written: what is looked at before a turn, the turn, and what comes after it. */
interface ConditionLoop {
  readonly test: () => Expr;
  readonly body: () => void;
  readonly after: () => void;
  /** The names of the head in this turn, each of which has variables of its own. */
  readonly head?: () => Scope;
  /** The same where turns are not written out. */
  readonly general: () => Turning;
}

/**
 * Bounds the iterations of `… && tries < 3` if every iteration counts: a counter that starts at zero. Only if nothing
 * but a failure decides whether it counts.
 */
function counted(test: Expression, loop: LoopStatement): number | undefined {
  const inner = bare(test);
  if (inner.type === "LogicalExpression" && inner.operator === "&&")
    return counted(inner.left, loop) ?? counted(inner.right, loop);
  if (inner.type !== "BinaryExpression" || (inner.operator !== "<" && inner.operator !== "<="))
    return undefined;
  const counter = bare(inner.left);
  if (counter.type !== "Identifier" || !isCounted(loop, counter.name)) return undefined;
  const bound = bare(inner.right);
  if (bound.type !== "Literal" || typeof bound.value !== "number") return undefined;
  const turns = Math.ceil(bound.value) + (inner.operator === "<" ? 0 : 1);
  return turns > 0 && turns <= maxGuarded ? turns : undefined;
}

/**
 * LIMIT: of turns that are written out of a loop with loops in it, unless it is certain that each is taken: every turn is
 * a loop of its own to the prover.
 */
const maxOfLoops = 6;

function hasLoop(node: Node): boolean {
  if (loops.has(node.type)) return true;
  return childNodes(node).some(hasLoop);
}

const loops: ReadonlySet<string> = new Set([
  "ForStatement",
  "ForOfStatement",
  "ForInStatement",
  "WhileStatement",
  "DoWhileStatement",
]);

/** Returns true if every iteration increments the variable by one, unless it fails. */
function isCounted(loop: LoopStatement, name: string): boolean {
  const counts = (node: Node): boolean => {
    if (node.type === "ExpressionStatement") return isStep(node.expression, name);
    if (node.type !== "BlockStatement" && node.type !== "TryStatement" && node.type !== "CatchClause")
      return false;
    return childNodes(node).some(counts);
  };
  return counts(loop.body) || (loop.type === "ForStatement" && isStep(loop.update, name));
}

/** A loop that cannot be written out: its number of turns is unknown. */
class Unbounded extends Error {
  readonly loop: Node;
  constructor(loop: Node) {
    super("no bound of this loop is known");
    this.loop = loop;
  }
}

/** Writes the turns out if they are known to end, and otherwise makes one loop of them. */
function conditionLoop(low: Lowering, node: LoopStatement, make: () => ConditionLoop, counts?: number): void {
  const { path: entry } = low;
  const canGoBack = low.mode.kind !== "formula" && low.tasks.canGoBack;
  const mark = canGoBack ? low.mark() : undefined;
  try {
    writtenOut(low, node, make(), counts);
  } catch (thrown) {
    if (!(thrown instanceof Unbounded) || thrown.loop !== node) throw thrown;
    if (mark === undefined) {
      low.path = entry;
      refuseBeside(low, node);
    }
    low.back(mark);
    unboundedLoop(low, node, make().general());
  }
}

function refuseBeside(low: Lowering, node: Node): never {
  return low.refuse(
    node,
    "FC2313",
    "no bound of this loop is known, and a call is under way beside it",
    "await the call before the loop",
  );
}

function writtenOut(
  low: Lowering,
  node: LoopStatement,
  { test, body, after, head }: ConditionLoop,
  counts: number | undefined,
): void {
  const turns = new Turns(low, node);
  let taken = 0;
  let guarded = 0;
  let ended = false;
  const known = new Ends(low, node, head);
  while (low.isReached && !ended) {
    known.begin();
    turns.turn(() => {
      const holds = test();
      if (holds.kind === "bool" && !holds.value) {
        ended = true;
        return;
      }
      if (holds.kind !== "bool") {
        guarded += 1;
        if (counts !== undefined && counts > maxOfLoops && hasLoop(node.body)) throw new Unbounded(node);
        if (counts !== undefined && taken >= counts) {
          // Whether it counts in every turn is for the prover to show; a run stops where it did not.
          const why = `this loop takes more than ${counts} iterations`;
          low.require(op("not", low.named(holds, "goes_on", node)), why, node);
          ended = true;
          return;
        }
        if (guarded > maxGuarded) throw new Unbounded(node);
        leaveUnless(low, holds, node);
      }
      taken += 1;
      body();
    });
    if (low.isReached && !ended) after();
    if (low.isReached && !ended && counts === undefined && !known.mayEnd()) throw new Unbounded(node);
  }
  turns.end();
}

/** Makes a loop over a range of it if it can, and leaves nothing behind if it cannot. */
function counting(low: Lowering, scope: Scope, node: ForStatement): boolean {
  const mark = low.mode.kind !== "formula" && low.tasks.canGoBack ? low.mark() : undefined;
  try {
    return countingLoop(low, scope, node);
  } catch (thrown) {
    if (!(thrown instanceof Unbounded) || thrown.loop !== node) throw thrown;
    if (mark === undefined) return refuseBeside(low, node);
    low.back(mark);
    return false;
  }
}

/** `for (let i = a; i < n; i++)` where `n` is only known in the run: a loop over a range. */
function countingLoop(low: Lowering, scope: Scope, node: ForStatement): boolean {
  const { init, test, update: step, body } = node;
  if (init?.type !== "VariableDeclaration" || init.kind !== "let" || init.declarations.length !== 1)
    return false;
  const [one] = init.declarations;
  if (one?.id.type !== "Identifier" || one.init === null || one.init === undefined) return false;
  const { name } = one.id;
  if (test?.type !== "BinaryExpression" || (test.operator !== "<" && test.operator !== "<=")) return false;
  if (test.left.type !== "Identifier" || test.left.name !== name || !isStep(step, name)) return false;
  const bound = test.right;
  if (!isPlain(bound) || assigns(body, name)) return false;
  if (number(low, expression(low, scope, bound), bound).expr.kind === "number") return false;
  const start = number(low, expression(low, scope, one.init), one.init);
  // The head comes first, and may have changed what the bound is.
  const limit = number(low, expression(low, scope, bound), bound);
  const distance = op("-", limit.expr, start.expr);
  const whole =
    limit.type.kind === "int" && start.type.kind === "int"
      ? zeroLess(limit.expr, start.expr, distance)
      : op("ceil", distance);
  const count =
    test.operator === "<"
      ? whole
      : op(
          "+",
          limit.type.kind === "int" && start.type.kind === "int" ? whole : op("floor", distance),
          num(1n),
        );
  dynamicLoop(
    low,
    { kind: "data", expr: op("range", count), type: { kind: "list", element: int } },
    { item: name },
    node,
    (item) => {
      const again = reify(low, expression(low, scope, bound), bound);
      if (!same(again.expr, limit.expr, 200)) throw new Unbounded(node);
      const inner = new Scope(scope);
      const position = reify(low, item, node);
      const zero = start.expr.kind === "number" && start.expr.value === 0n;
      const value = zero
        ? position
        : data(op("+", start.expr, position.expr), start.type.kind === "int" ? int : start.type);
      inner.set(name, { kind: "const", value });
      statement(low, inner, body);
    },
  );
  return true;
}

function zeroLess(limit: Expr, start: Expr, distance: Expr): Expr {
  return start.kind === "number" && start.value === 0n ? limit : distance;
}

function isStep(step: Expression | null, name: string): boolean {
  if (step?.type === "UpdateExpression")
    return step.operator === "++" && step.argument.type === "Identifier" && step.argument.name === name;
  return (
    step?.type === "AssignmentExpression" &&
    step.operator === "+=" &&
    step.left.type === "Identifier" &&
    step.left.name === name &&
    step.right.type === "Literal" &&
    step.right.value === 1
  );
}

/** Names and fields only: evaluating it again does nothing. */
function isPlain(node: Expression): boolean {
  if (node.type === "Identifier" || node.type === "Literal") return true;
  return (
    node.type === "MemberExpression" && !node.computed && node.object.type !== "Super" && isPlain(node.object)
  );
}

/** Returns true if a descendant assigns to a variable of that name. */
export function assigns(node: Statement | Node, name: string): boolean {
  if (node.type === "AssignmentExpression" && node.left.type === "Identifier" && node.left.name === name)
    return true;
  if (
    node.type === "AssignmentExpression" &&
    (node.left.type === "ArrayPattern" || node.left.type === "ObjectPattern")
  )
    return true;
  if (node.type === "UpdateExpression" && node.argument.type === "Identifier" && node.argument.name === name)
    return true;
  return childNodes(node).some((child) => assigns(child, name));
}

export function childNodes(node: Node): Node[] {
  const found: Node[] = [];
  for (const key of visitorKeys[node.type] ?? []) {
    // SAFETY: the keys of the parser's own table are fields that hold nodes, lists of nodes or nothing.
    const value = (node as unknown as Record<string, Node | (Node | null)[] | null | undefined>)[key];
    if (Array.isArray(value)) for (const one of value) one && found.push(one);
    else if (value) found.push(value);
  }
  return found;
}
