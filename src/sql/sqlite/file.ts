/** A SQLite file of ours: marked with an application id, migrated, in WAL mode, flushed on every commit. */

import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SqlFailure } from "../failure.ts";
import type { OpenSqlite, SqliteConnection } from "./connection.ts";
import type { SqliteRow, SqliteValue } from "./engine.ts";
import { isBusy, isCorrupt } from "./errors.ts";

export interface SqliteFileOptions {
  /** Absolute: the engine reads some relative names as URIs. */
  readonly path: string;
  /** The file as messages name it. */
  readonly url: string;
  /** The kind of thing that is in it. */
  readonly noun: string;
  /** In the header of the file, so that no other database is taken for one of ours. */
  readonly applicationId: number;
  /** SQL from version n to n + 1, at index n; the first one makes the table `migration`. */
  readonly migrations: readonly string[];
  readonly create: boolean;
  /** Opens the file to read it only: nothing in its folder is changed, and no right to write is needed. */
  readonly readOnly?: boolean;
}

/**
 * Number of fresh connections that must find a file damaged on opening. A read that fails at the wrong moment makes
 * SQLite take a whole file for a damaged one.
 */
const CORRUPT_ATTEMPTS = 4;

export class SqliteFile {
  readonly #options: SqliteFileOptions;
  readonly #connection: SqliteConnection;
  readonly #identity: string | undefined;
  /** The folder of a copy that was made to read it. */
  #copy: string | undefined;

  /** Opens the file; throws a busy error if others hold it, which can be tried again. */
  constructor(open: OpenSqlite, options: SqliteFileOptions) {
    this.#options = options;
    makePlace(options);
    if (options.readOnly) {
      this.#connection = this.#connectReadOnly(open);
      return;
    }
    for (let attempt = 1; ; attempt++) {
      this.#connection = this.#connect(open);
      try {
        this.#prepare();
        this.#identity = identityOf(options.path);
        return;
      } catch (error) {
        this.#connection.close();
        if (!isCorrupt(error) || attempt === CORRUPT_ATTEMPTS) throw error;
      }
    }
  }

  /** Takes the write lock. Writers wait for each other here, before they read, so they read the newest state. */
  begin(): void {
    this.run("BEGIN IMMEDIATE");
    try {
      this.checkIdentity();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  commit(): void {
    this.run("COMMIT");
  }

  rollback(): void {
    // After some errors SQLite has already rolled back by itself.
    if (this.#connection.inTransaction) this.#connection.exec("ROLLBACK");
  }

  run(sql: string, values: readonly SqliteValue[] = []): void {
    this.#connection.run(sql, values);
  }

  all(sql: string, values: readonly SqliteValue[] = []): SqliteRow[] {
    return this.#connection.all(sql, values);
  }

  close(): void {
    this.#connection.close();
    this.#removeCopy();
  }

  /**
   * SQLite reads a write-ahead log only with a file beside it that it may write, or that a writer left. Without one, a copy of
   * the file and its log is read, in a folder of our own.
   */
  #connectReadOnly(open: OpenSqlite): SqliteConnection {
    const { path } = this.#options;
    let first: unknown;
    for (const isCopy of [false, true]) {
      let connection: SqliteConnection | undefined;
      try {
        connection = open(isCopy ? this.#copyOf(path) : path, isCopy ? {} : { readOnly: true });
        connection.exec("PRAGMA busy_timeout = 0");
        this.#checkReadable(connection);
        return connection;
      } catch (error) {
        connection?.close();
        if (error instanceof SqlFailure || isBusy(error)) throw error;
        first ??= error;
      }
    }
    this.#removeCopy();
    throw first;
  }

  #copyOf(path: string): string {
    this.#copy = mkdtempSync(join(tmpdir(), "foreclaim-read-"));
    const copy = join(this.#copy, "copy.db");
    copyFileSync(path, copy);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
    return copy;
  }

  #removeCopy(): void {
    if (this.#copy !== undefined) rmSync(this.#copy, { recursive: true, force: true });
    this.#copy = undefined;
  }

  #checkReadable(connection: SqliteConnection): void {
    const { applicationId, migrations, noun, url } = this.#options;
    if (connection.pragma("application_id") !== applicationId)
      throw SqlFailure.for("something else", { url, noun });
    const version = Number(connection.all("SELECT max(version) AS version FROM migration")[0]?.version ?? 0);
    if (version > migrations.length)
      throw SqlFailure.for("newer version", { url, version, known: migrations.length });
  }

  /** Throws if the file was moved or replaced: SQLite would go on writing to one that nobody finds again. */
  checkIdentity(): void {
    const { path, url } = this.#options;
    if (identityOf(path) !== this.#identity) throw SqlFailure.for("moved while open", { url });
  }

  #connect(open: OpenSqlite): SqliteConnection {
    const { path, url } = this.#options;
    try {
      return open(path);
    } catch (error) {
      throw SqlFailure.for("cannot be opened", { url }, { cause: error });
    }
  }

  #prepare(): void {
    const connection = this.#connection;
    const { applicationId, migrations, url } = this.#options;
    // Waiting is done outside of SQLite, where it does not block the event loop.
    connection.exec("PRAGMA busy_timeout = 0");
    if (connection.pragma("application_id") !== applicationId || this.#version() !== migrations.length)
      this.#migrate();
    connection.exec("PRAGMA journal_mode = WAL");
    if (connection.pragma("journal_mode") !== "wal") throw SqlFailure.for("no write-ahead log", { url });
    // INVARIANT: a commit returns after the log is flushed to disk, through the disk's own cache where that can be asked.
    connection.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
    connection.exec(
      "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = 67108864",
    );
    if (connection.pragma("synchronous") !== 2) throw new Error("SQLite does not flush its commits");
  }

  #migrate(): void {
    const { applicationId, migrations, noun, url } = this.#options;
    this.run("BEGIN IMMEDIATE");
    try {
      // Asked again, now that no one else can be doing the same.
      const mark = this.#connection.pragma("application_id");
      if (mark !== applicationId && (mark !== 0 || this.#tables() > 0))
        throw SqlFailure.for("something else", { url, noun });
      const version = this.#version();
      if (version > migrations.length)
        throw SqlFailure.for("newer version", { url, version, known: migrations.length });
      for (const [index, sql] of migrations.entries()) {
        if (index < version) continue;
        this.#connection.exec(`${sql}; INSERT INTO migration (version) VALUES (${index + 1})`);
      }
      this.#connection.exec(`PRAGMA application_id = ${applicationId}`);
      this.commit();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** Returns the number of applied migrations. */
  #version(): number {
    const [found] = this.all("SELECT 1 AS found FROM sqlite_schema WHERE name = 'migration'");
    if (found === undefined) return 0;
    return Number(this.all("SELECT max(version) AS version FROM migration")[0]?.version ?? 0);
  }

  #tables(): number {
    return Number(this.all("SELECT count(*) AS n FROM sqlite_schema")[0]?.n);
  }
}

/** Throws unless there is a file, or a folder to make one in; makes it, readable by its owner alone. */
function makePlace({ path, url, noun, create }: SqliteFileOptions): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return;
  if (found !== undefined) throw SqlFailure.for("not a file", { url });
  if (!create) throw SqlFailure.for("not there", { url, noun });
  if (!existsSync(dirname(path))) throw SqlFailure.for("no folder", { url });
  try {
    // The files beside it, which SQLite makes, get the same mode.
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw SqlFailure.for("cannot be opened", { url }, { cause: error });
  }
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}:${found.ino}`;
}
