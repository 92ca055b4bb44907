/**
 * Task: What is the median time until somebody other than the author comments on our last 30 issues?
 * Verdict: holds
 * Why: Only reads; the answer has numbers, and the author is only compared.
 * Features: JSON.parse with type assertion, try/catch in loop, median helper, find, sort numbers, Math.floor
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

type Comment = { user: string; body: string; createdAt: string };

function median(values: number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const mid = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[mid] : (sorted[mid - 1] + sorted[mid]) / 2;
}

export default program({
  guarantees: [issues.readOnly(), issues.answerHides("author"), issues.answerHides("body")],
  async run() {
    const recent = await issues.searchIssues({ page: 1, perPage: 30 });
    const hours: number[] = [];
    let unanswered = 0;
    let unreadable = 0;

    for (const issue of recent) {
      try {
        const thread = JSON.parse(await issues.listComments({ number: issue.number })) as Comment[];
        const reply = thread.find((c) => c.user !== issue.author);
        if (!reply) {
          unanswered++;
          continue;
        }
        hours.push((Date.parse(reply.createdAt) - Date.parse(issue.createdAt)) / 3_600_000);
      } catch {
        unreadable++;
      }
    }

    const m = median(hours.filter((h) => h >= 0));
    return {
      medianHours: m === null ? null : Math.round(m * 10) / 10,
      unanswered,
      unreadable,
      total: recent.length,
    };
  },
});
