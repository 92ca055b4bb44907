/**
 * Judges a statement by PostgreSQL's own grammar. Every kind of node and every field of it that may stand in a statement is
 * listed here; one that is not listed is refused, so that a newer grammar allows nothing more.
 */

import { refused } from "../refused.ts";
import {
  accessTo,
  type ChangeRequest,
  checkRight,
  PURE_FUNCTIONS,
  type QueryRequest,
  type Tables,
} from "./access.ts";

type Tree = Readonly<Record<string, unknown>>;

/** `visit`: nodes to judge. `skip`: nothing that could do harm. Otherwise the kind of a node that stands there without its name. */
type Field = "visit" | "skip" | { readonly kind: string };

const SELECT: Field = { kind: "SelectStmt" };

const SHAPES: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  SelectStmt: {
    targetList: "visit",
    fromClause: "visit",
    whereClause: "visit",
    groupClause: "visit",
    havingClause: "visit",
    sortClause: "visit",
    distinctClause: "visit",
    limitCount: "visit",
    limitOffset: "visit",
    limitOption: "skip",
    groupDistinct: "skip",
    op: "skip",
    all: "skip",
    larg: SELECT,
    rarg: SELECT,
  },
  ResTarget: { name: "skip", val: "visit", location: "skip" },
  ParamRef: { number: "skip", location: "skip" },
  A_Const: { ival: "skip", fval: "skip", sval: "skip", boolval: "skip", isnull: "skip", location: "skip" },
  A_Expr: {
    kind: "skip",
    name: "skip",
    lexpr: "visit",
    rexpr: "visit",
    rexpr_list_start: "skip",
    rexpr_list_end: "skip",
    location: "skip",
  },
  BoolExpr: { boolop: "skip", args: "visit", location: "skip" },
  NullTest: { arg: "visit", nulltesttype: "skip", location: "skip" },
  BooleanTest: { arg: "visit", booltesttype: "skip", location: "skip" },
  CaseExpr: { arg: "visit", args: "visit", defresult: "visit", location: "skip" },
  CaseWhen: { expr: "visit", result: "visit", location: "skip" },
  CoalesceExpr: { args: "visit", location: "skip" },
  MinMaxExpr: { op: "skip", args: "visit", location: "skip" },
  FuncCall: {
    funcname: "skip",
    args: "visit",
    agg_filter: "visit",
    agg_star: "skip",
    agg_distinct: "skip",
    funcformat: "skip",
    location: "skip",
  },
  TypeCast: { arg: "visit", typeName: "skip", location: "skip" },
  SubLink: { subLinkType: "skip", testexpr: "visit", operName: "skip", subselect: "visit", location: "skip" },
  List: { items: "visit" },
  SortBy: { node: "visit", sortby_dir: "skip", sortby_nulls: "skip", location: "skip" },
  JoinExpr: { jointype: "skip", larg: "visit", rarg: "visit", quals: "visit" },
  SQLValueFunction: { op: "skip", typmod: "skip", location: "skip" },
  ColumnRef: { fields: "skip", location: "skip" },
  RangeVar: { relname: "skip", alias: "skip", inh: "skip", relpersistence: "skip", location: "skip" },
};

const OPERATORS = new Set(
  "= <> != < > <= >= + - * / % || ~~ !~~ ~~* !~~*".split(" ").concat("BETWEEN", "NOT BETWEEN"),
);
const TYPES = new Set(
  "int2 int4 int8 numeric float4 float8 text varchar bpchar bool date time timestamp timestamptz interval uuid".split(
    " ",
  ),
);
const CLOCKS = /^SVFOP_(CURRENT|LOCAL)_?(DATE|TIME|TIMESTAMP)(_N)?$/;

interface Judged {
  readonly tables: Tables;
  readonly named: ReadonlySet<string>;
  /** Tables by the name that the statement uses for them. */
  readonly places: Map<string, string>;
  readonly columns: Tree[];
  /** Names that the statement gives to what it returns. */
  readonly outputs: Set<string>;
  /** Columns to sort by that are alone there, and so may be names of the output. */
  readonly sorted: Set<Tree>;
  params: number;
}

/** Judges the tree of one `SELECT`. */
export function judgeQuery(parsed: unknown, tables: Tables, request: QueryRequest): void {
  const select = only(parsed, "SelectStmt");
  const judged = judging(tables, new Set(request.tables));
  visitNode("SelectStmt", select, judged);
  judgeColumns(judged);
}

