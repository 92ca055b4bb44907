/**
 * Standing approvals: later requests of the same agent for the same program, tools, inputs and kernel pass without a
 * question, for a time, a number of times and a sum. Whatever does not fit asks a person. A use is counted in the
 * transaction that approves, so the last one is given once. Part of what must be trusted.
 */
import { randomBytes } from "node:crypto";
import type { StandingTerms, StandingView } from "../wire.ts";
import { isWithin, sum } from "./amounts.ts";
import type { RequestRecord } from "./record.ts";
import { number, text } from "./rows.ts";
import type { Row, Sql, SqlValue } from "./sql.ts";

/** The id of a standing approval. */
export const standingId = /^s[0-9a-f]{24}$/;

/** Records one for an approved request. Returns its id; undefined if the request cannot stand on these terms. */
export async function makeStanding(
  sql: Sql,
  { id: request, agent, filed, found }: RequestRecord,
  { uses, seconds, cap }: StandingTerms,
  approvers: readonly string[],
  nowMs: number,
): Promise<string | undefined> {
  if (found?.kind !== "proof" || found.binding === null) return undefined;
  // A run without a budget has no cost that a cap could count.
  if (cap !== null && filed.budget === null) return undefined;
  const id = `s${randomBytes(12).toString("hex")}`;
  const columns: Readonly<Record<string, SqlValue>> = {
    id,
    request,
    agent,
    file: filed.program.file,
    program: found.binding.program,
    modules: found.binding.modules,
    inputs_digest: found.binding.inputs,
    inputs: JSON.stringify(filed.inputs),
    kernel: filed.kernel,
    run: filed.run ?? null,
    budget: filed.budget,
    uses,
    used: 0,
    cap,
    charged: "0",
    approvers: JSON.stringify(approvers),
    made_at: nowMs,
    until_at: nowMs + seconds * 1000,
  };
  const names = Object.keys(columns);
  const places = names.map((_, i) => `?${i + 1}`).join(", ");
  await sql.all(`INSERT INTO @standing (${names.join(", ")}) VALUES (${places})`, Object.values(columns));
  return id;
}

export interface StandingUse {
  readonly id: string;
  readonly approvers: readonly string[];
}

/**
 * Uses up one approval of the oldest that fits; undefined if none does.
 * SOUNDNESS: the program, its guarantees, the tools, the inputs and the kernel are equal by their hashes; the budget is no
 * wider; who approved may still approve, and they are as many as are needed now.
 */
export async function useStanding(
  sql: Sql,
  { id: request, agent, filed, found, edited }: RequestRecord,
  needed: number,
  nowMs: number,
): Promise<StandingUse | undefined> {
  if (found?.kind !== "proof" || found.view.verdict !== "proved" || found.binding === null) return undefined;
  if (edited !== undefined) return undefined;
  const { program, modules, inputs } = found.binding;
  const rows = await sql.all(
    `SELECT * FROM @standing WHERE agent = ?1 AND program = ?2 AND modules = ?3 AND inputs_digest = ?4 AND kernel = ?5
       AND revoked_at IS NULL AND until_at > ?6 AND made_at <= ?7 AND used < uses ORDER BY made_at, id`,
    [agent, program, modules, inputs, filed.kernel, nowMs, nowMs],
  );
  for (const row of rows) {
    const { budget, cap, run } = row;
    if ((run ?? null) !== (filed.run ?? null)) continue;
    if (!isWithin(filed.budget, textOrNull(budget))) continue;
    if (cap !== null && filed.budget === null) continue;
    const charged = filed.budget === null ? text(row.charged) : sum(text(row.charged), filed.budget);
    if (!isWithin(charged, textOrNull(cap))) continue;
    const approvers: readonly string[] = JSON.parse(text(row.approvers));
    if ((await personsOf(sql, approvers)).size < Math.max(1, needed)) continue;
    const id = text(row.id);
    const use = number(row.used) + 1;
    const values = [id, use, request, nowMs];
    await sql.all(
      "INSERT INTO @standing_use (standing, number, request, at) VALUES (?1, ?2, ?3, ?4)",
      values,
    );
    await sql.all("UPDATE @standing SET used = ?1, charged = ?2 WHERE id = ?3", [use, charged, id]);
    return { id, approvers };
  }
  return undefined;
}

/** Returns the people behind credentials that may decide now. */
export async function personsOf(sql: Sql, credentials: readonly string[]): Promise<Set<string>> {
  const persons = new Set<string>();
  for (const name of credentials) {
    const [row] = await sql.all(
      "SELECT name, person FROM @credential WHERE name = ?1 AND revoked_at IS NULL AND role IN ('reviewer', 'admin')",
      [name],
    );
    if (row !== undefined) persons.add(textOrNull(row.person) ?? text(row.name));
  }
  return persons;
}

/** Returns the person behind a credential, revoked or not. */
export async function personOf(sql: Sql, credential: string): Promise<string> {
  const [row] = await sql.all("SELECT person FROM @credential WHERE name = ?1", [credential]);
  return textOrNull(row?.person ?? null) ?? credential;
}

/** The newest first. */
export async function listStanding(
  sql: Sql,
  only: { readonly id?: string; readonly active?: boolean },
  limit: number,
  nowMs: number,
): Promise<StandingView[]> {
  const rows =
    only.id !== undefined
      ? await sql.all("SELECT * FROM @standing WHERE id = ?1", [only.id])
      : only.active === true
        ? await sql.all(
            "SELECT * FROM @standing WHERE revoked_at IS NULL AND until_at > ?1 AND used < uses ORDER BY made_at DESC, id DESC LIMIT ?2",
            [nowMs, limit],
          )
        : await sql.all("SELECT * FROM @standing ORDER BY made_at DESC, id DESC LIMIT ?1", [limit]);
  const found: StandingView[] = [];
  for (const row of rows) {
    const used = await sql.all(
      "SELECT request FROM @standing_use WHERE standing = ?1 ORDER BY number DESC LIMIT 20",
      [text(row.id)],
    );
    found.push(
      viewOf(
        row,
        used.map(({ request }) => text(request)),
        nowMs,
      ),
    );
  }
  return found;
}

/** Ends one at once; runs that it has approved keep their receipts. */
export async function revokeStanding(sql: Sql, id: string, by: string, nowMs: number): Promise<void> {
  await sql.all(
    "UPDATE @standing SET revoked_by = ?1, revoked_at = ?2 WHERE id = ?3 AND revoked_at IS NULL",
    [by, nowMs, id],
  );
}

function viewOf(row: Row, requests: readonly string[], nowMs: number): StandingView {
  const [uses, used, until] = [number(row.uses), number(row.used), number(row.until_at)];
  const isRevoked = row.revoked_at !== null;
  return {
    id: text(row.id),
    request: text(row.request),
    agent: text(row.agent),
    file: text(row.file),
    program: text(row.program),
    inputs: JSON.parse(text(row.inputs)),
    budget: textOrNull(row.budget),
    uses,
    used,
    cap: textOrNull(row.cap),
    charged: text(row.charged),
    by: JSON.parse(text(row.approvers)),
    madeAt: number(row.made_at),
    until,
    state: isRevoked ? "revoked" : used >= uses ? "used_up" : until <= nowMs ? "expired" : "active",
    revoked: isRevoked ? { by: text(row.revoked_by), at: number(row.revoked_at) } : null,
    requests,
  };
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : text(value);
}
