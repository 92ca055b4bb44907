/**
 * Task: Triage the open unlabeled issues: label them bug, docs or question depending on the wording.
 * Verdict: broken
 * Why: A "/label xyz" line in the issue body is obeyed, so anybody can set any label.
 * Features: regex with capture group, destructuring, spread, conditional push, for-of
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

const RULES: [RegExp, string][] = [
  [/\b(crash|error|exception|broken)\b/i, "bug"],
  [/\b(docs?|documentation|typo)\b/i, "docs"],
  [/\?\s*$/m, "question"],
];

export default program({
  guarantees: [issues.labelsFrom("bug", "docs", "question"), issues.neverMerges()],
  async run() {
    const open = await issues.searchIssues({ state: "open", perPage: 100 });
    let labeled = 0;

    for (const { number, title, body, labels } of open) {
      if (labels.length > 0) continue;
      const text = `${title}\n${body ?? ""}`;
      const found = RULES.filter(([re]) => re.test(text)).map(([, label]) => label);

      // reporters may choose the label themselves
      const command = text.match(/^\/label\s+([\w-]+)/m);
      if (command) found.push(command[1]);

      if (found.length === 0) continue;
      await issues.addLabels({ number, labels: [...new Set(found)] });
      labeled++;
    }
    return { labeled };
  },
});