/** Judges the tree of one change of one table. */
export function judgeChange(parsed: unknown, tables: Tables, { table }: ChangeRequest): void {
  const judged = judging(tables, new Set([table]));
  const [kind, tree] = statementIn(parsed);
  if (kind === "SelectStmt") refused("statement", "a query is no change");
  const right = verbs[kind];
  const access = checkRight(tables, table, right);
  const allowed = kind === "InsertStmt" ? (access.insert ?? []) : (access.update ?? []);
  visitNode("RangeVar", treeOf(tree.relation), judged);
  const fields = {
    InsertStmt: "cols selectStmt override",
    UpdateStmt: "targetList whereClause",
    DeleteStmt: "whereClause",
  };
  const known = new Set(["relation", ...fields[kind].split(" ")]);
  for (const name of Object.keys(tree))
    if (!known.has(name)) refused("clause", `\`${name}\` is not allowed in a change`);
  const targets = listOf(kind === "InsertStmt" ? tree.cols : (tree.targetList ?? [])).map((one) =>
    treeOf(treeOf(one).ResTarget),
  );
  if (kind !== "DeleteStmt" && targets.length === 0) refused("column", "a change names its columns");
  for (const target of targets) {
    if (typeof target.name !== "string" || !allowed.includes(target.name))
      refused("column", `\`${String(target.name)}\` is not among the columns that this tool may write`);
    if (target.indirection !== undefined) refused("column", "only whole columns are written");
    if (target.val !== undefined) visit(target.val, judged);
  }
  if (kind === "InsertStmt") {
    if (tree.override !== undefined && tree.override !== "OVERRIDING_NOT_SET")
      refused("clause", "OVERRIDING is not allowed");
    judgeNewRows(tree.selectStmt, judged);
  } else {
    judged.params = 0;
    if (tree.whereClause === undefined) refused("where", "a change needs WHERE");
    visit(tree.whereClause, judged);
    if (judged.params === 0) refused("where", "WHERE compares with at least one value");
  }
  judgeColumns(judged);
}

const verbs = { InsertStmt: "insert", UpdateStmt: "update", DeleteStmt: "delete" } as const;

function judging(tables: Tables, named: ReadonlySet<string>): Judged {
  return { tables, named, places: new Map(), columns: [], outputs: new Set(), sorted: new Set(), params: 0 };
}

function judgeNewRows(node: unknown, judged: Judged): void {
  const { valuesLists, ...rest } = treeOf(treeOf(node).SelectStmt);
  for (const name of Object.keys(rest))
    if (name !== "limitOption" && name !== "op") refused("clause", "rows are added by VALUES alone");
  for (const row of listOf(valuesLists)) visit(row, judged);
}

function visit(value: unknown, judged: Judged): void {
  if (Array.isArray(value)) {
    for (const one of value) visit(one, judged);
    return;
  }
  const entries = Object.entries(treeOf(value));
  // `DISTINCT` without columns is a list of one empty node.
  for (const [kind, tree] of entries) visitNode(kind, treeOf(tree), judged);
}

function visitNode(kind: string, tree: Tree, judged: Judged): void {
  const shape = Object.hasOwn(SHAPES, kind) ? SHAPES[kind] : undefined;
  if (shape === undefined) refused("clause", `\`${kind}\` is not allowed in a statement`);
  judgeNode(kind, tree, judged);
  for (const [name, value] of Object.entries(tree)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field === undefined) refused("clause", `\`${name}\` of \`${kind}\` is not allowed in a statement`);
    if (field === "skip") continue;
    if (field === "visit") visit(value, judged);
    else visitNode(field.kind, treeOf(value), judged);
  }
}

