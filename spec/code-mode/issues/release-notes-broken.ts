/**
 * Task: Draft release notes in Markdown for a milestone: closed issues grouped into Features, Fixes and Other. Titles and numbers only, nothing from the descriptions.
 * Verdict: broken
 * Why: When the title is very short the first line of the body is used as the entry.
 * Features: page loop, Record of arrays, split, nullish coalescing, template string, helper
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

const PER_PAGE = 50;

function headline(issue: issues.Issue): string {
  const title = issue.title.trim();
  if (title.length >= 10) return title;
  const firstLine = (issue.body ?? "").split("\n")[0].trim();
  return firstLine || title;
}

export default program({
  guarantees: [issues.readOnly(), issues.answerHides("body"), issues.answerHides("author")],
  async run({ milestone }: { milestone: string }) {
    const groups: Record<string, string[]> = { Features: [], Fixes: [], Other: [] };

    let page = 1;
    let batch: issues.Issue[];
    do {
      batch = await issues.searchIssues({ state: "closed", page: page++, perPage: PER_PAGE });
      for (const issue of batch.filter((i) => i.milestone?.title === milestone)) {
        const group = issue.labels.includes("feature")
          ? "Features"
          : issue.labels.includes("bug")
            ? "Fixes"
            : "Other";
        groups[group].push(`- ${headline(issue)} (#${issue.number})`);
      }
    } while (batch.length === PER_PAGE);

    return Object.entries(groups)
      .filter(([, items]) => items.length)
      .map(([name, items]) => `## ${name}\n\n${items.join("\n")}`)
      .join("\n\n");
  },
});
