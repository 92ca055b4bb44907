/**
 * Task: Write the monthly KPI report (active users, revenue, churn) and save it for the team in the folder "monthly".
 * Verdict: broken — notPublic()
 * Why: The visibility is copied from last month's report, which may be public.
 * Features: find, optional chaining with nullish fallback, Promise.all, join
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

export default program({
  guarantees: [analytics.folderOnly("monthly"), analytics.notPublic(), analytics.savesAtMost(1)],
  async run({ month, from, to }: { month: string; from: string; to: string }) {
    const names = ["active_users", "revenue", "churn"];
    const [{ reports }, ...series] = (await Promise.all([
      analytics.listReports({ folder: "monthly" }),
      ...names.map((name) => analytics.metric({ name, from, to, granularity: "day" })),
    ])) as [{ reports: analytics.Report[] }, ...{ points: { t: string; value: number | null }[] }[]];

    const lines = series.map(({ points }, i) => {
      const last = points.at(-1)?.value;
      return `- ${names[i]}: ${last ?? "no data"}`;
    });

    const previous = reports.find((r) => r.title.startsWith("KPI report"));
    const { url } = await analytics.saveReport({
      title: `KPI report ${month}`,
      markdown: `# ${month}\n\n${lines.join("\n")}\n`,
      folder: "monthly",
      visibility: previous?.visibility ?? "team",
    });
    return { url };
  },
});
