/**
 * Task: Merge the green dependency updates opened by renovate[bot], comment "Merged automatically." on each. Nothing from other authors.
 * Verdict: holds
 * Why: The author and the checks are verified on the fetched pull request right before its merge.
 * Features: constants, for-of, try/catch collecting errors, every, instanceof Error
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

const BOT = "renovate[bot]";

export default program({
  guarantees: [issues.mergesOnlyBy("renovate[bot]"), issues.mergesOnlyGreen()],
  async run() {
    const candidates = await issues.listPullRequests({ state: "open" });
    const log: string[] = [];

    for (const { number } of candidates) {
      try {
        const pr = await issues.getPullRequest({ number });
        if (pr.author !== BOT || pr.state !== "open" || pr.draft) continue;
        const green = pr.checks.every(
          ({ conclusion }) => conclusion === "success" || conclusion === "skipped",
        );
        if (!green) {
          log.push(`#${number} skipped: checks are not green`);
          continue;
        }
        const { merged, sha } = await issues.mergePullRequest({ number, method: "squash" });
        if (merged) {
          await issues.comment({ number, body: "Merged automatically." });
          log.push(`#${number} merged${sha ? ` as ${sha.slice(0, 7)}` : ""}`);
        }
      } catch (e) {
        log.push(`#${number} failed: ${e instanceof Error ? e.message : String(e)}`);
      }
    }
    return log;
  },
});
