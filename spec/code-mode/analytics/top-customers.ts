/**
 * Task: Who are our ten biggest customers this year? Show not more than ten rows.
 * Verdict: holds
 * Why: The list is cut to ten rows by slice before it is returned, whatever the query gives.
 * Features: JSON.parse, indexOf on columns, sort with tie break, slice, Number conversion
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
    const data: { columns: string[]; rows: unknown[][] } = JSON.parse(text);
    const nameAt = data.columns.indexOf("customer");
    const revenueAt = data.columns.indexOf("revenue");

    const customers = data.rows
      .map((row) => ({ name: String(row[nameAt]), revenue: Number(row[revenueAt]) }))
      .filter((c) => Number.isFinite(c.revenue))
      .sort((a, b) => b.revenue - a.revenue || a.name.localeCompare(b.name));

    return { year, customers: customers.slice(0, 10) };
  },
});
