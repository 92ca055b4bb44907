/**
 * Task: Delete notes that have the same text as a newer note, but never one tagged "keep".
 * Verdict: broken — deletesOnlyUntagged("keep")
 * Why: The tag is tested on the newest note of a group, not on the note that is deleted.
 * Features: group in Map, sort in group, array destructuring with rest, Promise.all
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

export default program({
  guarantees: [research.deletesOnlyUntagged("keep")],
  async run({ folder }: { folder: string }) {
    const notes = await research.listNotes({ folder });
    const groups = new Map<string, research.Note[]>();
    for (const note of notes) {
      const key = note.text.replace(/\s+/g, " ").trim().toLowerCase();
      const group = groups.get(key);
      if (group) group.push(note);
      else groups.set(key, [note]);
    }

    let deleted = 0;
    for (const group of groups.values()) {
      const [newest, ...older] = group.sort((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
      if (newest.tags.includes("keep")) continue;
      await Promise.all(older.map((n) => research.deleteNote({ id: n.id })));
      deleted += older.length;
    }
    return { checked: notes.length, deleted };
  },
});
