/**
 * The process that has a SQLite file open. It is a process of its own because SQLite computes without a pause: a slow
 * statement can only be ended from outside. The authorizer is asked about every access while a statement is prepared.
 */

import { createRequire } from "node:module";
import process from "node:process";
import {
  accessTo,
  PURE_FUNCTIONS,
  type SqlLimits,
  type SqlRow,
  type SqlValue,
  type Tables,
  verbOf,
} from "./access.ts";

const require = createRequire(import.meta.url);

export interface Job {
  readonly path: string;
  readonly tables: Tables;
  readonly limits: SqlLimits;
  readonly sql: string;
  readonly named: readonly string[];
  readonly values: readonly SqlValue[];
  /** Undefined for a query. */
  readonly most?: number;
}

export type Outcome =
  | { readonly rows: readonly SqlRow[] }
  | { readonly changed: number }
  | { readonly refused: readonly [code: string, message: string] };

interface Statement {
  readonly sourceSQL: string;
  columns(): readonly { readonly name: string }[];
  iterate(...values: unknown[]): Iterable<Record<string, unknown>>;
  run(...values: unknown[]): { readonly changes: number | bigint };
}

interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  setAuthorizer(
    ask:
      | ((action: number, a: string | null, b: string | null, db: string | null, by: string | null) => number)
      | null,
  ): void;
  close(): void;
}

interface Engine {
  readonly DatabaseSync: new (path: string, options: object) => Connection;
  readonly constants: Readonly<Record<string, number>>;
}

class Denied extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

function outcomeOf(job: Job): Outcome {
  // Not the engine of Node: only newer versions have an authorizer there.
  const { DatabaseSync, constants }: Engine = require("@photostructure/sqlite");
  const isChange = job.most !== undefined;
  const { maxBytes, maxRows } = job.limits;
  const db = new DatabaseSync(job.path, {
    readOnly: !isChange,
    allowExtension: false,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
    defensive: true,
    timeout: job.limits.timeoutMs,
    limits: {
      // SQLite's own rows must fit too; an answer is measured row by row.
      length: Math.max(maxBytes, 1_000_000),
      sqlLength: 20_000,
      exprDepth: 100,
      compoundSelect: 20,
      attach: 0,
      likePatternLength: 1000,
    },
  });
  let denied: Denied | undefined;
  try {
    db.exec("PRAGMA trusted_schema = OFF");
    db.exec("PRAGMA temp_store = MEMORY");
    db.exec(`PRAGMA hard_heap_limit = ${64 * 1024 * 1024 + 4 * maxBytes}`);
    if (isChange) db.exec("BEGIN IMMEDIATE");
    const before = isChange ? totalOf(db) : 0;
    const judge = authorizer(job, constants);
    db.setAuthorizer((action, a, b, schema, by) => {
      const problem = judge(action, a, b, schema, by);
      denied ??= problem;
      return (problem === undefined ? constants.SQLITE_OK : constants.SQLITE_DENY) ?? 1;
    });
    const statement = db.prepare(job.sql);
    if (statement.sourceSQL !== job.sql) throw new Denied("statements", "one statement is sent at a time");
    const values = job.values.map((value) => (typeof value === "boolean" ? Number(value) : value));
    if (!isChange) {
      const names = statement.columns().map(({ name }) => name);
      if (new Set(names).size < names.length)
        throw new Denied("column", "two columns of the answer have the same name");
      return { rows: rowsOf(statement.iterate(...values), maxRows, maxBytes) };
    }
    const changed = Number(statement.run(...values).changes);
    db.setAuthorizer(null);
    if (changed > (job.most ?? 0))
      throw new Denied("too-many", `${changed} rows would be changed, at most ${job.most} may be`);
    if (totalOf(db) - before !== changed)
      throw new Denied("trigger", "the change sets off changes of other rows");
    db.exec("COMMIT");
    return { changed };
  } catch (error) {
    // The file is closed without COMMIT, which undoes everything.
    const { code, message } = denied ?? (error instanceof Denied ? error : problemOf(error));
    return { refused: [code, message] };
  } finally {
    db.close();
  }
}

