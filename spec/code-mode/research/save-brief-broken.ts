/**
 * Task: Research a topic and save a brief with its sources into the folder "briefs", at most 4000 characters.
 * Verdict: broken — everyNoteCited()
 * Why: All search results are listed as sources, also pages whose fetch failed (and the list may be empty).
 * Features: Promise.all with catch fallback, filter, map, join, slice
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

export default program({
  guarantees: [research.everyNoteCited(), research.savesOnlyIn("briefs"), research.noteMax(4000)],
  async run({ topic }: { topic: string }) {
    const { results } = await research.webSearch({ query: topic, count: 5 });
    const pages = await Promise.all(results.map((r) => research.fetchPage({ url: r.url }).catch(() => "")));
    const readable = pages.filter((p) => p.length > 200);

    const summary = await research.summarize({
      text: readable.join("\n---\n").slice(0, 20_000),
      maxWords: 400,
    });
    const { id } = await research.saveNote({
      title: `Brief: ${topic}`,
      text: summary.slice(0, 4000),
      folder: "briefs",
      sources: results.map((r) => r.url),
    });
    return { saved: true, id };
  },
});
