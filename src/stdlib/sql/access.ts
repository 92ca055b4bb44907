/** Access rights of a database tool: tables, columns and changes that its operator lists. Everything else is refused. */

import { refused } from "../refused.ts";

export interface TableAccess {
  /** Columns that may be read. */
  readonly read: readonly string[];
  /** Columns that a new row may be given (default none: no rows are added). */
  readonly insert?: readonly string[];
  /** Columns that may be changed (default none). */
  readonly update?: readonly string[];
  /** True if rows may be deleted (default false). */
  readonly delete?: boolean;
}

export type Tables = Readonly<Record<string, TableAccess>>;

export type SqlValue = string | number | boolean | null;

export interface QueryRequest {
  /** One `SELECT`, with `?` (SQLite) or `$1` (PostgreSQL) for every value. */
  readonly sql: string;
  /** Every table that it reads; one that is missing here is refused. */
  readonly tables: readonly string[];
  readonly values?: readonly SqlValue[];
}

export interface ChangeRequest {
  /** One `INSERT`, `UPDATE … WHERE` or `DELETE … WHERE` of the table. */
  readonly sql: string;
  /** The one table that it changes and reads. */
  readonly table: string;
  readonly values?: readonly SqlValue[];
  /** Rows that it may change; with more of them nothing is changed. */
  readonly most: number;
}

export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface SqlLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly maxChanged: number;
  readonly timeoutMs: number;
}

/** LIMIT: of a statement's text and of its values. */
const MAX_TEXT = 10_000;
const MAX_VALUES = 100;
const MAX_VALUE_BYTES = 65_536;
const PLAIN_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** Refuses options that could not be compared with the names in a statement. */
export function checkTables(tables: Tables): void {
  for (const [name, { read, insert = [], update = [] }] of Object.entries(tables)) {
    if (name.startsWith("sqlite_") || name.startsWith("pg_"))
      refused("bad-options", `\`${name}\` belongs to the database itself`);
    for (const one of [name, ...read, ...insert, ...update])
      if (!PLAIN_NAME.test(one))
        refused(
          "bad-options",
          `\`${one}\` is no plain name in lower case, so no statement can be compared with it`,
        );
  }
}

/** The access rights to a table that the operator lists; inherited names of objects are none. */
export function accessTo(tables: Tables, name: string): TableAccess | undefined {
  return Object.hasOwn(tables, name) ? tables[name] : undefined;
}

/**
 * Refuses a text in which two readers might see two statements. A statement is a constant of the program, so it needs no
 * comment, no second statement and no escape; what it compares with comes as values.
 */
export function checkText(sql: string): void {
  if (typeof sql !== "string" || sql.length > MAX_TEXT)
    refused("too-large", `the statement has more than ${MAX_TEXT} characters`);
  if (sql.includes(";")) refused("statements", "a statement has no `;`: one is sent at a time");
  if (sql.includes("--") || sql.includes("/*") || sql.includes("#"))
    refused("comment", "a statement has no comments");
  if (/[\p{Cc}\p{Cf}\\]/u.test(sql.replace(/[\n\t]/g, " ")) || /[\ud800-\udfff]/u.test(sql))
    refused("bad-text", "the statement holds characters that no plain statement has");
}

export function checkValues(values: readonly SqlValue[]): void {
  if (values.length > MAX_VALUES) refused("too-many", `a statement takes at most ${MAX_VALUES} values`);
  for (const value of values) {
    if (value === null || typeof value === "boolean") continue;
    if (typeof value === "number") {
      if (!Number.isFinite(value)) refused("bad-value", "a value is no finite number");
      continue;
    }
    if (typeof value !== "string") refused("bad-value", "a value is a text, a number, a boolean or null");
    if (Buffer.byteLength(value) > MAX_VALUE_BYTES)
      refused("too-large", `a value has more than ${MAX_VALUE_BYTES} bytes`);
    if (value.includes("\0") || /[\ud800-\udfff]/u.test(value))
      refused("bad-value", "a text holds characters that databases read otherwise");
  }
}

/** The tables that a query may read: those that it names, if the operator lists each. */
export function checkNamed(tables: Tables, names: readonly string[]): ReadonlySet<string> {
  for (const name of names)
    if (accessTo(tables, name) === undefined)
      refused("table", `\`${name}\` is not among the tables of this tool`);
  return new Set(names);
}

/** Returns the verb that a change begins with, which decides its rights. */
export function verbOf(sql: string): "insert" | "update" | "delete" {
  const verb = /^\s*(insert|update|delete)\s/i.exec(sql)?.[1]?.toLowerCase();
  if (verb === "insert" || verb === "update" || verb === "delete") return verb;
  return refused("statement", "a change begins with INSERT, UPDATE or DELETE");
}

/** Refuses a verb that the operator does not list for the table. */
export function checkRight(tables: Tables, table: string, verb: "insert" | "update" | "delete"): TableAccess {
  const access = accessTo(tables, table);
  if (access === undefined) return refused("table", `\`${table}\` is not among the tables of this tool`);
  const right = verb === "delete" ? access.delete === true : (access[verb] ?? []).length > 0;
  if (!right) return refused("read-only", `this tool has no right to ${verb} rows of \`${table}\``);
  return access;
}

/** LIMIT check of a finished answer. */
export function checkRows(rows: readonly SqlRow[], { maxRows, maxBytes }: SqlLimits): void {
  if (rows.length > maxRows) refused("too-many", `the answer has more than ${maxRows} rows`);
  if (Buffer.byteLength(JSON.stringify(rows)) > maxBytes)
    refused("too-large", `the answer has more than ${maxBytes} bytes`);
}

/** Functions that compute from their arguments alone, in about as much room as these take. */
export const PURE_FUNCTIONS: ReadonlySet<string> = new Set([
  "abs",
  "avg",
  "ceil",
  "coalesce",
  "count",
  "date_part",
  "date_trunc",
  "floor",
  "greatest",
  "ifnull",
  "iif",
  "instr",
  "least",
  "length",
  "lower",
  "ltrim",
  "max",
  "min",
  "mod",
  "nullif",
  "octet_length",
  "round",
  "rtrim",
  "sign",
  "strpos",
  "substr",
  "substring",
  "sum",
  "total",
  "trim",
  "trunc",
  "upper",
]);
