/**
 * Task: How did revenue split over countries last month?
 * Verdict: holds
 * Why: One constant select is run and nothing else is called.
 * Features: multi-line template SQL, JSON.parse with type assertion, map with tuple destructuring, reduce, percent formatting
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

type Result = { columns: string[]; rows: [string, number][] };

const SQL = `
  select country, sum(amount_cents) as cents
  from orders
  where created_at >= date_trunc('month', now() - interval '1 month')
    and created_at < date_trunc('month', now())
  group by country
  order by cents desc
`;

export default program({
  guarantees: [analytics.readOnly(), analytics.selectOnly(), analytics.maxQueries(1)],
  async run() {
    const { rows } = JSON.parse(await analytics.query({ sql: SQL })) as Result;
    const total = rows.reduce((sum, [, cents]) => sum + cents, 0);
    return {
      total: total / 100,
      countries: rows.map(([country, cents]) => ({
        country,
        revenue: cents / 100,
        share: total === 0 ? "0%" : `${Math.round((cents / total) * 100)}%`,
      })),
    };
  },
});
