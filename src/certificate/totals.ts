/**
 * Counts, sums and extrema over calls, and automaton states, maintained by the symbolic executor where a loop makes
 * any number of calls. SOUNDNESS: a quantifier over keys is instantiated with one arbitrary key; for every run there
 * is a key for which the instance has the same truth value. Part of what must be trusted.
 */
import {
  type Aggregate,
  type AggregateExpr,
  type AutomatonExpr,
  type Expr,
  int,
  looksBeyond,
  type PerKeyExpr,
  printExpr,
  real,
  type Selection,
  type Tool,
  type TraceExpr,
  type Type,
  variablesOf,
} from "../ir/index.ts";
import { keptOf, startOf } from "./automaton.ts";
import type { Term } from "./encode.ts";
import { nextOf } from "./formula.ts";
import type { Walk } from "./symbolic-executor.ts";
import { sortOf, termOf } from "./symbolic-value.ts";

export type Total = Tally | Steps;

export interface Tally {
  readonly kind: Aggregate;
  readonly id: string;
  readonly over: Selection;
  /** Additional condition on the call. */
  readonly only?: Expr;
  /** The aggregated value. */
  readonly value?: Expr;
  /** For `min` and `max`: the value before the first call, and the total that counts the calls. */
  readonly otherwise?: Expr;
  readonly counted?: string;
  /** Only calls with the key that stands for any. */
  readonly key?: Expr;
  /** The same for those that are of one key. */
  readonly group?: string;
}

export interface Steps {
  readonly kind: "automaton";
  readonly id: string;
  readonly automaton: AutomatonExpr;
}

export interface TotalType {
  readonly type: Type;
  readonly key?: Type;
  /** Number of non-error states of the automaton. */
  readonly states?: number;
}

/** The totals before the calls from some place on; the initial ones by default. */
export interface Counted {
  readonly from: number;
  readonly totals?: readonly Term[];
}

export type TotalKind = Total["kind"];

export function totalId(expr: TraceExpr, what: TotalKind): string {
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
    let now = counted.totals ?? this.all.map((_, i) => this.#first(i));
    for (const call of seen.slice(counted.from)) {
      if ("again" in call) throw new TypeError("after a loop counting begins anew");
      const before = now;
      now = this.all.map((total, i) => {
        const held = before[i];
        if (held === undefined) throw new TypeError("all totals are kept");
        if (!this.counts(i, [call.tool])) return held;
        const count = total.kind === "automaton" ? undefined : before[this.#place(total.counted) ?? -1];
        return nextOf(this.#walk, total, held, { call, key: this.key(i), count });
      });
    }
    return now;
  }

  /** Undefined where it is none that can be kept. */
  named(expr: TraceExpr, what: TotalKind): number | undefined {
    return this.#place(totalId(expr, what));
  }

  #place(id: string | undefined): number | undefined {
    const place = this.all.findIndex((total) => total.id === id);
    return place < 0 ? undefined : place;
  }

  get types(): readonly TotalType[] {
    const { at } = this.#walk;
    return this.all.map((total) => {
      if (total.kind === "automaton") return { type: int, states: keptOf(total.automaton).length };
      const { value, otherwise, key } = total;
      const isWhole = [value, otherwise].every(
        (part) => part === undefined || at.typeOf(part).kind === "int",
      );
      return { type: isWhole ? int : real, ...(key === undefined ? {} : { key: at.typeOf(key) }) };
    });
  }

  /** Before the first call. */
  #first(place: number): Term {
    const { at } = this.#walk;
    const total = this.all[place];
    if (total?.kind === "automaton") return startOf(at.terms, total.automaton);
    const first =
      total?.otherwise === undefined ? at.terms.int(0) : termOf(this.#walk.value(total.otherwise));
    return this.types[place]?.type === real ? at.terms.real(first) : first;
  }

  /** The key that stands for any. */
  key(place: number): Term | undefined {
    const { at } = this.#walk;
    const total = this.all[place];
    if (total === undefined || total.kind === "automaton") return undefined;
    const sort = total.key && sortOf(at.typeOf(total.key));
    if (sort === undefined || total.group === undefined) return undefined;
    const known = this.#keys.get(total.group) ?? at.terms.constant(sort, "a key that stands for any");
    this.#keys.set(total.group, known);
    return known;
  }

  /** Returns true if calls of these tools can change the total. */
  counts(place: number, tools: readonly Tool[]): boolean {
    const total = this.all[place];
    if (total === undefined) return true;
    const relations =
      total.kind === "automaton" ? total.automaton.on.map(({ over }) => over.in) : [total.over.in];
    return relations.some((relation) => {
      if (relation.kind === "calls") return tools.some(({ name }) => name === relation.tool);
      if (relation.kind === "label") return tools.some(({ labels }) => labels.includes(relation.label));
      return true;
    });
  }
}

/** SOUNDNESS: only what speaks of the call and of inputs alone, so that it is the same whenever it is asked. */
function collect(
  formula: Expr,
  inputs: ReadonlySet<string>,
  typeOf: (expr: Expr) => Type,
  found: Map<string, Total>,
): void {
  const isKept = ({ var: row, in: relation, where }: Selection, ...parts: readonly (Expr | undefined)[]) =>
    (relation.kind === "calls" || relation.kind === "label") &&
    [where, ...parts].every((part) => part === undefined || isOfCall(part, row, inputs));
  const add = (total: Tally) => {
    const { over, only, value, otherwise, key } = total;
    if (isKept(over, only, value, otherwise, key)) found.set(total.id, total);
  };
  /** With the count of the same calls, where it matters whether there is one. */
  const aggregate = (expr: AggregateExpr | PerKeyExpr, by: Pick<Tally, "key" | "group">) => {
    const { aggregate: kind, over, value } = expr;
    const counted = totalId(expr, "count");
    if (kind !== "sum" || by.key !== undefined) add({ kind: "count", id: counted, over, ...by });
    if (kind === "count" || value === undefined) return;
    const otherwise = expr.kind === "aggregate" ? expr.otherwise : undefined;
    add({ kind, id: totalId(expr, kind), over, value, counted, ...(otherwise && { otherwise }), ...by });
  };
  const visit = (expr: Expr): void => {
    switch (expr.kind) {
      case "aggregate":
        aggregate(expr, {});
        return;
      case "perKey":
        if (sortOf(typeOf(expr.key)) !== undefined)
          aggregate(expr, { key: expr.key, group: printExpr(expr) });
        return;
      case "distinct": {
        const { over, key } = expr;
        if (sortOf(typeOf(key)) !== undefined)
          add({ kind: "count", id: totalId(expr, "count"), over, key, group: printExpr(expr) });
        return;
      }
      case "quantifier":
        if (expr.quantifier === "exists")
          add({ kind: "count", id: totalId(expr, "count"), over: expr.over, only: expr.body });
        return;
      case "automaton": {
        const id = totalId(expr, "automaton");
        if (expr.on.every(({ over }) => isKept(over)))
          found.set(id, { kind: "automaton", id, automaton: expr });
        return;
      }
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
