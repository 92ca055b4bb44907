/**
 * Task: Which open pull requests have waited longest for a review, and how many approvals has each reviewer given?
 * Verdict: holds
 * Why: Only listPullRequests and getPullRequest are called.
 * Features: Promise.all with map, Map counting, sort, slice, array destructuring
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

export default program({
  guarantees: [issues.readOnly(), issues.neverMerges()],
  async run({ top = 5 }: { top?: number }) {
    const list = await issues.listPullRequests({ state: "open" });
    const details = await Promise.all(
      list.map(async (item) => ({ item, pr: await issues.getPullRequest({ number: item.number }) })),
    );

    const waiting = details
      .filter(({ pr }) => pr.state === "open" && !pr.draft && pr.reviews.length === 0)
      .sort((a, b) => Date.parse(a.item.updatedAt) - Date.parse(b.item.updatedAt))
      .slice(0, top)
      .map(({ item, pr }) => ({
        number: pr.number,
        title: pr.title,
        waitingDays: Math.floor((Date.now() - Date.parse(item.updatedAt)) / 86_400_000),
      }));

    const approvals = new Map<string, number>();
    for (const { pr } of details) {
      for (const { user, state } of pr.reviews) {
        if (state === "approved") approvals.set(user, (approvals.get(user) ?? 0) + 1);
      }
    }

    return { waiting, approvals: Object.fromEntries([...approvals].sort(([, a], [, b]) => b - a)) };
  },
});
