/** One connection to a SQLite file, with its prepared statements. */

import {
  type EngineConnection,
  type EngineStatement,
  loadEngine,
  type SqliteEngine,
  type SqliteRow,
  type SqliteValue,
} from "./engine.ts";

export type OpenSqlite = (path: string, options?: { readonly readOnly?: boolean }) => SqliteConnection;

/** Loads the engine, and returns the function that opens files with it. */
export function loadSqlite(): OpenSqlite {
  const engine = loadEngine();
  return (path, options) => new SqliteConnection(engine, path, options);
}

export class SqliteConnection {
  readonly #connection: EngineConnection;
  readonly #statements = new Map<string, EngineStatement>();

  constructor({ DatabaseSync }: SqliteEngine, path: string, options: { readonly readOnly?: boolean } = {}) {
    this.#connection = new DatabaseSync(path, options);
  }

  get inTransaction(): boolean {
    return this.#connection.isTransaction;
  }

  /** Runs statements without parameters and without results. */
  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  run(sql: string, values: readonly SqliteValue[] = []): void {
    this.#statement(sql).run(...values);
  }

  all(sql: string, values: readonly SqliteValue[] = []): SqliteRow[] {
    // SAFETY: the engine returns an object for each row.
    return this.#statement(sql).all(...values) as SqliteRow[];
  }

  pragma(name: string): unknown {
    return this.all(`PRAGMA ${name}`)[0]?.[name];
  }

  /** Closes the file; the last connection also moves the write-ahead log into it. */
  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #statement(sql: string): EngineStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#connection.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }
}
