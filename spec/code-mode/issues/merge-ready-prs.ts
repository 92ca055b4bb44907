/**
 * Task: Squash-merge all open pull requests to main that are approved and green. List what was merged and what is blocked and why.
 * Verdict: holds
 * Why: Each merge directly follows a getPullRequest of that number for which blockers() found nothing.
 * Features: helper returning array of reasons, every/some, for-of, push, Record, spread
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

function blockers(pr: issues.PullRequest): string[] {
  const reasons: string[] = [];
  if (pr.state !== "open") reasons.push(`state is ${pr.state}`);
  if (pr.draft) reasons.push("is a draft");
  if (pr.base !== "main") reasons.push(`targets ${pr.base}`);
  if (!pr.reviews.some((r) => r.state === "approved")) reasons.push("not approved");
  if (pr.reviews.some((r) => r.state === "changes_requested")) reasons.push("changes requested");
  const bad = pr.checks.filter((c) => c.conclusion !== "success" && c.conclusion !== "skipped");
  if (bad.length > 0) reasons.push(`checks: ${bad.map((c) => `${c.name} ${c.conclusion}`).join(", ")}`);
  return reasons;
}

export default program({
  guarantees: [issues.mergesOnlyApproved(), issues.mergesOnlyGreen()],
  async run() {
    const open = await issues.listPullRequests({ state: "open", base: "main" });
    const merged: string[] = [];
    const blocked: Record<string, string[]> = {};

    for (const { number, title } of open) {
      const pr = await issues.getPullRequest({ number });
      const reasons = blockers(pr);
      if (reasons.length > 0) {
        blocked[`#${number} ${title}`] = reasons;
        continue;
      }
      const result = await issues.mergePullRequest({ number, method: "squash" });
      if (result.merged) merged.push(`#${number} ${title}`);
      else blocked[`#${number} ${title}`] = ["merge was refused"];
    }
    return { merged, blocked };
  },
});
