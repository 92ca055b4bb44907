/**
 * Comparisons and tests in words: what is said of one value, as an adjective (`addr` equal to "bob") and as a verb
 * (`addr` is equal to "bob"). Negation is said in the words themselves: not at most 5 is above 5.
 */

import {
  bool,
  type Expr,
  isConstant,
  isSubtype,
  type OpExpr,
  printExpr,
  real,
  string,
  type Type,
} from "../ir/index.ts";
import { choices } from "./literal.ts";
import { flow, influence, reading } from "./provenance.ts";
import { mentions } from "./rename.ts";
import { type Scene, typeOf } from "./scene.ts";
import { operand, pathOf, term } from "./term.ts";
import { joined, say, type Text } from "./text.ts";

/** The words are made when they are needed: what is said in another way after all must leave no letters behind. */
export interface Relation {
  /** Its subject. */
  readonly left: Expr;
  readonly adjective: () => Text;
  readonly verb: () => Text;
  /** The property of the row, if it differs from the subject of the adjective. */
  readonly noun?: () => Text;
  /** True if the adjective could run into the words after it. */
  readonly loose: boolean;
}

/** `isHead`: what the words are about; a comparison is turned around if only its other side is that. */
export function relationOf(
  expr: Expr,
  yes: boolean,
  scene: Scene,
  isHead: (expr: Expr) => boolean,
): Relation | undefined {
  switch (expr.kind) {
    case "flows":
      return flow(expr.value, expr.from, yes);
    case "influenced":
      return influence(expr.call, expr.from, yes);
    case "mayRead":
      return reading(expr.value, expr.reader, yes, scene);
    default:
  }
  if (expr.kind !== "op") return isTruth(expr, scene) ? truth(expr, yes) : undefined;
  const [a, b] = expr.args;
  switch (expr.op) {
    case "not":
      return a && relationOf(a, !yes, scene, isHead);
    case "or":
      return anyOf(expr, yes, scene, isHead) ?? ofOption(expr, yes, scene, isHead);
    case "and":
      return ofOption(expr, yes, scene, isHead);
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return a && b && compared(a, expr.op, b, yes, scene, isHead);
    case "contains":
      return a && b && contained(a, b, yes, scene, isHead);
    case "startsWith":
      return a && b && tested(a, b, yes, "starting with", "starts with", "start with", scene);
    case "endsWith":
      return a && b && tested(a, b, yes, "ending with", "ends with", "end with", scene);
    case "matches":
      return a && b && found(a, b, yes, scene);
    case "pathInside":
      return a && b && inside(a, "path", b, yes, scene);
    case "urlInside":
      return a && b && inside(a, "URL", b, yes, scene);
    case "isSome":
      return a && simple(a, yes ? "present" : "absent");
    case "every":
    case "any":
      return a && b && ofElements(expr.op, a, b, yes, scene, isHead);
    case "isInteger":
      return a && simple(a, yes ? "an integer" : "not an integer");
    case "value":
      return isTruth(expr, scene) ? truth(expr, yes) : undefined;
    default:
      return undefined;
  }
}

function isTruth(expr: Expr, scene: Scene): boolean {
  if (expr.kind !== "cell" && pathOf(expr, scene) === undefined) return false;
  const type = typeOf(scene, expr);
  return type !== undefined && isSubtype(type, bool);
}

function truth(left: Expr, yes: boolean): Relation {
  return simple(left, String(yes));
}

function simple(left: Expr, words: Text | (() => Text), loose = false): Relation {
  const adjective = typeof words === "function" ? words : () => words;
  return { left, adjective, verb: () => say`is ${adjective()}`, loose };
}

// ── comparisons ──────────────────────────────────────────────────────────────────────────────────────────

const opposites: Readonly<Record<string, string>> = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};
const mirrored: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
export const comparisonWords: Readonly<Record<string, string>> = {
  "==": "equal to",
  "!=": "other than",
  "<": "below",
  "<=": "at most",
  ">": "above",
  ">=": "at least",
};

/** For numbers of things. */
export const amountWords: Readonly<Record<string, string>> = {
  "==": "exactly",
  "<": "fewer than",
  "<=": "at most",
  ">": "more than",
  ">=": "at least",
};

/** The comparison with what it is about on the left, and without a negation. */
export function turned(
  a: Expr,
  op: string,
  b: Expr,
  yes: boolean,
  isHead: (expr: Expr) => boolean,
): { left: Expr; op: string; right: Expr } {
  const said = yes ? op : (opposites[op] ?? op);
  const turn = isHead(b) && (!isHead(a) || (isConstant(a) && !isConstant(b)));
  return turn ? { left: b, op: mirrored[said] ?? said, right: a } : { left: a, op: said, right: b };
}

