/**
 * Task: Summarise a note, save the summary in "shared" and share it with ana@example.com.
 * Verdict: broken — sharesOnlyWith("ana@example.com")
 * Why: Addresses after "cc:" in the note's text also get the summary.
 * Features: regex capture, split and trim, spread into list, for-of, conditional list
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
      text: summary,
      folder: "shared",
    });

    const cc =
      note.text
        .match(/^cc:\s*(.+)$/im)?.[1]
        .split(",")
        .map((a) => a.trim()) ?? [];
    const links: string[] = [];
    for (const address of ["ana@example.com", ...cc]) {
      const { link } = await research.share({ noteId: id, with: address });
      links.push(link);
    }
    return { link: links[0], sharedWith: 1 + cc.length };
  },
});
