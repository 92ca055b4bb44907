/** Random well-typed expressions over the trace: every formula form, over every kind of relation. */
import type { AggregateExpr, Expr, Relation, Selection, Tool } from "../../../src/ir/document.ts";
import {
  bool,
  type Field,
  fieldOf,
  int,
  isSubtype,
  join,
  never,
  optionOf,
  type RecordType,
  real,
  recordOf,
  type Type,
} from "../../../src/ir/type.ts";
import { bind, freshName, type Scope, type Typed, type Variable, type Writer } from "./expressions.ts";
import { someAutomaton, someFlows, someInfluenced, someMayRead } from "./provenance.ts";

/** LIMIT: rows of rows of rows of rows are no harder to get right, and take long to go through. */
const maxRows = 3;

/** An expression over the trace of the wanted type, if there is one. */
export function writeTrace(writer: Writer, want: Type, scope: Scope, fuel: number): Typed | undefined {
  const inTrace = scope.view === "trace" ? 1 : 0;
  const calls = scope.variables.filter((variable) => variable.calls !== undefined);
  const forms: (readonly [weight: number, write: () => Typed | undefined])[] = [];
  const offer = (weight: number, type: Type, write: () => Typed | undefined) => {
    if (weight > 0 && isSubtype(type, want)) forms.push([weight, write]);
  };
  offer(10, bool, () => quantifier(writer, scope, fuel));
  offer(4, int, () => aggregate(writer, "count", scope, fuel, int));
  offer(5 * inTrace, int, () =>
    aggregate(writer, writer.chance.pick(["sum", "min", "max"]), scope, fuel, int),
  );
  offer(5 * inTrace, real, () =>
    aggregate(writer, writer.chance.pick(["sum", "min", "max"]), scope, fuel, real),
  );
  offer(6 * inTrace, bool, () => compared(writer, scope, fuel));
  offer(5 * inTrace, bool, () => perKey(writer, scope, fuel));
  offer(4 * inTrace, bool, () => distinct(writer, scope, fuel));
  offer(6 * inTrace, bool, () => always(writer, scope, fuel));
  offer(calls.length > 0 ? 5 * inTrace : 0, bool, () => precedes(writer, calls));
  offer(4 * inTrace, bool, () => someFlows(writer, scope, fuel));
  offer(calls.length > 0 ? 8 * inTrace : 0, bool, () => someInfluenced(writer, calls));
  offer(2 * inTrace, bool, () => someMayRead(writer, scope, fuel));
  // Its conditions read inputs and no other name, so there must be none.
  if (scope.variables.length === writer.declared.inputs.length)
    offer(3 * inTrace, bool, () => someAutomaton(writer, () => selectCalls(writer, scope, fuel)));
  for (const variable of inTrace ? calls : []) {
    const type = resultType(variable.calls ?? []);
    if (type !== undefined)
      offer(3, optionOf(type), () => ({
        expr: { kind: "result", call: variable.name },
        type: optionOf(type),
      }));
  }
  for (const { name, cells } of scope.variables) {
    if (cells === undefined) continue;
    const key: Expr = { kind: "field", of: { kind: "var", name }, name: "key" };
    offer(8, bool, () => comparedKey(writer, key, cells.key, scope, fuel));
    for (const other of writer.declared.fluents) {
      if (!isSubtype(cells.key, other.key)) continue;
      offer(3, other.value, () => ({
        expr: { kind: "cell", at: writer.moment(scope), fluent: other.name, key },
        type: other.value,
      }));
    }
  }
  return forms.length === 0 ? undefined : writer.chance.weighted(forms)();
}

/** Keys that differ from all that were written are told apart by nothing but such comparisons. */
function comparedKey(writer: Writer, key: Expr, type: Type, scope: Scope, fuel: number): Typed {
  const { chance } = writer;
  const other: Expr =
    type.kind === "enum"
      ? { kind: "string", value: chance.pick(type.values) }
      : writer.infer(type, scope, chance.int(0, fuel - 1)).expr;
  const args = chance.odds(70) ? [key, other] : [other, key];
  return { expr: { kind: "op", op: chance.pick(["==", "!="]), args }, type: bool };
}

