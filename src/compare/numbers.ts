/** Comparisons of counts, sums and extremes of calls, and how many calls have to be kept for them to stay as they are. */
import { type AggregateExpr, add, compare, type Expr, isAdditive, isExtreme, type Num } from "../ir/index.ts";
import { isCallEach, isFixed, isOfCalls, isPlain } from "./kinds.ts";
import { anyOf, negated } from "./logic.ts";

export interface Compared {
  readonly expr: Expr;
  readonly calls: number;
  /** True if it is the comparison itself, and not a weaker one. */
  readonly isWhole: boolean;
}

type Side = "<=" | "<" | ">=" | ">";

const opposites: Readonly<Record<Side, Side>> = { "<=": ">", "<": ">=", ">=": "<", ">": "<=" };

const turned: Readonly<Record<Side, Side>> = { "<=": ">=", "<": ">", ">=": "<=", ">": "<" };

export class Numbers {
  readonly #isAdding: (sum: AggregateExpr) => boolean;

  constructor(isAdding: (sum: AggregateExpr) => boolean) {
    this.#isAdding = isAdding;
  }

  /** Undefined if nothing of it stays when calls are omitted, however many are kept. */
  compared(op: string, a: Expr, b: Expr, assumed: boolean): Compared | undefined {
    if (op === "<=" || op === "<" || op === ">=" || op === ">") {
      const calls = this.#side(assumed ? op : opposites[op], a, b);
      if (calls !== undefined) return { expr: comparison(op, a, b), calls, isWhole: true };
      const some = someAdds(assumed ? op : opposites[op], a, b);
      return some && { expr: assumed ? some : negated(some), calls: 1, isWhole: false };
    }
    if (op !== "==" && op !== "!=") return undefined;
    // Without it being known that both are numbers, equality could not be taken apart.
    if (!isNumber(a) && !isNumber(b)) return undefined;
    const [low, high] = [this.#side("<=", a, b), this.#side(">=", a, b)];
    if ((op === "==") === assumed) {
      const whole = low !== undefined && high !== undefined;
      if (whole) return { expr: comparison(op, a, b), calls: low + high, isWhole: true };
      if (low === undefined && high === undefined) return undefined;
      const weaker = comparison(low === undefined ? ">=" : "<=", a, b);
      const expr: Expr = op === "==" ? weaker : { kind: "op", op: "not", args: [weaker] };
      return { expr, calls: low ?? high ?? 0, isWhole: false };
    }
    const [below, above] = [this.#side("<", a, b), this.#side(">", a, b)];
    if (below === undefined || above === undefined) {
      const sides = [someAdds("<", a, b), someAdds(">", a, b)].flatMap((side) => side ?? []);
      if (sides.length < 2) return undefined;
      const some = anyOf(sides);
      return { expr: assumed ? some : negated(some), calls: 1, isWhole: false };
    }
    return { expr: comparison(op, a, b), calls: Math.max(below, above), isWhole: true };
  }

  /** The number of calls to keep for `a` to stay on that side of `b`. */
  #side(op: Side, a: Expr, b: Expr): number | undefined {
    switch (op) {
      case ">=":
        return this.#side("<=", b, a);
      case ">":
        return this.#side("<", b, a);
      case "<=":
      case "<":
        // SOUNDNESS: with calls omitted, the left side is no more and the right side no less than it was.
        if (this.#isLess(a) && this.#isMore(b)) return extremes(a) + extremes(b);
        return enough(op === "<=", b, a);
    }
  }

  /** True if omitting calls never raises it, as long as its extremes stay. */
  #isLess(expr: Expr): boolean {
    if (isFixed(expr)) return true;
    if (expr.kind === "aggregate") {
      if (!isOfCalls(expr.over) || !isPlain(expr)) return false;
      if (isExtreme(expr.aggregate)) return true;
      return isCallEach(expr.over) && (expr.aggregate === "count" || this.#isAdding(expr));
    }
    if (expr.kind !== "op") return false;
    const [first, second] = expr.args;
    if (expr.op === "+") return expr.args.every((arg) => this.#isLess(arg));
    if (expr.op === "-" && first && second) return this.#isLess(first) && this.#isMore(second);
    return expr.op === "negate" && first !== undefined && this.#isMore(first);
  }

  #isMore(expr: Expr): boolean {
    if (isFixed(expr)) return true;
    if (expr.kind === "aggregate") return isExtreme(expr.aggregate) && this.#isLess(expr);
    if (expr.kind !== "op") return false;
    const [first, second] = expr.args;
    if (expr.op === "+") return expr.args.every((arg) => this.#isMore(arg));
    if (expr.op === "-" && first && second) return this.#isMore(first) && this.#isLess(second);
    return expr.op === "negate" && first !== undefined && this.#isLess(first);
  }
}

/** Returns, for a sum above zero, that some call adds more than zero; the dual for a sum below zero. */
function someAdds(op: Side, a: Expr, b: Expr): Expr | undefined {
  if (a.kind === "number") return someAdds(turned[op], b, a);
  if (a.kind !== "aggregate" || a.aggregate !== "sum" || a.value === undefined || b.kind !== "number")
    return undefined;
  if (!isOfCalls(a.over) || !isPlain(a)) return undefined;
  const sign = compare(b.value, 0n);
  const isMore = (op === ">" && sign >= 0) || (op === ">=" && sign > 0);
  const isLess = (op === "<" && sign <= 0) || (op === "<=" && sign < 0);
  if (!isMore && !isLess) return undefined;
  const body = comparison(isMore ? ">" : "<", a.value, { kind: "number", value: 0n });
  return { kind: "quantifier", quantifier: "exists", over: a.over, body };
}

/** One call each: with the one that has the least or the greatest value kept, that value stays what it was. */
function extremes(expr: Expr): number {
  if (expr.kind === "aggregate") return isFixed(expr) || isAdditive(expr.aggregate) ? 0 : 1;
  return expr.kind === "op" ? expr.args.reduce((all, arg) => all + extremes(arg), 0) : 0;
}

/** LIMIT: with more calls to keep, nothing is said. */
const mostCalls = 8;

/** Calls that are enough for a sum of counts to be as large as it is assumed to be: each of them adds one at least. */
function enough(orAt: boolean, counts: Expr, bound: Expr): number | undefined {
  if (bound.kind !== "number") return undefined;
  const base = countedFrom(counts);
  if (base === undefined) return undefined;
  for (let n = 0; n <= mostCalls; n++) {
    const side = compare(add(BigInt(n), base), bound.value);
    if (side > 0 || (orAt && side === 0)) return n;
  }
  return undefined;
}

/** Returns the value of a sum of counts without any calls. */
function countedFrom(expr: Expr): Num | undefined {
  if (expr.kind === "number") return expr.value;
  if (expr.kind === "aggregate")
    return expr.aggregate === "count" && isCallEach(expr.over) && isPlain(expr) ? 0n : undefined;
  if (expr.kind !== "op" || expr.op !== "+") return undefined;
  return expr.args
    .map(countedFrom)
    .reduce((all, one) => (all === undefined || one === undefined ? undefined : add(all, one)), 0n);
}

function isNumber(expr: Expr): boolean {
  if (expr.kind === "number" || expr.kind === "aggregate") return true;
  return expr.kind === "op" && ["+", "-", "*", "/", "negate"].includes(expr.op);
}

function comparison(op: string, a: Expr, b: Expr): Expr {
  return { kind: "op", op, args: [a, b] };
}
