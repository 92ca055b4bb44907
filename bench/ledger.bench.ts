/**
 * Durable appends to ledgers, beside bare inserts into a table of the same engine with the same durability. Clients that
 * share a ledger object share commits; a ledger each shows what the lock alone allows.
 */

import { openLedger } from "../src/ledger/open.ts";
import type { Ledger } from "../src/ledger/port.ts";
import { BYTES, HASH, onPostgres, onSqlite, type Place, show, timed } from "./durable.ts";
import type { Timing } from "./harness.ts";

show("ledger", [...(await onSqlite(measureSqlite)), ...(await onPostgres(measurePostgres))]);

async function measureSqlite({ url, insert }: Place): Promise<readonly Timing[]> {
  const [one, eight] = [await openLedger(url("one")), await openLedger(url("eight"))];
  const found = await timed([
    { name: "SQLite, bare insert", clients: 1, work: insert },
    { name: "SQLite, append, 1 of one ledger", clients: 1, work: appender(one) },
    { name: "SQLite, append, 8 of one ledger", clients: 8, work: appender(eight) },
  ]);
  await one.close();
  await eight.close();
  return found;
}

async function measurePostgres({ url, insert }: Place): Promise<readonly Timing[]> {
  const [one, eight] = [await openLedger(url("one")), await openLedger(url("eight"))];
  const all = await Promise.all(Array.from({ length: 8 }, () => openLedger(url("each"))));
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
  for (const ledger of [one, eight, ...all]) await ledger.close();
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

function never(): never {
  throw new Error("there is a ledger for each client");
}
