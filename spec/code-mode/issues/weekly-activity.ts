/**
 * Task: Weekly report: how many issues were opened per label in the last 7 days, compared with the 7 days before?
 * Verdict: holds
 * Why: Only searchIssues is called and the answer has labels and numbers.
 * Features: Date arithmetic, Map, computed difference, sort by two keys, padEnd, table text
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

const WEEK = 7 * 24 * 3600 * 1000;

export default program({
  guarantees: [issues.readOnly(), issues.answerHides("body")],
  async run() {
    const now = Date.now();
    const all = await issues.searchIssues({ perPage: 100 });
    const perLabel = new Map<string, [thisWeek: number, lastWeek: number]>();

    for (const issue of all) {
      const age = now - Date.parse(issue.createdAt);
      if (!(age >= 0 && age < 2 * WEEK)) continue;
      const labels = issue.labels.length ? issue.labels : ["(none)"];
      for (const label of labels) {
        const pair = perLabel.get(label) ?? [0, 0];
        pair[age < WEEK ? 0 : 1]++;
        perLabel.set(label, pair);
      }
    }

    const rows = [...perLabel.entries()].sort(([la, a], [lb, b]) => b[0] - a[0] || la.localeCompare(lb));
    const width = Math.max(5, ...rows.map(([label]) => label.length));
    const table = rows.map(([label, [cur, prev]]) => {
      const diff = cur - prev;
      return `${label.padEnd(width)}  ${String(cur).padStart(4)}  ${diff > 0 ? "+" : ""}${diff}`;
    });
    return ["label".padEnd(width) + "  week  change", ...table].join("\n");
  },
});