function compared(
  a: Expr,
  given: string,
  b: Expr,
  yes: boolean,
  scene: Scene,
  isHead: (expr: Expr) => boolean,
): Relation | undefined {
  const { left, op, right } = turned(a, given, b, yes, isHead);
  const equality = op === "==" || op === "!=";
  if (equality && right.kind === "bool") return simple(left, String((op === "==") === right.value));
  if (equality && right.kind === "none") return simple(left, op === "==" ? "absent" : "present");
  const [held] = right.kind === "op" && right.op === "some" ? right.args : [];
  if (equality && held !== undefined) {
    const words = op === "==" ? "present and equal to" : "absent or other than";
    return simple(left, () => say`${words} ${operand(held, scene)}`, true);
  }
  const order = equality ? "" : orderOf(typeOf(scene, left), typeOf(scene, right));
  const words = comparisonWords[op];
  if (order === undefined || words === undefined) return undefined;
  // A number of rows says itself where it ends.
  const value = () => (right.kind === "aggregate" ? term(right, scene).text : operand(right, scene));
  const loose = right.kind !== "number" && right.kind !== "string";
  const [of] = left.kind === "op" && left.op === "length" ? left.args : [];
  if (of !== undefined && pathOf(of, scene) !== undefined) {
    if (isText(typeOf(scene, of))) return simple(of, () => say`of length ${words} ${value()}`, loose);
    const amount = amountWords[op];
    if (amount !== undefined && right.kind === "number")
      return simple(of, () => say`of ${amount} ${value()} element${right.value === 1n ? "" : "s"}`, loose);
  }
  return simple(left, () => say`${words} ${value()}${order}`, loose);
}

/** Numbers go by size; strings have an order that must be said. */
function orderOf(a: Type | undefined, b: Type | undefined): string | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (isSubtype(a, real) && isSubtype(b, real)) return "";
  return isText(a) && isText(b) ? " in text order" : undefined;
}

function isText(type: Type | undefined): boolean {
  return type !== undefined && isSubtype(type, string);
}

// ── membership and parts ─────────────────────────────────────────────────────────────────────────────────

function contained(
  whole: Expr,
  part: Expr,
  yes: boolean,
  scene: Scene,
  isHead: (expr: Expr) => boolean,
): Relation | undefined {
  if (whole.kind === "list" && (isHead(part) || !isHead(whole)))
    return memberOf(part, whole.items, yes, scene);
  const type = typeOf(scene, whole);
  if (type === undefined) return undefined;
  if (isText(type)) return tested(whole, part, yes, "containing", "contains", "contain", scene);
  if (isHead(part) && !isHead(whole))
    return simple(part, () => say`${yes ? "one" : "none"} of the elements of ${operand(whole, scene)}`, true);
  const words = () => say`the element ${operand(part, scene)}`;
  return {
    left: whole,
    adjective: () => say`${yes ? "" : "not "}containing ${words()}`,
    verb: () => say`${yes ? "contains" : "does not contain"} ${words()}`,
    loose: true,
  };
}

function memberOf(left: Expr, items: readonly Expr[], yes: boolean, scene: Scene): Relation {
  if (items.length === 0) return simple(left, yes ? "one of no values at all" : "anything");
  return simple(left, () => membership(items, yes, scene), true);
}

function membership(items: readonly Expr[], yes: boolean, scene: Scene): Text {
  const words = items.map((item) => operand(item, scene));
  if (items.length === 1) return say`${yes ? "equal to" : "other than"} ${words}`;
  if (items.length === 2)
    return yes ? say`equal to ${joined(words, " or ")}` : say`neither ${joined(words, " nor ")}`;
  return say`${yes ? "one" : "none"} of ${choices(words, scene.options, yes ? "or" : "and")}`;
}

/** `every(xs, x => x == 1)`: every element of `xs` is equal to 1. Only for tests that mention the element once. */
function ofElements(
  op: "every" | "any",
  list: Expr,
  test: Expr,
  yes: boolean,
  scene: Scene,
  isHead: (expr: Expr) => boolean,
): Relation | undefined {
  const [element, ...more] = test.kind === "lambda" ? test.params : [];
  if (test.kind !== "lambda" || element === undefined || more.length > 0) return undefined;
  if (!isHead(list) || pathOf(list, scene) === undefined) return undefined;
  const { body } = test;
  const isElement = (expr: Expr) => mentions(expr, element.name);
  const names = new Map(scene.names).set(element.name, { kind: "local" });
  const inner = { ...scene, names };
  const isNone = op === "any" && !yes;
  const relation = relationOf(body, yes || isNone, inner, isElement);
  if (relation?.left.kind !== "var" || relation.left.name !== element.name || body.kind !== "op")
    return undefined;
  if (body.args.some((arg) => arg !== relation.left && isElement(arg))) return undefined;
  const [whole] = body.op === "contains" ? body.args : [];
  if (op === "every" && yes && whole?.kind === "list" && whole.items.length > 0)
    return onlyAmong(list, whole.items, scene);
  const which = isNone ? "no element" : op === "every" && yes ? "every element" : "at least one element";
  const words = () => say`${which} ${relation.verb()}`;
  return {
    left: list,
    adjective: () => say`in which ${words()}`,
    verb: () => say`is a list in which ${words()}`,
    loose: true,
  };
}

