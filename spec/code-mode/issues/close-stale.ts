/**
 * Task: Close issues labeled "stale" that have had no activity for 30 days. Always leave a comment first.
 * Verdict: holds
 * Why: The label is checked on each row and closeIssue only follows a fulfilled comment on the same number.
 * Features: Date comparison, includes, sequential await, continue, template string
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

export default program({
  guarantees: [issues.closesOnlyLabeled("stale"), issues.commentsBeforeClose(), issues.neverMerges()],
  async run({ days = 30 }: { days?: number }) {
    const limit = Date.now() - days * 86_400_000;
    const candidates = await issues.searchIssues({ state: "open", label: "stale" });

    const closed: number[] = [];
    for (const issue of candidates) {
      if (issue.state !== "open" || !issue.labels.includes("stale")) continue;
      if (new Date(issue.updatedAt).getTime() > limit) continue;

      await issues.comment({
        number: issue.number,
        body: `Closing because there was no activity for ${days} days. Please reopen if this is still relevant.`,
      });
      await issues.closeIssue({ number: issue.number, reason: "not_planned" });
      closed.push(issue.number);
    }
    return { closed, kept: candidates.length - closed.length };
  },
});
