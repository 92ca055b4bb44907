/** Rows of calls, of labels and of cells, and what is counted and summed of them. Part of what must be trusted. */
import type { AggregateExpr, Expr } from "../ir/document.ts";
import { type Scene, typeOf } from "./compile.ts";
import type { Terms } from "./factory.ts";
import type { Fact } from "./facts.ts";
import { type RecordSymbolic, type Symbolic, scalar } from "./symbolic.ts";
import type { Term } from "./term.ts";
import type { Total } from "./totals.ts";

/** A row that is there when `present` holds. */
export interface Row {
  readonly present: Term;
  readonly value: Symbolic;
  readonly fact?: Fact;
}

/** The aggregate of the rows that are there. */
export function combine(
  terms: Terms,
  aggregate: AggregateExpr["aggregate"],
  rows: readonly { readonly present: Term; readonly value: Term }[],
  sort: "Int" | "Real",
  otherwise: Term | undefined,
): Term {
  const zero = terms.literal(0n, sort);
  if (aggregate === "count" || aggregate === "sum") {
    return terms.sum(
      rows.map(({ present, value }) => terms.ite(present, value, zero)),
      sort,
    );
  }
  let held: Term = otherwise ?? zero;
  let any: Term = terms.false;
  for (const { present, value } of rows) {
    const better = terms.ite(any, terms.apply(aggregate, held, value), value);
    held = terms.ite(present, better, held);
    any = terms.or(any, present);
  }
  return held;
}

export function sortOfTotal({ value }: Total, scene: Scene): "Int" | "Real" {
  return value === undefined ? "Int" : sortOfNumber(value, scene);
}

export function sortOfNumber(expr: Expr, scene: Scene): "Int" | "Real" {
  return typeOf(expr, scene).kind === "int" ? "Int" : "Real";
}

export function callRow(fact: Fact): Row {
  return { present: fact.happened, value: fact.args, fact };
}

export function cut(value: Symbolic, names: ReadonlySet<string>): RecordSymbolic {
  if (value.kind !== "record") throw new TypeError("a row is a record");
  return { kind: "record", fields: new Map([...value.fields].filter(([name]) => names.has(name))) };
}

export function cellRow(terms: Terms, key: Term, value: Symbolic): RecordSymbolic {
  const fields = [
    ["key", { present: terms.true, value: scalar(key) }],
    ["value", { present: terms.true, value }],
  ] as const;
  return { kind: "record", fields: new Map(fields) };
}
