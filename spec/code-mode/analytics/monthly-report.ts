/**
 * Task: Write the monthly KPI report (active users, revenue, churn) and save it for the team in the folder "monthly".
 * Verdict: holds
 * Why: One saveReport with the literal folder "monthly" and visibility "team".
 * Features: as const array, Promise.all, markdown table building, reduce, nested template strings, month helper
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

const KPIS = ["active_users", "revenue", "churn"] as const;

function monthRange(month: string): { from: string; to: string } {
  const [year, m] = month.split("-").map(Number);
  return {
    from: new Date(Date.UTC(year, m - 1, 1)).toISOString(),
    to: new Date(Date.UTC(year, m, 1)).toISOString(),
  };
}

export default program({
  guarantees: [analytics.folderOnly("monthly"), analytics.notPublic(), analytics.savesAtMost(1)],
  async run({ month }: { month: string }) {
    const { from, to } = monthRange(month);
    const series = await Promise.all(
      KPIS.map((name) => analytics.metric({ name, from, to, granularity: "day" })),
    );

    const lines = ["| KPI | average | last |", "| --- | ---: | ---: |"];
    series.forEach(({ points, unit }, i) => {
      const values = points.map((p) => p.value).filter((v): v is number => v !== null);
      const average = values.length ? values.reduce((a, b) => a + b, 0) / values.length : 0;
      const last = values[values.length - 1] ?? 0;
      lines.push(`| ${KPIS[i]}${unit ? ` (${unit})` : ""} | ${average.toFixed(2)} | ${last.toFixed(2)} |`);
    });

    const { url } = await analytics.saveReport({
      title: `KPI report ${month}`,
      markdown: `# ${month}\n\n${lines.join("\n")}\n`,
      folder: "monthly",
      visibility: "team",
    });
    return { url };
  },
});
