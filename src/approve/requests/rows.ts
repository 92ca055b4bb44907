/** Requests as rows, and rows as requests. */
import type { CoverageStatus, DecisionKind, RequestStatus, RequestSummary, RunState } from "../wire.ts";
import { proofOf, type RequestRecord, summaryOf } from "./record.ts";
import type { Row, SqlValue } from "./sql.ts";

/** Everything but the number of the change and the lease. */
export function columnsOf(record: RequestRecord): Readonly<Record<string, SqlValue>> {
  const { file, decision, worst, counts, run, risk } = summaryOf(record);
  const { id, revision, status, agent, filedAt, expiresAt, filed, found, decided, receipt, progress } =
    record;
  return {
    id,
    revision,
    status,
    agent,
    file,
    filed_at: filedAt,
    expires_at: expiresAt,
    decision,
    worst,
    ...counts,
    run_state: run,
    risk: textOrNull(risk ?? null),
    risk_level: risk === undefined ? null : riskOrder[risk.level],
    program: proofOf(record)?.hash ?? null,
    votes: textOrNull(record.votes ?? null),
    edited: textOrNull(record.edited ?? null),
    filed: JSON.stringify(filed),
    found: textOrNull(found),
    decided: textOrNull(decided),
    receipt,
    progress: textOrNull(progress),
  };
}

/** The worst first; what nobody judged comes before all. */
export const riskOrder = { red: 0, amber: 1, green: 2 } as const;

export const recordColumns =
  "id, revision, status, agent, filed_at, expires_at, filed, found, decided, receipt, progress, votes, edited";

export const summaryColumns =
  "id, revision, status, agent, file, filed_at, expires_at, decision, worst, proved, refuted, unknown, run_state, risk";

export function recordIn(row: Row): RequestRecord {
  return {
    id: text(row.id),
    revision: number(row.revision),
    status: statusIn(row),
    agent: text(row.agent),
    filedAt: number(row.filed_at),
    expiresAt: number(row.expires_at),
    filed: JSON.parse(text(row.filed)),
    found: jsonOrNull(row.found),
    decided: jsonOrNull(row.decided),
    receipt: row.receipt === null ? null : text(row.receipt),
    progress: jsonOrNull(row.progress),
    ...(row.votes !== null && { votes: jsonOrNull(row.votes) }),
    ...(row.edited !== null && { edited: jsonOrNull(row.edited) }),
  };
}

export function summaryIn(row: Row): RequestSummary {
  return {
    id: text(row.id),
    revision: number(row.revision),
    status: statusIn(row),
    agent: text(row.agent),
    file: text(row.file),
    filedAt: number(row.filed_at),
    expiresAt: number(row.expires_at),
    // SAFETY: columns that only `columnsOf` writes, here and below.
    decision: row.decision as DecisionKind | null,
    worst: row.worst as CoverageStatus | null,
    counts: { proved: number(row.proved), refuted: number(row.refuted), unknown: number(row.unknown) },
    // SAFETY: see above.
    run: row.run_state as RunState | null,
    ...(row.risk !== null && { risk: JSON.parse(text(row.risk)) }),
  };
}

export function statusIn(row: Row): RequestStatus {
  // SAFETY: a column that only `columnsOf` writes.
  return text(row.status) as RequestStatus;
}

/** Some drivers give large whole numbers as texts. */
export function number(value: unknown): number {
  const found = typeof value === "string" ? Number(value) : value;
  if (typeof found !== "number" || !Number.isFinite(found)) throw new TypeError("a number is none");
  return found;
}

export function text(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("a text is none");
  return value;
}

function textOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function jsonOrNull(value: unknown) {
  return value === null ? null : JSON.parse(text(value));
}
