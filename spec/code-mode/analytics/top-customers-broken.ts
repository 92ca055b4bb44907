/**
 * Task: Who are our ten biggest customers this year? Show not more than ten rows.
 * Verdict: broken — answerRowsMax(10)
 * Why: Ties with the tenth customer are kept, so equal revenues give more than ten rows.
 * Features: JSON.parse, sort, filter against a threshold, optional chaining with index
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

export default program({
  guarantees: [analytics.readOnly(), analytics.selectOnly(), analytics.answerRowsMax(10)],
  async run({ year }: { year: number }) {
    const text = await analytics.query({
      sql: "SELECT customer, revenue FROM customer_revenue WHERE year = $1 ORDER BY revenue DESC LIMIT 50",
      params: [year],
    });
    const { rows } = JSON.parse(text) as { columns: string[]; rows: [string, number][] };
    const customers = rows
      .map(([name, revenue]) => ({ name, revenue }))
      .sort((a, b) => b.revenue - a.revenue);

    // be fair: customers with the same revenue as number ten belong in the list
    const threshold = customers[9]?.revenue ?? -Infinity;
    return { year, customers: customers.filter((c) => c.revenue >= threshold) };
  },
});
