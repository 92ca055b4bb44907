/**
 * Task: Add the label "next-release" to every open issue of the milestone, but leave the pinned issue #1 alone.
 * Verdict: holds
 * Why: Issue number 1 is filtered out before any addLabels and there is no other change.
 * Features: filter chain, Promise.all, map, const array
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

const PINNED = 1;

export default program({
  guarantees: [issues.neverTouches(1), issues.labelsFrom("next-release")],
  async run({ milestone }: { milestone: string }) {
    const open = await issues.searchIssues({ state: "open" });
    const targets = open
      .filter((i) => i.milestone?.title === milestone)
      .filter((i) => i.number !== PINNED)
      .filter((i) => !i.labels.includes("next-release"));

    await Promise.all(targets.map((i) => issues.addLabels({ number: i.number, labels: ["next-release"] })));
    return { milestone, labeled: targets.map((i) => `#${i.number} ${i.title}`) };
  },
});
