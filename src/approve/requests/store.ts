/**
 * The store of requests. `state.ts` defines the transitions; the store applies each in one transaction, so of two
 * concurrent decisions one wins and the other learns the result.
 */
import type {
  DecisionKind,
  Progress,
  QuestionReply,
  RequestEvent,
  RequestStatus,
  RequestSummary,
} from "../wire.ts";
import { type Charge, chargeAll } from "./charges.ts";
import { enqueue } from "./queue.ts";
import type { Found, RequestRecord } from "./record.ts";
import {
  columnsOf,
  number,
  recordColumns,
  recordIn,
  statusIn,
  summaryColumns,
  summaryIn,
  text,
} from "./rows.ts";
import type { Database, Row, Sql, SqlValue } from "./sql.ts";
import {
  type Decision,
  decideStep,
  foundStep,
  progressStep,
  type Refused,
  replyStep,
  type Step,
} from "./state.ts";

export type Changed =
  | { readonly kind: "changed"; readonly record: RequestRecord }
  | { readonly kind: "refused"; readonly why: Refused; readonly record: RequestRecord }
  /** Nothing was decided: this limit would be gone beyond. */
  | { readonly kind: "used_up"; readonly limit: string; readonly record: RequestRecord }
  | { readonly kind: "missing" };

export interface Lease {
  /** The instance that holds the lease. */
  readonly by: string;
  readonly untilMs: number;
}

export interface Claimed {
  readonly record: RequestRecord;
  /** Number of proof attempts, including this one. */
  readonly attempts: number;
}

export interface ListQuery {
  readonly agent?: string;
  readonly status?: RequestStatus;
  readonly decision?: DecisionKind;
  readonly worst?: string;
  /** In the name of the file, of the agent, or the id. */
  readonly q?: string;
  readonly limit: number;
  readonly before?: { readonly filedAt: number; readonly id: string };
}

/** A change that others, or we, made. */
export interface Change extends RequestEvent {
  readonly change: number;
  readonly agent: string;
}

/** The policy's decision, committed together with the proof. */
export interface WithDecision {
  readonly decision: Decision;
  readonly charges: readonly Charge[];
}

export class RequestStore {
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Undefined if the agent has as many open requests as it may have. */
  file(record: RequestRecord, mostOpen: number): Promise<RequestRecord | undefined> {
    return this.database.write(async (sql) => {
      const open = await sql.all(
        "SELECT count(*) AS n FROM @request WHERE agent = ?1 AND status IN ('proving', 'pending')",
        [record.agent],
      );
      if (number(open[0]?.n) >= mostOpen) return undefined;
      const columns = { ...columnsOf(record), lease_by: null, lease_until: 0, attempts: 0 };
      await insert(sql, { ...columns, change_no: await nextChange(sql) });
      return record;
    });
  }

  get(id: string): Promise<RequestRecord | undefined> {
    return this.database.read((sql) => recordOf(sql, id));
  }

  async list(query: ListQuery): Promise<RequestSummary[]> {
    const { before, limit, q, ...equal } = query;
    const values: SqlValue[] = [];
    const put = (value: SqlValue): string => `?${values.push(value)}`;
    const terms = Object.entries(equal)
      .filter(([, value]) => value !== undefined)
      .map(([column, value]) => `${column} = ${put(value)}`);
    if (q !== undefined) {
      const like = put(`%${q.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`);
      terms.push(`(lower(file) || ' ' || lower(agent) || ' ' || id) LIKE ${like} ESCAPE '\\'`);
    }
    if (before !== undefined) {
      const at = put(before.filedAt);
      // A parameter of its own for each use: an engine wants to know one type of each.
      terms.push(`(filed_at < ${at} OR (filed_at = ${put(before.filedAt)} AND id < ${put(before.id)}))`);
    }
    const where = terms.length === 0 ? "" : `WHERE ${terms.join(" AND ")}`;
    const order = `ORDER BY filed_at DESC, id DESC LIMIT ${put(limit)}`;
    const rows = await this.database.read((sql) =>
      sql.all(`SELECT ${summaryColumns} FROM @request ${where} ${order}`, values),
    );
    return rows.map(summaryIn);
  }

