/**
 * Task: Delete notes that have the same text as a newer note, but never one tagged "keep".
 * Verdict: holds
 * Why: A note is deleted only if its own listed tags do not include "keep".
 * Features: sort descending by date, Set of normalised texts, continue, sequential deletes
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

const normal = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();

export default program({
  guarantees: [research.deletesOnlyUntagged("keep")],
  async run({ folder }: { folder: string }) {
    const notes = await research.listNotes({ folder });
    const newestFirst = [...notes].sort((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));

    const texts = new Set<string>();
    const ids = new Set<string>();
    const deleted: string[] = [];
    for (const note of newestFirst) {
      if (ids.has(note.id)) continue;
      ids.add(note.id);
      const key = normal(note.text);
      if (!texts.has(key)) {
        texts.add(key);
        continue;
      }
      if (note.tags.includes("keep")) continue;
      await research.deleteNote({ id: note.id });
      deleted.push(note.title);
    }
    return { checked: ids.size, deleted };
  },
});
