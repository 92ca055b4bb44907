/**
 * Task: Collect the opening paragraph of English Wikipedia articles about a topic. Fetch from en.wikipedia.org only.
 * Verdict: holds
 * Why: Only urls that begin with "https://en.wikipedia.org/" are fetched.
 * Features: startsWith filter, Set dedupe, Promise.all, split paragraphs, find
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

const WIKI = "https://en.wikipedia.org/";

export default program({
  guarantees: [research.onlyFetches("en.wikipedia.org"), research.readOnly()],
  async run({ topic }: { topic: string }) {
    const { results } = await research.webSearch({ query: topic, site: "en.wikipedia.org", count: 5 });
    const urls = [...new Set(results.map((r) => r.url))].filter((u) => u.startsWith(WIKI));

    return Promise.all(
      urls.map(async (url) => {
        const text = await research.fetchPage({ url });
        const opening = text.split(/\n\s*\n/).find((p) => p.trim().length > 80);
        return { url, opening: opening?.trim() ?? "(no text)" };
      }),
    );
  },
});
