/** Opens the ledger that a URL names. An engine is loaded when a ledger of its kind is opened, and not before. */

import { MemoryLedger } from "./memory.ts";
import { type Ledger, LedgerUnavailable } from "./port.ts";

export interface OpenOptions {
  /** True to create a missing ledger. */
  readonly create?: boolean;
  /** True to read only: then no right to write is needed, and every write is refused. */
  readonly readOnly?: boolean;
}

/**
 * Opens a ledger, making it if there is none. Rejects with `LedgerUnavailable` if it cannot.
 *
 * @example
 * await using ledger = await openLedger("sqlite:ledger.db");
 */
export async function openLedger(
  url: string,
  { readOnly = false, create = !readOnly }: OpenOptions = {},
): Promise<Ledger> {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  const rest = url.slice((scheme?.length ?? 0) + 1);
  switch (scheme) {
    case "memory":
      if (rest !== "") throw LedgerUnavailable.for("name of a ledger in memory", {});
      return new MemoryLedger();
    case "sqlite":
      return openSqlite(rest, create && !readOnly, readOnly);
    case "postgres":
    case "postgresql":
      return openPostgres(url, create && !readOnly);
    case undefined:
      // LIMIT: the text is not repeated, here and below: what is wrong in it may be where a password is.
      throw LedgerUnavailable.for("not a URL", {});
    default:
      throw LedgerUnavailable.for("unknown scheme", { scheme });
  }
}

async function openSqlite(rest: string, create: boolean, readOnly: boolean): Promise<Ledger> {
  // `sqlite:///a/b` is how other tools write the path `/a/b`; two slashes would name a machine.
  const path = rest.startsWith("///") ? rest.slice(2) : rest;
  if (path === "" || path.includes("\0")) throw LedgerUnavailable.for("no path", {});
  if (path.startsWith("//")) {
    throw LedgerUnavailable.for("path on another machine", {});
  }
  if (path.startsWith(":")) throw LedgerUnavailable.for("SQLite in memory", {});
  const { SqliteLedger } = await import("./sqlite/ledger.ts");
  return SqliteLedger.open(path, create, readOnly);
}

async function openPostgres(url: string, create: boolean): Promise<Ledger> {
  const { PostgresLedger } = await import("./postgres/ledger.ts");
  return PostgresLedger.open(url, create);
}
