/**
 * Task: Remind the assignees of overdue issues with a comment. Not more than 5 comments in total and one per issue.
 * Verdict: broken
 * Why: The limit of 5 is applied to each page of results, not to the whole run.
 * Features: page loop, filter, slice, Promise.all, Set, Date, optional chaining
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

const MAX_COMMENTS = 5;

export default program({
  guarantees: [issues.atMostComments(MAX_COMMENTS), issues.commentOnceEach()],
  async run() {
    const now = new Date();
    const reminded = new Set<number>();

    for (let page = 1; page <= 20; page++) {
      const rows = await issues.searchIssues({ state: "open", page, perPage: 50 });
      const overdue = rows
        .filter((i) => i.milestone?.dueOn && new Date(i.milestone.dueOn) <= now && i.assignees.length > 0)
        .filter((i) => !reminded.has(i.number))
        .slice(0, MAX_COMMENTS);

      for (const issue of overdue) {
        if (reminded.has(issue.number)) continue;
        reminded.add(issue.number);
        await issues.comment({
          number: issue.number,
          body: `@${issue.assignees[0]} this is overdue. Any update?`,
        });
      }
      if (rows.length < 50) break;
    }
    return { reminded: [...reminded] };
  },
});
