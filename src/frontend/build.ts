/** Expressions of the IR, simplified where that needs no thought: constants, neutral operands, double negation. */
import {
  type Argument,
  defaultLimits,
  type Expr,
  isNum,
  LimitReached,
  Meter,
  type Num,
  never,
  operatorNamed,
  partsOf,
  type Value,
} from "../ir/index.ts";

export const yes: Expr = { kind: "bool", value: true };
export const no: Expr = { kind: "bool", value: false };
export const none: Expr = { kind: "none" };
export const boolean = (value: boolean): Expr => (value ? yes : no);
export const num = (value: Num): Expr => ({ kind: "number", value });
export const text = (value: string): Expr => ({ kind: "string", value });
export const variable = (name: string): Expr => ({ kind: "var", name });
export const listExpr = (items: readonly Expr[]): Expr => ({ kind: "list", items });
export const recordExpr = (fields: readonly Argument[]): Expr => ({ kind: "record", fields });
export const some = (value: Expr): Expr => ({ kind: "op", op: "some", args: [value] });

export function field(of: Expr, name: string): Expr {
  if (of.kind === "record") {
    const found = of.fields.find((one) => one.name === name);
    if (found !== undefined) return found.value;
  }
  return { kind: "field", of, name };
}

export const op = (name: string, ...args: readonly Expr[]): Expr => applied(name, args);

/**
 * Applies an operator to any number of operands. It takes a list, because a spread of so many arguments overflows the
 * stack.
 */
export function applied(name: string, args: readonly Expr[]): Expr {
  switch (name) {
    case "and":
      return connective("and", args, false);
    case "or":
      return connective("or", args, true);
    case "not":
      return not(args[0] ?? no);
    case "if":
      return choose(args[0] ?? no, args[1] ?? no, args[2] ?? no);
    case "isSome":
      return isSome(args[0] ?? none);
    case "value": {
      const [of] = args;
      if (of?.kind === "op" && of.op === "some" && of.args[0] !== undefined) return of.args[0];
      break;
    }
  }
  return folded(name, args) ?? { kind: "op", op: name, args };
}

export const and = (...args: readonly Expr[]): Expr => allOf(args);
export const or = (...args: readonly Expr[]): Expr => anyOf(args);
export const allOf = (args: readonly Expr[]): Expr => applied("and", args);
export const anyOf = (args: readonly Expr[]): Expr => applied("or", args);

export function not(expr: Expr): Expr {
  if (expr.kind === "bool") return boolean(!expr.value);
  if (expr.kind === "op" && expr.op === "not" && expr.args[0] !== undefined) return expr.args[0];
  if (expr.kind === "op" && expr.op === "==") return { kind: "op", op: "!=", args: expr.args };
  if (expr.kind === "op" && expr.op === "!=") return { kind: "op", op: "==", args: expr.args };
  return { kind: "op", op: "not", args: [expr] };
}

export function choose(condition: Expr, a: Expr, b: Expr): Expr {
  if (condition.kind === "bool") return condition.value ? a : b;
  if (same(a, b)) return a;
  if (condition.kind === "op" && condition.op === "not" && condition.args[0] !== undefined)
    return choose(condition.args[0], b, a);
  if (same(b, not(condition)) && isBoolean(b)) return or(b, a);
  if (a.kind === "bool") return a.value ? or(condition, b) : and(not(condition), b);
  if (b.kind === "bool") return b.value ? or(not(condition), a) : and(condition, a);
  return { kind: "op", op: "if", args: [condition, a, b] };
}

function isBoolean(expr: Expr): boolean {
  return expr.kind === "op" && ["not", "==", "!="].includes(expr.op);
}

function isSome(expr: Expr): Expr {
  if (expr.kind === "none") return no;
  if (expr.kind === "op" && expr.op === "some") return yes;
  if (expr.kind === "op" && expr.op === "if") {
    const [condition, a, b] = expr.args;
    if (
      condition !== undefined &&
      a !== undefined &&
      b !== undefined &&
      (isPlainOption(a) || isPlainOption(b))
    )
      return choose(condition, isSome(a), isSome(b));
  }
  return { kind: "op", op: "isSome", args: [expr] };
}

