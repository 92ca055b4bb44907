/** Shared parts of the durability benchmarks: bare inserts for comparison, and rounds in turn. */

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { PostgresServer } from "../tests/support/postgres.ts";
import { openSqlite } from "../tests/support/sqlite.ts";
import { report, type Timing } from "./harness.ts";

const APPENDS = 1000;
export const BYTES = Buffer.alloc(700, "a typical entry; ");
export const HASH = createHash("sha256").update(BYTES).digest("hex");
const ROUNDS = 3;

export interface Case {
  readonly name: string;
  readonly clients: number;
  readonly work: (client: number) => Promise<void>;
}

/** A database for cases, with the same work without a ledger. */
export interface Place {
  readonly url: (name: string) => string;
  readonly insert: () => Promise<void>;
  /** Eight clients with a connection each: take a lock, read the last position, insert and commit. */
  readonly insertInTurn: (client: number) => Promise<void>;
}

/** Prints a table and rates a second. */
export function show(group: string, timings: readonly Timing[]): void {
  report(group, timings);
  for (const { name, size, nsPerRun } of timings) {
    console.log(`  ${name}: ${Math.round(size / (nsPerRun / 1e9)).toLocaleString("en")} a second`);
  }
}

export async function onSqlite(
  measure: (place: Place) => Promise<readonly Timing[]>,
): Promise<readonly Timing[]> {
  const folder = mkdtempSync(join(tmpdir(), "foreclaim-bench-"));
  const db = openSqlite(join(folder, "raw.db"));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec(
    "CREATE TABLE entry (kernel INTEGER, seq INTEGER, hash TEXT, bytes BLOB, PRIMARY KEY (kernel, seq))",
  );
  let seq = 0;
  const clients = Array.from({ length: 8 }, () => {
    const one = openSqlite(join(folder, "raw.db"));
    one.exec("PRAGMA synchronous = FULL");
    return one;
  });
  const found = await measure({
    url: (name) => `sqlite:${join(folder, `${name}.db`)}`,
    insert: async () => db.run("INSERT INTO entry VALUES (1, ?, ?, ?)", [++seq, HASH, BYTES]),
    insertInTurn: async (client) => {
      const one = clients[client];
      one?.run("BEGIN IMMEDIATE");
      one?.run("INSERT INTO entry SELECT 2, coalesce(max(seq), 0) + 1, ?, ? FROM entry WHERE kernel = 2", [
        HASH,
        BYTES,
      ]);
      one?.run("COMMIT");
    },
  });
  for (const one of clients) one.close();
  db.close();
  rmSync(folder, { recursive: true, force: true });
  return found;
}

export async function onPostgres(
  measure: (place: Place) => Promise<readonly Timing[]>,
): Promise<readonly Timing[]> {
  const server = await PostgresServer.start();
  if (server === undefined) return [];
  await server.query(
    `CREATE TABLE raw (kernel int, seq int, hash text, bytes bytea, PRIMARY KEY (kernel, seq));
     CREATE TABLE turn (seq int); INSERT INTO turn VALUES (0)`,
  );
  const pool = new pg.Pool({ connectionString: server.url, max: 8 });
  let seq = 0;
  const text = "INSERT INTO raw VALUES (1, $1, $2, $3)";
  const found = await measure({
    url: (name) => server.ledgerUrl(name),
    insert: async () => void (await pool.query({ name: "insert", text, values: [++seq, HASH, BYTES] })),
    insertInTurn: async () => {
      const client = await pool.connect();
      // The driver gives a list for several statements, which its types do not say.
      const locked: unknown = await client.query("BEGIN; UPDATE turn SET seq = seq + 1 RETURNING seq");
      const last = Array.isArray(locked) ? locked.at(-1)?.rows[0]?.seq : undefined;
      await client.query(
        `INSERT INTO raw VALUES (2, ${last}, '${HASH}', '\\x${BYTES.toString("hex")}'); COMMIT`,
      );
      client.release();
    },
  });
  await pool.end();
  await server.stop();
  return found;
}

/** The best round of each; in turns, so that a busy moment of the disk slows all of them. */
export async function timed(cases: readonly Case[]): Promise<readonly Timing[]> {
  const best = cases.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { clients, work }] of cases.entries()) {
      for (let n = 0; n < 50; n++) await work(n % clients); // connections, statements, the compiler
      const startNs = process.hrtime.bigint();
      let left = APPENDS;
      await Promise.all(
        Array.from({ length: clients }, async (_, client) => {
          while (left-- > 0) await work(client);
        }),
      );
      best[index] = Math.min(best[index] ?? 0, Number(process.hrtime.bigint() - startNs));
    }
  }
  return cases.map(({ name }, index) => ({ name, size: APPENDS, nsPerRun: best[index] ?? 0 }));
}
