/**
 * A ledger in PostgreSQL, for many processes and machines. Those of one process who wait for the same kernel share a
 * transaction; a lock that others hold is waited for, and a server that went away is found again when it is back.
 */

import {
  type Backoff,
  connectPostgres,
  isConflict,
  isDisconnect,
  migrate,
  type PostgresAddress,
  type PostgresConnection,
  type PostgresConnections,
  postgresFailure,
  readAddress,
  retry,
} from "../../sql/index.ts";
import { checkKernel, checkPage, checkSince, checkSnapshot, snapshotAhead } from "../checks.ts";
import type { Outcome, Request } from "../commit-batch.ts";
import { GroupCommit } from "../group-commit.ts";
import { type Decide, InDoubt, type Ledger, LedgerUnavailable, type Snapshot, type Stored } from "../port.ts";
import { flush, Log, plain, stored } from "./log.ts";
import { ledgerTables } from "./schema.ts";

/** Retry schedules, by kind of failure. */
export interface Waits {
  /** A lock that others hold. */
  readonly busy: Backoff;
  /** A server that is away: long enough for connections that died with a restart, short enough to be told. */
  readonly away: Backoff;
  /** A server that went away while it was committing: long enough for it to recover from a crash. */
  readonly doubt: Backoff;
}

const WAITS: Waits = {
  busy: { totalMs: 30_000, firstWaitMs: 10, longestWaitMs: 500 },
  away: { totalMs: 2_000, firstWaitMs: 50, longestWaitMs: 500 },
  doubt: { totalMs: 15_000, firstWaitMs: 50, longestWaitMs: 500 },
};

export class PostgresLedger implements Ledger {
  readonly url: string;
  readonly #schema: string;
  readonly #waits: Waits;
  readonly #connections: PostgresConnections;
  readonly #groupCommits = new Map<string, GroupCommit>();
  readonly #log: Log;
  #closed: Promise<void> | undefined;

  private constructor(connections: PostgresConnections, address: PostgresAddress, waits: Waits) {
    this.#waits = waits;
    this.url = address.shown;
    this.#schema = address.schema;
    this.#connections = connections;
    this.#log = new Log(address);
  }

  static async open(url: string, create: boolean, waits = WAITS): Promise<PostgresLedger> {
    try {
      const address = readAddress(url);
      const ledger = new PostgresLedger(await connectPostgres(address), address, waits);
      await ledger
        .#asked((connection) => migrate(connection, address, ledgerTables, create))
        .catch(async (error: unknown) => {
          await ledger.close();
          throw error;
        });
      return ledger;
    } catch (error) {
      throw LedgerUnavailable.of(error);
    }
  }

  async transact(kernel: string, since: number, decide: Decide): Promise<void> {
    this.#checkOpen();
    checkKernel(kernel);
    checkSince(since);
    await this.#groupCommitOf(kernel).add({ kernel, since, decide });
  }

  async read(kernel: string, from: number, limit: number): Promise<readonly Stored[]> {
    this.#checkOpen();
    checkKernel(kernel);
    checkPage(from, limit);
    const { rows } = await this.#asked(async (client) => {
      await this.#log.settle(client, kernel);
      const found = await client.query(
        `SELECT seq, hash, bytes FROM ${this.#schema}.entry
         WHERE kernel = (SELECT id FROM ${this.#schema}.kernel WHERE name = $1) AND seq >= $2 ORDER BY seq LIMIT $3`,
        [kernel, from, limit],
      );
      // What is told must stay: the last entries may be visible and not flushed yet.
      if (found.rows.length > 0) await flush(client);
      return found;
    });
    return rows.map(stored);
  }

  async saveSnapshot(kernel: string, snapshot: Snapshot): Promise<void> {
    this.#checkOpen();
    checkKernel(kernel);
    checkSnapshot(snapshot);
    const { seq, bytes } = snapshot;
    const { rows } = await this.#asked((client) =>
      client.query(
        `WITH last AS (
           SELECT e.kernel FROM ${this.#schema}.entry e JOIN ${this.#schema}.kernel k ON k.id = e.kernel
           WHERE k.name = $1 AND e.seq = $2
         ), saved AS (
           INSERT INTO ${this.#schema}.snapshot AS old (kernel, seq, bytes) SELECT kernel, $2, $3 FROM last
           ON CONFLICT (kernel) DO UPDATE SET seq = excluded.seq, bytes = excluded.bytes
           WHERE excluded.seq >= old.seq
         ) SELECT 1 FROM last`,
        [kernel, seq, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
      ),
    );
    if (rows.length === 0) throw snapshotAhead(kernel, seq);
  }

  async loadSnapshot(kernel: string): Promise<Snapshot | undefined> {
    this.#checkOpen();
    checkKernel(kernel);
    const { rows } = await this.#asked((client) =>
      client.query(
        `SELECT s.seq, s.bytes FROM ${this.#schema}.snapshot s JOIN ${this.#schema}.kernel k ON k.id = s.kernel
         WHERE k.name = $1`,
        [kernel],
      ),
    );
    const [row] = rows;
    return row && { seq: Number(row.seq), bytes: plain(row.bytes) };
  }

  async kernels(): Promise<readonly string[]> {
    this.#checkOpen();
    const { rows } = await this.#asked((client) =>
      client.query(
        `SELECT name FROM ${this.#schema}.kernel k
         WHERE EXISTS (SELECT 1 FROM ${this.#schema}.entry e WHERE e.kernel = k.id)`,
      ),
    );
    return rows.map(({ name }): string => name).sort();
  }

  /** Closes the ledger after all pending requests. */
  close(): Promise<void> {
    this.#closed ??= Promise.all([...this.#groupCommits.values()].map((one) => one.idle())).then(() =>
      this.#connections.end(),
    );
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Asks again what was refused for the moment, with a new connection where the old one is lost. */
  async #asked<T>(work: (client: PostgresConnection) => Promise<T>): Promise<T> {
    const once = () => this.#connections.use(work);
    try {
      return await retry(this.#waits.busy, () => retry(this.#waits.away, once, isDisconnect), isConflict);
    } catch (error) {
      throw unavailable(this.url, error);
    }
  }

  /** A commit whose answer was lost is asked about, as soon as the server can be reached again. */
  async #append(kernel: string, group: readonly Request[]): Promise<readonly Outcome[]> {
    for (;;) {
      try {
        return await this.#asked((client) => this.#log.append(client, kernel, group));
      } catch (error) {
        if (!(error instanceof InDoubt)) throw error;
        const settled = await retry(
          this.#waits.doubt,
          () => this.#connections.use((client) => this.#log.settle(client, kernel)),
          () => true,
        ).catch(() => undefined);
        if (settled === undefined) throw error;
        this.#log.forget(kernel);
        if (settled.kind === "kept") return settled.outcomes;
      }
    }
  }

  #groupCommitOf(kernel: string): GroupCommit {
    const known = this.#groupCommits.get(kernel);
    if (known !== undefined) return known;
    const made = new GroupCommit((group) => this.#append(kernel, group));
    this.#groupCommits.set(kernel, made);
    return made;
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw LedgerUnavailable.for("closed", { url: this.url });
  }
}

function unavailable(url: string, error: unknown): unknown {
  if (error instanceof LedgerUnavailable || error instanceof InDoubt || error instanceof TypeError)
    return error;
  return LedgerUnavailable.of(postgresFailure(url, "ledger", error));
}
