/** Makes the tables in a schema, or brings older ones up to date; several processes may try at the same time. */

import { SqlFailure } from "../failure.ts";
import type { PostgresAddress } from "./address.ts";
import type { PostgresConnection } from "./connections.ts";

export interface PostgresTables {
  /** The kind of thing that is in them. */
  readonly noun: string;
  /** Any number that other users of the database do not happen to lock. */
  readonly advisoryLock: number;
  /** SQL from version n to n + 1, at index n, with `$schema` for the quoted schema; the first one makes the table `migration`. */
  readonly migrations: readonly string[];
  /** A table by which the schema is known, besides `migration`. */
  readonly knownBy: string;
}

export async function migrate(
  connection: PostgresConnection,
  address: PostgresAddress,
  tables: PostgresTables,
  create: boolean,
): Promise<void> {
  const { shown: url, schema } = address;
  const { noun, migrations, advisoryLock } = tables;
  // Without the lock first: the usual case, and all that a role without rights to make tables can do.
  if ((await versionOf(connection, address, tables)) === migrations.length) return;
  await connection.query("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
  // When something from here on fails, the connection is thrown away, and the transaction with it.
  await connection.query(`SELECT pg_advisory_xact_lock(${advisoryLock})`);
  const version = await versionOf(connection, address, tables);
  if (version === 0 && !create) throw SqlFailure.for("not there", { url, noun });
  // Someone may have made an empty schema for us, because we may not.
  if (version === 0 && !(await exists(connection, schema))) await connection.query(`CREATE SCHEMA ${schema}`);
  if (version < migrations.length) await connection.query(migrationText(migrations, schema, version));
  await connection.query("COMMIT");
}

/** The SQL that brings tables of one version to another, without the transaction around it. */
export function migrationText(
  migrations: readonly string[],
  schema: string,
  from: number,
  to = migrations.length,
): string {
  const all = migrations
    .slice(from, to)
    .map((sql, index) => `${sql} INSERT INTO $schema.migration (version) VALUES (${from + index + 1});`);
  return all.join("\n").replaceAll("$schema", () => schema);
}

async function exists(connection: PostgresConnection, schema: string): Promise<boolean> {
  const { rows } = await connection.query(`SELECT FROM pg_namespace WHERE '"' || nspname || '"' = $1`, [
    schema,
  ]);
  return rows.length > 0;
}

/** Returns the number of applied migrations; 0 without tables. */
async function versionOf(
  connection: PostgresConnection,
  { shown: url, schema }: PostgresAddress,
  { noun, migrations, knownBy }: PostgresTables,
): Promise<number> {
  // Not by name: what the session remembers of names may be older than the lock that it has just got.
  const { rows } = await connection.query(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE '"' || n.nspname || '"' = $1`,
    [schema],
  );
  const names = rows.map(({ name }) => name);
  if (names.length === 0) return 0;
  if (!names.includes("migration") || !names.includes(knownBy))
    throw SqlFailure.for("schema is something else", { url, schema, noun });
  const found = await connection.query(`SELECT max(version) AS version FROM ${schema}.migration`);
  const version = Number(found.rows[0].version ?? 0);
  if (version > migrations.length)
    throw SqlFailure.for("newer version", { url, version, known: migrations.length });
  return version;
}
