/** Reads a `postgres://` URL, and gives the part of it that may be shown. */

import { SqlFailure } from "../failure.ts";

export interface PostgresAddress {
  /** For messages: neither the password nor any parameter, which can hold one. */
  readonly shown: string;
  /** For the driver. */
  readonly connectionString: string;
  /** The schema, quoted; a plain name, so that it can stand in SQL. */
  readonly schema: string;
}

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

export function readAddress(url: string): PostgresAddress {
  let parsed: URL;
  try {
    parsed = new URL(url);
    decodeURIComponent(parsed.username + parsed.password + parsed.pathname);
  } catch {
    throw SqlFailure.for("unreadable URL", {});
  }
  const name = parsed.searchParams.get("schema") ?? "foreclaim";
  if (!SCHEMA.test(name) || name.startsWith("pg_")) throw SqlFailure.for("no name of a schema", {});
  parsed.searchParams.delete("schema");
  const user = parsed.username === "" ? "" : `${parsed.username}@`;
  const suffix = name === "foreclaim" ? "" : `?schema=${name}`;
  return {
    shown: `postgres://${user}${parsed.host}${parsed.pathname}${suffix}`,
    connectionString: parsed.href,
    schema: `"${name}"`,
  };
}
