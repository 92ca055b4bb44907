/**
 * Task: How many users were active today? The warehouse is flaky, so try up to three times.
 * Verdict: holds
 * Why: The while condition stops after three attempts, and each attempt makes one query.
 * Features: while with attempt counter, try/catch, unknown error, rethrow of the last error, narrowing of parsed cell
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

export default program({
  guarantees: [analytics.maxQueries(3), analytics.selectOnly(), analytics.readOnly()],
  async run() {
    let attempt = 0;
    let lastError: unknown;
    while (attempt < 3) {
      attempt++;
      try {
        const parsed = JSON.parse(
          await analytics.query({ sql: "select count(distinct user_id) from events_today" }),
        );
        const value: unknown = parsed.rows?.[0]?.[0];
        if (typeof value === "number") return { active: value, attempt };
        lastError = new Error(`unexpected cell: ${JSON.stringify(value)}`);
      } catch (error) {
        lastError = error;
        console.log(`attempt ${attempt} failed`);
      }
    }
    throw lastError;
  },
});