  /** Once, about the revision that was seen; all charges are made, or nothing is decided. */
  decide(
    id: string,
    revision: number,
    decision: Decision,
    charges: readonly Charge[] = [],
  ): Promise<Changed> {
    return this.#change(id, (record) => decideStep(record, revision, decision), charges, decision.at);
  }

  progress(id: string, progress: Progress): Promise<Changed> {
    return this.#change(id, (record) => progressStep(record, progress));
  }

  /** Keeps a person's reply to the question of a run, once. */
  reply(id: string, reply: QuestionReply): Promise<Changed> {
    return this.#change(id, (record) => replyStep(record, reply));
  }

  /**
   * Commits the lease holder's result together with the policy's decision: no moment exists at which a person could
   * approve a program that a rule rejects. If a limit is exhausted, a person decides.
   */
  settle(id: string, by: string, found: Found, policy?: WithDecision): Promise<Changed> {
    return this.database.write(async (sql) => {
      const [row] = await sql.all("SELECT lease_by FROM @request WHERE id = ?1", [id]);
      const record = await recordOf(sql, id);
      if (row === undefined || record === undefined) return { kind: "missing" };
      if (row.lease_by !== by) return { kind: "refused", why: "status", record };
      const step = foundStep(record, found);
      if (!step.ok) return { kind: "refused", why: step.why, record };
      if (policy === undefined) return put(sql, step.record);
      const { decision, charges } = policy;
      const second = decideStep(step.record, step.record.revision, decision);
      // Too late, or not for such a program: it stays what it was found to be.
      if (!second.ok) return put(sql, step.record);
      const limit = await chargeAll(sql, id, charges, decision.at);
      if (limit === undefined) return this.#put(sql, record, second.record);
      await put(sql, step.record);
      return { kind: "used_up", limit, record: step.record };
    });
  }

  /** A request that nobody proves; of the agent who has the fewest under way, the oldest. */
  claim(lease: Lease, nowMs: number): Promise<Claimed | undefined> {
    return this.database.write(async (sql) => {
      const [row] = await sql.all(
        `SELECT ${recordColumns}, attempts FROM @request AS r
         WHERE status = 'proving' AND lease_until <= ?1 AND expires_at > ?2
         ORDER BY (SELECT count(*) FROM @request AS o
                   WHERE o.agent = r.agent AND o.status = 'proving' AND o.lease_until > ?3), filed_at, id
         LIMIT 1`,
        [nowMs, nowMs, nowMs],
      );
      if (row === undefined) return undefined;
      const attempts = number(row.attempts) + 1;
      await sql.all("UPDATE @request SET lease_by = ?1, lease_until = ?2, attempts = ?3 WHERE id = ?4", [
        lease.by,
        lease.untilMs,
        attempts,
        text(row.id),
      ]);
      return { record: recordIn(row), attempts };
    });
  }

  /** False if it is no longer theirs, or no longer to be proved. */
  renew(id: string, { by, untilMs }: Lease): Promise<boolean> {
    return this.database.write(async (sql) => {
      const rows = await sql.all(
        "UPDATE @request SET lease_until = ?1 WHERE id = ?2 AND lease_by = ?3 AND status = 'proving' RETURNING id",
        [untilMs, id, by],
      );
      return rows.length > 0;
    });
  }

  /** Gives back what was begun, or this one of it, so that the next one need not wait. */
  async release(by: string, id?: string): Promise<void> {
    const begun = "lease_by = ?1 AND status = 'proving' AND lease_until > 0";
    const set = "UPDATE @request SET lease_until = 0, attempts = attempts - 1 WHERE";
    await this.database.write((sql) =>
      id === undefined ? sql.all(`${set} ${begun}`, [by]) : sql.all(`${set} ${begun} AND id = ?2`, [by, id]),
    );
  }

