/**
 * Task: Summarise the pages about a topic, but don't spend more than 20000 characters on the summariser.
 * Verdict: broken — summarizeBudget(20000)
 * Why: The pages fill the budget and the final summary of the summaries is not counted.
 * Features: budget counter, index loop, second-stage call, join
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

const BUDGET = 20_000;
const PER_PAGE = 5_000;

export default program({
  guarantees: [research.summarizeBudget(20000), research.readOnly()],
  async run({ topic }: { topic: string }) {
    const { results } = await research.webSearch({ query: topic });
    const summaries: string[] = [];
    let used = 0;

    for (let i = 0; i < results.length; i++) {
      const text = (await research.fetchPage({ url: results[i].url })).slice(0, PER_PAGE);
      if (used + text.length > BUDGET) break;
      used += text.length;
      summaries.push(await research.summarize({ text, maxWords: 80 }));
    }

    const overall = await research.summarize({ text: summaries.join("\n\n"), maxWords: 150 });
    return { overall, pages: summaries.length };
  },
});
