/** Names in formulas that are to be looked at together: the same ones for the same meaning, and none in another's way. */
import {
  type Document,
  documentToJson,
  type Expr,
  type Guarantee,
  mapParts,
  namesBoundBy,
  namesReadBy,
  partsOf,
  type Selection,
} from "../ir/index.ts";

/** The prefix of all names that a question introduces; parameters and formulas are kept clear of it. */
export const ours = "any_";

/** Returns a prefix that no name in the documents has, so that formulas about any of them can bind such names. */
export function freshPrefix(documents: readonly Document[]): string {
  const texts = documents.map((document) => JSON.stringify(documentToJson(document)));
  let prefix = ours;
  while (texts.some((text) => text.includes(prefix))) prefix = `${prefix}_`;
  return prefix;
}

/** The guarantee as it can stand in a document that has such names of its own. */
export function withNames(guarantee: Guarantee, prefix: string): Guarantee {
  const { formula } = guarantee;
  return formula === undefined ? guarantee : { ...guarantee, formula: normal(formula, new Map(), prefix) };
}

/** Returns the formula with the value of each `let` in the places of its name. */
export function inlined(expr: Expr): Expr {
  const copy = (node: Expr, values: ReadonlyMap<string, Expr>): Expr => {
    if (node.kind === "var") return values.get(node.name) ?? node;
    if (node.kind === "let") return copy(node.body, new Map(values).set(node.name, copy(node.value, values)));
    return mapParts(node, (part) => copy(part, values));
  };
  return copy(expr, new Map());
}

/**
 * The formula with bound names by their depth, so that formulas that differ in nothing but names are the same text.
 * @param open names that stand for something outside: they stay, or become what they are mapped to
 * @param prefix how bound names begin
 */
export function normal(expr: Expr, open: ReadonlyMap<string, Expr> = new Map(), prefix = ours): Expr {
  return new Renaming(open, prefix).expr(expr);
}

class Renaming {
  readonly #open: ReadonlyMap<string, Expr>;
  readonly #prefix: string;
  readonly #names: ReadonlyMap<string, string>;
  readonly #depth: number;

  constructor(
    open: ReadonlyMap<string, Expr>,
    prefix: string,
    names: ReadonlyMap<string, string> = new Map(),
    depth = 0,
  ) {
    this.#open = open;
    this.#prefix = prefix;
    this.#names = names;
    this.#depth = depth;
  }

  expr(expr: Expr): Expr {
    switch (expr.kind) {
      case "bool":
      case "number":
      case "string":
      case "none":
        return expr;
      case "var":
        return this.#names.has(expr.name)
          ? { ...expr, name: this.#name(expr.name) }
          : (this.#open.get(expr.name) ?? expr);
      case "op":
        return { ...expr, args: expr.args.map((arg) => this.expr(arg)) };
      case "list":
        return { ...expr, items: expr.items.map((item) => this.expr(item)) };
      case "record":
        return { ...expr, fields: expr.fields.map((one) => ({ ...one, value: this.expr(one.value) })) };
      case "field":
        return { ...expr, of: this.expr(expr.of) };
      case "lambda": {
        const inner = this.#below(expr.params.map(({ name }) => name));
        const params = expr.params.map((param) => ({ ...param, name: inner.#name(param.name) }));
        return { ...expr, params, body: inner.expr(expr.body) };
      }
      case "let": {
        const inner = this.#below([expr.name]);
        const value = this.expr(expr.value);
        return { ...expr, name: inner.#name(expr.name), value, body: inner.expr(expr.body) };
      }
      case "cell":
        return { ...expr, key: this.expr(expr.key) };
      case "quantifier": {
        const { inner, over } = this.#over(expr.over);
        return { ...expr, over, body: inner.expr(expr.body) };
      }
      case "aggregate": {
        const { inner, over } = this.#over(expr.over);
        return {
          ...expr,
          over,
          ...(expr.value && { value: inner.expr(expr.value) }),
          ...(expr.otherwise && { otherwise: this.expr(expr.otherwise) }),
        };
      }
      case "perKey": {
        const { inner, over } = this.#over(expr.over);
        const all = inner.#below([expr.name]);
        return {
          ...expr,
          over,
          name: all.#name(expr.name),
          key: inner.expr(expr.key),
          ...(expr.value && { value: inner.expr(expr.value) }),
          body: all.expr(expr.body),
        };
      }
      case "distinct": {
        const { inner, over } = this.#over(expr.over);
        return { ...expr, over, key: inner.expr(expr.key) };
      }
      case "always":
        return { ...expr, body: this.expr(expr.body) };
      case "precedes":
        return { ...expr, first: this.#name(expr.first), second: this.#name(expr.second) };
      case "result":
        return { ...expr, call: this.#name(expr.call) };
      case "flows":
        return { ...expr, value: this.expr(expr.value) };
      case "influenced":
        return { ...expr, call: this.#name(expr.call) };
      case "mayRead":
        return { ...expr, value: this.expr(expr.value), reader: this.expr(expr.reader) };
      case "automaton":
        return { ...expr, on: expr.on.map((one) => ({ ...one, over: this.#over(one.over).over })) };
    }
  }

  #over(over: Selection): { readonly inner: Renaming; readonly over: Selection } {
    const inner = this.#below([over.var]);
    const named = { ...over, var: inner.#name(over.var) };
    return { inner, over: over.where === undefined ? named : { ...named, where: inner.expr(over.where) } };
  }

  #below(bound: readonly string[]): Renaming {
    const names = new Map(this.#names);
    bound.forEach((name, i) => {
      names.set(name, `${this.#prefix}v${this.#depth + i}`);
    });
    return new Renaming(this.#open, this.#prefix, names, this.#depth + bound.length);
  }

  #name(name: string): string {
    return this.#names.get(name) ?? name;
  }
}

/** Returns the names that are read in a normal formula and stand for something outside of it. */
export function openNames(expr: Expr): Set<string> {
  const found = new Set<string>();
  // A binding hides a name in all parts of its node: bound names of normal formulas are made up.
  const look = (node: Expr, bound: ReadonlySet<string>): void => {
    for (const name of namesReadBy(node)) if (!bound.has(name)) found.add(name);
    const inner = new Set([...bound, ...namesBoundBy(node)]);
    for (const part of partsOf(node)) look(part, inner);
  };
  look(expr, new Set());
  return found;
}
