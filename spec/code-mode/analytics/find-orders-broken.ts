/**
 * Task: Find the orders of a customer by email and show the latest five.
 * Verdict: broken — noInputInSql()
 * Why: The email is put into the SQL text; doubling the quotes does not change that the text depends on the input (and a `;` in it breaks selectOnly too).
 * Features: template SQL with interpolation, replace with regex, JSON.parse, slice
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

const quote = (s: string) => `'${s.replace(/'/g, "''")}'`;

export default program({
  guarantees: [analytics.noInputInSql(), analytics.selectOnly(), analytics.answerRowsMax(5)],
  async run({ email }: { email: string }) {
    const text = await analytics.query({
      sql: `select id, created_at, total_cents, status
            from orders
            where lower(email) = ${quote(email.trim().toLowerCase())}
            order by created_at desc
            limit 5`,
    });
    const { rows } = JSON.parse(text) as { rows: [string, string, number, string][] };
    return rows
      .slice(0, 5)
      .map(([id, createdAt, cents, status]) => ({ id, createdAt, total: cents / 100, status }));
  },
});
