/**
 * Task: Summarise the pages about a topic, but don't spend more than 20000 characters on the summariser.
 * Verdict: holds
 * Why: Each text is cut to what is left of the budget, and its length is subtracted before the call.
 * Features: let budget, slice by remaining, break, for-of, trim, array of summaries
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

export default program({
  guarantees: [research.summarizeBudget(20000), research.readOnly()],
  async run({ topic }: { topic: string }) {
    const { results } = await research.webSearch({ query: topic });
    let left = 20_000;
    const summaries: { title: string; url: string; summary: string }[] = [];

    for (const r of results) {
      if (left < 500) break;
      const page = (await research.fetchPage({ url: r.url })).trim();
      const text = page.slice(0, Math.min(left, 6000));
      if (!text) continue;
      left -= text.length;
      const summary = await research.summarize({ text, maxWords: 80 });
      summaries.push({ title: r.title, url: r.url, summary });
    }

    return { summaries, unused: left };
  },
});
