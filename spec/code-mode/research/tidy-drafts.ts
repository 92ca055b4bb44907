/**
 * Task: Tidy my draft notes: collapse blank lines, trim line ends and add a heading if there is none. Touch drafts only.
 * Verdict: holds
 * Why: Only notes whose tags include "draft" in the listed result are updated, and none is deleted.
 * Features: chain of replace with regex, pure helper, skip when unchanged, includes, counter
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

function tidy(title: string, text: string): string {
  const clean = text
    .replace(/\r\n/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return clean.startsWith("# ") ? `${clean}\n` : `# ${title}\n\n${clean}\n`;
}

export default program({
  guarantees: [research.updatesOnlyTagged("draft"), research.neverDeletes()],
  async run() {
    const notes = await research.listNotes({ tag: "draft" });
    const changed: string[] = [];
    for (const note of notes) {
      if (!note.tags.includes("draft")) continue;
      const text = tidy(note.title, note.text);
      if (text === note.text) continue;
      await research.updateNote({ id: note.id, text });
      changed.push(note.title);
    }
    return { drafts: notes.length, changed };
  },
});
