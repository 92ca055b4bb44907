/** The store in one SQLite file, for one machine. Only `all` is used for reading: see the ledger's file. */
import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Engine from "libsql";
import { type Patience, patiently } from "../../ledger/index.ts";
import { MIGRATIONS, VERSION } from "./schema.ts";
import { type Database, type Row, type Sql, type SqlValue, StoreUnavailable } from "./sql.ts";

/** `FCRQ`: a file with another mark is somebody else's. */
const APPLICATION_ID = 0x46435251;
/** A commit takes milliseconds; who cannot get a turn in this time will not get one. */
const BUSY: Patience = { totalMs: 10_000, firstWaitMs: 2, longestWaitMs: 50 };
const BUSY_CODES: ReadonlySet<number> = new Set([5, 6]);

type Statement = { run(...values: unknown[]): unknown; all(...values: unknown[]): unknown[] };

export class SqliteDatabase implements Database {
  readonly url: string;
  readonly lookEveryMs = 1_000;
  readonly #db: Engine.Database;
  readonly #statements = new Map<string, Statement>();
  readonly #sql: Sql = { all: async (sql, values = []) => this.#all(sql, values) };
  /** INVARIANT: one who asks at a time: nobody reads what is not committed. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(path: string, db: Engine.Database) {
    this.url = path;
    this.#db = db;
  }

  /** Makes the file, readable by its owner alone, if there is none and `create` says so. */
  static async open(path: string, create: boolean): Promise<SqliteDatabase> {
    checkPlace(path, create);
    let db: Engine.Database;
    try {
      db = new Engine(path);
    } catch (error) {
      throw new StoreUnavailable(`${path} cannot be opened`, { cause: error });
    }
    const opened = new SqliteDatabase(path, db);
    try {
      await patiently(BUSY, () => opened.#prepare(), isBusy);
      return opened;
    } catch (error) {
      db.close();
      throw opened.#told(error);
    }
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#alone(() => work(this.#sql));
  }

  write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#alone(async () => {
      await patiently(BUSY, () => this.#run("BEGIN IMMEDIATE"), isBusy);
      try {
        const result = await work(this.#sql);
        await patiently(BUSY, () => this.#run("COMMIT"), isBusy);
        return result;
      } catch (error) {
        if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
        throw error;
      }
    });
  }

  onNudge(): void {
    // Another process can write to the file, and nothing tells us: it is looked at now and then.
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    this.#db.close();
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn.catch((error: unknown) => {
      throw this.#told(error);
    });
  }

  #prepare(): void {
    this.#db.exec("PRAGMA busy_timeout = 0");
    const mark = this.#pragma("application_id");
    if (mark !== APPLICATION_ID && (mark !== 0 || this.#tables() > 0)) throw notOurs(this.url);
    this.#db.exec("PRAGMA journal_mode = WAL");
    this.#db.exec("PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF");
    if (mark !== APPLICATION_ID || this.#version() !== VERSION) this.#migrate();
  }

  #migrate(): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const version = this.#version();
      if (version > VERSION)
        throw new StoreUnavailable(
          `${this.url} was written by a newer version (${version}, and this one knows ${VERSION})`,
        );
      for (const [index, statements] of MIGRATIONS.entries()) {
        if (index < version) continue;
        for (const sql of statements) this.#db.exec(plain(sql));
        this.#db.exec(`INSERT INTO migration (version) VALUES (${index + 1})`);
      }
      this.#db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      this.#db.exec("COMMIT");
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  #version(): number {
    const [found] = this.#all("SELECT 1 AS found FROM sqlite_schema WHERE name = 'migration'", []);
    if (found === undefined) return 0;
    return Number(this.#all("SELECT max(version) AS version FROM migration", [])[0]?.version ?? 0);
  }

  #tables(): number {
    return Number(this.#all("SELECT count(*) AS n FROM sqlite_schema", [])[0]?.n);
  }

  #pragma(name: string): unknown {
    return this.#all(`PRAGMA ${name}`, [])[0]?.[name];
  }

  #run(sql: string): void {
    this.#statement(sql).run();
  }

  #all(sql: string, values: readonly SqlValue[]): Row[] {
    const statement = this.#statement(plain(sql));
    // SAFETY: without `raw` and `pluck`, the binding gives an object for each row.
    return statement.all(...values) as Row[];
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#db.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  /** In the words of a store; what is none of the engine's stays what it is. */
  #told(error: unknown): unknown {
    const code = rawCode(error);
    if (code === undefined) return error;
    if (code === 26) return notOurs(this.url);
    const why = error instanceof Error ? error.message : String(error);
    return new StoreUnavailable(`${this.url} cannot be used: ${why}`, { cause: error });
  }
}

function plain(sql: string): string {
  return sql.replace(/@(?=[a-z])/g, "");
}

function checkPlace(path: string, create: boolean): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return;
  if (found !== undefined) throw new StoreUnavailable(`${path} is not a file`);
  if (!create) throw new StoreUnavailable(`there is no store at ${path}`);
  if (!existsSync(dirname(path))) throw new StoreUnavailable(`the folder of ${path} does not exist`);
  closeSync(openSync(path, "a", 0o600));
}

function notOurs(path: string): StoreUnavailable {
  return new StoreUnavailable(`${path} is not a store of requests`);
}

function isBusy(error: unknown): boolean {
  return BUSY_CODES.has(rawCode(error) ?? -1);
}

function rawCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("rawCode" in error) || typeof error.rawCode !== "number")
    return undefined;
  return error.rawCode & 0xff;
}