function isPlainOption(expr: Expr): boolean {
  return expr.kind === "none" || (expr.kind === "op" && expr.op === "some");
}

function connective(name: "and" | "or", args: readonly Expr[], stop: boolean): Expr {
  const flat: Expr[] = [];
  for (const arg of args) {
    const parts = arg.kind === "op" && arg.op === name ? arg.args : [arg];
    for (const part of parts) {
      if (part.kind === "bool") {
        if (part.value === stop) return boolean(stop);
      } else if (!flat.some((one) => same(one, part))) flat.push(part);
    }
  }
  const [first] = flat;
  if (first === undefined) return boolean(!stop);
  return flat.length === 1 ? first : { kind: "op", op: name, args: flat };
}

/** Equal as they stand; cheap, and false where it would take long to know. */
export function same(a: Expr, b: Expr, fuel = 24): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || fuel <= 0) return false;
  switch (a.kind) {
    case "bool":
    case "string":
      return "value" in b && a.value === b.value;
    case "number":
      return b.kind === "number" && sameNum(a.value, b.value);
    case "none":
      return true;
    case "var":
      return b.kind === "var" && a.name === b.name;
    case "field":
      return b.kind === "field" && a.name === b.name && same(a.of, b.of, fuel - 1);
    case "op":
      return b.kind === "op" && a.op === b.op && sameAll(a.args, b.args, fuel);
    case "list":
      return b.kind === "list" && sameAll(a.items, b.items, fuel);
    default:
      return false;
  }
}

function sameAll(a: readonly Expr[], b: readonly Expr[], fuel: number): boolean {
  const each = Math.floor((fuel - 1) / Math.max(1, a.length));
  return a.length === b.length && a.every((one, i) => b[i] !== undefined && same(one, b[i], each));
}

function sameNum(a: Num, b: Num): boolean {
  if (typeof a === "bigint" || typeof b === "bigint") return a === b;
  return a.num === b.num && a.den === b.den;
}

/** The literal that an operator gives for literals. Folding is a courtesy, so it stops at small ones. */
function folded(name: string, args: readonly Expr[]): Expr | undefined {
  // `json` changes the type alone, which a literal would lose.
  if (args.length === 0 || name === "json") return undefined;
  const values: Value[] = [];
  for (const arg of args) {
    const value = literal(arg);
    if (value === undefined) return undefined;
    values.push(value);
  }
  const evaluate = operatorNamed(name)?.evaluate;
  if (evaluate?.kind !== "strict") return undefined;
  try {
    const meter = new Meter({ ...defaultLimits, steps: 10_000, stringLength: 10_000, numberBits: 512 });
    return literalOf(evaluate.apply(values, { meter, type: never }));
  } catch (thrown) {
    if (thrown instanceof LimitReached) return undefined;
    throw thrown;
  }
}

/** Scalars, and lists of them. */
export function literal(expr: Expr): Value | undefined {
  if (expr.kind === "bool" || expr.kind === "number" || expr.kind === "string") return expr.value;
  if (expr.kind !== "list" || expr.items.length > 200) return undefined;
  const items = expr.items.map((item) => (item.kind === "list" ? undefined : literal(item)));
  return items.every((item) => item !== undefined) ? items : undefined;
}

function literalOf(value: Value): Expr | undefined {
  if (typeof value === "boolean") return boolean(value);
  if (typeof value === "string") return text(value);
  return isNum(value) ? num(value) : undefined;
}

const weights = new WeakMap<Expr, number>();

/** Counts the nodes of an expression when written out. */
export function weight(expr: Expr): number {
  const before = weights.get(expr);
  if (before !== undefined) return before;
  const sum = 1 + partsOf(expr).reduce((total, part) => total + weight(part), 0);
  weights.set(expr, sum);
  return sum;
}
