/** Makes the ledger's tables, or brings older ones up to date; several processes may try at the same time. */

import type pg from "pg";
import { LedgerUnavailable } from "../port.ts";
import type { Address } from "./address.ts";
import { migrationFrom, VERSION } from "./schema.ts";

/** Any number that other users of the database do not happen to lock: `FCLG`. */
const ADVISORY_LOCK = 0x46434c47;

export async function migrate(
  client: pg.PoolClient,
  { shown, schema }: Address,
  create: boolean,
): Promise<void> {
  // Without the lock first: the usual case, and all that a role without rights to make tables can do.
  if ((await versionOf(client, shown, schema)) === VERSION) return;
  await client.query(`BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE`);
  // When something from here on fails, the connection is thrown away, and the transaction with it.
  await client.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
  const version = await versionOf(client, shown, schema);
  if (version === 0 && !create) throw LedgerUnavailable.for("no ledger there", { url: shown });
  // Someone may have made an empty schema for us, because we may not.
  if (version === 0 && !(await exists(client, schema))) await client.query(`CREATE SCHEMA ${schema}`);
  if (version < VERSION) await client.query(migrationFrom(version, schema));
  await client.query("COMMIT");
}

async function exists(client: pg.PoolClient, schema: string): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM pg_namespace WHERE '"' || nspname || '"' = $1`, [schema]);
  return rows.length > 0;
}

/** How many migrations the ledger has had; 0 if there is none. */
async function versionOf(client: pg.PoolClient, shown: string, schema: string): Promise<number> {
  const { rows } = await client.query(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE '"' || n.nspname || '"' = $1`,
    [schema],
  );
  const names = rows.map(({ name }) => name);
  if (names.length === 0) return 0;
  if (!names.includes("migration") || !names.includes("entry")) {
    throw LedgerUnavailable.for("schema is no ledger", { url: shown, schema });
  }
  const found = await client.query(`SELECT max(version) AS version FROM ${schema}.migration`);
  const version = Number(found.rows[0].version ?? 0);
  if (version > VERSION) {
    throw LedgerUnavailable.for("newer version", { url: shown, version, known: VERSION });
  }
  return version;
}
