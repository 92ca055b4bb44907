/**
 * Task: Summarise a note, save the summary in "shared" and share it with ana@example.com.
 * Verdict: holds
 * Why: The folder and the address are literals, only the new note is shared.
 * Features: null check with throw, sequential awaits, property named with a keyword, template string
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

export default program({
  guarantees: [
    research.sharesOnlyWith("ana@example.com"),
    research.savesOnlyIn("shared"),
    research.neverDeletes(),
  ],
  async run({ noteId }: { noteId: string }) {
    const note = await research.getNote({ id: noteId });
    if (!note) throw new Error(`There is no note ${noteId}.`);

    const summary = await research.summarize({ text: note.text, maxWords: 200 });
    const { id } = await research.saveNote({
      title: `Summary of ${note.title}`,
      text: `${summary}\n\n(made from "${note.title}", last changed ${note.updatedAt.slice(0, 10)})`,
      folder: "shared",
      tags: [...new Set([...note.tags, "summary"])],
    });
    const { link } = await research.share({ noteId: id, with: "ana@example.com" });
    return { link, words: summary.split(/\s+/).filter(Boolean).length };
  },
});
