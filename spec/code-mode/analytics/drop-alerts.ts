/**
 * Task: Create alerts in #data-alerts for metrics that dropped to less than half of their average this month.
 * Verdict: holds
 * Why: The channel is a constant; only metrics and thresholds vary.
 * Features: for-of over input list, at(-1), continue, Math.floor, array of created ids, last/average comparison
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

const CHANNEL = "#data-alerts";

export default program({
  guarantees: [analytics.alertsOnlyTo("#data-alerts"), analytics.savesAtMost(0), analytics.maxQueries(0)],
  async run({ metrics, from, to }: { metrics: string[]; from: string; to: string }) {
    const created: { metric: string; alertId: string }[] = [];
    for (const name of metrics) {
      const { points } = await analytics.metric({ name, from, to, granularity: "day" });
      const values = points.flatMap((p) => (p.value === null ? [] : [p.value]));
      const last = values.at(-1);
      if (last === undefined) continue;

      const average = values.reduce((a, b) => a + b, 0) / values.length;
      if (last >= average / 2) continue;

      const { alertId } = await analytics.createAlert({
        metric: name,
        below: Math.floor(average / 2),
        channel: CHANNEL,
      });
      created.push({ metric: name, alertId });
    }
    return { checked: metrics.length, created };
  },
});
