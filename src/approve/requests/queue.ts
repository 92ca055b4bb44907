/**
 * The queue of approved runs for workers. A worker takes a run by a lease and renews it; the runs of a worker that died are
 * taken by others once its leases are over. Leases only spread the work: if two workers carry on one run, the kernel lets
 * each call happen once.
 */
import { randomBytes } from "node:crypto";
import type { RequestRecord } from "./record.ts";
import { number, recordColumns, recordIn, text } from "./rows.ts";
import type { Database, Sql } from "./sql.ts";

/** A run that a worker has taken. */
export interface TakenRun {
  readonly record: RequestRecord;
  /** Known to workers alone; names the questions of the run to people. */
  readonly secret: string;
  /** True if a person must say what became of a call before the run can go on. */
  readonly isInDoubt: boolean;
  /** Number of workers in a row that took it and did not come to an end, including this one. */
  readonly attempts: number;
}

/** The run that a worker leaves behind. */
export type LeftRun =
  | { readonly kind: "ended" }
  /** Taken again after this time. */
  | { readonly kind: "later" | "in doubt"; readonly waitMs: number };

/** Queues a run. `now` is the clock of the database. */
export async function enqueue(sql: Sql, { id, filed }: RequestRecord, now: string): Promise<void> {
  await sql.all(
    `INSERT INTO @queued_run (request, kernel, state, secret, queued_at, ready_at, lease_by, lease_until, attempts)
     VALUES (?1, ?2, 'ready', ?3, ${now}, 0, NULL, 0, 0)`,
    [id, filed.kernel, randomBytes(32).toString("hex")],
  );
}

export class RunQueue {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Takes the run of this kernel that has waited longest; undefined if there is none to take. */
  take(by: string, kernel: string, leaseMs: number): Promise<TakenRun | undefined> {
    const { now, forLease } = this.#database;
    return this.#database.lease(async (sql) => {
      const [row] = await sql.all(
        `SELECT request, state, secret, attempts FROM @queued_run
         WHERE kernel = ?1 AND state <> 'ended' AND lease_until <= ${now} AND ready_at <= ${now}
         ORDER BY ready_at, queued_at, request LIMIT 1 ${forLease}`,
        [kernel],
      );
      if (row === undefined) return undefined;
      const attempts = number(row.attempts) + 1;
      await sql.all(
        `UPDATE @queued_run SET lease_by = ?1, lease_until = ${now} + ?2, attempts = ?3 WHERE request = ?4`,
        [by, leaseMs, attempts, text(row.request)],
      );
      const [found] = await sql.all(`SELECT ${recordColumns} FROM @request WHERE id = ?1`, [
        text(row.request),
      ]);
      if (found === undefined) throw new TypeError("a queued run has no request");
      const isInDoubt = row.state === "in doubt";
      return { record: recordIn(found), secret: text(row.secret), isInDoubt, attempts };
    });
  }

  /**
   * Renews the leases of a worker on the runs that it carries out; returns those that it still has. A lease whose taking was
   * never answered, or that could not be given back, is not renewed, and ends: another worker takes that run.
   */
  async renew(by: string, requests: readonly string[], leaseMs: number): Promise<ReadonlySet<string>> {
    if (requests.length === 0) return new Set();
    const { now } = this.#database;
    const places = requests.map((_, i) => `?${i + 3}`).join(", ");
    const rows = await this.#database.lease((sql) =>
      sql.all(
        `UPDATE @queued_run SET lease_until = ${now} + ?1
         WHERE lease_by = ?2 AND lease_until > 0 AND state <> 'ended' AND request IN (${places}) RETURNING request`,
        [leaseMs, by, ...requests],
      ),
    );
    return new Set(rows.map((row) => text(row.request)));
  }

  /** Gives a run back. False if another worker has it by now. */
  async leave(by: string, request: string, left: LeftRun): Promise<boolean> {
    const { now } = this.#database;
    const state = left.kind === "later" ? "ready" : left.kind;
    const waitMs = left.kind === "ended" ? 0 : Math.ceil(left.waitMs);
    const rows = await this.#database.lease((sql) =>
      sql.all(
        `UPDATE @queued_run SET state = ?1, ready_at = ${now} + ?2, lease_by = NULL, lease_until = 0, attempts = 0
         WHERE request = ?3 AND lease_by = ?4 AND state <> 'ended' RETURNING request`,
        [state, waitMs, request, by],
      ),
    );
    return rows.length > 0;
  }

  /** Gives all runs of a worker back as they are, so that others need not wait for the end of its leases. */
  async release(by: string): Promise<void> {
    await this.#database.lease((sql) =>
      sql.all("UPDATE @queued_run SET lease_by = NULL, lease_until = 0 WHERE lease_by = ?1", [by]),
    );
  }

  /** Counts the runs of a kernel that have not ended. */
  async open(kernel: string): Promise<{ readonly ready: number; readonly inDoubt: number }> {
    const rows = await this.#database.read((sql) =>
      sql.all(
        "SELECT state, count(*) AS n FROM @queued_run WHERE kernel = ?1 AND state <> 'ended' GROUP BY state",
        [kernel],
      ),
    );
    const having = (state: string) => number(rows.find((row) => row.state === state)?.n ?? 0);
    return { ready: having("ready"), inDoubt: having("in doubt") };
  }
}
