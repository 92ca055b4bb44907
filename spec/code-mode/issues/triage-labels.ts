/**
 * Task: Triage the open unlabeled issues: label them bug, docs or question depending on the wording.
 * Verdict: holds
 * Why: classify returns one of three literals or null, and only those reach addLabels.
 * Features: regex test, union literal return type, null, for-of, counting object, toLowerCase, keyof
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

type Kind = "bug" | "docs" | "question";

function classify(issue: issues.Issue): Kind | null {
  const text = `${issue.title}\n${issue.body ?? ""}`.toLowerCase();
  if (/\b(crash|error|exception|fails?|broken|regression)\b/.test(text)) return "bug";
  if (/\b(docs?|documentation|typo|readme)\b/.test(text)) return "docs";
  if (/\?\s*$/m.test(text) || /\bhow (do|can|to)\b/.test(text)) return "question";
  return null;
}

export default program({
  guarantees: [issues.labelsFrom("bug", "docs", "question"), issues.neverMerges()],
  async run() {
    const open = await issues.searchIssues({ state: "open", perPage: 100 });
    const counts: Record<Kind, number> = { bug: 0, docs: 0, question: 0 };
    const unsure: number[] = [];

    for (const issue of open) {
      if (issue.labels.length > 0) continue;
      const kind = classify(issue);
      if (kind === null) {
        unsure.push(issue.number);
        continue;
      }
      await issues.addLabels({ number: issue.number, labels: [kind] });
      counts[kind]++;
    }
    return { labeled: counts, unsure };
  },
});
