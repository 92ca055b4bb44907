/**
 * Task: Find open issues with the same title (ignoring case and punctuation) and comment on the newer ones that they duplicate the oldest. No mentions, one comment per issue.
 * Verdict: broken
 * Why: String.replace with a string pattern removes only the first "@" of the title.
 * Features: replace with string pattern, Map, first-seen index, for-of, Set
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

export default program({
  guarantees: [issues.noMentions(), issues.commentOnceEach(), issues.labelsFrom("duplicate")],
  async run() {
    const open = await issues.searchIssues({ state: "open", perPage: 100 });
    open.sort((a, b) => a.number - b.number);

    const firstByTitle = new Map<string, issues.Issue>();
    const done = new Set<number>();
    for (const issue of open) {
      const key = issue.title.toLowerCase().trim();
      const first = firstByTitle.get(key);
      if (!first) {
        firstByTitle.set(key, issue);
        continue;
      }
      if (first.number === issue.number || done.has(issue.number)) continue;
      done.add(issue.number);
      const safeTitle = first.title.replace("@", "");
      await issues.comment({ number: issue.number, body: `Duplicate of #${first.number}: ${safeTitle}` });
      await issues.addLabels({ number: issue.number, labels: ["duplicate"] });
    }
    return { duplicates: [...done] };
  },
});
