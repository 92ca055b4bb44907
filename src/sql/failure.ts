/** Why a database cannot be used: a closed table of reasons, with the types of their arguments and their sentences. */

/** The database as messages name it, without secrets. */
type Url = { readonly url: string };
/** The database and the kind of thing that should be in it: `ledger`, `store of requests`. */
type Holding = Url & { readonly noun: string };

/** A sentence; `passing` for a matter of the moment or of the machine, which says nothing of the contents. */
export interface ReasonEntry<A> {
  readonly say: (args: A) => string;
  readonly passing: boolean;
}

export function lasting<A>(say: (args: A) => string): ReasonEntry<A> {
  return { say, passing: false };
}

function passing<A>(say: (args: A) => string): ReasonEntry<A> {
  return { say, passing: true };
}

export const sqlReasons = {
  "unreadable URL": lasting(
    (_: object) => "the `postgres:` URL cannot be read; its form is `postgres://user@host:port/database`",
  ),
  "no name of a schema": lasting(
    (_: object) => "`schema` is a name of lower-case letters, digits and `_` that does not begin with `pg_`",
  ),
  "unreadable parameters": lasting(({ url }: Url) => `the parameters of ${url} cannot be read`),
  "no engine": passing(
    ({ engine }: { engine: string }) => `the engine for ${engine} could not be loaded on this machine`,
  ),
  "not there": lasting(({ url, noun }: Holding) => `there is no ${noun} at ${url}`),
  "something else": lasting(({ url, noun }: Holding) => `${url} is not a ${noun}`),
  "schema is something else": lasting(
    ({ url, schema, noun }: Holding & { schema: string }) =>
      `the schema ${schema} of ${url} is not a ${noun}`,
  ),
  "not a file": lasting(({ url }: Url) => `${url} is not a file`),
  "no folder": lasting(({ url }: Url) => `the folder of ${url} does not exist`),
  "newer version": passing(
    ({ url, version, known }: Url & { version: number; known: number }) =>
      `${url} was written by a newer version (${version}, and this one knows ${known})`,
  ),
  "cannot be opened": passing(({ url }: Url) => `${url} cannot be opened`),
  "moved while open": passing(({ url }: Url) => `${url} was moved or replaced while it was open`),
  "no write-ahead log": lasting(
    ({ url }: Url) => `${url} is in a place where SQLite cannot keep a write-ahead log`,
  ),
  "held by others": passing(({ url }: Url) => `${url} is held by another process for too long`),
  "not writable": passing(({ url }: Url) => `${url} may not be written`),
  "no room": passing(({ url }: Url) => `${url} has no room left on its disk`),
  "disk error": passing(({ url }: Url) => `${url} cannot be read or written: its disk reports an error`),
  damaged: lasting(({ url }: Url) => `${url} is damaged`),
  "refused by SQLite": lasting(
    ({ url, why }: Url & { why: string }) => `${url} was refused by SQLite: ${why}`,
  ),
  "too old": lasting(({ url }: Url) => `${url} is older than PostgreSQL 13`),
  standby: lasting(({ url }: Url) => `${url} is a standby, which cannot be written`),
  "not UTF-8": lasting(({ url }: Url) => `${url} is not encoded in UTF-8`),
  "fsync off": lasting(({ url }: Url) => `${url} runs with fsync off: what it acknowledges is not durable`),
  "cannot be reached": lasting(
    ({ url, detail }: Url & { detail: string }) => `${url} cannot be reached${detail}`,
  ),
  "in too much demand": lasting(({ url }: Url) => `${url} is in too much demand`),
  "not let in": lasting(({ url }: Url) => `${url} does not let this user in`),
  "no database": lasting(({ url }: Url) => `${url} has no such database`),
  "not allowed to": passing(
    ({ url, noun, why }: Holding & { why: string }) =>
      `${url} does not allow this user what a ${noun} needs: ${why}`,
  ),
  "takes no connections": lasting(
    ({ url, why }: Url & { why: string }) => `${url} is not taking connections: ${why}`,
  ),
  answered: lasting(({ url, why }: Url & { why: string }) => `${url} answered: ${why}`),
} as const;

export type SqlReason = keyof typeof sqlReasons;
export type SqlArgs<R extends SqlReason> = (typeof sqlReasons)[R] extends ReasonEntry<infer A> ? A : never;

/** The database cannot be reached, opened or used, or holds something else. */
export class SqlFailure extends Error {
  override readonly name = "SqlFailure";
  readonly reason: SqlReason;

  private constructor(reason: SqlReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  static for<R extends SqlReason>(reason: R, args: SqlArgs<R>, options?: ErrorOptions): SqlFailure {
    // SAFETY: the arguments are those of this reason.
    return new SqlFailure(reason, sqlReasons[reason].say(args as never), options);
  }
}