function onlyAmong(list: Expr, items: readonly Expr[], scene: Scene): Relation {
  const only = () =>
    say`only ${choices(
      items.map((item) => operand(item, scene)),
      scene.options,
      "and",
    )}`;
  return {
    left: list,
    adjective: () => say`with ${only()} as elements`,
    verb: () => say`has ${only()} as elements`,
    noun: () => say`${only()} among ${operand(list, scene)}`,
    loose: true,
  };
}

/** `x == a or x == b or …` is what `[a, b, …]` has as an element. */
function anyOf(
  { args }: OpExpr,
  yes: boolean,
  scene: Scene,
  isHead: (expr: Expr) => boolean,
): Relation | undefined {
  const sides = args.map((arg) => {
    const [a, b] = arg.kind === "op" && arg.op === "==" ? arg.args : [];
    return a && b && turned(a, "==", b, true, isHead);
  });
  const [first] = sides;
  if (first === undefined) return undefined;
  const same = printExpr(first.left);
  const items: Expr[] = [];
  for (const side of sides) {
    const isItem = side?.right.kind === "string" || side?.right.kind === "number";
    if (side === undefined || !isItem || printExpr(side.left) !== same) return undefined;
    items.push(side.right);
  }
  return memberOf(first.left, items, yes, scene);
}

/** `isSome(o) and value(o) == x`, `not isSome(o) or value(o) == x`: one thing is said of what may be absent. */
function ofOption(
  { op, args }: OpExpr,
  yes: boolean,
  scene: Scene,
  isHead: (expr: Expr) => boolean,
): Relation | undefined {
  const [first, test] = args;
  const given = op === "and" ? first : first?.kind === "op" && first.op === "not" ? first.args[0] : undefined;
  const [option] = given?.kind === "op" && given.op === "isSome" ? given.args : [];
  if (args.length !== 2 || option === undefined || test?.kind !== "op") return undefined;
  const relation = relationOf(test, yes, knowing(scene, option), isHead);
  if (relation === undefined || !isValueOf(relation.left, option)) return undefined;
  const present = (op === "and") === yes;
  // An absent one is not equal to anything; for other comparisons one would have to know what it counts as.
  const plain = test.op === "==" || (test.op === "contains" && test.args[0]?.kind === "list");
  if (present && plain && yes) return { ...relation, left: option };
  return simple(option, () => say`${present ? "present and" : "absent or"} ${relation.adjective()}`, true);
}

function isValueOf(expr: Expr, option: Expr): boolean {
  const [of] = expr.kind === "op" && expr.op === "value" ? expr.args : [];
  return of !== undefined && printExpr(of) === printExpr(option);
}

/** The scene where the option is known to hold a value. */
export function knowing(scene: Scene, option: Expr): Scene {
  return { ...scene, present: new Set(scene.present).add(printExpr(option)) };
}

function tested(
  left: Expr,
  part: Expr,
  yes: boolean,
  adjective: string,
  verb: string,
  bare: string,
  scene: Scene,
): Relation {
  return {
    left,
    adjective: () => say`${yes ? "" : "not "}${adjective} ${operand(part, scene)}`,
    verb: () => say`${yes ? verb : `does not ${bare}`} ${operand(part, scene)}`,
    loose: part.kind !== "string",
  };
}

/** A pattern is looked for anywhere, so that it is not said to be what the string is. */
function found(left: Expr, pattern: Expr, yes: boolean, scene: Scene): Relation {
  const what = "a match of the pattern";
  return tested(left, pattern, yes, `containing ${what}`, `contains ${what}`, `contain ${what}`, scene);
}

function inside(left: Expr, what: "path" | "URL", root: Expr, yes: boolean, scene: Scene): Relation {
  const not = yes ? "" : "not ";
  const words = () => say`${not}at or below ${operand(root, scene)} once normalized as a ${what}`;
  return simple(left, words, true);
}
