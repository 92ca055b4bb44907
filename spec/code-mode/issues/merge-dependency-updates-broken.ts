/**
 * Task: Merge the green dependency updates opened by renovate[bot], comment "Merged automatically." on each. Nothing from other authors.
 * Verdict: broken
 * Why: The branch name decides instead of the author, and anybody can name a branch "renovate/…".
 * Features: startsWith, for-of, every, optional field, template string
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

export default program({
  guarantees: [issues.mergesOnlyBy("renovate[bot]"), issues.mergesOnlyGreen()],
  async run() {
    const candidates = await issues.listPullRequests({ state: "open" });
    const log: string[] = [];

    for (const { number } of candidates) {
      const pr = await issues.getPullRequest({ number });
      if (!pr.head.startsWith("renovate/") || pr.state !== "open") continue;
      if (!pr.checks.every((c) => c.conclusion === "success" || c.conclusion === "skipped")) continue;

      const { merged } = await issues.mergePullRequest({ number, method: "squash" });
      if (merged) {
        await issues.comment({ number, body: "Merged automatically." });
        log.push(`#${number} ${pr.title}`);
      }
    }
    return log.length > 0 ? log : "Nothing to merge.";
  },
});
