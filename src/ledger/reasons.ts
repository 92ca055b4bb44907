/** Why a ledger cannot be used: the reasons of databases, and those of ledgers in them. */

import { lasting, type ReasonEntry, sqlReasons } from "../sql/index.ts";

/** The ledger as messages name it, without secrets. */
type Url = { readonly url: string };

const urlForms = "`memory:`, `sqlite:<file>` or `postgres://…`";

const ownReasons = {
  "not a URL": lasting((_: object) => `a ledger is named by a URL: ${urlForms}`),
  "unknown scheme": lasting(
    ({ scheme }: { scheme: string }) => `no ledger has the scheme \`${scheme}:\`; there are ${urlForms}`,
  ),
  "name of a ledger in memory": lasting(
    (_: object) => "`memory:` takes no name, because it belongs to one process",
  ),
  "no path": lasting((_: object) => "`sqlite:` is followed by the path of a file"),
  "path on another machine": lasting(
    (_: object) => "`sqlite:` takes the path of a file on this machine: `sqlite:ledger.db`",
  ),
  "SQLite in memory": lasting((_: object) => "a ledger in memory is `memory:`"),
  "opened to read": lasting(({ url }: Url) => `${url} is open for reading only`),
  closed: lasting(({ url }: Url) => `${url} is closed`),
  "closed in memory": lasting((_: object) => "the ledger is closed"),
  "set back while open": lasting(({ url }: Url) => `${url} was rolled back or replaced while it was open`),
  "set back": lasting(
    ({ url, kernel, seq }: Url & { kernel: string; seq: number }) =>
      `entry ${seq} of \`${kernel}\` was seen before and is not in ${url}: the ledger was rolled back or replaced`,
  ),
  "file is damaged": lasting(
    ({ what }: { what: "number" | "text" | "bytes" }) =>
      `the file of the ledger is damaged: ${what === "bytes" ? "stored bytes are not bytes" : `a stored ${what} is not a ${what}`}`,
  ),
  "entry missing": lasting(
    ({ url, seq, before }: Url & { seq: number; before: number }) =>
      `${url} is damaged: entry ${seq} is missing before ${before}`,
  ),
  "did not commit": lasting(({ url }: Url) => `${url} did not commit`),
} as const;

export const ledgerReasons = { ...sqlReasons, ...ownReasons } as const;

export type LedgerReason = keyof typeof ledgerReasons;
export type OwnReason = keyof typeof ownReasons;
export type LedgerArgs<R extends OwnReason> = (typeof ownReasons)[R] extends ReasonEntry<infer A> ? A : never;
