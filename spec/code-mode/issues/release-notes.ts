/**
 * Task: Draft release notes in Markdown for a milestone: closed issues grouped into Features, Fixes and Other. Titles and numbers only, nothing from the descriptions.
 * Verdict: holds
 * Why: The text has titles and numbers of issues only, and only searchIssues is called.
 * Features: page loop, Map with fixed keys, switch on first match, array join, string building, optional chaining
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

const PER_PAGE = 50;

function section(labels: string[]): "Features" | "Fixes" | "Other" {
  for (const label of labels) {
    switch (label.toLowerCase()) {
      case "feature":
      case "enhancement":
        return "Features";
      case "bug":
      case "regression":
        return "Fixes";
    }
  }
  return "Other";
}

export default program({
  guarantees: [issues.readOnly(), issues.answerHides("body"), issues.answerHides("author")],
  async run({ milestone }: { milestone: string }) {
    const sections = new Map<string, string[]>([
      ["Features", []],
      ["Fixes", []],
      ["Other", []],
    ]);

    for (let page = 1; ; page++) {
      const batch = await issues.searchIssues({ state: "closed", page, perPage: PER_PAGE });
      for (const issue of batch) {
        if (issue.milestone?.title !== milestone || issue.state !== "closed") continue;
        sections.get(section(issue.labels))?.push(`- ${issue.title.trim()} (#${issue.number})`);
      }
      if (batch.length < PER_PAGE) break;
    }

    let text = `# ${milestone}\n`;
    for (const [name, items] of sections) {
      if (items.length === 0) continue;
      text += `\n## ${name}\n\n${items.join("\n")}\n`;
    }
    return text;
  },
});
