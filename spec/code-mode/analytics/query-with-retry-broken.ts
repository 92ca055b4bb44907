/**
 * Task: How many users were active today? The warehouse is flaky, so try up to three times.
 * Verdict: broken — maxQueries(3)
 * Why: Only rejected queries count as attempts; a text without a number in it loops on for ever.
 * Features: while loop, try/catch, counter only in catch, narrowing of parsed cell
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

export default program({
  guarantees: [analytics.maxQueries(3), analytics.selectOnly(), analytics.readOnly()],
  async run() {
    let failures = 0;
    while (failures < 3) {
      let text: string;
      try {
        text = await analytics.query({ sql: "select count(distinct user_id) from events_today" });
      } catch (error) {
        failures++;
        console.log(`failure ${failures}:`, error);
        continue;
      }
      const value = JSON.parse(text || "{}").rows?.[0]?.[0];
      if (typeof value === "number") return { active: value };
    }
    return { active: null };
  },
});
