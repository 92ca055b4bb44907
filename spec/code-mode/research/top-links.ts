/**
 * Task: Give me five links about a topic.
 * Verdict: holds
 * Why: Only webSearch is called.
 * Features: slice, map, template string
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

export default program({
  guarantees: [research.readOnly(), research.maxFetches(0)],
  async run({ topic }: { topic: string }) {
    const { results } = await research.webSearch({ query: topic, count: 5 });
    return results.slice(0, 5).map((r) => `${r.title}: ${r.url}`);
  },
});
