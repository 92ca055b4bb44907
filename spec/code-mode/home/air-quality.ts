/**
 * Task: Was the air in a room bad yesterday? Tell me the hours when the hourly average was above 1000 ppm.
 * Verdict: holds
 * Why: Only sensorHistory is called.
 * Features: regex exec on lines, Map of sums and counts, index loop, destructuring, padStart
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.readOnly(), home.answerHides("presence")],
  async run({ sensor, limit = 1000 }: { sensor: string; limit?: number }) {
    const csv = await home.sensorHistory({ sensor, hours: 24 });
    const buckets = new Map<number, { sum: number; n: number }>();

    const lines = csv.split("\n");
    for (let i = 1; i < lines.length; i++) {
      const match = /^\d{4}-\d{2}-\d{2}T(\d{2}):[^,]*,\s*(-?\d+(?:\.\d+)?)/.exec(lines[i]);
      if (!match) continue;
      const [, hour, value] = match;
      const bucket = buckets.get(Number(hour)) ?? { sum: 0, n: 0 };
      bucket.sum += parseFloat(value);
      bucket.n += 1;
      buckets.set(Number(hour), bucket);
    }

    const bad = [...buckets]
      .map(([hour, { sum, n }]) => ({ hour, average: Math.round(sum / n) }))
      .filter(({ average }) => average > limit)
      .sort((a, b) => a.hour - b.hour);

    return bad.map(({ hour, average }) => `${String(hour).padStart(2, "0")}:00  ${average} ppm`);
  },
});
