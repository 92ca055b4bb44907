/**
 * Task: Were there unusual hours in a metric in a time range? Show the twenty strongest at most.
 * Verdict: holds
 * Why: Only metric is called and the only array of the answer is cut to 20.
 * Features: mean and standard deviation, Math.sqrt, Math.abs, type predicate filter, sort by absolute score, slice
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

type Point = { t: string; value: number };

function stats(values: number[]): { mean: number; sd: number } {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const variance = values.reduce((a, v) => a + (v - mean) ** 2, 0) / values.length;
  return { mean, sd: Math.sqrt(variance) };
}

export default program({
  guarantees: [analytics.readOnly(), analytics.answerRowsMax(20)],
  async run({ name, from, to }: { name: string; from: string; to: string }) {
    const { points, unit = "" } = await analytics.metric({ name, from, to, granularity: "hour" });
    const known = points.filter((p): p is Point => p.value !== null);
    if (known.length < 10) return { message: "There are too few points to judge." };

    const { mean, sd } = stats(known.map((p) => p.value));
    if (sd === 0) return { message: "The metric is constant." };

    const anomalies = known
      .map((p) => ({ ...p, score: (p.value - mean) / sd }))
      .filter((p) => Math.abs(p.score) > 3)
      .sort((a, b) => Math.abs(b.score) - Math.abs(a.score))
      .slice(0, 20)
      .map((p) => ({ at: p.t, value: `${p.value}${unit}`, sigma: p.score.toFixed(1) }));
    return { mean, anomalies };
  },
});
