/**
 * Task: Add the label "next-release" to every open issue of the milestone, but leave the pinned issue #1 alone.
 * Verdict: broken
 * Why: It assumes the pinned issue is the first row after sorting; if it occurs twice, the second row is labeled.
 * Features: sort, index loop, array indexing, template string
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

export default program({
  guarantees: [issues.neverTouches(1), issues.labelsFrom("next-release")],
  async run({ milestone }: { milestone: string }) {
    const open = await issues.searchIssues({ state: "open" });
    open.sort((a, b) => a.number - b.number);

    const labeled: string[] = [];
    const first = open.length > 0 && open[0].number === 1 ? 1 : 0; // skip the pinned issue
    for (let i = first; i < open.length; i++) {
      const issue = open[i];
      if (issue.milestone?.title !== milestone) continue;
      await issues.addLabels({ number: issue.number, labels: ["next-release"] });
      labeled.push(`#${issue.number} ${issue.title}`);
    }
    return { milestone, labeled };
  },
});
