/** SQLite files and PostgreSQL servers, for ledgers and the store of requests. An engine is loaded when it is first used. */
export { type Backoff, retry } from "./backoff.ts";
export { lasting, type ReasonEntry, SqlFailure, type SqlReason, sqlReasons } from "./failure.ts";
export { type PostgresAddress, readAddress } from "./postgres/address.ts";
export type { PostgresConnection, PostgresConnections, PostgresResult } from "./postgres/connections.ts";
export {
  isConflict,
  isDisconnect,
  isIntegrityError,
  isServerError,
  postgresFailure,
} from "./postgres/errors.ts";
export { connectPostgres } from "./postgres/load.ts";
export { migrate, migrationText, type PostgresTables } from "./postgres/migrate.ts";
export { loadSqlite, type OpenSqlite } from "./sqlite/connection.ts";
export type { SqliteRow, SqliteValue } from "./sqlite/engine.ts";
export { isBusy, isFull, isOutOfRoom, isRefused, sqliteFailure } from "./sqlite/errors.ts";
export { SqliteFile, type SqliteFileOptions } from "./sqlite/file.ts";
