/** Rows of calls, of labels and of cells, and what is counted and summed of them. Part of what must be trusted. */
import {
  type AggregateExpr,
  type Checked,
  type Expr,
  type Extreme,
  isAdditive,
  labelRowType,
  type Relation,
  type Selection,
  type Tool,
} from "../../ir/index.ts";
import type { Counted } from "../loops/totals.ts";
import { choose } from "../loops/unbounded-list.ts";
import { type Fact, NotFollowed } from "../symbolic/call-events.ts";
import { compile, compileBool, type Scene, termOf, typeOf } from "../symbolic/compile.ts";
import { type RecordSymbolic, type Symbolic, scalar } from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";

/** A row that is there when `present` holds. */
export interface Row {
  readonly present: Term;
  readonly value: Symbolic;
  readonly fact?: Fact;
}

/** The kind of formula: about each row, about some row, or about all rows together, in the contract's own word. */
export type What = "each" | "some" | AggregateExpr["aggregate"] | "perKey" | "distinct";

/** Names the unsupported use of a call in such a loop. */
export function inLoop(construct: string, { tool }: Fact): string {
  return `\`${construct}\` of calls of \`${tool.name}\` in a loop over a list that is not known before the run`;
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
  if (isAdditive(aggregate)) {
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

/**
 * The least or greatest of rows of which some stand for any.
 * SOUNDNESS: for every run there is a choice of them with which this is the number: those that stand for any of their
 * loop can be the ones that have it, and where there is no row at all, none is chosen.
 */
export function extreme(
  aggregate: Extreme,
  rows: readonly { readonly present: Term; readonly value: Term }[],
  sort: "Int" | "Real",
  otherwise: Term | undefined,
  { terms, constrain, count }: Scene,
): Term {
  const held = terms.constant(`extreme@${count()}`, sort);
  const any = terms.any(rows.map(({ present }) => present));
  const one = rows.map(({ present, value }) => terms.and(present, terms.equal(held, value)));
  constrain(terms.implies(any, terms.any(one)));
  constrain(terms.or(any, terms.equal(held, otherwise ?? terms.literal(0n, sort))));
  for (const { present, value } of rows) {
    const within = aggregate === "max" ? terms.apply("<=", value, held) : terms.apply("<=", held, value);
    constrain(terms.implies(present, within));
  }
  return held;
}

/** Returns true if calls of the tool are rows of the relation. */
export function isOf({ labels }: Checked, relation: Relation, { name }: Tool): boolean {
  if (relation.kind === "calls") return name === relation.tool;
  if (relation.kind !== "label") return false;
  return labels.get(relation.label)?.some((tool) => tool.name === name) ?? false;
}

export function rowOf(checked: Checked, relation: Relation, fact: Fact): Row | undefined {
  return isOf(checked, relation, fact.tool) ? rowOfIts(checked, relation, fact) : undefined;
}

/** Returns the row of a call that belongs to the relation. */
export function rowOfIts(checked: Checked, relation: Relation, fact: Fact): Row {
  if (relation.kind !== "label") return callRow(fact);
  const tools = checked.labels.get(relation.label) ?? [];
  const fields = new Set(labelRowType(tools).fields.map((field) => field.name));
  const row = callRow(fact);
  return { ...row, value: cut(row.value, fields) };
}

/** Binds the row, and says when it is chosen. */
export function chooseRow({ var: variable, where }: Selection, row: Symbolic, scene: Scene): Term {
  scene.names.set(variable, row);
  return where === undefined ? scene.terms.true : compileBool(where, scene);
}

export function numberOf(expr: Expr | undefined, sort: "Int" | "Real", scene: Scene): Term {
  const { terms } = scene;
  if (expr === undefined) return terms.literal(1n, sort);
  const term = termOf(compile(expr, scene));
  return sort === "Real" ? terms.toReal(term) : term;
}

export function sortOfTotal({ value }: Counted, scene: Scene): "Int" | "Real" {
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

/** The rows that a call returned; of a list that is not known, any, or those that were looked at before. */
export function returnedRows({ result, guard, failed }: Fact, scene: Scene, what: What): readonly Row[] {
  const { terms } = scene;
  const answered = terms.and(guard, terms.not(failed));
  if (result?.kind === "list")
    return result.items.map(({ present, value }) => ({ present: terms.and(answered, present), value }));
  if (result?.kind !== "opaque" || (what !== "each" && what !== "some"))
    throw new NotFollowed("what is said of the rows of a list that is not known before the run", []);
  const number = scene.count();
  const made = terms.constant(`row@${number}`, "Bool");
  const value = choose(result, { name: `row ${number}`, made }, scene);
  if (what === "each") return [{ present: terms.and(answered, made), value }];
  return scene.lists
    .chosen(result)
    .map((chosen) => ({ present: terms.and(answered, chosen.made), value: chosen.value }));
}