interface Rows {
  readonly over: Selection;
  readonly inner: Scope;
}

/** A relation with its variable in scope, and perhaps a condition. */
function select(writer: Writer, scope: Scope, fuel: number, ofCells: boolean): Rows | undefined {
  const { chance } = writer;
  if (scope.variables.filter(({ name }) => name.startsWith("w")).length >= maxRows) return undefined;
  const relations = relationsOf(writer, scope, ofCells);
  if (relations.length === 0) return undefined;
  const { relation, row } = chance.pick(relations);
  const name = rowName(writer, scope);
  const inner = bind(scope, { name, ...row });
  const over = { var: name, in: relation };
  if (chance.odds(55)) return { over, inner };
  return { over: { ...over, where: writer.expect(bool, inner, fuel - 1) }, inner };
}

/** Rows are named apart from everything else, so that they can be counted. */
function rowName(writer: Writer, scope: Scope): string {
  const used = new Set(scope.variables.map(({ name }) => name));
  const free = ["w1", "w2", "w3", "w4"].filter((name) => !used.has(name));
  return free.length > 0 ? writer.chance.pick(free) : freshName(writer.chance, scope);
}

type Row = Omit<Variable, "name">;

function relationsOf(writer: Writer, scope: Scope, ofCells: boolean): { relation: Relation; row: Row }[] {
  const { fluents, tools } = writer.declared;
  const found: { relation: Relation; row: Row }[] = [];
  if (scope.view === "trace") {
    for (const tool of tools) {
      found.push({
        relation: { kind: "calls", tool: tool.name },
        row: { type: recordOf(tool.params), calls: [tool] },
      });
      if (tool.result?.kind === "list")
        found.push({ relation: { kind: "rows", tool: tool.name }, row: { type: tool.result.element } });
    }
    for (const label of new Set(tools.flatMap((tool) => tool.labels))) {
      const calls = tools.filter((tool) => tool.labels.includes(label));
      found.push({ relation: { kind: "label", label }, row: { type: commonFields(calls), calls } });
    }
  }
  for (const fluent of ofCells ? fluents : []) {
    const type = recordOf([
      { name: "key", type: fluent.key },
      { name: "value", type: fluent.value },
    ]);
    found.push({
      relation: { kind: "cells", at: writer.moment(scope), fluent: fluent.name },
      row: { type, cells: fluent },
    });
  }
  return found;
}

/** The fields that the calls of all these tools have, with a type for all of theirs. */
export function commonFields(tools: readonly Tool[]): RecordType {
  const [first, ...others] = tools;
  let fields: readonly Field[] = first?.params ?? [];
  for (const { params } of others) {
    const other = recordOf(params);
    fields = fields.flatMap((field) => {
      const theirs = fieldOf(other, field.name);
      const type = theirs && join(field.type, theirs.type);
      if (theirs === undefined || type === undefined) return [];
      const optional = field.optional || theirs.optional;
      return [optional ? { name: field.name, type, optional } : { name: field.name, type }];
    });
  }
  return recordOf(fields);
}

/** Returns the common result type of these tools, if there is one. */
export function resultType(tools: readonly Tool[]): Type | undefined {
  let type: Type | undefined = never;
  for (const { result } of tools) type = result && type && join(type, result);
  return type;
}

function quantifier(writer: Writer, scope: Scope, fuel: number): Typed | undefined {
  const rows = select(writer, scope, fuel, true);
  if (rows === undefined) return undefined;
  const quantified = writer.chance.pick(["forall", "exists"] as const);
  const body = writer.expect(bool, rows.inner, fuel - 1);
  return { expr: { kind: "quantifier", quantifier: quantified, over: rows.over, body }, type: bool };
}

type Fold = AggregateExpr["aggregate"];

