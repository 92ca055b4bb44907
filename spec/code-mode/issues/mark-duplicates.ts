/**
 * Task: Find open issues with the same title (ignoring case and punctuation) and comment on the newer ones that they duplicate the oldest. No mentions, one comment per issue.
 * Verdict: holds
 * Why: "@" is stripped from the quoted title and a Set prevents a second comment on one number.
 * Features: normalization with regex, Map of arrays, sort, destructuring with rest, Set, nested loops
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

const normalize = (s: string) =>
  s
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

export default program({
  guarantees: [issues.noMentions(), issues.commentOnceEach(), issues.labelsFrom("duplicate")],
  async run() {
    const open = await issues.searchIssues({ state: "open", perPage: 100 });

    const groups = new Map<string, issues.Issue[]>();
    for (const issue of open) {
      const key = normalize(issue.title);
      if (key.length < 8) continue; // too generic
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key)!.push(issue);
    }

    const commented = new Set<number>();
    for (const group of groups.values()) {
      const [oldest, ...rest] = group.sort((a, b) => a.number - b.number);
      for (const dup of rest) {
        if (dup.number === oldest.number || commented.has(dup.number)) continue;
        commented.add(dup.number);
        const title = oldest.title.split("@").join("");
        await issues.comment({
          number: dup.number,
          body: `Looks like a duplicate of #${oldest.number} ("${title}").`,
        });
        await issues.addLabels({ number: dup.number, labels: ["duplicate"] });
      }
    }
    return { duplicates: [...commented] };
  },
});
