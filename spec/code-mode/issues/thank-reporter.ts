/**
 * Task: Thank the reporter of this issue with a short comment.
 * Verdict: holds
 * Why: There is exactly one comment with a fixed text.
 * Features: await, object return
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

export default program({
  guarantees: [issues.atMostComments(1), issues.noMentions()],
  async run({ number }: { number: number }) {
    const { url } = await issues.comment({ number, body: "Thanks for the report! We will have a look." });
    return { url };
  },
});