  /** Those whose time is over, and how many it were. */
  async expire(nowMs: number): Promise<number> {
    const due = await this.database.read((sql) =>
      sql.all(
        "SELECT id, revision FROM @request WHERE status IN ('pending', 'proving') AND expires_at <= ?1 LIMIT 100",
        [nowMs],
      ),
    );
    const decision: Decision = {
      decision: "expired",
      by: "clock",
      at: nowMs,
      text: null,
      rule: null,
      proposed: null,
      receipt: null,
    };
    // One after the other: each is a decision like any other, and may lose against one.
    for (const row of due) await this.decide(text(row.id), number(row.revision), decision);
    return due.length;
  }

  async lastChange(): Promise<number> {
    const [row] = await this.database.read((sql) =>
      sql.all("SELECT value FROM @counter WHERE name = 'change'"),
    );
    return number(row?.value);
  }

  /** Returns the newest change of each request; the client reads the request again. */
  async changesAfter(change: number, limit: number, agent?: string): Promise<Change[]> {
    const only = agent === undefined ? "" : "AND agent = ?3";
    const rows = await this.database.read((sql) =>
      sql.all(
        `SELECT change_no, id, revision, status, agent FROM @request WHERE change_no > ?1 ${only} ORDER BY change_no LIMIT ?2`,
        [change, limit, ...(agent === undefined ? [] : [agent])],
      ),
    );
    return rows.map(changeIn);
  }

  /** Counts requests per state. */
  async counts(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.read((sql) =>
      sql.all("SELECT status, count(*) AS n FROM @request GROUP BY status"),
    );
    return new Map(rows.map((row) => [text(row.status), number(row.n)]));
  }

  #change(
    id: string,
    step: (record: RequestRecord) => Step,
    charges: readonly Charge[] = [],
    atMs = 0,
  ): Promise<Changed> {
    return this.database.write(async (sql) => {
      const record = await recordOf(sql, id);
      if (record === undefined) return { kind: "missing" };
      const stepped = step(record);
      if (!stepped.ok) return { kind: "refused", why: stepped.why, record };
      const limit = await chargeAll(sql, id, charges, atMs);
      return limit === undefined
        ? this.#put(sql, record, stepped.record)
        : { kind: "used_up", limit, record };
    });
  }

  /** Stores a record. An approval for workers is queued in the same transaction: no approved run gets lost. */
  async #put(sql: Sql, before: RequestRecord, record: RequestRecord): Promise<Changed> {
    const isApproved = before.receipt === null && record.receipt !== null;
    if (isApproved && record.filed.run === "worker") await enqueue(sql, record, this.database.now);
    return put(sql, record);
  }
}

async function recordOf(sql: Sql, id: string): Promise<RequestRecord | undefined> {
  const [row] = await sql.all(`SELECT ${recordColumns} FROM @request WHERE id = ?1`, [id]);
  return row && recordIn(row);
}

/** Stores a record and ends its lease. */
async function put(sql: Sql, record: RequestRecord): Promise<Changed> {
  const columns = { ...columnsOf(record), change_no: await nextChange(sql), lease_until: 0 };
  const names = Object.keys(columns);
  const sets = names.map((name, i) => `${name} = ?${i + 1}`).join(", ");
  await sql.all(`UPDATE @request SET ${sets} WHERE id = ?${names.length + 1}`, [
    ...Object.values(columns),
    record.id,
  ]);
  return { kind: "changed", record };
}

async function insert(sql: Sql, columns: Readonly<Record<string, SqlValue>>): Promise<void> {
  const names = Object.keys(columns);
  const places = names.map((_, i) => `?${i + 1}`).join(", ");
  await sql.all(`INSERT INTO @request (${names.join(", ")}) VALUES (${places})`, Object.values(columns));
}

async function nextChange(sql: Sql): Promise<number> {
  const [row] = await sql.all("UPDATE @counter SET value = value + 1 WHERE name = 'change' RETURNING value");
  return number(row?.value);
}

function changeIn(row: Row): Change {
  return {
    change: number(row.change_no),
    id: text(row.id),
    revision: number(row.revision),
    status: statusIn(row),
    agent: text(row.agent),
  };
}
