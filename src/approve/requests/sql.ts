/** The database port of the store: serialized write transactions, in one order for all instances. */

import { SqlFailure } from "../../sql/index.ts";

export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** Names of tables are written `@request`, parameters `?1`. */
export interface Sql {
  all(sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
}

export interface Database {
  /** Address of the database, without secrets. */
  readonly url: string;
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Alone with all that is written, and durable when it resolves. `work` may be called again if the engine starts over.
   * What `work` throws undoes it.
   */
  write<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * A transaction beside those of others, which locks single rows: no part of the one order, and nobody is told. For leases,
   * which come and go far more often than anything changes.
   */
  lease<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Ends a query that chooses a row to lock; rows that others lock are skipped. */
  readonly forLease: string;
  /** The milliseconds of the engine's own clock, as an expression: workers need not agree on the time. */
  readonly now: string;
  /** Told that others may have written something; not every engine can tell. */
  onNudge(listener: () => void): void;
  /** Polling interval for changes by other instances. */
  readonly lookEveryMs: number;
  close(): Promise<void>;
}

/** The store in messages. */
export const NOUN = "store of requests";

/** The database cannot be reached or opened, or is not what it should be. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";

  /** Returns a failure of a database as that of the store in it; every other error is returned as it is. */
  static of(error: unknown): unknown {
    if (!(error instanceof SqlFailure)) return error;
    return new StoreUnavailable(error.message, { cause: error.cause });
  }
}