/** Judges every access by the access rights; undefined is yes. */
function authorizer({ tables, named, sql, most }: Job, codes: Engine["constants"]) {
  const isNamed = new Set(named);
  const verb = most === undefined ? undefined : verbOf(sql);
  const isTable = (name: string | null, schema: string | null): name is string =>
    name !== null && isNamed.has(name.toLowerCase()) && (schema === "main" || schema === null);
  const rights = (name: string) => accessTo(tables, name.toLowerCase());
  const has = (list: readonly string[] | undefined, column: string | null) =>
    (list ?? []).includes((column ?? "").toLowerCase());

  return (
    action: number,
    a: string | null,
    b: string | null,
    schema: string | null,
    by: string | null,
  ): Denied | undefined => {
    switch (action) {
      case codes.SQLITE_SELECT:
        return undefined;
      case codes.SQLITE_READ:
        if (!isTable(a, schema))
          return new Denied("table", `the statement uses \`${a}\`, which the call does not name`);
        // No column: the statement counts rows, or the table is there without any of its columns.
        if (b === "" || b === null || has(rights(a)?.read, b)) return undefined;
        return new Denied("column", `\`${b}\` is not among the columns of \`${a}\` that this tool may read`);
      case codes.SQLITE_FUNCTION:
        if (PURE_FUNCTIONS.has((b ?? "").toLowerCase()) || b === "like") return undefined;
        return new Denied("function", `the function \`${b}\` is not allowed`);
      case codes.SQLITE_INSERT:
      case codes.SQLITE_UPDATE:
      case codes.SQLITE_DELETE:
        break;
      default:
        return new Denied("statement", "the statement does more than read or change rows");
    }
    if (verb === undefined) return new Denied("read-only", "a query writes nothing");
    if (by !== null) return new Denied("trigger", `a change of \`${a}\` by \`${by}\``);
    if (!isTable(a, schema))
      return new Denied("table", `the statement changes \`${a}\`, which the call does not name`);
    if (action === codes.SQLITE_INSERT && verb === "insert") return undefined;
    if (action === codes.SQLITE_DELETE && verb === "delete") return undefined;
    if (action === codes.SQLITE_UPDATE && verb === "update") {
      if (has(rights(a)?.update, b)) return undefined;
      return new Denied("column", `\`${b}\` is not among the columns that this tool may write`);
    }
    return new Denied("statement", "the statement changes otherwise than it begins");
  };
}

function totalOf(db: Connection): number {
  for (const row of db.prepare("SELECT total_changes() AS n").iterate()) return Number(row.n);
  return 0;
}

function rowsOf(
  found: Iterable<Record<string, unknown>>,
  maxRows: number,
  maxBytes: number,
): readonly SqlRow[] {
  const rows: SqlRow[] = [];
  let bytes = 2;
  for (const row of found) {
    if (rows.length === maxRows) throw new Denied("too-many", `the answer has more than ${maxRows} rows`);
    const plain = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
    bytes += Buffer.byteLength(JSON.stringify(plain)) + 1;
    if (bytes > maxBytes) throw new Denied("too-large", `the answer has more than ${maxBytes} bytes`);
    rows.push(plain);
  }
  return rows;
}

function plainValue(value: unknown): SqlValue {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return String(value);
  throw new Denied("bad-value", "a column holds bytes, which no answer has");
}

function problemOf(error: unknown): { readonly code: string; readonly message: string } {
  const message = error instanceof Error ? error.message : "failed";
  if (/too big|out of memory/i.test(message))
    return { code: "too-large", message: "a value or the work for it is too large" };
  if (/readonly database/i.test(message)) return { code: "read-only", message: "the statement would write" };
  if (/database is locked/i.test(message))
    return { code: "too-slow", message: "the file is held by another process" };
  return { code: "failed", message: `SQLite says: ${message}`.slice(0, 500) };
}

process.on("message", (job: Job) => {
  let outcome: Outcome;
  try {
    outcome = outcomeOf(job);
  } catch (error) {
    const { code, message } = problemOf(error);
    outcome = { refused: [code, message] };
  }
  process.send?.(outcome);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
