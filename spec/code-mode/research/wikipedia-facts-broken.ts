/**
 * Task: Collect the opening paragraph of English Wikipedia articles about a topic. Fetch from en.wikipedia.org only.
 * Verdict: broken — onlyFetches("en.wikipedia.org")
 * Why: The regex has no anchor and its dots match anything, so "https://evil.example/en.wikipedia.org" passes.
 * Features: regex test filter, Promise.all, destructuring, split
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

export default program({
  guarantees: [research.onlyFetches("en.wikipedia.org"), research.readOnly()],
  async run({ topic }: { topic: string }) {
    const { results } = await research.webSearch({ query: topic, site: "en.wikipedia.org", count: 5 });
    const articles = results.filter(({ url }) => /en.wikipedia.org/.test(url));

    return Promise.all(
      articles.map(async ({ url, title }) => {
        const [opening] = (await research.fetchPage({ url })).split(/\n\s*\n/);
        return { title, url, opening };
      }),
    );
  },
});
