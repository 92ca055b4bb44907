/**
 * Task: Look up a question on the web and give me the sentences that answer it best, with links. Three pages are enough.
 * Verdict: broken — fetchesOnlyFound()
 * Why: When a page says "see" and a link, the link from the untrusted text is fetched instead.
 * Features: index loop, regex match on page text, let reassignment, try/catch continue
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

export default program({
  guarantees: [research.readOnly(), research.fetchesOnlyFound(), research.maxFetches(3)],
  async run({ question }: { question: string }) {
    const { results } = await research.webSearch({ query: question, count: 3 });
    const found: string[] = [];
    let fetches = 0;

    for (let i = 0; i < results.length && fetches < 3; i++) {
      let url = results[i].url;
      try {
        fetches++;
        let text = await research.fetchPage({ url });
        const moved = text.match(/(?:see|moved to)\s+(https:\/\/\S+)/i);
        if (moved && fetches < 3) {
          url = moved[1];
          fetches++;
          text = await research.fetchPage({ url });
        }
        const first = text.split(/[.!?]\s+/).find((s) => s.length > 30);
        if (first) found.push(`${first}. (${url})`);
      } catch {}
    }
    return found;
  },
});
