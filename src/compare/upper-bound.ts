/**
 * Decides whether a number in a formula is an upper bound: a larger one allows more, and it is compared with what runs
 * do. SOUNDNESS: the form of the formula decides alone; an unknown form has no known direction.
 */

import { compare, type Expr, exprsIn, type Selection } from "../ir/index.ts";
import { inlined, openNames } from "./names.ts";

/** The direction in which a formula, or a number in it, moves as the parameter grows. */
type Trend = "stays" | "grows" | "shrinks" | "unclear";

export type BoundKind =
  /** If it holds with one number, it holds with every larger one. */
  | "upper"
  /** If it holds with one number, it holds with every smaller one. */
  | "lower"
  /** It says the same with every number. */
  | "unused"
  | "unclear";

/** @param params of the contract: all of them are constants in a run */
export function boundKind(formula: Expr, param: string, params: readonly string[]): BoundKind {
  const found = new Direction(param, new Set(params)).of(inlined(formula));
  return ({ stays: "unused", grows: "upper", shrinks: "lower", unclear: "unclear" } as const)[found];
}

class Direction {
  readonly #param: string;
  readonly #params: ReadonlySet<string>;

  constructor(param: string, params: ReadonlySet<string>) {
    this.#param = param;
    this.#params = params;
  }

  of(expr: Expr): Trend {
    if (!openNames(expr).has(this.#param)) return "stays";
    switch (expr.kind) {
      case "var":
        return "grows";
      case "op":
        return this.#operator(expr.op, expr.args);
      case "always":
        return this.of(expr.body);
      case "quantifier": {
        const chosen = this.#where(expr.over);
        return together(expr.quantifier === "forall" ? opposite(chosen) : chosen, this.of(expr.body));
      }
      case "perKey": {
        const parts = [this.#where(expr.over), this.of(expr.key), expr.value ? this.of(expr.value) : "stays"];
        return parts.every((one) => one === "stays") ? this.of(expr.body) : "unclear";
      }
      case "aggregate":
        return expr.aggregate === "count" ? this.#where(expr.over) : "unclear";
      default:
        return "unclear";
    }
  }

  #where({ where }: Selection): Trend {
    return where === undefined ? "stays" : this.of(where);
  }

  #operator(op: string, args: readonly Expr[]): Trend {
    const [first, second] = args;
    const all = () => args.map((arg) => this.of(arg)).reduce(together, "stays");
    if (first === undefined) return "unclear";
    switch (op) {
      case "and":
      case "or":
      case "+":
      case "min":
      case "max":
      case "floor":
      case "ceil":
      case "round":
      case "truncate":
        return all();
      case "not":
      case "negate":
        return opposite(this.of(first));
    }
    if (second === undefined || args.length !== 2) return "unclear";
    switch (op) {
      case "-":
        return together(this.of(first), opposite(this.of(second)));
      case "implies":
        return together(opposite(this.of(first)), this.of(second));
      case "*":
        return this.#scaled(first, second, second) ?? this.#scaled(second, first, first) ?? "unclear";
      case "/":
        return this.#scaled(first, second, second) ?? "unclear";
      case "<":
      case "<=":
        return this.#compared(first, second);
      case ">":
      case ">=":
        return this.#compared(second, first);
      default:
        return "unclear";
    }
  }

  /** By a constant, in the direction of its sign. */
  #scaled(number: Expr, other: Expr, by: Expr): Trend | undefined {
    if (this.of(other) !== "stays" || by.kind !== "number" || compare(by.value, 0n) === 0) return undefined;
    return compare(by.value, 0n) > 0 ? this.of(number) : opposite(this.of(number));
  }

  /** Reads the comparison of two numbers. A number that is compared with a constant bounds nothing that a run does. */
  #compared(less: Expr, more: Expr): Trend {
    if (this.#isConstant(less) || this.#isConstant(more)) return "unclear";
    return together(opposite(this.of(less)), this.of(more));
  }

  #isConstant(expr: Expr): boolean {
    const names = openNames(expr);
    if (names.has(this.#param) || [...names].some((name) => !this.#params.has(name))) return false;
    return ![...exprsIn(expr)].some(({ kind }) => readsRun.has(kind));
  }
}

/** Kinds of expressions whose value comes from a run. */
const readsRun: ReadonlySet<string> = new Set(["aggregate", "quantifier", "perKey", "cell", "result"]);

function together(a: Trend, b: Trend): Trend {
  if (a === "stays" || a === b) return b;
  return b === "stays" ? a : "unclear";
}

function opposite(trend: Trend): Trend {
  if (trend === "grows") return "shrinks";
  return trend === "shrinks" ? "grows" : trend;
}
