/**
 * Task: Count the orders of every month of a year. The table is partitioned, so query month by month, at most 12 queries.
 * Verdict: broken — maxQueries(12)
 * Why: A month whose query fails is queried again, so a failing month makes 13 or more queries.
 * Features: Array.from months, Promise.allSettled, second pass over failures, Map
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

const SQL = "select count(*) from orders where month = $1";

async function count(month: string): Promise<number> {
  const { rows } = JSON.parse(await analytics.query({ sql: SQL, params: [month] }));
  return Number(rows[0][0]);
}

export default program({
  guarantees: [analytics.maxQueries(12), analytics.selectOnly(), analytics.readOnly()],
  async run({ year }: { year: number }) {
    const months = Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, "0")}`);
    const counts = new Map<string, number>();
    const results = await Promise.allSettled(months.map(count));

    for (const [i, result] of results.entries()) {
      if (result.status === "fulfilled") {
        counts.set(months[i], result.value);
      } else {
        counts.set(months[i], await count(months[i]));
      }
    }
    return Object.fromEntries(counts);
  },
});
