/**
 * The store of requests. `state.ts` defines the transitions; the store applies each in one transaction, so of two
 * concurrent decisions one wins and the other learns the result.
 */
import { isDeepStrictEqual } from "node:util";
import type {
  DecisionKind,
  Progress,
  QuestionReply,
  RequestEvent,
  RequestGroup,
  RequestStatus,
  RequestSummary,
  RiskLevel,
  StandingTerms,
  StandingView,
} from "../wire.ts";
import { type Charge, chargeAll } from "./charges.ts";
import { enqueue } from "./queue.ts";
import type { Found, RequestRecord, Values, Vote } from "./record.ts";
import {
  columnsOf,
  number,
  recordColumns,
  recordIn,
  riskOrder,
  statusIn,
  summaryColumns,
  summaryIn,
  text,
} from "./rows.ts";
import type { Database, Row, Sql, SqlValue } from "./sql.ts";
import {
  listStanding,
  makeStanding,
  personOf,
  personsOf,
  revokeStanding,
  type StandingUse,
  useStanding,
} from "./standing.ts";
import {
  type Decision,
  decideStep,
  editStep,
  foundStep,
  progressStep,
  type Refused,
  replyStep,
  type Step,
  voteStep,
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

export interface ListFilter {
  readonly agent?: string;
  readonly file?: string;
  /** Hash of the document. */
  readonly program?: string;
  readonly status?: RequestStatus;
  readonly decision?: DecisionKind;
  readonly worst?: string;
  readonly risk?: RiskLevel;
  /** In the name of the file, of the agent, the id, the headline or the changes. */
  readonly q?: string;
}

export interface ListQuery extends ListFilter {
  readonly group?: RequestGroup;
  /** `risk`: the worst risk first; otherwise the newest first. */
  readonly order?: "risk";
  readonly limit: number;
  readonly before?: ListPlace;
}

/** The last request of a page. */
export interface ListPlace {
  /** The order of its risk; -1 if nobody judged it. */
  readonly risk?: number;
  readonly filedAt: number;
  readonly id: string;
}

const groupTerms: Readonly<Record<RequestGroup, string>> = {
  waiting: "status = 'pending'",
  open: "status IN ('proving', 'invalid', 'not_proved')",
  decided: "status = 'decided'",
};

/** An approval by a person, of whom several may be needed. */
export interface Approving {
  readonly credential: string;
  readonly at: number;
  /** The number of people who must approve. */
  readonly needed: number;
  readonly standing: StandingTerms | null;
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

/** The decision by an approval that stands. */
export interface WithStanding {
  readonly needed: number;
  readonly at: number;
  readonly decisionOf: (record: RequestRecord, use: StandingUse) => Decision;
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
    const { before, limit, group, order, ...filter } = query;
    const { values, terms, put } = termsOf(filter);
    if (group !== undefined) terms.push(groupTerms[group]);
    const risk = "coalesce(risk_level, -1)";
    if (before !== undefined) {
      // A parameter of its own for each use: an engine wants to know one type of each.
      const older = () =>
        `(filed_at < ${put(before.filedAt)} OR (filed_at = ${put(before.filedAt)} AND id < ${put(before.id)}))`;
      terms.push(
        order === "risk"
          ? `(${risk} > ${put(before.risk ?? -1)} OR (${risk} = ${put(before.risk ?? -1)} AND ${older()}))`
          : older(),
      );
    }
    const first = order === "risk" ? `${risk}, ` : "";
    const rows = await this.database.read((sql) =>
      sql.all(
        `SELECT ${summaryColumns} FROM @request ${whereOf(terms)}
         ORDER BY ${first}filed_at DESC, id DESC LIMIT ${put(limit)}`,
        values,
      ),
    );
    return rows.map(summaryIn);
  }

  /** Counts the requests of each group. */
  async totals(filter: ListFilter): Promise<Readonly<Record<RequestGroup, number>>> {
    const { values, terms } = termsOf(filter);
    const rows = await this.database.read((sql) =>
      sql.all(`SELECT status, count(*) AS n FROM @request ${whereOf(terms)} GROUP BY status`, values),
    );
    const totals = { waiting: 0, open: 0, decided: 0 };
    for (const row of rows) {
      const status = statusIn(row);
      totals[status === "pending" ? "waiting" : status === "decided" ? "decided" : "open"] += number(row.n);
    }
    return totals;
  }

  /** Finds the newest approved request of the same agent with the same file name that was filed before this one. */
  lastApproved({ id, agent, filed, filedAt }: RequestRecord): Promise<RequestRecord | undefined> {
    return this.database.read(async (sql) => {
      const [row] = await sql.all(
        `SELECT ${recordColumns} FROM @request WHERE agent = ?1 AND file = ?2 AND id <> ?3 AND filed_at <= ?4
           AND decision IN ('approved_once', 'approved_remember', 'auto_approved')
         ORDER BY filed_at DESC, id DESC LIMIT 1`,
        [agent, filed.program.file, id, filedAt],
      );
      return row && recordIn(row);
    });
  }

  /**
   * Approves once enough people have, or keeps the approval of this one. With other terms for later requests an
   * approval is another one, and does not count.
   * SOUNDNESS: people are counted, not credentials; who asked is none of them, nor who may decide no more.
   */
  approve(
    id: string,
    revision: number,
    { credential, at, needed, standing }: Approving,
    decisionOf: (record: RequestRecord, by: readonly string[]) => Decision,
  ): Promise<Changed> {
    return this.database.write(async (sql): Promise<Changed> => {
      const record = await recordOf(sql, id);
      if (record === undefined) return { kind: "missing" };
      const [person] = await personsOf(sql, [credential]);
      if (person === undefined) return { kind: "refused", why: "own", record };
      const vote: Vote = { person, credential, at, standing };
      const step = voteStep(record, revision, vote, await personOf(sql, record.agent));
      if (!step.ok) return { kind: "refused", why: step.why, record };
      const same = (step.record.votes ?? []).filter((one) => isDeepStrictEqual(one.standing, standing));
      const by = same.map((one) => one.credential);
      if ((await personsOf(sql, by)).size < needed) return put(sql, step.record);
      const decision = decisionOf(record, by);
      const decided = decideStep(record, revision, decision);
      if (!decided.ok) return { kind: "refused", why: decided.why, record };
      const votes = step.record.votes ?? [];
      if (standing === null) return this.#put(sql, record, { ...decided.record, votes });
      const made = await makeStanding(sql, record, standing, by, at);
      if (made === undefined) return { kind: "refused", why: "terms", record };
      return this.#put(sql, record, {
        ...decided.record,
        votes,
        decided: decided.record.decided && { ...decided.record.decided, standing: made },
      });
    });
  }

  /** Puts other inputs or another budget in place of the agent's. */
  edit(id: string, revision: number, values: Values, by: string, at: number): Promise<Changed> {
    return this.database.write(async (sql): Promise<Changed> => {
      const record = await recordOf(sql, id);
      if (record === undefined) return { kind: "missing" };
      const step = editStep(record, revision, values, by, at);
      if (!step.ok) return { kind: "refused", why: step.why, record };
      const changed = await put(sql, step.record);
      await sql.all("UPDATE @request SET lease_by = NULL, attempts = 0 WHERE id = ?1", [id]);
      return changed;
    });
  }

  standing(
    only: { readonly id?: string; readonly active?: boolean },
    limit: number,
    nowMs: number,
  ): Promise<StandingView[]> {
    return this.database.read((sql) => listStanding(sql, only, limit, nowMs));
  }

  revokeStanding(id: string, by: string, nowMs: number): Promise<void> {
    return this.database.write((sql) => revokeStanding(sql, id, by, nowMs));
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
   * approve a program that a rule rejects. If a limit is exhausted, a person decides. Where no rule decides, an approval
   * that stands may.
   */
  settle(
    id: string,
    by: string,
    found: Found,
    policy?: WithDecision,
    standing?: WithStanding,
  ): Promise<Changed> {
    return this.database.write(async (sql) => {
      const [row] = await sql.all("SELECT lease_by FROM @request WHERE id = ?1", [id]);
      const record = await recordOf(sql, id);
      if (row === undefined || record === undefined) return { kind: "missing" };
      if (row.lease_by !== by) return { kind: "refused", why: "status", record };
      const step = foundStep(record, found);
      if (!step.ok) return { kind: "refused", why: step.why, record };
      if (policy === undefined) return this.#settleStanding(sql, step.record, standing);
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

  async #settleStanding(
    sql: Sql,
    record: RequestRecord,
    standing: WithStanding | undefined,
  ): Promise<Changed> {
    if (standing === undefined || record.status !== "pending" || standing.at >= record.expiresAt)
      return put(sql, record);
    const use = await useStanding(sql, record, standing.needed, standing.at);
    if (use === undefined) return put(sql, record);
    const step = decideStep(record, record.revision, standing.decisionOf(record, use));
    // It was counted as used: what undoes the transaction gives it back.
    if (!step.ok) throw new TypeError(`a standing approval does not decide: ${step.why}`);
    return this.#put(sql, record, step.record);
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

function whereOf(terms: readonly string[]): string {
  return terms.length === 0 ? "" : `WHERE ${terms.join(" AND ")}`;
}

function termsOf({ q, risk, ...equal }: ListFilter) {
  const values: SqlValue[] = [];
  const put = (value: SqlValue): string => `?${values.push(value)}`;
  const terms = Object.entries(equal)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => `${column} = ${put(value)}`);
  if (risk !== undefined) terms.push(`risk_level = ${put(riskOrder[risk])}`);
  if (q !== undefined) {
    const like = put(`%${q.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`);
    const searched = "lower(file) || ' ' || lower(agent) || ' ' || id || ' ' || lower(coalesce(risk, ''))";
    terms.push(`(${searched}) LIKE ${like} ESCAPE '\\'`);
  }
  return { values, terms, put };
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