function aggregate(writer: Writer, fold: Fold, scope: Scope, fuel: number, want: Type): Typed | undefined {
  const rows = select(writer, scope, fuel, fold === "count");
  if (rows === undefined) return undefined;
  const head = { kind: "aggregate", aggregate: fold, over: rows.over } as const;
  if (fold === "count") return { expr: head, type: int };
  const value = writer.infer(want, rows.inner, fuel - 1);
  if (fold === "sum") return { expr: { ...head, value: value.expr }, type: number(value.type) };
  // The value of no rows cannot speak of a row; names in it may not be that of the row either.
  const otherwise = writer.infer(want, rows.inner, fuel - 2);
  const free = mentions(otherwise.expr, rows.over.var)
    ? { expr: { kind: "number", value: 0n } as const, type: int }
    : otherwise;
  return {
    expr: { ...head, value: value.expr, otherwise: free.expr },
    type: isSubtype(value.type, int) && isSubtype(free.type, int) ? int : real,
  };
}

function number(type: Type): Type {
  return isSubtype(type, int) ? int : real;
}

/** A number of the trace against another number, which is what most guarantees say. */
function compared(writer: Writer, scope: Scope, fuel: number): Typed | undefined {
  const { chance } = writer;
  const fold = chance.pick(["count", "sum", "min", "max"] as const);
  const left = aggregate(writer, fold, scope, fuel, chance.pick([int, real]));
  if (left === undefined) return undefined;
  const right = chance.odds(75)
    ? { expr: { kind: "number", value: BigInt(chance.int(-1, 6)) } as const }
    : writer.infer(real, scope, fuel - 1);
  const args = chance.odds(80) ? [left.expr, right.expr] : [right.expr, left.expr];
  return { expr: { kind: "op", op: chance.pick(["<", "<=", ">", ">=", "==", "!="]), args }, type: bool };
}

function perKey(writer: Writer, scope: Scope, fuel: number): Typed | undefined {
  const { chance } = writer;
  const rows = select(writer, scope, fuel, false);
  if (rows === undefined) return undefined;
  const fold = chance.pick(["count", "sum", "min", "max"] as const);
  const key = writer.infer(writer.someType(rows.inner), rows.inner, fuel - 1);
  const value = fold === "count" ? undefined : writer.infer(chance.pick([int, real]), rows.inner, fuel - 1);
  const name = freshName(chance, scope, rows.over.var);
  const type = value === undefined ? int : number(value.type);
  const body = writer.expect(bool, bind(scope, { name, type }), fuel - 1);
  const head = {
    kind: "perKey",
    quantifier: chance.pick(["forall", "exists"] as const),
    name,
    aggregate: fold,
    over: rows.over,
    key: key.expr,
    body,
  } as const;
  return { expr: value === undefined ? head : { ...head, value: value.expr }, type: bool };
}

function distinct(writer: Writer, scope: Scope, fuel: number): Typed | undefined {
  const rows = select(writer, scope, fuel, false);
  if (rows === undefined) return undefined;
  const key = writer.infer(writer.someType(rows.inner), rows.inner, fuel - 1);
  return { expr: { kind: "distinct", over: rows.over, key: key.expr }, type: bool };
}

function always(writer: Writer, scope: Scope, fuel: number): Typed | undefined {
  if (writer.declared.fluents.length === 0) return undefined;
  const body = writer.expect(bool, { ...scope, view: "always" }, fuel);
  return { expr: { kind: "always", body }, type: bool };
}

function precedes(writer: Writer, calls: readonly Variable[]): Typed {
  const [first, second] = [writer.chance.pick(calls).name, writer.chance.pick(calls).name];
  return { expr: { kind: "precedes", first, second }, type: bool };
}

function selectCalls(writer: Writer, scope: Scope, fuel: number): Selection | undefined {
  const { chance } = writer;
  const relations = relationsOf(writer, scope, false).filter(({ relation }) => relation.kind !== "rows");
  if (relations.length === 0) return undefined;
  const { relation, row } = chance.pick(relations);
  const name = rowName(writer, scope);
  const over = { var: name, in: relation };
  if (chance.odds(40)) return over;
  const inner = bind({ ...scope, view: "values" }, { name, ...row });
  return { ...over, where: writer.expect(bool, inner, fuel - 1) };
}

function mentions(expr: Expr, name: string): boolean {
  return JSON.stringify(expr, (_, value) => (typeof value === "bigint" ? `${value}` : value)).includes(
    JSON.stringify(name),
  );
}
