/**
 * Task: Thank the reporter of this issue with a short comment.
 * Verdict: broken
 * Why: The comment addresses the author with "@", although mentions are excluded.
 * Features: find, template string, optional chaining
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

export default program({
  guarantees: [issues.atMostComments(1), issues.noMentions()],
  async run({ number }: { number: number }) {
    const issue = (await issues.searchIssues({ query: `#${number}` })).find((i) => i.number === number);
    if (!issue) return { error: "not found" };
    const { url } = await issues.comment({ number, body: `Thanks for the report, @${issue.author}!` });
    return { url };
  },
});
