/** Limits across requests: what decisions have used of them, counted in the transaction that decides. */
import { number } from "./rows.ts";
import type { Sql } from "./sql.ts";

export interface Charge {
  /** Name of the limit. */
  readonly limit: string;
  readonly amount: number;
  /** The most within any such time. */
  readonly atMost: number;
  readonly windowMs: number;
}

/**
 * Makes all charges or none; gives the limit that is used up.
 * SOUNDNESS: an amount that is no amount would be counted as nothing, so it is a fault and nothing is decided.
 */
export async function chargeAll(
  sql: Sql,
  request: string,
  charges: readonly Charge[],
  atMs: number,
): Promise<string | undefined> {
  const within = new Map<string, number>();
  for (const { limit, amount, atMost, windowMs } of charges) {
    if (![amount, windowMs].every((one) => Number.isFinite(one) && one >= 0) || !Number.isFinite(atMost))
      throw new TypeError(`the charge to the limit \`${limit}\` is no amount`);
    const [row] = await sql.all(
      "SELECT coalesce(sum(amount), 0) AS used FROM @charge WHERE limit_name = ?1 AND at > ?2",
      [limit, atMs - windowMs],
    );
    // Several charges of one decision may be to one limit.
    const before = within.get(limit) ?? 0;
    if (!(number(row?.used) + before + amount <= atMost)) return limit;
    within.set(limit, before + amount);
  }
  for (const { limit, amount } of charges) {
    await sql.all("INSERT INTO @charge (limit_name, at, amount, request) VALUES (?1, ?2, ?3, ?4)", [
      limit,
      atMs,
      amount,
      request,
    ]);
  }
  return undefined;
}
