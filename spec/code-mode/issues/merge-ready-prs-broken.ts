/**
 * Task: Squash-merge all open pull requests to main that are approved and green. List what was merged.
 * Verdict: broken
 * Why: Only "failure" is treated as red, so a pull request with a pending check is merged.
 * Features: Promise.all, filter, every, some, for-of
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

export default program({
  guarantees: [issues.mergesOnlyApproved(), issues.mergesOnlyGreen()],
  async run() {
    const open = await issues.listPullRequests({ state: "open", base: "main" });
    const prs = await Promise.all(open.map(({ number }) => issues.getPullRequest({ number })));

    const ready = prs.filter(
      (pr) =>
        pr.state === "open" &&
        !pr.draft &&
        pr.base === "main" &&
        pr.reviews.some((r) => r.state === "approved") &&
        !pr.reviews.some((r) => r.state === "changes_requested") &&
        pr.checks.every((c) => c.conclusion !== "failure"),
    );

    const merged: number[] = [];
    for (const pr of ready) {
      const { merged: ok } = await issues.mergePullRequest({ number: pr.number, method: "squash" });
      if (ok) merged.push(pr.number);
    }
    return { merged, notReady: prs.length - ready.length };
  },
});
