/** The store in one SQLite file, for one machine. */
import { resolve } from "node:path";
import {
  type Backoff,
  isBusy,
  loadSqlite,
  retry,
  SqliteFile,
  type SqliteFileOptions,
  sqliteFailure,
} from "../../sql/index.ts";
import { MIGRATIONS } from "./schema.ts";
import { type Database, NOUN, type Sql, StoreUnavailable } from "./sql.ts";

/** A commit takes milliseconds; a writer that gets no turn in this time will not get one. */
const BUSY: Backoff = { totalMs: 10_000, firstWaitMs: 2, longestWaitMs: 50 };

export class SqliteDatabase implements Database {
  readonly url: string;
  readonly lookEveryMs = 1_000;
  /** The file has one lock, which every transaction takes. */
  readonly forLease = "";
  readonly now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";
  readonly #file: SqliteFile;
  readonly #sql: Sql = { all: async (sql, values = []) => this.#file.all(plain(sql), values) };
  /** INVARIANT: one caller at a time, so that nobody reads what is not committed. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(url: string, file: SqliteFile) {
    this.url = url;
    this.#file = file;
  }

  /** Makes the file, readable by its owner alone, if there is none and `create` says so. */
  static async open(path: string, create: boolean): Promise<SqliteDatabase> {
    const options: SqliteFileOptions = {
      path: resolve(path),
      url: path,
      noun: NOUN,
      applicationId: 0x46435251, // FCRQ
      migrations: MIGRATIONS.map((statements) => statements.map(plain).join(";\n")),
      create,
    };
    try {
      const open = loadSqlite();
      return new SqliteDatabase(path, await retry(BUSY, () => new SqliteFile(open, options), isBusy));
    } catch (error) {
      throw unavailable(path, error);
    }
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#alone(() => work(this.#sql));
  }

  write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#alone(async () => {
      await retry(BUSY, () => this.#file.begin(), isBusy);
      try {
        const result = await work(this.#sql);
        await retry(BUSY, () => this.#file.commit(), isBusy);
        return result;
      } catch (error) {
        this.#file.rollback();
        throw error;
      }
    });
  }

  lease<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.write(work);
  }

  onNudge(): void {
    // Nothing tells when another process writes to the file: it is looked at now and then.
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    this.#file.close();
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn.catch((error: unknown) => {
      throw unavailable(this.url, error);
    });
  }
}

function plain(sql: string): string {
  return sql.replace(/@(?=[a-z])/g, "");
}

function unavailable(url: string, error: unknown): unknown {
  return StoreUnavailable.of(sqliteFailure(url, NOUN, error));
}
