/** PostgreSQL behind `foreclaim/std/sql`: judged by its own grammar, run in a transaction with limits of the server. */

import { createRequire } from "node:module";
import type { Client } from "pg";
import { Refused, refused } from "../refused.ts";
import {
  type ChangeRequest,
  checkRows,
  type QueryRequest,
  type SqlLimits,
  type SqlRow,
  type SqlValue,
  type Tables,
} from "./access.ts";
import { judgeChange, judgeQuery } from "./postgres-tree.ts";

const require = createRequire(import.meta.url);

export interface PostgresOptions {
  readonly url: string;
  readonly schema: string;
  readonly tables: Tables;
  readonly limits: SqlLimits;
}

export async function queryPostgres(
  options: PostgresOptions,
  request: QueryRequest,
): Promise<readonly SqlRow[]> {
  judgeQuery(await parse(request.sql), options.tables, request);
  const { maxRows, maxBytes } = options.limits;
  const values = [...(request.values ?? [])];
  return inTransaction(options, "ISOLATION LEVEL REPEATABLE READ, READ ONLY", async (client) => {
    await checkRelations(client, options, request.tables, false);
    const bounded = `SELECT * FROM (${request.sql}) AS foreclaim_all LIMIT ${maxRows + 1}`;
    // The server measures the answer before any of it is sent. In one snapshot both statements see the same rows.
    const measure = `SELECT count(*)::int AS n, coalesce(sum(octet_length(foreclaim_row::text)), 0)::float8 AS bytes FROM (${bounded}) AS foreclaim_row`;
    const [size] = (await client.query<{ n: number; bytes: number }>({ text: measure, values })).rows;
    if (size === undefined || size.n > maxRows)
      return refused("too-many", `the answer has more than ${maxRows} rows`);
    if (size.bytes > maxBytes) return refused("too-large", `the answer has more than ${maxBytes} bytes`);
    const { rows, fields } = await client.query<SqlRow>({ text: bounded, values });
    if (new Set(fields.map(({ name }) => name)).size < fields.length)
      return refused("column", "two columns of the answer have the same name");
    checkRows(rows, options.limits);
    return rows;
  });
}

export async function changePostgres(options: PostgresOptions, request: ChangeRequest): Promise<number> {
  judgeChange(await parse(request.sql), options.tables, request);
  return inTransaction(options, "ISOLATION LEVEL READ COMMITTED, READ WRITE", async (client) => {
    await checkRelations(client, options, [request.table], true);
    const { rowCount } = await client.query({ text: request.sql, values: [...(request.values ?? [])] });
    const changed = rowCount ?? 0;
    if (changed > request.most)
      return refused("too-many", `${changed} rows would be changed, at most ${request.most} may be`);
    return changed;
  });
}

/** Refuses relations that are no tables or views, and changes that would set off more than they say. */
async function checkRelations(
  client: Client,
  { schema }: PostgresOptions,
  tables: readonly string[],
  isChange: boolean,
): Promise<void> {
  const { rows } = await client.query<{ name: string; kind: string; busy: boolean }>({
    text: `SELECT c.relname::text AS name, c.relkind::text AS kind,
        EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal)
        OR EXISTS (SELECT FROM pg_catalog.pg_rewrite r WHERE r.ev_class = c.oid)
        OR EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.confrelid = c.oid
          AND (k.confdeltype IN ('c', 'n', 'd') OR k.confupdtype IN ('c', 'n', 'd'))) AS busy
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
      WHERE s.nspname = $1 AND c.relname = ANY($2)`,
    values: [schema, [...tables]],
  });
  for (const table of new Set(tables)) {
    const found = rows.find(({ name }) => name === table);
    if (found === undefined) return refused("table", `there is no table \`${table}\` in \`${schema}\``);
    if (!(isChange ? "rp" : "rpvm").includes(found.kind))
      return refused("table", `\`${table}\` is no ordinary table`);
    if (isChange && found.busy)
      return refused(
        "trigger",
        `a change of \`${table}\` sets off triggers, rules or changes of other tables`,
      );
  }
}

async function inTransaction<Result>(
  { url, schema, limits }: PostgresOptions,
  mode: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const pg: { readonly Client: typeof Client } = require("pg");
  const { timeoutMs } = limits;
  const client = new pg.Client({
    connectionString: url,
    application_name: "foreclaim",
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    lock_timeout: timeoutMs,
    idle_in_transaction_session_timeout: 2 * timeoutMs,
    // The client gives up too, in case the server does not.
    query_timeout: timeoutMs + 1_000,
    types: { getTypeParser: (oid: number) => parserOf(oid) },
  });
  client.on("error", () => {});
  try {
    await client.connect();
    // A name is the catalogue's, or the schema's, and never that of a temporary table. Backslashes are plain in texts.
    await client.query(`SET search_path = pg_catalog, "${schema}", pg_temp`);
    await client.query("SET standard_conforming_strings = on");
    await client.query(`BEGIN ${mode}`);
    const result = await use(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error instanceof Refused ? error : failureOf(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function failureOf(error: unknown): Refused {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : "failed";
  if (code === "57014" || code === "55P03" || /timeout/i.test(message))
    return new Refused("too-slow", "the database took too long");
  if (code === "25006") return new Refused("read-only", "the statement would write");
  if (code === "42501") return new Refused("denied", "the database denies this");
  return new Refused("failed", `the database says: ${code} ${message}`.slice(0, 500));
}

/** Numbers and booleans as they are, if JSON has them; everything else as PostgreSQL writes it. */
function parserOf(oid: number): (text: string) => SqlValue {
  const BOOL = 16;
  const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);
  if (oid === BOOL) return (text) => text === "t";
  if (!NUMBERS.has(oid)) return (text) => text;
  return (text) => {
    const number = Number(text);
    return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
      ? number
      : text;
  };
}

async function parse(sql: string): Promise<unknown> {
  const parser = loadParser();
  await parser.loadModule();
  try {
    return parser.parseSync(sql);
  } catch (error) {
    return refused(
      "syntax",
      error instanceof Error ? error.message.slice(0, 200) : "the statement is not understood",
    );
  }
}

interface Parser {
  readonly loadModule: () => Promise<void>;
  readonly parseSync: (sql: string) => unknown;
}

function loadParser(): Parser {
  try {
    return require("libpg-query");
  } catch {
    return refused(
      "no-parser",
      "PostgreSQL needs its parser beside foreclaim: `npm install libpg-query@18.1.5`",
    );
  }
}
