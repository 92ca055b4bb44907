/**
 * Task: Research a topic and save a brief with its sources into the folder "briefs", at most 4000 characters.
 * Verdict: holds
 * Why: Only urls whose page was fetched are sources, nothing is saved without any, the folder is a literal and the text is cut.
 * Features: array of objects, try/catch in loop, join of paragraphs, slice, early return, map of sources
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

export default program({
  guarantees: [research.everyNoteCited(), research.savesOnlyIn("briefs"), research.noteMax(4000)],
  async run({ topic }: { topic: string }) {
    const { results } = await research.webSearch({ query: topic, count: 5 });
    const parts: { url: string; title: string; summary: string }[] = [];

    for (const { url, title } of results) {
      try {
        const page = await research.fetchPage({ url });
        const summary = await research.summarize({ text: page.slice(0, 10_000), maxWords: 120 });
        parts.push({ url, title, summary });
      } catch (e) {
        console.log(`skipping ${url}: ${e}`);
      }
    }
    if (parts.length === 0) return { saved: false, reason: "No page could be read." };

    const text = parts.map((p) => `## ${p.title}\n${p.summary}\n${p.url}`).join("\n\n");
    const { id } = await research.saveNote({
      title: `Brief: ${topic}`,
      text: text.slice(0, 4000),
      folder: "briefs",
      tags: ["brief"],
      sources: parts.map((p) => p.url),
    });
    return { saved: true, id, sources: parts.length };
  },
});
