/** Reads a `postgres://` URL, and gives what of it may be shown. */

import { LedgerUnavailable } from "../port.ts";

export interface Address {
  /** For messages: neither the password nor any parameter, which can hold one. */
  readonly shown: string;
  /** For the driver. */
  readonly connectionString: string;
  /** The ledger's schema, quoted; a plain name, so that it can stand in SQL. */
  readonly schema: string;
}

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

export function readAddress(url: string): Address {
  let parsed: URL;
  try {
    parsed = new URL(url);
    decodeURIComponent(parsed.username + parsed.password + parsed.pathname);
  } catch {
    throw LedgerUnavailable.for("unreadable URL");
  }
  const name = parsed.searchParams.get("schema") ?? "foreclaim";
  if (!SCHEMA.test(name) || name.startsWith("pg_")) {
    throw LedgerUnavailable.for("no name of a schema");
  }
  parsed.searchParams.delete("schema");
  const user = parsed.username === "" ? "" : `${parsed.username}@`;
  const suffix = name === "foreclaim" ? "" : `?schema=${name}`;
  return {
    shown: `postgres://${user}${parsed.host}${parsed.pathname}${suffix}`,
    connectionString: parsed.href,
    schema: `"${name}"`,
  };
}