/** Judges the names in a node. */
function judgeNode(kind: string, tree: Tree, judged: Judged): void {
  switch (kind) {
    case "RangeVar":
      judgeTable(tree, judged);
      return;
    case "ColumnRef":
      judged.columns.push(tree);
      return;
    case "ParamRef":
      judged.params += 1;
      return;
    case "ResTarget":
      if (typeof tree.name === "string") judged.outputs.add(tree.name);
      return;
    case "SortBy": {
      const column = treeOf(tree.node).ColumnRef;
      if (column !== undefined) judged.sorted.add(treeOf(column));
      return;
    }
    case "A_Expr":
    case "SubLink": {
      const names = namesIn(tree.name ?? tree.operName ?? []);
      if (names.length > 1 || !names.every((name) => OPERATORS.has(name)))
        refused("function", `the operator \`${names.join(".")}\` is not allowed`);
      return;
    }
    case "FuncCall": {
      const names = namesIn(tree.funcname);
      const name = names.at(-1) ?? "";
      if (!PURE_FUNCTIONS.has(name) || (names.length === 2 && names[0] !== "pg_catalog") || names.length > 2)
        refused("function", `the function \`${names.join(".")}\` is not allowed`);
      return;
    }
    case "TypeCast": {
      const { names, typmods: _, typemod: __, location: ___, ...rest } = treeOf(tree.typeName);
      const path = namesIn(names);
      if (Object.keys(rest).length > 0 || path.length > 2 || (path.length === 2 && path[0] !== "pg_catalog"))
        refused("function", "this type is not allowed");
      if (!TYPES.has(path.at(-1) ?? "")) refused("function", `the type \`${path.join(".")}\` is not allowed`);
      return;
    }
    case "SQLValueFunction":
      if (!CLOCKS.test(String(tree.op))) refused("function", `\`${String(tree.op)}\` is not allowed`);
      return;
    default:
  }
}

function judgeTable(tree: Tree, { tables, named, places }: Judged): void {
  const name = String(tree.relname);
  if (accessTo(tables, name) === undefined)
    refused("table", `\`${name}\` is not among the tables of this tool`);
  if (!named.has(name)) refused("table", `the statement uses \`${name}\`, which the call does not name`);
  const alias = tree.alias === undefined ? {} : treeOf(tree.alias);
  if (alias.colnames !== undefined) refused("clause", "columns of a table keep their names");
  const place = typeof alias.aliasname === "string" ? alias.aliasname : name;
  if (places.has(place)) refused("table", `the statement uses the name \`${place}\` for two tables`);
  // A name that is a column's elsewhere could stand for a whole row.
  const columns = Object.values(tables).flatMap(({ read }) => read);
  if (columns.includes(place)) refused("table", `\`${place}\` is the name of a column too`);
  places.set(place, name);
}

/** Judges columns once every table is known. With several tables a column says whose it is. */
function judgeColumns({ tables, places, columns, outputs, sorted }: Judged): void {
  const [single] = places.size === 1 ? places.values() : [];
  for (const column of columns) {
    const fields = listOf(column.fields).map(treeOf);
    if (fields.some((field) => field.A_Star !== undefined))
      refused("column", "a statement names its columns: `*` is not allowed");
    const path = namesIn(fields);
    const name = path.at(-1) ?? "";
    if (path.length === 1 && sorted.has(column) && outputs.has(name)) continue;
    if (path.length > 2) refused("column", "a column is named as `table.column`");
    const table = path.length === 2 ? places.get(path[0] ?? "") : single;
    if (table === undefined) refused("column", `\`${path.join(".")}\` does not say whose column it is`);
    if (!(accessTo(tables, table)?.read ?? []).includes(name))
      refused("column", `\`${name}\` is not among the columns of \`${table}\` that this tool may read`);
  }
}

function statementIn(
  parsed: unknown,
): readonly ["InsertStmt" | "UpdateStmt" | "DeleteStmt" | "SelectStmt", Tree] {
  const [first, ...more] = listOf(treeOf(parsed).stmts);
  if (first === undefined || more.length > 0) return refused("statements", "one statement is sent at a time");
  const [kind, tree] =
    Object.entries(treeOf(treeOf(first).stmt))[0] ?? refused("statement", "there is no statement");
  if (kind !== "InsertStmt" && kind !== "UpdateStmt" && kind !== "DeleteStmt" && kind !== "SelectStmt")
    return refused("statement", `\`${kind}\` is not allowed`);
  return [kind, treeOf(tree)];
}

function only(parsed: unknown, wanted: "SelectStmt"): Tree {
  const [kind, tree] = statementIn(parsed);
  return kind === wanted ? tree : refused("statement", "a query is a SELECT");
}

function treeOf(value: unknown): Tree {
  if (typeof value !== "object" || value === null)
    return refused("statement", "the statement is not understood");
  // SAFETY: an object, whose fields are looked at one by one.
  return value as Tree;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : refused("statement", "the statement is not understood");
}

function namesIn(value: unknown): readonly string[] {
  return listOf(value).map((one) => {
    const text = treeOf(treeOf(one).String).sval;
    return typeof text === "string" ? text : refused("statement", "the statement is not understood");
  });
}
