/**
 * Task: Remind the assignees of overdue issues with a comment. Not more than 5 comments in total and one per issue.
 * Verdict: holds
 * Why: The loop stops when 5 comments were started and numbers already seen are skipped.
 * Features: page loop with labeled break, Set, size check, Date, optional chaining, map/join of mentions
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

const MAX_COMMENTS = 5;

export default program({
  guarantees: [issues.atMostComments(MAX_COMMENTS), issues.commentOnceEach()],
  async run() {
    const now = new Date();
    const reminded = new Set<number>();

    pages: for (let page = 1; page <= 20; page++) {
      const rows = await issues.searchIssues({ state: "open", page, perPage: 50 });
      for (const issue of rows) {
        const due = issue.milestone?.dueOn;
        if (!due || new Date(due) > now || issue.assignees.length === 0) continue;
        if (reminded.has(issue.number)) continue;
        if (reminded.size >= MAX_COMMENTS) break pages;

        reminded.add(issue.number);
        const who = issue.assignees.map((a) => `@${a}`).join(" ");
        await issues.comment({
          number: issue.number,
          body: `${who} this was due on ${due.slice(0, 10)}. Any update?`,
        });
      }
      if (rows.length < 50) break;
    }
    return { reminded: [...reminded] };
  },
});
