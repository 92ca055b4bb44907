/**
 * Task: Count the page views per path for a day, but don't run the query if it costs more than 50 cents.
 * Verdict: holds
 * Why: The same sql constant is estimated first, and the query is made only when the estimate is at most 50 cents.
 * Features: constant SQL, await of estimate, early return, JSON.parse, Object.fromEntries
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

const sql =
  "select path, count(*) as views from page_views where day = $1 group by path order by views desc limit 100";

export default program({
  guarantees: [analytics.estimatedFirst(50), analytics.selectOnly(), analytics.readOnly()],
  async run({ day }: { day: string }) {
    const { cents, bytes } = await analytics.estimateCost({ sql });
    if (cents > 50) {
      return { ran: false, reason: `It would read ${(bytes / 1e9).toFixed(1)} GB and cost ${cents} cents.` };
    }
    const { rows } = JSON.parse(await analytics.query({ sql, params: [day] })) as {
      rows: [string, number][];
    };
    return { ran: true, views: Object.fromEntries(rows) };
  },
});
