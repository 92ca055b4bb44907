/**
 * `foreclaim/std/sql`: one statement at a time on the tables and columns that the operator lists, of a SQLite file or a
 * PostgreSQL server. Read-only by default. A statement says which tables it uses, so that contracts decide on them, and one
 * that uses others is refused by SQLite's authorizer or by PostgreSQL's own grammar. Values are never part of the text.
 */

import { fileURLToPath } from "node:url";
import { refused } from "./refused.ts";
import {
  type ChangeRequest,
  checkNamed,
  checkRight,
  checkTables,
  checkText,
  checkValues,
  type QueryRequest,
  type SqlLimits,
  type SqlRow,
  type Tables,
  verbOf,
} from "./sql/access.ts";
import { changePostgres, queryPostgres } from "./sql/postgres.ts";
import { sqlitePort } from "./sql/sqlite.ts";

export { Refused } from "./refused.ts";
export type { ChangeRequest, QueryRequest, SqlRow, SqlValue, TableAccess, Tables } from "./sql/access.ts";

export interface DatabaseOptions {
  /** A SQLite file, or the address of a PostgreSQL server: `postgres://user@host:port/database`. */
  readonly url: string | URL;
  /** Tables with the columns that may be read, and the changes that are allowed (default none). */
  readonly tables: Tables;
  /** The schema of the tables, for PostgreSQL (default `public`). */
  readonly schema?: string;
  /** Rows of an answer (default 1,000). */
  readonly maxRows?: number;
  /** Bytes of an answer (default 1 MiB). */
  readonly maxBytes?: number;
  /** Rows that one statement may change (default 100). */
  readonly maxChanged?: number;
  /** Milliseconds for a statement (default 5,000). */
  readonly timeoutMs?: number;
}

export interface Database {
  /** The rows that a `SELECT` gives. */
  readonly query: (request: QueryRequest) => Promise<readonly SqlRow[]>;
  /** Changes rows, and returns how many; all of them or none. */
  readonly change: (request: ChangeRequest) => Promise<number>;
}

const MIB = 1024 * 1024;

/** A database for tools. Nothing is opened before the first call, and no call leaves anything open that keeps a run alive. */
export function database(options: DatabaseOptions): Database {
  const { tables, schema = "public" } = options;
  checkTables(tables);
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith("pg_"))
    refused("bad-options", "`schema` is a plain name in lower case");
  const limits: SqlLimits = {
    maxRows: options.maxRows ?? 1000,
    maxBytes: options.maxBytes ?? MIB,
    maxChanged: options.maxChanged ?? 100,
    timeoutMs: options.timeoutMs ?? 5000,
  };
  const url = options.url instanceof URL ? options.url.href : options.url;
  const port = /^postgres(ql)?:/.test(url)
    ? {
        query: (request: QueryRequest) => queryPostgres({ url, schema, tables, limits }, request),
        change: (request: ChangeRequest) => changePostgres({ url, schema, tables, limits }, request),
      }
    : sqlitePort({ path: url.startsWith("file:") ? fileURLToPath(url) : url, tables, limits });
  return {
    query: async (request) => {
      checkText(request.sql);
      checkValues(request.values ?? []);
      checkNamed(tables, request.tables);
      return port.query(request);
    },
    change: async (request) => {
      checkText(request.sql);
      checkValues(request.values ?? []);
      checkRight(tables, request.table, verbOf(request.sql));
      if (!Number.isSafeInteger(request.most) || request.most < 0 || request.most > limits.maxChanged)
        return refused("too-many", `one statement changes at most ${limits.maxChanged} rows`);
      return port.change(request);
    },
  };
}
