/**
 * Checks the polarity of possibilities in guarantees. `flows` and `influenced` over-approximate, so a guarantee can
 * exclude them and cannot rely on them; `mayRead` under-approximates, so it is the other way round. SOUNDNESS: an
 * unknown form counts as depending on its parts in both directions, and is refused. Part of what must be trusted.
 */
import type { Trail } from "../diagnostic.ts";
import type { AggregateExpr, Expr, FlowsExpr, InfluencedExpr, MayReadExpr, OpExpr } from "../document.ts";
import type { Context } from "./context.ts";

/**
 * The effect on the guarantee when a part changes from false to true, or to a greater number: it can only become
 * true, only become false, or either.
 */
type Polarity = "positive" | "negative" | "both";

/** Something that says what may be, or must be, where a guarantee could not hold for the right reason. */
export interface Misplaced {
  readonly expr: FlowsExpr | InfluencedExpr | MayReadExpr;
  readonly trail: Trail;
}

/** Checks a guarantee whose types are correct. */
export function checkPolarity(context: Context, formula: Expr, trail: Trail): void {
  for (const { expr, trail: at } of misplacedIn(formula, trail)) {
    if (expr.kind === "mayRead")
      context.problem(
        "FC1318",
        at,
        "`mayRead` can only be guaranteed, and here the guarantee would hold because it does not",
        "use `mayRead(…)` positively for every call that matters, without `not` before it",
      );
    else
      context.problem(
        "FC1318",
        at,
        `\`${expr.kind}\` says what may be, and here the guarantee would hold because of it`,
        `a guarantee can only rule it out: write \`not ${expr.kind}(…)\`, or state it as a condition with \`implies\` or \`where\``,
      );
  }
}

export function misplacedIn(formula: Expr, trail: Trail): readonly Misplaced[] {
  const polarities = new Polarities();
  polarities.visit(formula, "positive", trail);
  return polarities.misplaced;
}

class Polarities {
  readonly misplaced: Misplaced[] = [];
  /** Polarity of the names bound by `let`, by name: none hides another. */
  readonly #reads = new Map<string, Polarity>();

  visit(expr: Expr, polarity: Polarity, trail: Trail): void {
    switch (expr.kind) {
      case "bool":
      case "number":
      case "string":
      case "none":
      case "precedes":
      case "result":
      // Its conditions look at one call each, and so at nothing that may be.
      case "automaton":
        return;
      case "var": {
        const before = this.#reads.get(expr.name);
        this.#reads.set(expr.name, before === undefined || before === polarity ? polarity : "both");
        return;
      }
      case "op":
        this.#operator(expr, polarity, trail);
        return;
      case "lambda":
        this.visit(expr.body, "both", trail.at("body"));
        return;
      case "list":
        expr.items.forEach((item, i) => this.visit(item, "both", trail.at("items", i)));
        return;
      case "record":
        expr.fields.forEach(({ value }, i) => this.visit(value, "both", trail.at("fields", i, "value")));
        return;
      case "field":
        this.visit(expr.of, "both", trail.at("of"));
        return;
      case "cell":
        this.visit(expr.key, "both", trail.at("key"));
        return;
      case "let": {
        // The name may have stood for something else before, in another part.
        this.#reads.delete(expr.name);
        this.visit(expr.body, polarity, trail.at("body"));
        const read = this.#reads.get(expr.name);
        if (read !== undefined) this.visit(expr.value, read, trail.at("value"));
        return;
      }
      case "quantifier": {
        const chosen = expr.quantifier === "forall" ? opposite(polarity) : polarity;
        this.#where(expr.over.where, chosen, trail);
        this.visit(expr.body, polarity, trail.at("body"));
        return;
      }
      case "aggregate":
        this.#aggregate(expr, polarity, trail);
        return;
      case "perKey":
        this.#where(expr.over.where, "both", trail);
        this.visit(expr.key, "both", trail.at("key"));
        if (expr.value !== undefined) this.visit(expr.value, "both", trail.at("value"));
        this.visit(expr.body, polarity, trail.at("body"));
        return;
      case "distinct":
        // With more rows, more of them can be the same.
        this.#where(expr.over.where, opposite(polarity), trail);
        this.visit(expr.key, "both", trail.at("key"));
        return;
      case "always":
        this.visit(expr.body, polarity, trail.at("body"));
        return;
      case "flows":
      case "influenced":
        if (polarity !== "negative") this.misplaced.push({ expr, trail });
        return;
      case "mayRead":
        if (polarity !== "positive") this.misplaced.push({ expr, trail });
    }
  }

  #where(where: Expr | undefined, polarity: Polarity, trail: Trail): void {
    if (where !== undefined) this.visit(where, polarity, trail.at("over", "where"));
  }

  /** With more rows there are more to count; what they add up to or the least of them can become anything. */
  #aggregate({ aggregate, over, value, otherwise }: AggregateExpr, polarity: Polarity, trail: Trail): void {
    this.#where(over.where, aggregate === "count" ? polarity : "both", trail);
    if (value !== undefined) this.visit(value, "both", trail.at("value"));
    if (otherwise !== undefined) this.visit(otherwise, "both", trail.at("otherwise"));
  }

  #operator({ op, args }: OpExpr, polarity: Polarity, trail: Trail): void {
    const ways = waysOf(op);
    args.forEach((arg, i) => {
      const at = trail.at("args", i);
      const way = ways[Math.min(i, ways.length - 1)] ?? "either";
      const inner = way === "same" ? polarity : way === "opposite" ? opposite(polarity) : "both";
      // A test of each element, for `every` and `any`.
      if (arg.kind === "lambda") this.visit(arg.body, inner, at.at("body"));
      else this.visit(arg, inner, at);
    });
  }
}

type Way = "same" | "opposite" | "either";

/** By operand; the last one goes for all that follow. */
function waysOf(op: string): readonly Way[] {
  switch (op) {
    case "and":
    case "or":
    case "+":
    case "min":
    case "max":
      return ["same"];
    case "not":
    case "negate":
      return ["opposite"];
    case "implies":
    case "<":
    case "<=":
      return ["opposite", "same"];
    case "-":
    case ">":
    case ">=":
      return ["same", "opposite"];
    case "if":
      return ["either", "same"];
    case "every":
    case "any":
      return ["either", "same"];
    default:
      return ["either"];
  }
}

function opposite(polarity: Polarity): Polarity {
  if (polarity === "both") return "both";
  return polarity === "positive" ? "negative" : "positive";
}
