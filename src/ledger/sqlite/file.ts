/**
 * The SQL of a ledger in a SQLite file. Texts are read as bytes and decoded strictly: the engine would replace halves of
 * characters in a damaged file.
 */

import { isRefused, type OpenSqlite, SqliteFile, type SqliteRow } from "../../sql/index.ts";
import { LedgerUnavailable, type Snapshot, type Stored } from "../port.ts";
import { APPLICATION_ID, MIGRATIONS } from "./schema.ts";

const APPEND = "INSERT INTO entry (kernel, seq, hash, bytes) VALUES (?, ?, ?, ?)";

export class LedgerFile {
  readonly #file: SqliteFile;
  readonly #ids = new Map<string, number>();

  /** Opens the file; throws a busy error if others hold it, which can be tried again. */
  constructor(open: OpenSqlite, path: string, url: string, create: boolean, readOnly = false) {
    this.#file = new SqliteFile(open, {
      path,
      url,
      noun: "ledger",
      applicationId: APPLICATION_ID,
      migrations: MIGRATIONS,
      create,
      readOnly,
    });
  }

  begin(): void {
    this.#file.begin();
  }

  commit(): void {
    this.#file.commit();
  }

  rollback(): void {
    this.#file.rollback();
  }

  entries(kernel: string, from: number, limit: number): Stored[] {
    return this.#file
      .all(
        `SELECT seq, CAST(hash AS BLOB) AS hash, bytes FROM entry
         WHERE kernel = (SELECT id FROM kernel WHERE name = ?) AND seq >= ? ORDER BY seq LIMIT ?`,
        [kernel, from, limit],
      )
      .map(stored);
  }

  head(kernel: string): number {
    const rows = this.#file.all(
      "SELECT max(seq) AS head FROM entry WHERE kernel = (SELECT id FROM kernel WHERE name = ?)",
      [kernel],
    );
    return number(rows[0]?.head ?? 0);
  }

  /** The entries after `base`; undefined if there is no entry `base`. */
  after(kernel: string, base: number): Stored[] | undefined {
    const id = this.#idOf(kernel);
    if (id === undefined) return base === 0 ? [] : undefined;
    // In one query: the entry at `base` only shows that it is there.
    const rows = this.#file.all(
      `SELECT seq, CAST(hash AS BLOB) AS hash, CASE WHEN seq > ?2 THEN bytes END AS bytes FROM entry
       WHERE kernel = ?1 AND seq >= ?2 ORDER BY seq`,
      [id, base],
    );
    if (base === 0) return rows.map(stored);
    return rows[0]?.seq === base ? rows.slice(1).map(stored) : undefined;
  }

  /** Inside a transaction. */
  append(kernel: string, entries: readonly Stored[]): void {
    let id = this.#idOf(kernel);
    if (id === undefined) {
      this.#file.run("INSERT INTO kernel (name) VALUES (?)", [kernel]);
      // Not remembered: the transaction may yet be rolled back.
      id = number(this.#file.all("SELECT id FROM kernel WHERE name = ?", [kernel])[0]?.id);
    }
    for (const { seq, hash, bytes } of entries) this.#file.run(APPEND, [id, seq, hash, bytes]);
  }

  /**
   * Outside of a transaction: is one of its own, durable when this returns. False, and nothing was appended, if the entry
   * does not follow the last one, which the schema checks alone with the file.
   */
  appendAlone(kernel: string, { seq, hash, bytes }: Stored): boolean {
    const id = this.#idOf(kernel);
    if (id === undefined) return false;
    this.#file.checkIdentity();
    try {
      this.#file.run(APPEND, [id, seq, hash, bytes]);
      return true;
    } catch (error) {
      if (isRefused(error)) return false;
      throw error;
    }
  }

  /** Inside a transaction. */
  saveSnapshot(kernel: string, { seq, bytes }: Snapshot): void {
    this.#file.run(
      `INSERT INTO snapshot (kernel, seq, bytes) SELECT id, ?, ? FROM kernel WHERE name = ?
       ON CONFLICT (kernel) DO UPDATE SET seq = excluded.seq, bytes = excluded.bytes WHERE excluded.seq >= seq`,
      [seq, bytes, kernel],
    );
  }

  loadSnapshot(kernel: string): Snapshot | undefined {
    const [row] = this.#file.all(
      "SELECT seq, bytes FROM snapshot WHERE kernel = (SELECT id FROM kernel WHERE name = ?)",
      [kernel],
    );
    return row && { seq: number(row.seq), bytes: bytes(row.bytes) };
  }

  kernels(): string[] {
    const rows = this.#file.all(
      "SELECT CAST(name AS BLOB) AS name FROM kernel WHERE EXISTS (SELECT 1 FROM entry WHERE kernel = id)",
    );
    return rows.map((row) => text(row.name)).sort();
  }

  damage(): string | undefined {
    const [row] = this.#file.all("PRAGMA integrity_check(1)");
    const said = String(row?.integrity_check ?? "no answer");
    return said === "ok" ? undefined : said;
  }

  close(): void {
    this.#file.close();
  }

  /** The number of a kernel that is in the file; it never changes, and no one removes it. */
  #idOf(kernel: string): number | undefined {
    const known = this.#ids.get(kernel);
    if (known !== undefined) return known;
    const [row] = this.#file.all("SELECT id FROM kernel WHERE name = ?", [kernel]);
    if (row === undefined) return undefined;
    const id = number(row.id);
    this.#ids.set(kernel, id);
    return id;
  }
}

function stored(row: SqliteRow): Stored {
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
  if (!(value instanceof Uint8Array)) throw damaged("bytes");
  return value;
}

/** The schema allows nothing else, so no ledger wrote this. */
function damaged(what: "number" | "text" | "bytes"): LedgerUnavailable {
  return LedgerUnavailable.for("file is damaged", { what });
}
