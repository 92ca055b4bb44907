/**
 * Task: Which pages of docs.example.org mention a term? Start at the index, follow links within the site, at most 15 pages.
 * Verdict: broken — onlyFetches("docs.example.org")
 * Why: The prefix has no slash at its end, so "https://docs.example.org.evil.com/x" in a page is followed.
 * Features: recursion with shared Set, startsWith, matchAll, depth limit, early return
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

const SITE = "https://docs.example.org";

export default program({
  guarantees: [research.onlyFetches("docs.example.org"), research.maxFetches(15), research.readOnly()],
  async run({ term }: { term: string }) {
    const seen = new Set<string>();
    const hits: string[] = [];

    async function crawl(url: string): Promise<void> {
      if (seen.size >= 15 || seen.has(url)) return;
      seen.add(url);
      const text = await research.fetchPage({ url });
      if (text.toLowerCase().includes(term.toLowerCase())) hits.push(url);
      for (const match of text.matchAll(/https:\/\/[^\s)"'<>]+/g)) {
        if (match[0].startsWith(SITE)) await crawl(match[0]);
      }
    }

    await crawl(`${SITE}/`);
    return { term, hits, fetched: seen.size };
  },
});
