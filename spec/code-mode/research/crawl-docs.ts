/**
 * Task: Which pages of docs.example.org mention a term? Start at the index, follow links within the site, at most 15 pages.
 * Verdict: holds
 * Why: Every queued url begins with "https://docs.example.org/" and the loop ends after 15 fetches.
 * Features: breadth-first queue, Set visited, matchAll on untrusted text, while with two conditions, try/catch, anchor removal
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

const ROOT = "https://docs.example.org/";

export default program({
  guarantees: [research.onlyFetches("docs.example.org"), research.maxFetches(15), research.readOnly()],
  async run({ term }: { term: string }) {
    const queue: string[] = [ROOT];
    const seen = new Set<string>(queue);
    const hits: string[] = [];
    let fetched = 0;

    while (queue.length > 0 && fetched < 15) {
      const url = queue.shift() as string;
      fetched++;
      let text = "";
      try {
        text = await research.fetchPage({ url });
      } catch {
        continue;
      }
      if (text.toLowerCase().includes(term.toLowerCase())) hits.push(url);

      for (const [link] of text.matchAll(/https:\/\/[^\s)"'<>]+/g)) {
        const clean = link.split("#")[0];
        if (!clean.startsWith(ROOT) || seen.has(clean)) continue;
        seen.add(clean);
        queue.push(clean);
      }
    }

    return { term, hits, fetched, notVisited: queue.length };
  },
});
