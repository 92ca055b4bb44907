/** The list of requests shows all that wait, also if there are many newer ones. */
import { expect, test } from "vitest";
import type { RequestSummary } from "../../src/approve/wire.ts";
import { byRisk, listWithWaiting } from "../../src/web/data/list.ts";

/** As the service does: filtered, then 100 from a place on. */
function serviceOf(all: readonly RequestSummary[]) {
  let asked = 0;
  const read = async (before: string | null, status?: string) => {
    asked++;
    const found = all.filter((one) => status === undefined || one.status === status);
    const from = before === null ? 0 : found.findIndex(({ id }) => id === before) + 1;
    const requests = found.slice(from, from + 100);
    const next = from + 100 < found.length ? (requests.at(-1)?.id ?? null) : null;
    return { ok: true as const, value: { requests, next } };
  };
  return { read, asked: () => asked };
}

/** SAFETY: the list looks at these fields only. */
const request = (n: number, status: string) =>
  ({ id: `r${n}`, status, filedAt: new Date(1e12 - n * 1_000).toISOString() }) as unknown as RequestSummary;

test("requests that wait are there behind hundreds of newer ones", async () => {
  const all = Array.from({ length: 700 }, (_, n) => request(n, n >= 450 ? "pending" : "decided"));
  const { read } = serviceOf(all);
  const answer = await listWithWaiting(read);
  if (!answer.ok) throw new Error("it is there");
  const waiting = answer.value.requests.filter(({ status }) => status === "pending");
  expect(waiting).toHaveLength(250);
  expect(answer.value.requests).toHaveLength(350);
  expect(answer.value.requests.map(({ id }) => id)).toEqual(
    [...answer.value.requests.map(({ id }) => id)].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
  );
});

test("a short list is asked for once", async () => {
  const { read, asked } = serviceOf(Array.from({ length: 50 }, (_, n) => request(n, "pending")));
  await listWithWaiting(read);
  expect(asked()).toBe(1);
});

test("the worst risk comes first, what nobody judged before it, and equal ones stay in their order", () => {
  const levels = ["green", "amber", undefined, "red", "amber", "red"];
  const all = levels.map((level, n) => ({ ...request(n, "pending"), ...(level && { risk: { level } }) }));
  // SAFETY: the order looks at these fields only.
  const sorted = byRisk(all as unknown as readonly RequestSummary[]);
  expect(sorted.map(({ id }) => id)).toEqual(["r2", "r3", "r5", "r1", "r4", "r0"]);
});
