/**
 * Task: Show the sign-up funnel of a period: visits, sign-ups, activations, purchases, with the conversion of each step.
 * Verdict: holds
 * Why: Only metric is called.
 * Features: Promise.all, map with index, previous element access, padEnd text table, division guard
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

const STEPS: { label: string; name: string }[] = [
  { label: "Visits", name: "visits" },
  { label: "Sign-ups", name: "signups" },
  { label: "Activations", name: "activations" },
  { label: "Purchases", name: "purchases" },
];

export default program({
  guarantees: [analytics.readOnly(), analytics.answerRowsMax(4)],
  async run({ from, to, segment }: { from: string; to: string; segment?: string }) {
    const totals = await Promise.all(
      STEPS.map(async ({ name }) => {
        const { points } = await analytics.metric({ name, from, to, granularity: "month", segment });
        return points.reduce((n, p) => n + (p.value ?? 0), 0);
      }),
    );

    const table = STEPS.map(({ label }, i) => {
      const previous = i === 0 ? totals[0] : totals[i - 1];
      const rate = previous > 0 ? (100 * totals[i]) / previous : 0;
      return `${label.padEnd(12)} ${String(totals[i]).padStart(8)} ${rate.toFixed(1).padStart(6)}%`;
    });
    return table;
  },
});
