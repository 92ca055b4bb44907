/**
 * One connection to a ledger file, and its SQL. Only `all` is used for reading: this binding's `get` adds a field of its
 * own to the row, and gives bytes as something else. Texts are asked for as bytes: the binding ends the process when a
 * text of a damaged file is not UTF-8.
 */

import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { LedgerUnavailable, type Snapshot, type Stored } from "../port.ts";
import { isNoDatabase, isRefused } from "./errors.ts";
import { APPLICATION_ID, MIGRATIONS } from "./schema.ts";

type Row = Readonly<Record<string, unknown>>;
type Statement = { run(...values: unknown[]): unknown; all(...values: unknown[]): unknown[] };

const APPEND = "INSERT INTO entry (kernel, seq, hash, bytes) VALUES (?, ?, ?, ?)";

export class LedgerFile {
  readonly #path: string;
  readonly #url: string;
  readonly #db: Database.Database;
  readonly #identity: string;
  readonly #ids = new Map<string, number>();
  readonly #statements = new Map<string, Statement>();

  /** Opens the file; throws a busy error if others hold it, which is then tried again. */
  constructor(path: string, url: string, create: boolean) {
    this.#path = path;
    this.#url = url;
    checkPlace(path, url, create);
    try {
      this.#db = new Database(path);
    } catch (error) {
      throw LedgerUnavailable.for("cannot be opened", { url }, { cause: error });
    }
    try {
      this.#prepare();
      this.#identity = identityOf(path) ?? "";
    } catch (error) {
      this.#db.close();
      throw isNoDatabase(error) ? noLedger(url) : error;
    }
  }

  begin(): void {
    // Writers wait for each other here, before they read: what they read is then the newest.
    this.#run("BEGIN IMMEDIATE", []);
    try {
      this.#checkIdentity();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  commit(): void {
    this.#run("COMMIT", []);
  }

  rollback(): void {
    // After some errors SQLite has already undone the transaction by itself.
    if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
  }

  entries(kernel: string, from: number, limit: number): Stored[] {
    return this.#all(
      `SELECT seq, CAST(hash AS BLOB) AS hash, bytes FROM entry WHERE kernel = (SELECT id FROM kernel WHERE name = ?) AND seq >= ?
       ORDER BY seq LIMIT ?`,
      [kernel, from, limit],
    ).map(stored);
  }

