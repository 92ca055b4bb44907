/**
 * Task: Count the orders of every month of a year. The table is partitioned, so query month by month, at most 12 queries.
 * Verdict: holds
 * Why: The loop runs from month 1 to 12 and queries once per month.
 * Features: index loop, padStart, JSON.parse inline with index access, object accumulation, try/catch per month
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

export default program({
  guarantees: [analytics.maxQueries(12), analytics.selectOnly(), analytics.readOnly()],
  async run({ year }: { year: number }) {
    const counts: Record<string, number | null> = {};
    for (let month = 1; month <= 12; month++) {
      const key = `${year}-${String(month).padStart(2, "0")}`;
      try {
        const text = await analytics.query({
          sql: "select count(*) from orders where month = $1",
          params: [key],
        });
        counts[key] = Number(JSON.parse(text).rows[0][0]);
      } catch {
        counts[key] = null;
      }
    }
    return counts;
  },
});
