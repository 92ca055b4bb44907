/**
 * What guarantees count and sum of the calls, kept along the walk where a loop makes any number of them.
 * SOUNDNESS: what is said of every key, or of some key, is said of one key that stands for any; for every run there is a
 * key for which it comes to the same. Part of what must be trusted.
 */
import { looksBeyond } from "../ir/check/provenance.ts";
import { type Expr, type Selection, type Tool, type TraceExpr, variablesOf } from "../ir/document.ts";
import { printExpr } from "../ir/text/printer.ts";
import { int, real, type Type } from "../ir/type.ts";
import { addendOf } from "./formula.ts";
import type { Walk } from "./program.ts";
import type { Term } from "./script.ts";
import { sortOf } from "./value.ts";

export interface Total {
  readonly id: string;
  readonly over: Selection;
  /** What must hold of a call besides. */
  readonly only?: Expr;
  /** What is summed; without it calls are counted. */
  readonly value?: Expr;
  /** Only calls with the key that stands for any. */
  readonly key?: Expr;
  /** The same for those that are of one key. */
  readonly group?: string;
}

export interface TotalType {
  readonly type: Type;
  readonly key?: Type;
}

/** The totals before the calls from some place on; nothing was counted where they are left out. */
export interface Counted {
  readonly from: number;
  readonly totals?: readonly Term[];
}

export function totalId(expr: TraceExpr, what: "count" | "sum"): string {
  return `${what} ${printExpr(expr)}`;
}

export class Totals {
  readonly all: readonly Total[];
  readonly #walk: Walk;
  readonly #keys = new Map<string, Term>();

  constructor(walk: Walk) {
    this.#walk = walk;
    const { guarantees, program } = walk.checked.document;
    const inputs = new Set(program.inputs.map(({ name }) => name));
    const found = new Map<string, Total>();
    for (const { formula } of guarantees)
      if (formula !== undefined) collect(formula, inputs, (expr) => walk.at.typeOf(expr), found);
    this.all = [...found.values()];
  }

  /** All of them, as of now. */
  now(): readonly Term[] {
    const { seen, counted } = this.#walk.point;
    const since = seen.slice(counted.from);
    const { types } = this;
    return this.all.map((total, i) => {
      const before =
        counted.totals?.[i] ?? this.#walk.at.terms.literal(0n, types[i]?.type === real ? "Real" : "Int");
      const parts = since.map((call) => {
        if ("again" in call) throw new TypeError("after a loop counting begins anew");
        return addendOf(this.#walk, total, this.key(i), call);
      });
      return this.#walk.at.terms.sum([before, ...parts]);
    });
  }

  /** Undefined where it is none that can be kept. */
  named(expr: TraceExpr, what: "count" | "sum"): number | undefined {
    const place = this.all.findIndex(({ id }) => id === totalId(expr, what));
    return place < 0 ? undefined : place;
  }

  get types(): readonly TotalType[] {
    const { at } = this.#walk;
    return this.all.map(({ value, key }) => ({
      type: value === undefined || at.typeOf(value).kind === "int" ? int : real,
      ...(key === undefined ? {} : { key: at.typeOf(key) }),
    }));
  }

  /** The key that stands for any. */
  key(place: number): Term | undefined {
    const { at } = this.#walk;
    const { key, group } = this.all[place] ?? {};
    const sort = key && sortOf(at.typeOf(key));
    if (sort === undefined || group === undefined) return undefined;
    const known = this.#keys.get(group) ?? at.terms.constant(sort, "a key that stands for any");
    this.#keys.set(group, known);
    return known;
  }

  /** Whether calls of these tools can change it. */
  counts(place: number, tools: readonly Tool[]): boolean {
    const relation = this.all[place]?.over.in;
    if (relation?.kind === "calls") return tools.some(({ name }) => name === relation.tool);
    if (relation?.kind === "label") return tools.some(({ labels }) => labels.includes(relation.label));
    return true;
  }
}

/** SOUNDNESS: only what speaks of the call and of inputs alone, so that it is the same whenever it is asked. */
function collect(
  formula: Expr,
  inputs: ReadonlySet<string>,
  typeOf: (expr: Expr) => Type,
  found: Map<string, Total>,
): void {
  const add = (total: Total) => {
    const { over, only, value, key } = total;
    const isKept = [over.where, only, value, key].every(
      (part) => part === undefined || isOfCall(part, over.var, inputs),
    );
    if (isKept && (over.in.kind === "calls" || over.in.kind === "label")) found.set(total.id, total);
  };
  const visit = (expr: Expr): void => {
    switch (expr.kind) {
      case "aggregate": {
        const { aggregate, over, value } = expr;
        if (aggregate === "count") add({ id: totalId(expr, "count"), over });
        if (aggregate === "sum" && value !== undefined) add({ id: totalId(expr, "sum"), over, value });
        return;
      }
      case "perKey":
      case "distinct": {
        const { over, key } = expr;
        if (sortOf(typeOf(key)) === undefined) return;
        const group = printExpr(expr);
        add({ id: totalId(expr, "count"), over, key, group });
        if (expr.kind === "perKey" && expr.aggregate === "sum" && expr.value !== undefined)
          add({ id: totalId(expr, "sum"), over, key, group, value: expr.value });
        return;
      }
      case "quantifier":
        if (expr.quantifier === "exists")
          add({ id: totalId(expr, "count"), over: expr.over, only: expr.body });
        return;
      case "op":
        for (const arg of expr.args) visit(arg);
        return;
      default:
        return;
    }
  };
  visit(formula);
}

function isOfCall(expr: Expr, row: string, inputs: ReadonlySet<string>): boolean {
  return (
    !looksBeyond(expr, "names") && [...variablesOf(expr)].every((name) => name === row || inputs.has(name))
  );
}
