/**
 * Task: Create alerts in #data-alerts for metrics that dropped to less than half of their average this month.
 * Verdict: broken — alertsOnlyTo("#data-alerts")
 * Why: A metric named "team/metric" is routed to the channel of that team instead of #data-alerts.
 * Features: split with destructuring, conditional template, Promise.all with filter, reduce
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

function channelFor(metric: string): string {
  const [team, rest] = metric.split("/");
  return rest === undefined ? "#data-alerts" : `#${team}-alerts`;
}

export default program({
  guarantees: [analytics.alertsOnlyTo("#data-alerts"), analytics.savesAtMost(0), analytics.maxQueries(0)],
  async run({ metrics, from, to }: { metrics: string[]; from: string; to: string }) {
    const created = await Promise.all(
      metrics.map(async (name) => {
        const { points } = await analytics.metric({ name, from, to, granularity: "day" });
        const values = points.map((p) => p.value ?? 0);
        const average = values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
        const last = values[values.length - 1] ?? average;
        if (last >= average / 2) return null;
        const { alertId } = await analytics.createAlert({
          metric: name,
          below: average / 2,
          channel: channelFor(name),
        });
        return { metric: name, alertId };
      }),
    );
    return { checked: metrics.length, created: created.filter((c) => c !== null) };
  },
});
