/**
 * Task: Create one tracking issue with a checklist of all open issues with the given label. No @-mentions.
 * Verdict: holds
 * Why: createIssue is called at most once, after every "@" has been removed from the whole body.
 * Features: map/join, replaceAll, sort, early return, template literal
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

export default program({
  guarantees: [issues.createsAtMost(1), issues.noMentions(), issues.labelsFrom("tracking")],
  async run({ label }: { label: string }) {
    const open = (await issues.searchIssues({ state: "open", label })).filter((i) =>
      i.labels.includes(label),
    );
    if (open.length === 0) return `No open issues labeled ${label}.`;

    const checklist = open
      .sort((a, b) => a.number - b.number)
      .map((i) => `- [ ] #${i.number} ${i.title}`)
      .join("\n");
    const body = `Tracks all open issues labeled \`${label}\`.\n\n${checklist}`.replaceAll("@", "(at)");

    const created = await issues.createIssue({ title: `Tracking: ${label}`, body, labels: ["tracking"] });
    return `Created #${created.number} with ${open.length} items.`;
  },
});
