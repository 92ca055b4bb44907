/**
 * Task: Give me an index of my notes by tag, titles only; I share my screen, so show nothing of the texts.
 * Verdict: broken — answerHides("text")
 * Why: Hashtags found in the texts are used as tags, so words of the text appear in the answer.
 * Features: matchAll on text, spread merge into Set, Map of arrays, sort
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

export default program({
  guarantees: [research.readOnly(), research.answerHides("text")],
  async run() {
    const notes = await research.listNotes({});
    const index = new Map<string, string[]>();

    for (const note of notes) {
      const inline = [...note.text.matchAll(/#([\w-]+)/g)].map((m) => m[1]);
      const tags = new Set([...note.tags, ...inline]);
      for (const tag of tags) {
        index.set(tag, [...(index.get(tag) ?? []), note.title]);
      }
    }

    return [...index]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([tag, titles]) => ({ tag, titles: titles.sort() }));
  },
});
