/**
 * Task: How many rows do all our tables have together?
 * Verdict: holds
 * Why: Only listTables is called.
 * Features: reduce, one-line body
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

export default program({
  guarantees: [analytics.readOnly(), analytics.maxQueries(0)],
  async run() {
    return (await analytics.listTables({})).reduce((n, t) => n + t.rowCount, 0);
  },
});
