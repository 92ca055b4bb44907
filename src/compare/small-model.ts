/**
 * The small model property: the number of calls that decide a formula. If a trace is as it is assumed to be, then so
 * many of its calls can be kept that every part of the trace in which they are is so too, for what is left of the formula.
 * A part that does not fit is omitted, as if nothing were assumed.
 * SOUNDNESS: what is assumed only ever becomes weaker. Why each form keeps what it does when other calls are omitted is
 * said at the form. States are any (`any-state.ts`), so nothing that is said of them depends on calls.
 */

import {
  type AggregateExpr,
  type DistinctExpr,
  type Expr,
  exprsIn,
  isExtreme,
  type PerKeyExpr,
  type QuantifierExpr,
  selectionsOf,
} from "../ir/index.ts";
import { isCallEach, isFixed, isOfCells } from "./kinds.ts";
import { allOf, anyOf, negated } from "./logic.ts";
import { openNames } from "./names.ts";
import { Numbers } from "./numbers.ts";

export interface Kept {
  /** The assumption about the kept calls, in place of the formula. */
  readonly expr: Expr;
  /** The number of calls to keep. */
  readonly calls: number;
}

export interface KeptTogether {
  readonly exprs: readonly Expr[];
  /** The number of calls to keep for all of them. */
  readonly calls: number;
}

/** Each: a formula, and whether it is assumed to hold, or not to hold. */
export type Assumed = readonly [formula: Expr, holds: boolean];

/**
 * Returns the rest of formulas that are assumed together.
 * SOUNDNESS: a call for which others have to be kept is one that is kept itself, and those others are of other tools, for
 * whose calls none have to be kept. So with them there is a part of the trace with as many calls as it says.
 * @param isAdding whether nothing that a sum adds up is below zero
 */
export function keptTogether(
  assumed: readonly Assumed[],
  isAdding: (sum: AggregateExpr) => boolean,
): KeptTogether {
  const chained = new Keeping(new Numbers(isAdding), true);
  const first = chained.all(assumed);
  const { chains } = chained;
  const ends = new Set(chains.flatMap(({ by }) => by));
  if (chains.some(({ of }) => ends.has(of))) return new Keeping(new Numbers(isAdding), false).all(assumed);
  const each = sum(chains.map(({ calls }) => calls));
  return { ...first, calls: first.calls * (1 + each) };
}

/** For each call of a tool, so many calls of others have to be kept. */
interface Chain {
  readonly of: string;
  readonly by: readonly string[];
  readonly calls: number;
}

class Keeping {
  readonly chains: Chain[] = [];
  readonly #numbers: Numbers;
  /** True if calls may be kept for each of some calls. */
  readonly #mayChain: boolean;

  constructor(numbers: Numbers, mayChain: boolean) {
    this.#numbers = numbers;
    this.#mayChain = mayChain;
  }

  all(assumed: readonly Assumed[]): KeptTogether {
    const parts = assumed.map(([formula, holds]) => this.of(formula, holds, false));
    return { exprs: parts.map(({ expr }) => expr), calls: sum(parts.map(({ calls }) => calls)) };
  }

  /**
   * @param assumed whether it is taken to hold, or not to hold
   * @param each whether it is assumed of each of some calls: then none can be kept for it, since there may be any number
   */
  of(expr: Expr, assumed: boolean, each: boolean): Kept {
    if (isFixed(expr)) return { expr, calls: 0 };
    switch (expr.kind) {
      case "op":
        return this.#operator(expr.op, expr.args, assumed, each);
      case "let":
        return isFixed(expr.value) ? this.#let(expr, assumed, each) : nothing(assumed);
      case "quantifier":
        return this.#quantifier(expr, assumed, each);
      case "distinct":
        return this.#distinct(expr, assumed, each);
      case "perKey":
        return this.#perKey(expr, assumed, each);
      default:
        return nothing(assumed);
    }
  }

