/** The list of requests: the newest, and all that wait for a decision, however old. */
import type { RequestList, RequestSummary } from "../../approve/wire.ts";
import type { Answer } from "./answer.ts";

/** LIMIT: pages of waiting requests that are read at once. */
const mostPages = 20;

/** @param read reads a page of requests, the newest first, before a place and of one status if that is given */
export async function listWithWaiting(
  read: (before: string | null, status?: "pending") => Promise<Answer<RequestList>>,
): Promise<Answer<RequestList>> {
  const newest = await read(null);
  // Without an older page, all of them are there.
  if (!newest.ok || newest.value.next === null) return newest;
  const waiting: RequestSummary[] = [];
  let before: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const some: Answer<RequestList> = await read(before, "pending");
    if (!some.ok) return some;
    waiting.push(...some.value.requests);
    before = some.value.next;
    if (before === null) break;
  }
  return { ok: true, value: { ...newest.value, requests: [...merged(newest.value.requests, waiting)] } };
}

/** Each once, the newest first. */
export function merged(
  some: readonly RequestSummary[],
  others: readonly RequestSummary[],
): readonly RequestSummary[] {
  const known = new Set(some.map(({ id }) => id));
  const all = [...some, ...others.filter(({ id }) => !known.has(id))];
  return all.sort((a, b) => (a.filedAt === b.filedAt ? 0 : a.filedAt > b.filedAt ? -1 : 1));
}

const order = { red: 0, amber: 1, green: 2 } as const;

/** Sorts by risk, the worst first; of equal ones the order stays. One that nobody judged comes before all others. */
export function byRisk(requests: readonly RequestSummary[]): readonly RequestSummary[] {
  const rank = ({ risk }: RequestSummary): number => (risk === undefined ? -1 : order[risk.level]);
  return [...requests].sort((a, b) => rank(a) - rank(b));
}
