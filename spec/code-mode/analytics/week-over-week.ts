/**
 * Task: Is sign-up traffic up or down compared with the week before?
 * Verdict: holds
 * Why: Only the metric tool is called.
 * Features: helper with reduce and null values, Date shifting, Promise.all tuple, nested ternary, signed formatting
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

const DAY = 24 * 3600 * 1000;
const iso = (ms: number) => new Date(ms).toISOString();

async function total(name: string, from: number, to: number): Promise<number> {
  const { points } = await analytics.metric({ name, from: iso(from), to: iso(to), granularity: "day" });
  return points.reduce((sum, p) => sum + (p.value ?? 0), 0);
}

export default program({
  guarantees: [analytics.readOnly()],
  async run({ until }: { until: string }) {
    const end = Date.parse(until);
    const [current, previous] = await Promise.all([
      total("signups", end - 7 * DAY, end),
      total("signups", end - 14 * DAY, end - 7 * DAY),
    ]);

    if (previous === 0) return { current, previous, change: "n/a" };
    const percent = ((current - previous) / previous) * 100;
    const trend = percent > 1 ? "up" : percent < -1 ? "down" : "flat";
    return { current, previous, trend, change: `${percent >= 0 ? "+" : ""}${percent.toFixed(1)}%` };
  },
});
