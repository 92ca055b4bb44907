/**
 * Task: Close issues labeled "stale" that have had no activity for 30 days. Always leave a comment first.
 * Verdict: broken
 * Why: If the comment fails the error is only logged and the issue is closed without a comment.
 * Features: try/catch, console.log, Date comparison, includes, filter
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

async function say(number: number, body: string) {
  try {
    await issues.comment({ number, body });
  } catch (e) {
    console.log(`could not comment on #${number}: ${e}`);
  }
}

export default program({
  guarantees: [issues.closesOnlyLabeled("stale"), issues.commentsBeforeClose(), issues.neverMerges()],
  async run({ days = 30 }: { days?: number }) {
    const limit = Date.now() - days * 86_400_000;
    const rows = await issues.searchIssues({ state: "open", label: "stale" });
    const stale = rows.filter((i) => i.labels.includes("stale") && Date.parse(i.updatedAt) <= limit);

    for (const { number } of stale) {
      await say(number, `Closing because there was no activity for ${days} days.`);
      await issues.closeIssue({ number, reason: "not_planned" });
    }
    return { closed: stale.map((i) => i.number) };
  },
});
