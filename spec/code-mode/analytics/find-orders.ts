/**
 * Task: Find the orders of a customer by email and show the latest five.
 * Verdict: holds
 * Why: The email goes into params, the sql text is a constant.
 * Features: params array, JSON.parse with interface, sort by ISO string, slice, trim/toLowerCase
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

interface OrderRows {
  columns: ["id", "created_at", "total_cents", "status"];
  rows: [string, string, number, string][];
}

export default program({
  guarantees: [analytics.noInputInSql(), analytics.selectOnly(), analytics.answerRowsMax(5)],
  async run({ email }: { email: string }) {
    const text = await analytics.query({
      sql: "select id, created_at, total_cents, status from orders where lower(email) = $1 order by created_at desc",
      params: [email.trim().toLowerCase()],
    });
    const { rows } = JSON.parse(text) as OrderRows;
    return rows
      .sort((a, b) => (a[1] < b[1] ? 1 : a[1] > b[1] ? -1 : 0))
      .slice(0, 5)
      .map(
        ([id, createdAt, cents, status]) =>
          `${createdAt.slice(0, 10)}  #${id}  ${(cents / 100).toFixed(2)}  ${status}`,
      );
  },
});
