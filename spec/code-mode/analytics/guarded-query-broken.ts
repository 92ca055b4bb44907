/**
 * Task: Count the page views per path for a day, but don't run the query if it costs more than 50 cents.
 * Verdict: broken — estimatedFirst(50)
 * Why: When the estimate is too high the program runs a narrower query that was never estimated.
 * Features: let SQL, conditional concatenation, JSON.parse, Object.fromEntries
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

export default program({
  guarantees: [analytics.estimatedFirst(50), analytics.selectOnly(), analytics.readOnly()],
  async run({ day }: { day: string }) {
    let sql = "select path, count(*) as views from page_views where day = $1 group by path";
    const { cents } = await analytics.estimateCost({ sql });
    if (cents > 50) {
      console.log(`Estimate is ${cents} cents, restricting the query to the top 100 paths.`);
      sql += " order by views desc limit 100";
    }
    const { rows } = JSON.parse(await analytics.query({ sql, params: [day] })) as {
      rows: [string, number][];
    };
    return { views: Object.fromEntries(rows), limited: cents > 50 };
  },
});
