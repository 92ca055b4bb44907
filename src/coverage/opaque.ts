/**
 * Formulas with everything that depends on the trace in the place of it: a name for each sum, count or statement about
 * calls, the same name for the same one. What then follows for all values of those names follows on all traces.
 */

import {
  bool,
  type Expr,
  exprsIn,
  type Field,
  type Fluent,
  int,
  namesBoundBy,
  namesReadBy,
  printExpr,
  real,
  type Type,
} from "../ir/index.ts";

export class Opaque {
  /** The names that stand for parts. */
  readonly inputs: Field[] = [];
  /** Axioms about the names: a count is never negative. */
  readonly known: Expr[] = [];
  /** False if some part got no name; the abstraction then says nothing. */
  isWhole = true;
  readonly #byText = new Map<string, Expr>();
  readonly #fluents: ReadonlyMap<string, Fluent>;
  readonly #prefix: string;

  /** @param prefix how the new names begin, and no other does */
  constructor(fluents: readonly Fluent[], prefix: string) {
    this.#fluents = new Map(fluents.map((fluent) => [fluent.name, fluent]));
    this.#prefix = prefix;
  }

  /** @param params names that stand for any value, the same wherever they are read */
  of(expr: Expr, params: ReadonlySet<string>): Expr {
    return this.#replace(expr, params);
  }

  #replace(expr: Expr, params: ReadonlySet<string>): Expr {
    switch (expr.kind) {
      case "quantifier":
      case "aggregate":
      case "perKey":
      case "distinct":
      case "always":
      case "precedes":
      case "result":
      case "flows":
      case "influenced":
      case "mayRead":
      case "automaton":
      case "cell":
        return this.#name(expr, params);
      case "op":
        return { ...expr, args: expr.args.map((arg) => this.#replace(arg, params)) };
      case "list":
        return { ...expr, items: expr.items.map((item) => this.#replace(item, params)) };
      case "field":
        return { ...expr, of: this.#replace(expr.of, params) };
      case "let":
        return { ...expr, value: this.#replace(expr.value, params), body: this.#replace(expr.body, params) };
      case "record":
        return {
          ...expr,
          fields: expr.fields.map((one) => ({ ...one, value: this.#replace(one.value, params) })),
        };
      case "lambda":
        return { ...expr, body: this.#replace(expr.body, params) };
      case "bool":
      case "number":
      case "string":
      case "none":
      case "var":
        return expr;
    }
  }

  #name(expr: Expr, params: ReadonlySet<string>): Expr {
    // SOUNDNESS: what reads a name from around it, in a function over a list say, has not one value.
    if (freeNames(expr).some((name) => !params.has(name))) this.isWhole = false;
    // SOUNDNESS: there may be endless keys, and what there is endless of is no number.
    if (expr.kind === "aggregate" && expr.over.in.kind === "cells") this.isWhole = false;
    const text = printExpr(expr);
    const before = this.#byText.get(text);
    if (before !== undefined) return before;
    const made: Expr = { kind: "var", name: `${this.#prefix}${this.inputs.length}` };
    this.inputs.push({ name: made.name, type: this.#type(expr) });
    if (expr.kind === "aggregate" && expr.aggregate === "count")
      this.known.push({ kind: "op", op: ">=", args: [made, { kind: "number", value: 0n }] });
    this.#byText.set(text, made);
    return made;
  }

  /** A type that all values of the part have; what does not fit is then refused by the checker. */
  #type(expr: Expr): Type {
    if (expr.kind === "aggregate") return expr.aggregate === "count" ? int : real;
    if (expr.kind === "cell") return this.#fluents.get(expr.fluent)?.value ?? bool;
    return bool;
  }
}

/** Returns the names that are read and not bound inside. */
function freeNames(expr: Expr): string[] {
  const nodes = [...exprsIn(expr)];
  const [read, bound] = [new Set(nodes.flatMap(namesReadBy)), new Set(nodes.flatMap(namesBoundBy))];
  return [...read].filter((name) => !bound.has(name));
}