  #let(expr: Extract<Expr, { readonly kind: "let" }>, assumed: boolean, each: boolean): Kept {
    const body = this.of(expr.body, assumed, each);
    return { ...body, expr: { ...expr, body: body.expr } };
  }

  #operator(op: string, args: readonly Expr[], assumed: boolean, each: boolean): Kept {
    const [first, second, third] = args;
    if (first === undefined) return nothing(assumed);
    if (op === "and" || op === "or") {
      const parts = args.map((arg) => this.of(arg, assumed, each));
      const counts = parts.map(({ calls }) => calls);
      // All of what is assumed has to be seen, or one of it.
      const calls =
        (op === "and") === assumed ? sum(counts) : counts.reduce((most, count) => Math.max(most, count));
      return { expr: { kind: "op", op, args: parts.map((part) => part.expr) }, calls };
    }
    if (op === "not") {
      const inner = this.of(first, !assumed, each);
      return { ...inner, expr: negated(inner.expr) };
    }
    if (second === undefined) return nothing(assumed);
    if (op === "implies") return this.of(anyOf([negated(first), second]), assumed, each);
    if (op === "if" && third !== undefined && isSaid(second) && isSaid(third))
      return this.of(anyOf([allOf([first, second]), allOf([negated(first), third])]), assumed, each);
    if ((op === "==" || op === "!=") && (isSaid(first) || isSaid(second))) {
      const same = anyOf([allOf([first, second]), allOf([negated(first), negated(second)])]);
      return this.of(op === "==" ? same : negated(same), assumed, each);
    }
    const compared = this.#numbers.compared(op, first, second, assumed);
    return compared === undefined || (each && compared.calls > 0) ? nothing(assumed) : compared;
  }

  /** For each: a part of the trace has fewer rows, and each of them is unchanged. For some: that row is kept. */
  #quantifier(expr: QuantifierExpr, assumed: boolean, each: boolean): Kept {
    const { over, quantifier } = expr;
    const isSome = (quantifier === "exists") === assumed;
    const cells = isOfCells(over);
    if (isSome && each && !cells) return nothing(assumed);
    const chain = isSome || each ? undefined : this.#chain(expr, assumed);
    if (chain !== undefined) return chain;
    const inside = each || !isSome;
    const where = over.where && this.of(over.where, isSome, inside);
    const body = this.of(expr.body, assumed, inside);
    const calls = (isSome && !cells ? 1 : 0) + (where?.calls ?? 0) + body.calls;
    const chosen = where === undefined ? over : { ...over, where: where.expr };
    return { expr: { ...expr, over: chosen, body: body.expr }, calls };
  }

  /** For each call that requires others: the others of the kept calls are kept too. */
  #chain(expr: QuantifierExpr, assumed: boolean): Kept | undefined {
    const { over, body } = expr;
    if (!this.#mayChain || over.in.kind !== "calls") return undefined;
    const inner = new Keeping(this.#numbers, false);
    const where = over.where && inner.of(over.where, false, false);
    const said = inner.of(body, assumed, false);
    const calls = (where?.calls ?? 0) + said.calls;
    const by = calledBy([said.expr, ...(where === undefined ? [] : [where.expr])]);
    if (calls === 0 || by === undefined) return undefined;
    this.chains.push({ of: over.in.tool, by, calls });
    const chosen = where === undefined ? over : { ...over, where: where.expr };
    return { expr: { ...expr, over: chosen, body: said.expr }, calls: 0 };
  }

  /** Among fewer rows there are no more with the same key; two that have it are kept. */
  #distinct(expr: DistinctExpr, assumed: boolean, each: boolean): Kept {
    if (!isFixed(expr.over.where) || !isFixed(expr.key) || isOfCells(expr.over)) return nothing(assumed);
    if (assumed) return { expr, calls: 0 };
    return each ? nothing(assumed) : { expr, calls: 2 };
  }

  /** For each key, what is said of a number that only becomes less; or for some key, of one that is kept large enough. */
  #perKey(expr: PerKeyExpr, assumed: boolean, each: boolean): Kept {
    const { over, key, name, value, aggregate, quantifier, body } = expr;
    if (!isCallEach(over) || !isFixed(over.where) || !isFixed(key) || !isFixed(value))
      return nothing(assumed);
    if (body.kind !== "op") return nothing(assumed);
    const [first, second] = body.args;
    if (first?.kind !== "var" || first.name !== name || second === undefined) return nothing(assumed);
    // SOUNDNESS: what it is compared with must not change with it.
    if (openNames(second).has(name)) return nothing(assumed);
    const number: Expr =
      aggregate === "count" || value === undefined
        ? { kind: "aggregate", aggregate: "count", over }
        : { kind: "aggregate", aggregate, over, value };
    const compared = this.#numbers.compared(body.op, number, second, assumed);
    // SOUNDNESS: only where it is the comparison itself, and not a part of one, that is kept for the number of each key.
    if (compared === undefined || !compared.isWhole || isExtreme(aggregate)) return nothing(assumed);
    const isSome = (quantifier === "exists") === assumed;
    if (!isSome) return compared.calls === 0 ? { expr, calls: 0 } : nothing(assumed);
    return each ? nothing(assumed) : { expr, calls: Math.max(1, compared.calls) };
  }
}

/** The tools whose calls the formulas speak of; undefined if they speak of a label. */
function calledBy(exprs: readonly Expr[]): readonly string[] | undefined {
  const tools = new Set<string>();
  for (const { in: relation } of [...exprsIn(...exprs)].flatMap(selectionsOf)) {
    if (relation.kind === "label") return undefined;
    if (relation.kind !== "cells") tools.add(relation.tool);
  }
  return [...tools];
}

/** Nothing is assumed. */
function nothing(assumed: boolean): Kept {
  return { expr: { kind: "bool", value: assumed }, calls: 0 };
}

/** Returns whether its form shows that it is true or false, and no other value. */
function isSaid(expr: Expr): boolean {
  if (expr.kind === "op") return ["and", "or", "not", "implies", "<=", "<", ">=", ">"].includes(expr.op);
  return ["bool", "quantifier", "distinct", "perKey", "always", "precedes", "flows"].includes(expr.kind);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0);
}
