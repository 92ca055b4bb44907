/**
 * Durable appends to ledgers, beside bare inserts into a table of the same engine with the same durability. Clients that
 * share a ledger object share commits; a ledger each shows what the lock alone allows.
 */

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import pg from "pg";
import { openLedger } from "../src/ledger/open.ts";
import type { Ledger } from "../src/ledger/port.ts";
import { PostgresServer } from "../tests/support/postgres.ts";
import { report, type Timing } from "./harness.ts";

const APPENDS = 1000;
const BYTES = Buffer.alloc(700, "a typical entry; ");
const HASH = createHash("sha256").update(BYTES).digest("hex");
const ROUNDS = 3;

interface Case {
  readonly name: string;
  readonly clients: number;
  readonly work: (client: number) => Promise<void>;
}

const timings = [...(await measureSqlite()), ...(await measurePostgres())];
report("ledger", timings);
for (const { name, size, nsPerRun } of timings) {
  console.log(`  ${name}: ${Math.round(size / (nsPerRun / 1e9)).toLocaleString("en")} a second`);
}

async function measureSqlite(): Promise<readonly Timing[]> {
  const folder = mkdtempSync(join(tmpdir(), "foreclaim-bench-"));
  const db = new Database(join(folder, "raw.db"));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec(
    "CREATE TABLE entry (kernel INTEGER, seq INTEGER, hash TEXT, bytes BLOB, PRIMARY KEY (kernel, seq))",
  );
  const insert = db.prepare("INSERT INTO entry VALUES (1, ?, ?, ?)");
  let seq = 0;
  const one = await openLedger(`sqlite:${join(folder, "one.db")}`);
  const eight = await openLedger(`sqlite:${join(folder, "eight.db")}`);
  const found = await timed([
    { name: "SQLite, bare insert", clients: 1, work: async () => void insert.run(++seq, HASH, BYTES) },
    { name: "SQLite, append, 1 of one ledger", clients: 1, work: appender(one) },
    { name: "SQLite, append, 8 of one ledger", clients: 8, work: appender(eight) },
  ]);
  db.close();
  await one.close();
  await eight.close();
  rmSync(folder, { recursive: true, force: true });
  return found;
}

async function measurePostgres(): Promise<readonly Timing[]> {
  const server = await PostgresServer.start();
  if (server === undefined) return [];
  await server.query(
    "CREATE TABLE raw (kernel int, seq int, hash text, bytes bytea, PRIMARY KEY (kernel, seq))",
  );
  const pool = new pg.Pool({ connectionString: server.url, max: 8 });
  let seq = 0;
  const insert = async () => {
    const text = "INSERT INTO raw VALUES (1, $1, $2, $3)";
    await pool.query({ name: "insert", text, values: [++seq, HASH, BYTES] });
  };
  const one = await openLedger(server.ledgerUrl("one"));
  const eight = await openLedger(server.ledgerUrl("eight"));
  const all = await Promise.all(Array.from({ length: 8 }, () => openLedger(server.ledgerUrl("each"))));
  const appenders = all.map((ledger) => appender(ledger));
  const found = await timed([
    { name: "PostgreSQL, bare insert, 1", clients: 1, work: insert },
    { name: "PostgreSQL, append, 1 of one ledger", clients: 1, work: appender(one) },
    { name: "PostgreSQL, bare insert, 8", clients: 8, work: insert },
    { name: "PostgreSQL, append, 8 of one ledger", clients: 8, work: appender(eight) },
    {
      name: "PostgreSQL, append, 8 with a ledger each",
      clients: 8,
      work: (client) => appenders[client]?.(client) ?? never(),
    },
  ]);
  await pool.end();
  for (const ledger of [one, eight, ...all]) await ledger.close();
  await server.stop();
  return found;
}

/** Appends one entry, knowing all that this client has seen. */
function appender(ledger: Ledger): (client: number) => Promise<void> {
  let since = 0;
  return async () => {
    const from = since;
    let seq = 0;
    await ledger.transact("k", from, (after) => {
      seq = from + after.length + 1;
      return [{ seq, hash: HASH, bytes: BYTES }];
    });
    since = Math.max(since, seq);
  };
}

/** The best round of each; in turns, so that a busy moment of the disk slows all of them. */
async function timed(cases: readonly Case[]): Promise<readonly Timing[]> {
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

function never(): never {
  throw new Error("there is a ledger for each client");
}