  head(kernel: string): number {
    const rows = this.#all(
      "SELECT max(seq) AS head FROM entry WHERE kernel = (SELECT id FROM kernel WHERE name = ?)",
      [kernel],
    );
    return number(rows[0]?.head ?? 0);
  }

  /** The entries after `base`; undefined if there is no entry `base`. */
  after(kernel: string, base: number): Stored[] | undefined {
    const id = this.#idOf(kernel);
    if (id === undefined) return base === 0 ? [] : undefined;
    // In one question: the entry at `base` only shows that it is there.
    const rows = this.#all(
      `SELECT seq, CAST(hash AS BLOB) AS hash, CASE WHEN seq > ?2 THEN bytes END AS bytes FROM entry WHERE kernel = ?1 AND seq >= ?2
       ORDER BY seq`,
      [id, base],
    );
    if (base === 0) return rows.map(stored);
    return rows[0]?.seq === base ? rows.slice(1).map(stored) : undefined;
  }

  /** Inside a transaction. */
  append(kernel: string, entries: readonly Stored[]): void {
    let id = this.#idOf(kernel);
    if (id === undefined) {
      this.#run("INSERT INTO kernel (name) VALUES (?)", [kernel]);
      // Not remembered: the transaction may yet be undone.
      id = number(this.#all("SELECT id FROM kernel WHERE name = ?", [kernel])[0]?.id);
    }
    for (const { seq, hash, bytes } of entries) this.#run(APPEND, [id, seq, hash, bytes]);
  }

  /**
   * Outside of a transaction: is one of its own, durable when this returns. False, and nothing was appended, if the entry
   * does not follow the last one, which the schema looks at alone with the file.
   */
  appendAlone(kernel: string, { seq, hash, bytes }: Stored): boolean {
    const id = this.#idOf(kernel);
    if (id === undefined) return false;
    this.#checkIdentity();
    try {
      this.#run(APPEND, [id, seq, hash, bytes]);
      return true;
    } catch (error) {
      if (isRefused(error)) return false;
      throw error;
    }
  }

  /** Inside a transaction. */
  saveSnapshot(kernel: string, { seq, bytes }: Snapshot): void {
    this.#run(
      `INSERT INTO snapshot (kernel, seq, bytes) SELECT id, ?, ? FROM kernel WHERE name = ?
       ON CONFLICT (kernel) DO UPDATE SET seq = excluded.seq, bytes = excluded.bytes WHERE excluded.seq >= seq`,
      [seq, bytes, kernel],
    );
  }

  loadSnapshot(kernel: string): Snapshot | undefined {
    const [row] = this.#all(
      "SELECT seq, bytes FROM snapshot WHERE kernel = (SELECT id FROM kernel WHERE name = ?)",
      [kernel],
    );
    return row && { seq: number(row.seq), bytes: bytes(row.bytes) };
  }

  kernels(): string[] {
    const rows = this.#all(
      "SELECT CAST(name AS BLOB) AS name FROM kernel WHERE EXISTS (SELECT 1 FROM entry WHERE kernel = id)",
      [],
    );
    return rows.map((row) => text(row.name)).sort();
  }

  close(): void {
    this.#db.close();
  }

  /** SQLite would go on writing to a file that was moved away, and no one would find the entries again. */
  #checkIdentity(): void {
    if (identityOf(this.#path) === this.#identity) return;
    throw LedgerUnavailable.for("moved while open", { url: this.#url });
  }

  /** The number of a kernel that is in the file; it never changes, and no one removes it. */
  #idOf(kernel: string): number | undefined {
    const known = this.#ids.get(kernel);
    if (known !== undefined) return known;
    const [row] = this.#all("SELECT id FROM kernel WHERE name = ?", [kernel]);
    if (row === undefined) return undefined;
    const id = number(row.id);
    this.#ids.set(kernel, id);
    return id;
  }

  #prepare(): void {
    // Waiting is done outside of SQLite, where it does not hold up the whole process.
    this.#db.exec("PRAGMA busy_timeout = 0");
    if (this.#pragma("application_id") !== APPLICATION_ID || this.#version() !== MIGRATIONS.length) {
      this.#migrate();
    }
    this.#db.exec("PRAGMA journal_mode = WAL");
    if (this.#pragma("journal_mode") !== "wal") {
      throw LedgerUnavailable.for("no write-ahead log", { url: this.#url });
    }
    // INVARIANT: a commit returns after the log is flushed to disk, through the disk's own cache where that can be asked.
    this.#db.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
    this.#db.exec(
      "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = 67108864",
    );
    if (this.#pragma("synchronous") !== 2) throw new Error("SQLite does not flush its commits");
  }

  #migrate(): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      // Asked again, now that no one else can be doing the same.
      const isOurs = this.#pragma("application_id") === APPLICATION_ID;
      if (!isOurs && (this.#pragma("application_id") !== 0 || this.#tables() > 0)) throw noLedger(this.#url);
      const version = this.#version();
      if (version > MIGRATIONS.length) {
        throw LedgerUnavailable.for("newer version", { url: this.#url, version, known: MIGRATIONS.length });
      }
      for (const [index, sql] of MIGRATIONS.entries()) {
        if (index < version) continue;
        this.#db.exec(sql);
        this.#db.exec(`INSERT INTO migration (version) VALUES (${index + 1})`);
      }
      this.#db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      this.#db.exec("COMMIT");
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** How many migrations the file has had. */
  #version(): number {
    const [found] = this.#all("SELECT 1 AS found FROM sqlite_schema WHERE name = 'migration'", []);
    if (found === undefined) return 0;
    return number(this.#all("SELECT max(version) AS version FROM migration", [])[0]?.version ?? 0);
  }

  #tables(): number {
    return number(this.#all("SELECT count(*) AS n FROM sqlite_schema", [])[0]?.n);
  }

  #pragma(name: string): unknown {
    return this.#all(`PRAGMA ${name}`, [])[0]?.[name];
  }

  #run(sql: string, values: readonly unknown[]): void {
    this.#statement(sql).run(...values);
  }

  #all(sql: string, values: readonly unknown[]): Row[] {
    // SAFETY: without `raw` and `pluck`, the binding gives an object for each row.
    return this.#statement(sql).all(...values) as Row[];
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#db.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }
}

function checkPlace(path: string, url: string, create: boolean): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return;
  if (found !== undefined) throw LedgerUnavailable.for("not a file", { url });
  if (!create) throw LedgerUnavailable.for("no ledger there", { url });
  if (!existsSync(dirname(path))) throw LedgerUnavailable.for("no folder", { url });
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}:${found.ino}`;
}

function noLedger(url: string): LedgerUnavailable {
  return LedgerUnavailable.for("not a ledger", { url });
}

function stored(row: Row): Stored {
  return { seq: number(row.seq), hash: text(row.hash), bytes: bytes(row.bytes) };
}

function number(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw damaged("number");
  return value;
}

function text(value: unknown): string {
  try {
    return utf8.decode(bytes(value));
  } catch {
    throw damaged("text");
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function bytes(value: unknown): Uint8Array {
  if (!(value instanceof ArrayBuffer)) throw damaged("bytes");
  return new Uint8Array(value);
}

/** The schema allows nothing else, so whatever is here was not put here by a ledger. */
function damaged(what: "number" | "text" | "bytes"): LedgerUnavailable {
  return LedgerUnavailable.for("file is damaged", { what });
}
